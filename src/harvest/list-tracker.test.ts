import { describe, expect, it } from 'vitest';
import { parseListPage } from '../model/lists.ts';
import type { Resource } from '../model/resources.ts';
import { createListTracker, type ListTracker } from './list-tracker.ts';

const at = (offset: number, limit = 25): Resource => ({ kind: 'authors', name: '', page: { limit, offset } });
const read = (listTracker: ListTracker, resource: Resource, raw: unknown) => {
  const page = parseListPage(raw);
  if (!page) throw new Error("the test's page is not a list");
  return listTracker
    .addPage(resource, page)
    .map(({ page: next, speculative }) => [next?.offset, ...(speculative ? ['guess'] : [])]);
};
const objects = (...ids: string[]) => ids.map((id) => ({ id }));
const nowhere = () => [];

describe('next page of a list', () => {
  it.each([
    ['is at next_offset', { total: 9, next_offset: 3, objects: objects('a', 'b') }, [[3]]],
    ['is at the offset in next_api', { total: 9, next_api: 'http://x/?&limit=2&offset=4', objects: objects('a') }, [[4]]],
    ['is missing if the response names none', { total: 2, next_offset: null, next_api: '', objects: objects('a', 'b') }, []],
    ['is after num_this_page if next_offset is missing', { total: 9, num_this_page: 4, objects: objects('a') }, [[4, 'guess']]],
    ['is after the entries if the total is greater', { total: 3, next_offset: null, objects: objects('a', 'b') }, [[2, 'guess']]],
    [
      'is after the entries if next_offset is not further on',
      { total: 9, next_offset: 0, objects: objects('a', 'b') },
      [[2, 'guess']],
    ],
    ['is after a bare array, which may be truncated', objects('a', 'b'), [[2, 'guess']]],
    ['is missing after an empty bare array', [], []],
    ['is missing after the last page of results', { count: 1, next: null, results: objects('a') }, []],
  ])('%s', (_, raw, next) => {
    expect(read(createListTracker(), at(0), raw)).toEqual(next);
  });

  it('is returned after an empty page that names it', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), { total: 4, next_offset: 2, objects: objects('a', 'b') });
    expect(read(listTracker, at(2), { total: 4, next_offset: 3, objects: [] })).toEqual([[3]]);
  });

  it('is both the earlier one that next_offset names and the one after the entries', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), { total: 9, next_offset: 4, objects: objects('a', 'b') });
    expect(read(listTracker, at(4), { total: 9, next_offset: 2, objects: objects('e', 'f') })).toEqual([[2], [6, 'guess']]);
  });

  it('is missing after a page without new entries beyond the total, or ten such pages in a row', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), { total: 3, next_offset: 1, objects: objects('a') });
    expect(read(listTracker, at(3), { total: 3, next_offset: 4, objects: objects('a') })).toEqual([]);
    const endless = createListTracker();
    const page = (offset: number) => read(endless, at(offset), { total: 1e9, next_offset: offset + 1, objects: objects('a') });
    expect(Array.from({ length: 12 }, (_, offset) => page(offset).length)).toEqual([...Array(10).fill(1), 0, 0]);
  });

  it('is returned after one page that could not be fetched, but not after two', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), { total: 99, next_offset: 2, objects: objects('a', 'b') });
    expect(listTracker.addFailedPage(at(2))).toMatchObject([{ page: { offset: 4 }, speculative: true }]);
    expect(listTracker.addFailedPage(at(4))).toEqual([]);
    expect(createListTracker().addFailedPage(at(0))).toEqual([]);
  });
});

describe('further passes', () => {
  it('use another page length while entries are missing, up to three passes', () => {
    const listTracker = createListTracker();
    for (const limit of [25, 22, 19]) {
      read(listTracker, at(0, limit), { total: 3, next_offset: null, objects: objects('a', 'b') });
      expect(listTracker.extraPasses().map(({ page }) => page)).toEqual(limit === 19 ? [] : [{ limit: limit - 3, offset: 0 }]);
    }
    expect(listTracker.incompleteLists(nowhere)).toEqual([{ kind: 'authors', name: '', seen: 2, total: 3, passes: 3 }]);
    expect(listTracker.incompleteLists(() => ['a', 'z'])).toEqual([]);
  });

  it('read a list again if its total changed, even if no entry is missing', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), { total: 3, next_offset: 1, objects: objects('a') });
    read(listTracker, at(1), { total: 2, next_offset: null, objects: objects('b') });
    expect(listTracker.extraPasses()).toHaveLength(1);
    read(listTracker, at(0, 22), { total: 2, next_offset: null, objects: objects('a', 'b') });
    expect([listTracker.extraPasses(), listTracker.incompleteLists(nowhere)]).toEqual([[], []]);
  });

  it('expect the latest total if it only grew, and the smallest if it both grew and shrank', () => {
    const totals = (...passes: [number, number][]) => {
      const listTracker = createListTracker();
      passes.forEach(([first, second], pass) => {
        read(listTracker, at(0, 25 - 3 * pass), { total: first, next_offset: 1, objects: objects('a') });
        read(listTracker, at(1, 25 - 3 * pass), { total: second, next_offset: null, objects: objects('b') });
      });
      return listTracker.incompleteLists(nowhere).map(({ total }) => total);
    };
    expect(totals([2, 3], [3, 3], [3, 3])).toEqual([3]);
    expect(totals([3, 2], [2, 3], [3, 3])).toEqual([]);
    expect(totals([4, 3], [3, 3], [3, 3])).toEqual([3]);
  });

  it('are skipped if no page could be fetched, or none after the entries that were seen', () => {
    const unavailable = createListTracker();
    unavailable.addFailedPage(at(0));
    expect(unavailable.extraPasses()).toEqual([]);
    const partial = createListTracker();
    read(partial, at(0), { total: 9, next_offset: 2, objects: objects('a', 'b') });
    partial.addFailedPage(at(2));
    partial.addFailedPage(at(4));
    expect(partial.extraPasses()).toEqual([]);
    expect(partial.incompleteLists(nowhere)).toEqual([{ kind: 'authors', name: '', seen: 2, total: 9, passes: 1 }]);
  });

  it('are skipped for a list without a total', () => {
    const listTracker = createListTracker();
    read(listTracker, at(0), objects('a'));
    read(listTracker, at(1), []);
    expect([listTracker.extraPasses(), listTracker.incompleteLists(nowhere)]).toEqual([[], []]);
  });
});
