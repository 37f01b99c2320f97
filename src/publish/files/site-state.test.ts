import { expect, it } from 'vitest';
import { type Reads, toReads } from '../../catalogue/dependencies/stored-reads.ts';
import { openSiteState } from './site-state.ts';

/** Creates a state of pages with these reads. */
function createState(pages: Iterable<[path: string, reads: Reads | undefined]>) {
  const state = openSiteState(':memory:', 'key');
  const known = { sha256: '', size: 0, stamp: '', sourceStamp: undefined, pageKey: 'key' };
  state.update({ known: Array.from(pages, ([path, reads]) => ({ ...known, path, reads })), forgotten: [] });
  return state;
}

it('finds the pages that have read something that changed', () => {
  const state = createState([
    ['a.html', toReads(new Set(['entry a', 'listed b']))],
    ['b.html', toReads(new Set(['entry b']))],
    ['none.html', toReads(new Set())],
    ['style.css', undefined],
  ]);
  expect(state.findConcerned(new Set(['listed b', 'listed c']))).toEqual(new Set(['a.html']));
  expect(state.findConcerned(new Set(['entry b', 'entry a']))).toEqual(new Set(['a.html', 'b.html']));
  expect(state.findConcerned(new Set())).toEqual(new Set());
  state[Symbol.dispose]();
});

it('takes 100,000 pages in a moment', () => {
  const state = createState(
    Array.from({ length: 100_000 }, (_, page) => [
      `${page}.html`,
      Uint32Array.from({ length: 60 }, (__, i) => (page * 7919 + i * 104_729) >>> 0),
    ]),
  );
  const before = process.threadCpuUsage();
  const concerned = state.findConcerned(new Set(Array.from({ length: 100 }, (_, n) => `entry ${n}`)));
  const { user, system } = process.threadCpuUsage(before);
  expect(concerned.size).toBeLessThan(10);
  expect(user + system).toBeLessThan(2_000_000); // microseconds
  state[Symbol.dispose]();
});
