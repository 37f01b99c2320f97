import { describe, expect, it } from 'vitest';
import { readListPage } from '../model/lists.ts';
import type { Resource } from '../model/resources.ts';
import { createLists, type Lists } from './lists.ts';

const at = (offset: number, limit = 25): Resource => ({ kind: 'authors', name: '', page: { limit, offset } });
const read = (lists: Lists, resource: Resource, raw: unknown) => {
  const page = readListPage(raw);
  if (!page) throw new Error('the test’s page is no list');
  return lists.read(resource, page).map(({ page: next, guess }) => [next?.offset, ...(guess ? ['guess'] : [])]);
};
const objects = (...ids: string[]) => ids.map((id) => ({ id }));
const nowhere = () => [];

describe('where a list goes on', () => {
  it.each([
    ['at next_offset', { total: 9, next_offset: 3, objects: objects('a', 'b') }, [[3]]],
    ['at the offset in next_api', { total: 9, next_api: 'http://x/?&limit=2&offset=4', objects: objects('a') }, [[4]]],
    ['nowhere when it says so', { total: 2, next_offset: null, next_api: '', objects: objects('a', 'b') }, []],
    ['behind num_this_page when next_offset is missing', { total: 9, num_this_page: 4, objects: objects('a') }, [[4, 'guess']]],
    [
      'behind its entries when the total says that there are more',
      { total: 3, next_offset: null, objects: objects('a', 'b') },
      [[2, 'guess']],
    ],
    ['behind its entries when next_offset leads back', { total: 9, next_offset: 0, objects: objects('a', 'b') }, [[2, 'guess']]],
    ['behind a bare array, which may have been cut', objects('a', 'b'), [[2, 'guess']]],
    ['nowhere after an empty bare array', [], []],
    ['nowhere when results end', { count: 1, next: null, results: objects('a') }, []],
  ])('%s', (_, raw, next) => {
    expect(read(createLists(), at(0), raw)).toEqual(next);
  });

  it('past an empty page, when the server names a next one', () => {
    const lists = createLists();
    read(lists, at(0), { total: 4, next_offset: 2, objects: objects('a', 'b') });
    expect(read(lists, at(2), { total: 4, next_offset: 3, objects: [] })).toEqual([[3]]);
  });

  it('back and on, when next_offset goes back to a page that was not read', () => {
    const lists = createLists();
    read(lists, at(0), { total: 9, next_offset: 4, objects: objects('a', 'b') });
    expect(read(lists, at(4), { total: 9, next_offset: 2, objects: objects('e', 'f') })).toEqual([[2], [6, 'guess']]);
  });

  it('not on, when it brings nothing new beyond its total, or ten times in a row', () => {
    const lists = createLists();
    read(lists, at(0), { total: 3, next_offset: 1, objects: objects('a') });
    expect(read(lists, at(3), { total: 3, next_offset: 4, objects: objects('a') })).toEqual([]);
    const endless = createLists();
    const page = (offset: number) => read(endless, at(offset), { total: 1e9, next_offset: offset + 1, objects: objects('a') });
    expect(Array.from({ length: 12 }, (_, offset) => page(offset).length)).toEqual([...Array(10).fill(1), 0, 0]);
  });

  it('past a page that could not be had, but not past two', () => {
    const lists = createLists();
    read(lists, at(0), { total: 99, next_offset: 2, objects: objects('a', 'b') });
    expect(lists.failed(at(2))).toMatchObject([{ page: { offset: 4 }, guess: true }]);
    expect(lists.failed(at(4))).toEqual([]);
    expect(createLists().failed(at(0))).toEqual([]);
  });
});

describe('another pass', () => {
  it('is made where entries are missing, with another page length, three times at most', () => {
    const lists = createLists();
    for (const limit of [25, 22, 19]) {
      read(lists, at(0, limit), { total: 3, next_offset: null, objects: objects('a', 'b') });
      expect(lists.again().map(({ page }) => page)).toEqual(limit === 19 ? [] : [{ limit: limit - 3, offset: 0 }]);
    }
    expect(lists.shortfalls(nowhere)).toEqual([{ kind: 'authors', name: '', seen: 2, total: 3, passes: 3 }]);
    expect(lists.shortfalls(() => ['a', 'z'])).toEqual([]);
  });

  it('is made where the total moved, though no entry is missing', () => {
    const lists = createLists();
    read(lists, at(0), { total: 3, next_offset: 1, objects: objects('a') });
    read(lists, at(1), { total: 2, next_offset: null, objects: objects('b') });
    expect(lists.again()).toHaveLength(1);
    read(lists, at(0, 22), { total: 2, next_offset: null, objects: objects('a', 'b') });
    expect([lists.again(), lists.shortfalls(nowhere)]).toEqual([[], []]);
  });

  it('holds a total that grew against the list, and one that goes up and down only at its smallest', () => {
    const totals = (...passes: [number, number][]) => {
      const lists = createLists();
      passes.forEach(([first, second], pass) => {
        read(lists, at(0, 25 - 3 * pass), { total: first, next_offset: 1, objects: objects('a') });
        read(lists, at(1, 25 - 3 * pass), { total: second, next_offset: null, objects: objects('b') });
      });
      return lists.shortfalls(nowhere).map(({ total }) => total);
    };
    expect(totals([2, 3], [3, 3], [3, 3])).toEqual([3]);
    expect(totals([3, 2], [2, 3], [3, 3])).toEqual([]);
    expect(totals([4, 3], [3, 3], [3, 3])).toEqual([3]);
  });

  it('is not made where the list does not answer, or ends at a wall with all before it seen', () => {
    const silent = createLists();
    silent.failed(at(0));
    expect(silent.again()).toEqual([]);
    const wall = createLists();
    read(wall, at(0), { total: 9, next_offset: 2, objects: objects('a', 'b') });
    wall.failed(at(2));
    wall.failed(at(4));
    expect(wall.again()).toEqual([]);
    expect(wall.shortfalls(nowhere)).toEqual([{ kind: 'authors', name: '', seen: 2, total: 9, passes: 1 }]);
  });

  it('is not made of a list that names no total', () => {
    const lists = createLists();
    read(lists, at(0), objects('a'));
    read(lists, at(1), []);
    expect([lists.again(), lists.shortfalls(nowhere)]).toEqual([[], []]);
  });
});
