import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

it.each([
  ['february', 'feburary', 1],
  ['september', 'setpember', 1],
  ['december', 'decemeber', 1],
  ['rate', 'rates', 1],
  ['rate', 'tare', 2],
  ['', 'abc', 3],
  ['same', 'same', 0],
])('counts the mistakes from “%s” to “%s”', (a, b, distance) => expect(editDistance(a, b)).toBe(distance));

it('is symmetric, 0 only for equal words, and limited', () => {
  const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, fc.nat(3), (a, b, max) => {
      const distance = editDistance(a, b);
      expect(editDistance(b, a)).toBe(distance);
      expect(distance === 0).toBe(a === b);
      expect(editDistance(a, b, max)).toBe(Math.min(distance, max + 1));
    }),
  );
});

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
