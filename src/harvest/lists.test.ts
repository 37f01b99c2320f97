import { expect, it } from 'vitest';
import { createLists } from './lists.ts';

const page = (ids: string[], total?: number) => ({ items: ids.map((id) => ({ id })), total, offset: 0, nextOffset: undefined });
const at = (limit: number, offset: number) => ({ kind: 'authors' as const, name: '', page: { limit, offset } });

it('counts distinct entries against the smallest total, and asks for another pass against the largest', () => {
  const lists = createLists();
  lists.note(at(25, 0), page(['a', 'b'], 4));
  lists.note(at(25, 2), page(['b', 'c'], 3));
  expect(lists.tallies()).toEqual([{ kind: 'authors', name: '', seen: 3, total: 3 }]);
  expect(lists.short()).toHaveLength(1);
  lists.note(at(22, 0), page(['d'], 4));
  expect(lists.short()).toEqual([]);
});

it('says whether a page brought its pass anything new', () => {
  const lists = createLists();
  expect([
    lists.note(at(25, 0), page(['a', 'b'])),
    lists.note(at(25, 1), page(['b'])),
    lists.note(at(22, 0), page(['a', 'b'])),
  ]).toEqual([true, false, true]);
});

it('takes a list that names no total at its word', () => {
  const lists = createLists();
  lists.note(at(25, 0), page(['a']));
  expect([lists.tallies(), lists.short()]).toEqual([[{ kind: 'authors', name: '', seen: 1, total: 1 }], []]);
});
