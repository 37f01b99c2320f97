import { expect, it } from 'vitest';
import { mixRecords } from './featured.ts';

const records = (collection: string, ...titles: string[]) =>
  titles.map((title) => ({ genre: undefined, ancestors: [collection], title }));

it('puts records of different collections and titles beside each other', () => {
  const timetables = records('b', 'Timetable no. 5', 'Timetable no. 13', 'Timetable no. 21', 'Timetable no. 29');
  const photographs = records('a', 'Market, view 1', 'Market, view 2', 'Pier, view 1', 'Pier, view 2');
  const mixed = mixRecords([...photographs, ...timetables]);
  expect(mixed.map(({ title }) => title)).toEqual([
    'Market, view 1',
    'Timetable no. 5',
    'Pier, view 1',
    'Timetable no. 13',
    'Market, view 2',
    'Timetable no. 21',
    'Pier, view 2',
    'Timetable no. 29',
  ]);
  expect(mixRecords(records('a', 'One', 'Two', 'Three')).map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
  const interviews = [...records('a', 'Ada'), ...records('b', 'Bram')].map((each) => ({ ...each, genre: 'interview' }));
  expect(mixRecords([...interviews, ...records('c', 'Pier', 'Quay')]).map(({ title }) => title)).toEqual([
    'Ada',
    'Pier',
    'Bram',
    'Quay',
  ]);
  expect(mixRecords([])).toEqual([]);
});
