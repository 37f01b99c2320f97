import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createDayRecords } from './on-this-day.ts';

const site = { locale: createLocales(['en'])[0], archiveLanguages: { main: 'en', named: [] } } as unknown as Site;

/** Returns the day and ID of the records that are chosen from records with these dates. */
function choose(dates: string[]): string[] {
  const days = createDayRecords(site);
  for (const [i, date] of dates.entries())
    days.add({ id: `a-b-1-${i + 1}`, title: `Title ${i + 1}`, date, facets: {} } as unknown as ListedEntry);
  return days.list().map(({ day, path }) => `${day} ${/-(\d+)\.html$/.exec(path)?.[1]}`);
}

it('has the records that are certainly of one day, in the order of the year', () => {
  expect(
    choose(['June 12, 1955', '1942', '[1949?]', 'circa June 1, 1940', 'n.d.', '1947-02-11', '1 to 3 March 1950', '2/11/1947']),
  ).toEqual(['02-11 6', '06-12 1']);
});

it('has at most three records of a day, and of an archive of many days the first of each', () => {
  expect(choose(Array.from({ length: 9 }, (_, i) => `${1940 + i}-06-12`))).toEqual(['06-12 1', '06-12 2', '06-12 3']);
  const days = Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(1944, 0, 1 + i)).toISOString().slice(0, 10));
  const chosen = choose([...days, ...days, ...days]);
  expect(chosen).toHaveLength(400);
  expect(new Set(chosen.map((one) => one.split(' ')[0])).size).toBe(366);
});
