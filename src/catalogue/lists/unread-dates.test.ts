import { expect, it } from 'vitest';
import { createSnapshotOf } from '../../../tests/support/memory-snapshot.ts';
import { readCatalogue } from '../catalogue.ts';
import { listUnreadDates } from './unread-dates.ts';

it('lists the texts that cannot be read, with their records, the most frequent first', () => {
  const dates = ['turn of the century', undefined, undefined, 'the forties', undefined, 'the forties'];
  const entries = dates.flatMap((unreadDate, i) => (unreadDate ? [{ id: `demo-org-1-${i}`, unreadDate }] : []));
  expect(listUnreadDates(entries)).toEqual([
    { text: 'the forties', records: ['demo-org-1-3', 'demo-org-1-5'] },
    { text: 'turn of the century', records: ['demo-org-1-0'] },
  ]);
});

it.each([
  [{ creation: 'turn of the century' }, 'turn of the century'],
  [{ unitdateinclusive: 'the fifties' }, 'the fifties'],
  [{ creation: 'the war', chronology: [{ startdate: '1941-01-01', enddate: '1943-12-31' }] }, 'the war'],
  [{ creation: 'n.d.' }, undefined],
  [{ creation: '1942' }, undefined],
  [{}, undefined],
])('keeps what %j states as its date and cannot be read: %s', (raw, unreadDate) => {
  const body = { id: 'demo-org-1', model: 'collection', title: 'Log', ...raw };
  const store = createSnapshotOf([[{ kind: 'object', name: body.id }, body]]);
  expect(Array.from(readCatalogue(store).objects, (entry) => entry.unreadDate)).toEqual([unreadDate]);
});

it('says which of them could be two days', () => {
  const records = [
    { id: 'a-1', unreadDate: '3/4/1942' },
    { id: 'a-2', unreadDate: '19-Feb-21' },
    { id: 'a-3', unreadDate: 'the flood' },
  ];
  expect(listUnreadDates(records)).toEqual([
    { text: '19-Feb-21', records: ['a-2'], isAmbiguous: true },
    { text: '3/4/1942', records: ['a-1'], isAmbiguous: true },
    { text: 'the flood', records: ['a-3'] },
  ]);
});
