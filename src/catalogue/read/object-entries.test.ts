import { expect, it } from 'vitest';
import { addBodies, createSnapshotOf } from '../../../tests/support/memory-snapshot.ts';
import type { Resource } from '../../model/resources.ts';
import { readCatalogue, readCatalogueInto } from '../catalogue.ts';
import { openForWriting } from '../catalogue-file.ts';
import { filterValue } from '../lists/facets.ts';
import { readEntryRecord } from './object-entries.ts';

const entriesOf = (bodies: Record<string, unknown>) => {
  const store = createSnapshotOf(Object.entries(bodies).map(([name, body]) => [{ kind: 'object', name }, body]));
  return [...readCatalogue(store).objects];
};
const shown = (bodies: Record<string, unknown>) =>
  entriesOf(bodies)
    .map(({ id }) => id)
    .sort();

it('shows what is below a record whose body is not a record', () => {
  const ids = shown({ 'a-b': ['no record'], 'a-b-1': { id: 'a-b-1' }, 'a-b-1-1': { id: 'a-b-1-1' } });
  expect(ids).toEqual(['a-b-1', 'a-b-1-1']);
});

it('ignores a body that contains another record', () => {
  const bodies = {
    'a-b-1': { id: 'a-b-1', public: '0' },
    'a-b-1-1': { id: 'a-b-1-1' },
    'a-b-9': { id: 'a-b-1', public: '1' },
  };
  expect(shown(bodies)).toEqual([]);
});

it('puts places on the map whose position can be used, and lists the others', () => {
  const geography = [
    { term: 'Quay', geo_lat: '34°23\'7"N', geo_lng: '118,5 W' },
    { term: 'Not set', geo_lat: '0', geo_lng: 0 },
  ];
  const [entry] = entriesOf({ 'a-b-1-1': { id: 'a-b-1-1', geography } });
  expect(entry?.positions).toEqual([{ place: 'quay', lat: 34.3852778, lng: -118.5 }]);
  expect(entry?.unusablePositions).toEqual([{ place: 'Not set', position: '0, 0' }]);
});

it('gives names, terms and places that differ only in Unicode form or spaces one slug and one filter value', () => {
  const record = (id: string, form: (text: string) => string) => ({
    id,
    title: id,
    creators: [{ namepart: form('Ōta, Kenji'), role: 'photographer' }],
    topics: [{ term: form('Café life') }],
    geography: [{ term: form('Bogotá quay') }],
  });
  const entries = entriesOf({
    'a-b-1-1': record('a-b-1-1', (text) => text),
    'a-b-1-2': record('a-b-1-2', (text) => text.normalize('NFD')),
    'a-b-1-3': record('a-b-1-3', (text) => text.replaceAll(' ', '\u00a0')),
  });
  for (const facet of ['creator', 'topic', 'place'] as const) {
    const values = entries.flatMap(({ facets }) => facets[facet] ?? []);
    expect(values).toHaveLength(3);
    expect(new Set(values.map(({ slug }) => slug)).size).toBe(1);
    expect(new Set(values.map(filterValue)).size).toBe(1);
  }
});

it('reads a day that could be two in the order of the archive, also after that has changed', () => {
  const bodies = (digitized: string): Array<[Resource, unknown]> => [
    [
      { kind: 'object', name: 'a-b-1-1' },
      { id: 'a-b-1-1', creation: '3/4/1942' },
    ],
    [
      { kind: 'object', name: 'a-b-1-2' },
      { id: 'a-b-1-2', digitize_date: digitized },
    ],
    [
      { kind: 'object', name: 'a-b-1-3' },
      { id: 'a-b-1-3', creation: 'May 1942' },
    ],
  ];
  const db = openForWriting('');
  const store = createSnapshotOf(bodies('2003'));
  const dateIn = () => readCatalogueInto(db, store).catalogue.objects.entry('a-b-1-1');
  expect(dateIn()).toMatchObject({ date: '3/4/1942', unreadDate: '3/4/1942' });
  addBodies(store, bodies('30/10/2003'));
  expect(dateIn()).toMatchObject({ date: '1942-04-03', dayOrder: 'day-first' });
  addBodies(store, bodies('10/30/2003'));
  const changed = dateIn();
  expect(changed).toMatchObject({ date: '1942-03-04', dayOrder: 'month-first' });
  expect(changed).toEqual(readCatalogue(store).objects.entry('a-b-1-1'));
  expect(changed && readEntryRecord(changed, store).record.creation).toBe('1942-03-04');
  db.close();
});
