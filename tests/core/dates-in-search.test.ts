/** Dates in the search documents of records, which are those by which the same records are browsed. */
import { expect, it } from 'vitest';
import { readCatalogue } from '../../src/catalogue/catalogue.ts';
import { parseRecord } from '../../src/model/records.ts';
import { objectDocument } from '../../src/search/documents.ts';
import { createLocales } from '../../src/site/language/locale.ts';
import { createSnapshotOf } from '../support/memory-snapshot.ts';

const CHRONOLOGY = [{ term: 'War', startdate: '1941-01-01 00:00:00.0', enddate: '1943-12-31 00:00:00.0' }];

function datesOf(raw: Record<string, unknown>) {
  const body = { id: 'demo-org-1', model: 'collection', title: 'Log', ...raw };
  const store = createSnapshotOf([[{ kind: 'object', name: body.id }, body]]);
  const [entry] = readCatalogue(store).objects;
  const record = parseRecord(body);
  if (!entry || !record) throw new Error('not a record');
  const { filters, sort } = objectDocument(entry, record, {
    image: { path: 'x.png', width: 1, height: 1 },
    notices: { warnings: [], labels: [] },
    collection: undefined,
    parent: undefined,
    spokenTexts: [],
    archive: 'Archive',
    harvestedAt: undefined,
    locales: createLocales(['en']),
  });
  return { years: filters['year'], sort: sort['date'], browsed: entry.facets.time?.map(({ slug }) => slug) };
}

it.each(['undated', 'n.d.', undefined])('finds a record of the date “%s” by the years of its chronology', (creation) => {
  expect(datesOf({ creation, chronology: CHRONOLOGY })).toEqual({
    years: ['1941', '1942', '1943'],
    sort: '1941-01-01',
    browsed: ['1940s', '1941', '1942', '1943'],
  });
});

it('finds a dated record by its own years, and an undated one by none', () => {
  expect(datesOf({ creation: '1950', chronology: CHRONOLOGY })).toMatchObject({ years: ['1950'], browsed: ['1950s', '1950'] });
  expect(datesOf({ creation: 'undated' })).toMatchObject({ years: undefined, browsed: ['undated'] });
});
