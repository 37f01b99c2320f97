import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExcerpt, excerptAround, highlightTerms, splitTerms } from './excerpt.ts';

const hits = (text: string, words: string) =>
  highlightTerms(text, splitTerms(words))
    .filter(({ isMatch }) => isMatch)
    .map((piece) => piece.text);

it('marks whole words, words with endings, and characters of scripts without spaces', () => {
  expect(hits('Lanterns and a Lantern; lanternfish', 'lantern')).toEqual(['Lanterns', 'Lantern', 'lantern']);
  expect(hits('山の灯が見える', '山の灯')).toEqual(['山の灯']);
  expect(hits('灯', '灯')).toEqual(['灯']);
  expect(hits('a + b (c)', '+ (')).toEqual([]);
});

it('returns pieces that join to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, words) => {
      expect(
        highlightTerms(text, splitTerms(words))
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

it('quotes the transcript if only the transcript contains the word', () => {
  expect(createExcerpt('A calm description', 'and the gulls knew', ['gulls'])).toBe('“and the gulls knew”');
  expect(createExcerpt('Gulls in the description', 'and the gulls knew', ['gulls'])).toBe('Gulls in the description');
  expect(createExcerpt('A calm description', undefined, ['gulls'])).toBe('A calm description');
  expect(createExcerpt('A calm description', 'nothing of it', ['gulls'])).toBe('A calm description');
});

it('ends between words if the script has spaces', () => {
  const cut = excerptAround('lantern '.repeat(80), ['lantern']);
  expect(cut).toMatch(/^(?:lantern )+…$/);
  expect(excerptAround('字'.repeat(500), []).length).toBeGreaterThan(200);
});

it('shows the text around the first match', () => {
  const long = `${'calm water '.repeat(60)}then a lantern ${'and calm water '.repeat(60)}`;
  expect(excerptAround(long, ['lantern'])).toMatch(/^… .*lantern.* …$/);
  expect(excerptAround(long, ['nowhere'])).toMatch(/^calm water/);
  expect(excerptAround('short', ['short'])).toBe('short');
  expect(excerptAround(`${'字'.repeat(500)}灯${'字'.repeat(500)}`, ['灯'])).toContain('灯');
});
