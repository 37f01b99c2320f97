import fc from 'fast-check';
import { expect, it } from 'vitest';
import { around, marked, termsOf } from './excerpt.ts';

const hits = (text: string, words: string) =>
  marked(text, termsOf(words))
    .filter(({ hit }) => hit)
    .map((piece) => piece.text);

it('marks words, their endings, and characters of scripts without spaces', () => {
  expect(hits('Lanterns and a Lantern; lanternfish', 'lantern')).toEqual(['Lanterns', 'Lantern', 'lantern']);
  expect(hits('山の灯が見える', '山の灯')).toEqual(['山の灯']);
  expect(hits('灯', '灯')).toEqual(['灯']);
  expect(hits('a + b (c)', '+ (')).toEqual([]);
});

it('loses and adds nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, words) => {
      expect(
        marked(text, termsOf(words))
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

it('shows the part that holds the first word', () => {
  const long = `${'calm water '.repeat(60)}then a lantern ${'and calm water '.repeat(60)}`;
  expect(around(long, ['lantern'])).toMatch(/^… .*lantern.* …$/);
  expect(around(long, ['nowhere'])).toMatch(/^calm water/);
  expect(around('short', ['short'])).toBe('short');
  expect(around(`${'字'.repeat(500)}灯${'字'.repeat(500)}`, ['灯'])).toContain('灯');
});
