import { expect, it } from 'vitest';
import { searchable } from './words.ts';

it('splits Japanese and Korean into bigrams and leaves other text unchanged', () => {
  expect(searchable('Lights of 山の灯り here').replace(/\s+/g, ' ')).toBe('Lights of 山の の灯 灯り here');
  expect(searchable('김바다').trim()).toBe('김바 바다');
  expect(searchable('山').trim()).toBe('山');
  expect(searchable('plain words, 1942')).toBe('plain words, 1942');
});

it('removes diacritics, composed or not, and splits at apostrophes', () => {
  expect(searchable('Máire O’Dálaigh')).toBe('Maire O Dalaigh');
  expect(searchable('Zoe\u0308')).toBe('Zoe');
  expect(searchable('が')).toContain('が');
});
