import { expect, it } from 'vitest';
import { toSearchable } from './searchable-text.ts';

it('splits Japanese and Korean into bigrams and leaves other text unchanged', () => {
  expect(toSearchable('Lights of 山の灯り here').replace(/\s+/g, ' ')).toBe('Lights of 山の の灯 灯り here');
  expect(toSearchable('김바다').trim()).toBe('김바 바다');
  expect(toSearchable('山').trim()).toBe('山');
  expect(toSearchable('plain words, 1942')).toBe('plain words, 1942');
});

it('removes diacritics, composed or not, and splits at apostrophes', () => {
  expect(toSearchable('Máire O’Dálaigh')).toBe('Maire O Dalaigh');
  expect(toSearchable('Zoe\u0308')).toBe('Zoe');
  expect(toSearchable('が')).toContain('が');
});
