import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderByRelevance } from './relevance.ts';

const KINDS = ['collection', 'entity', 'segment', 'file'];
const FACTORS = [1.35, 1.2, 0.9, 0.4];

it('has the best first, by scores and kinds; of equal ones, the first of the archive', () => {
  const anyFound = fc.array(fc.tuple(fc.nat(3), fc.float({ min: 0, max: 1e6, noNaN: true })), { maxLength: 60 });
  fc.assert(
    fc.property(anyFound, (found) => {
      const documents = Uint32Array.from(found, (_, i) => 2 * i);
      const scores = Float32Array.from(found, ([, score]) => score);
      const codes = Uint32Array.from({ length: 2 * found.length }, (_, document) => found[document >> 1]?.[0] as number);
      const kinds = { values: KINDS, codes, offsets: Uint32Array.from({ length: codes.length + 1 }, (_, document) => document) };
      const relevances = Float32Array.from(found, ([kind, score]) => Math.fround(score) * (FACTORS[kind] as number));
      const expected = [...found.keys()].sort((a, b) => (relevances[b] as number) - (relevances[a] as number) || a - b);
      expect([...orderByRelevance({ documents, scores }, kinds)]).toEqual(expected.map((i) => 2 * i));
    }),
  );
});

it('has the best first in an archive of more documents, too', () => {
  const documents = Uint32Array.of(0, 4_194_304, 4_194_305, 9_000_001);
  const kinds = { values: ['photograph'], codes: Uint32Array.of(0), offsets: new Uint32Array(9_000_003) };
  const order = orderByRelevance({ documents, scores: Float32Array.of(1, 3, 2, 3) }, kinds);
  expect([...order]).toEqual([4_194_304, 9_000_001, 4_194_305, 0]);
});
