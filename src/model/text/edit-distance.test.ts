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
