/** Narrators on people's pages, in media plans and packages, and who of them may be shown. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../../tests/support/commands.ts';
import { addBodies, createSnapshotOf } from '../../../tests/support/memory-snapshot.ts';
import { planFiles } from '../../media/plan-files.ts';
import { listItems } from '../../snapshot/lists.ts';
import { createSnapshot, openSnapshot } from '../../snapshot/store.ts';
import { readWithdrawn } from '../../snapshot/withdrawn.ts';
import { readCatalogue } from '../catalogue.ts';
import { planPurge, purge } from '../purge.ts';
import { createVisibleStore } from '../read/visible-store.ts';
import { readWithholding } from '../read/withholding.ts';
import { openPeople, type PersonEntry } from './person-entries.ts';

const CATALOG = 'https://catalog.example';
const narrator = (id: string, display_name: string) => ({
  id,
  display_name,
  bio: `${display_name} was born at the quay.`,
  links: { img: `${CATALOG}/media/narrators/${id}.jpg`, html: `${CATALOG}/narrators/${id}/` },
});
const LISTED = [narrator('1', 'Ada Quill'), narrator('2', 'Bram Vane'), narrator('3', 'Cleo Moor'), narrator('4', 'Dora Thorn')];
const interview = (id: string, namepart: string, oh_id: number, more: object = {}) =>
  [
    { kind: 'object', name: id },
    { id, model: 'entity', title: id, creators: [{ namepart, role: 'narrator', oh_id }], ...more },
  ] as const;

/** A snapshot with an interview with Ada Quill, a private one with Bram Vane, and the list of narrators. */
function createStore(store = createSnapshotOf([])) {
  store.db.prepare("INSERT OR REPLACE INTO meta VALUES ('authors_url', ?1), ('catalog_url', ?1)").run(CATALOG);
  addBodies(store, [
    [
      { kind: 'narrators', name: 'narrator', page: { limit: 25, offset: 0 } },
      { total: 4, objects: LISTED, next_offset: null },
    ],
    [
      { kind: 'narrator', name: 'narrator/1' },
      { ...LISTED[0], nickname: 'Addie' },
    ],
    [
      { kind: 'object', name: 'demo-org-1' },
      { id: 'demo-org-1', model: 'collection' },
    ],
    [...interview('demo-org-1-1', 'Quill, Ada', 1)],
    [...interview('demo-org-1-2', 'Bram Vane', 2, { public: '0' })],
    [...interview('demo-org-2-3', 'Cleo Moor', 3)],
  ]);
  return store;
}

const NONE = { withhold: [] };
const withhold = (...entries: object[]) => ({
  withhold: entries.map((entry) => ({ ...entry, reason: 'x', date: '2026-01-01' })),
});

function peopleOf(settings: { withhold: object[] }, collections?: string[]): ReadonlyMap<string, PersonEntry> {
  const store = createVisibleStore(createStore(), { withholding: readWithholding(settings.withhold), collections });
  const { db } = readCatalogue(store);
  return new Map(
    openPeople(db)
      .people()
      .map((person) => [person.label, person]),
  );
}

it('finds the person who is a narrator, and has a page for one without records', () => {
  const people = peopleOf(NONE);
  expect(people.get('Quill, Ada')).toMatchObject({ narrator: '1', created: 1 });
  expect(people.get('Dora Thorn')).toEqual({
    slug: 'dora-thorn',
    label: 'Dora Thorn',
    ids: { oh: 4 },
    narrator: '4',
    authors: [],
    created: 0,
    mentioned: 0,
    records: 0,
  });
  expect([...people.keys()]).not.toContain('Ada Quill');
});

it('has no page for a narrator whose only interview is private or withheld, or whose name is', () => {
  expect(peopleOf(NONE).has('Bram Vane')).toBe(false);
  expect(peopleOf(withhold({ id: 'demo-org-2-3' })).has('Cleo Moor')).toBe(false);
  expect(peopleOf(withhold({ person: 'Dora Thorn' })).has('Dora Thorn')).toBe(false);
  expect(JSON.stringify([...peopleOf(withhold({ person: 'Dora Thorn' }))])).not.toContain('withheld');
});

it('has only narrators with records in the site of one collection', () => {
  expect([...peopleOf(NONE, ['demo-org-1']).keys()]).toEqual(['Quill, Ada']);
});

it('hides the same narrators in packages', () => {
  const store = createVisibleStore(createStore(), { withholding: readWithholding([]), publicOnly: true });
  expect([1, 2, 4].map((id) => store.filter.hides('narrator', `narrator/${id}`))).toEqual([false, true, false]);
  expect(listItems(store, 'narrators', 'narrator').map(({ id }) => id)).toEqual(['1', '3', '4']);
  const page = store.filter.redact('narrators', 'narrator', { objects: LISTED }) as { objects: unknown[] };
  expect(page.objects).toHaveLength(3);
});

it('purges a narrator with the last record that has the number, also from lists that are received later', () => {
  const directory = join(createTestDirectory(), 'snapshot');
  const purged = createStore(createSnapshot(directory));
  const plan = planPurge(purged, ['demo-org-1-1']);
  expect(plan.narrators).toEqual(['narrator/1']);
  expect(plan.urls).toContain(`${CATALOG}/media/narrators/1.jpg`);
  purge(purged, plan, { reason: 'x', now: '2026-01-02T00:00:00.000Z' });
  purged.close();
  const store = openSnapshot(directory);
  expect(listItems(store, 'narrators', 'narrator').map(({ id }) => id)).toEqual(['2', '3', '4']);
  const withdrawn = readWithdrawn(store);
  expect(withdrawn.has({ kind: 'narrator', name: 'narrator/1' })).toBe(true);
  const received = { body: Buffer.from(JSON.stringify({ objects: LISTED })), headers: {} };
  expect(Buffer.from(withdrawn.redact('narrators', received)?.body ?? []).toString()).not.toContain('Ada Quill');
  store.close();
});

it('plans portraits of narrators whom records name, as images of these', () => {
  const { wanted } = planFiles(createStore(), { kinds: new Set(['image']), video: 'mp4', collections: undefined });
  expect(wanted.map(({ url, owner }) => [url, owner])).toEqual([
    [`${CATALOG}/media/narrators/1.jpg`, 'demo-org-1-1'],
    [`${CATALOG}/media/narrators/2.jpg`, 'demo-org-1-2'],
    [`${CATALOG}/media/narrators/3.jpg`, 'demo-org-2-3'],
  ]);
});
