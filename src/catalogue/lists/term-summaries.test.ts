import { expect, it } from 'vitest';
import { parseRecord } from '../../model/records.ts';
import { facetValues } from './facets.ts';
import { type Counted, createSummaryCounter, nameKey } from './term-summaries.ts';

const code = (value: string) => [{ slug: value, label: value }];
const item = (genre: string, times: string[], more: Partial<Counted> = {}): Counted => ({
  model: 'entity',
  facets: { genre: code(genre), format: code('img'), time: times.flatMap(code) },
  positions: [],
  ...more,
});

function summaryOf(...records: Counted[]) {
  const counter = createSummaryCounter();
  for (const record of records) counter.add(record);
  return counter.summary();
}

it('counts kinds: items by their genre or else format, other records by their model', () => {
  const { kinds } = summaryOf(
    item('photograph', []),
    { model: 'segment', facets: { genre: code('interview') }, positions: [] },
    item('photograph', []),
    { model: 'entity', facets: { format: code('doc') }, positions: [] },
  );
  expect(kinds).toEqual([
    { model: 'entity', genre: 'photograph', count: 2 },
    { model: 'entity', format: 'doc', count: 1 },
    { model: 'segment', count: 1 },
  ]);
});

it('has the years of all dates, and the first and last one of a longer date', () => {
  const dated = (creation: string): Counted => {
    const record = parseRecord({ id: 'demo-org-1-1', model: 'entity', creation });
    return { model: 'entity', facets: { time: record ? facetValues('time', record) : [] }, positions: [] };
  };
  expect(summaryOf(dated('1908-1961'))).toMatchObject({
    years: [1908, 1961],
    decades: [1900, 1910, 1920, 1930, 1940, 1950, 1960].map((year) => [year, 1]),
  });
  expect(summaryOf(dated('1943'), dated('1500-1950')).years).toEqual([1500, 1950]);
  expect(summaryOf(dated('1943'), dated('1940s')).years).toEqual([1940, 1949]);
  expect(summaryOf(dated('before 1942')).years).toEqual([1941, 1941]);
  expect(summaryOf(item('map', ['1940s', '1943']), item('map', ['1950s', '1951', '1952']))).toMatchObject({
    years: [1943, 1952],
    decades: [
      [1940, 1],
      [1950, 1],
    ],
  });
  expect(summaryOf(item('map', ['undated']))).toMatchObject({ years: undefined, decades: [] });
});

it('counts the records of each place, with its last position', () => {
  const at = (lat: number) => ({ positions: [{ place: 'quay', lat, lng: 2 }] });
  expect(summaryOf(item('map', [], at(1)), item('map', [], at(3))).spots).toEqual([{ place: 'quay', lat: 3, lng: 2, count: 2 }]);
});

it('compares names by the last step of a term, without capitals', () => {
  expect(nameKey('Work and livelihood -- Letters home')).toBe(nameKey('Letters Home'));
  expect(nameKey('Letters')).not.toBe(nameKey('Letters home'));
});
