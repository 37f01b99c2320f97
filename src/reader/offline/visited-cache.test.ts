import { expect, it } from 'vitest';
import { findExcess } from './visited-cache.ts';

const file = (address: string, bytes = 10) => ({ address, bytes });
const files = ['a', 'b', 'c', 'd'].map((name) => file(name));

it.each([
  ['within both bounds', { files: 4, bytes: 40 }, []],
  ['too many files', { files: 2, bytes: 40 }, ['a', 'c']],
  ['too many bytes', { files: 4, bytes: 25 }, ['a', 'c']],
  ['nothing else to evict', { files: 0, bytes: 0 }, ['a', 'c', 'd']],
])('evicts the least recently used files, but never what every page needs: %s', (_, limits, evicted) => {
  expect(findExcess(files, limits, new Set(['b']))).toEqual(evicted);
});
