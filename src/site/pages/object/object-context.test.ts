import { expect, it } from 'vitest';
import { chooseRelated } from './object-context.ts';

const record = (title: string, genre = 'photograph', date = '1942') => ({ entry: { title, genre, date } });
const titlesOf = (all: ReturnType<typeof record>[]) =>
  chooseRelated(record('Own title').entry, all).map(({ related, count }) => [related.entry.title, count]);

it('shows one record of each title with the number of all, and those of the record’s own title last', () => {
  expect(titlesOf([record('Own title'), record('A'), record('B'), record('A'), record('A')])).toEqual([
    ['A', 3],
    ['B', 1],
    ['Own title', 1],
  ]);
});

it('shows those of the same kind and decade first, otherwise in their order', () => {
  const all = [
    record('A', 'letter', '1900'),
    record('B', 'letter', '1949'),
    record('C', 'photograph', 'c. 1943'),
    record('D', 'map', ''),
  ];
  expect(titlesOf(all)).toEqual([
    ['C', 1],
    ['B', 1],
    ['A', 1],
    ['D', 1],
  ]);
});

it('shows six', () => {
  expect(titlesOf(Array.from({ length: 9 }, (_, n) => record(`Title ${n}`)))).toHaveLength(6);
});
