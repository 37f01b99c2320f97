import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, findNearest, findParts, otherNumbers, toOneRomanization } from './spelling.ts';

const words = [
  'murasaki',
  'asparagus',
  'festival',
  'lantern',
  'lanterns',
  'cannery',
  'canaries',
  'net',
  'vane',
  'vine',
  'shereen',
].map((word, i) => ({ word, documents: i + 1 }));

it.each([
  ['morasaki', 'murasaki'],
  ['asparagas', 'asparagus'],
  ['festval', 'festival'],
  ['lantren', 'lantern'],
  ['canery', 'cannery'],
  ['vanr', 'vane'],
  ['bane', 'vane'],
  ['xylophone', undefined],
  ['fishermen', undefined],
  ['1947', undefined],
  ['灯', undefined],
  ['ne', undefined],
])('suggests for %s: %s', (typed, nearest) => expect(findNearest(typed, words)).toBe(nearest));

it.each([
  ['netcannery', 'net cannery'],
  ['lanternvine', 'lantern vine'],
  ['secretnet', undefined],
  ['netsx', undefined],
])('splits %s: %s', (typed, split) => expect(findParts(typed, words)?.join(' ')).toBe(split));

it.each([
  ['telegrams', 'telegram'],
  ['recipe', 'recipes'],
  ['batteries', 'battery'],
  ['fishermen', 'fisherman'],
  ['loaf', 'loaves'],
  ['flores', 'flor'],
  ['luces', 'luz'],
  ['church', 'churches'],
])('knows that %s and %s differ in number', (a, b) => {
  expect(otherNumbers(a)).toContain(b);
  expect(otherNumbers(b)).toContain(a);
});

it.each([
  'ohta oota ota',
  'uyeda ueda',
  'inouye inoue',
  'homma honma',
  'yuuki yuki',
  'satoh satou sato',
  'tuda tsuda',
  'huji fuji',
])('has one form for %s', (names) => expect(new Set(names.split(' ').map(toOneRomanization)).size).toBe(1));

it.each(['ohara oara', 'taka chaka', 'honda homda'])('keeps apart %s', (names) =>
  expect(new Set(names.split(' ').map(toOneRomanization)).size).toBe(2),
);

it('counts edits as the full table does, up to the limit', () => {
  const distance = (a: string, b: string): number => {
    const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
    const at = (i: number, j: number) => table[i]?.[j] ?? 0;
    for (let i = 1; i <= a.length; i++)
      for (let j = 1; j <= b.length; j++) {
        let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
        (table[i] as number[])[j] = best;
      }
    return at(a.length, b.length);
  };
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, fc.nat({ max: 4 }), (a, b, limit) => {
      const [expected, counted] = [distance(a, b), editDistance(a, b, limit)];
      if (expected <= limit) expect(counted).toBe(expected);
      else expect(counted).toBeGreaterThan(limit);
    }),
  );
});
