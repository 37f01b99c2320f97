import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeCount, firstsOf, fromRuns, MAX_COUNT, toRuns } from './start-file.ts';

const positions = fc.array(fc.oneof(fc.constant(-1), fc.nat(6), fc.nat(3_000_000)));

it('gives the position of each document', () => {
  fc.assert(
    fc.property(positions, (all) => {
      const inOrder = Int32Array.from(all.keys());
      expect([...(fromRuns({ documents: all.length, runs: toRuns(all) }) ?? inOrder)]).toEqual(all);
    }),
    { examples: [[[0, 1, 2]], [[1, 2]], [[-1, -1, 0, 1]], [[4, 5, -1, 6, 7, 0]]] },
  );
});

it('is short for documents in their order, of which it needs no positions', () => {
  const runs = toRuns(Array(50_000).keys());
  expect(runs).toEqual([[50_000, 0]]);
  expect(fromRuns({ documents: 50_000, runs })).toBeUndefined();
  expect(toRuns([0, 1, -1, -1, 2, 3, 4, 0])).toEqual([
    [2, 0],
    [2, -1],
    [3, 2],
    [1, 0],
  ]);
});

it('gives the first document of each file of results', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: MAX_COUNT })), (counts) => {
      const firsts = counts.map((_, i) => counts.slice(0, i).reduce((sum, count) => sum + count, 0));
      expect([...firstsOf({ results: counts.map(encodeCount).join('') })]).toEqual(firsts);
    }),
  );
});
