import { expect, it } from 'vitest';
import { createSnapshotOf } from '../../../tests/support/memory-snapshot.ts';
import type { Resource } from '../../model/resources.ts';
import { listItems } from '../../snapshot/lists.ts';
import { readPayload } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import { createPublicationStatus } from './visibility.ts';
import { createVisibleStore } from './visible-store.ts';
import { readWithholding } from './withholding.ts';

const object = (id: string, more: Record<string, unknown> = {}): [Resource, unknown] => [
  { kind: 'object', name: id },
  { id, title: id, ...more },
];
const page = { limit: 25, offset: 0 };
const crumbs = (...ids: string[]) => ({ breadcrumbs: ids.map((id) => ({ id, label: id })) });

it('withholds private records and everything below them, by ID, parent or breadcrumbs', () => {
  const visible = createPublicationStatus(
    createSnapshotOf([
      object('a-b-1'),
      object('a-b-1-1'),
      object('a-b-1-2', { public: '0' }),
      object('a-b-1-2-1'),
      object('a-b-1-2-mezzanine-0123456789'),
      object('a-b-9-1', { parent_id: 'a-b-1-2' }),
      object('a-b-9-2', crumbs('a-b-9', 'a-b-9-1', 'a-b-9-2')),
      [{ kind: 'object', name: 'a-b-1-3' }, '["no record"]'],
      [
        { kind: 'children', name: 'a-b-1', page },
        { total: 2, objects: [{ id: 'a-b-1-4', public: '0' }, { id: 'a-b-1-5' }] },
      ],
    ]),
  );
  const shown = (...ids: string[]) => ids.filter((id) => visible.record(id));
  expect(shown('a-b-1', 'a-b-1-1', 'a-b-1-5', 'a-b-7-7')).toEqual(['a-b-1', 'a-b-1-1', 'a-b-1-5', 'a-b-7-7']);
  expect(shown('a-b-1-2', 'a-b-1-2-1', 'a-b-1-2-1-7', 'a-b-1-2-mezzanine-0123456789', 'a-b-9-1', 'a-b-9-2')).toEqual([]);
  expect(shown('a-b-1-3', 'a-b-1-4', 'a-b-1-4-1', '../x', '')).toEqual([]);
});

it('handles records below each other, and deep chains', () => {
  const chain = Array.from({ length: 20_000 }, (_, n) => object(`d-e-${n}`, { parent_id: `d-e-${n + 1}` }));
  const visible = createPublicationStatus(
    createSnapshotOf([
      object('a-b-1', { parent_id: 'a-b-2' }),
      object('a-b-2', { parent_id: 'a-b-1' }),
      ...chain,
      object('d-e-20000', { public: '0' }),
    ]),
  );
  expect([visible.record('a-b-1'), visible.record('d-e-0')]).toEqual([true, false]);
});

it('withholds authors that their own record or the authors list declares unpublished', () => {
  const author = (name: string, more = {}): [Resource, unknown] => [
    { kind: 'author', name },
    { id: name, title: name, ...more },
  ];
  const visible = createPublicationStatus(
    createSnapshotOf([
      author('Ann'),
      author('Bo', { published: 'false' }),
      author('Cy'),
      [
        { kind: 'authors', name: '', page },
        { total: 1, objects: [{ id: 'Cy', title: 'Cy', published: 'false' }] },
      ],
    ]),
  );
  expect(['Ann', 'Bo', 'Cy', 'Di'].filter((name) => visible.author(name))).toEqual(['Ann', 'Di']);
});

it('visits a long chain once, and every branch of a cycle', () => {
  const length = 3000;
  const chain = (top: Record<string, unknown>) =>
    createSnapshotOf(
      Array.from({ length }, (_, n) => object(`d-e-${n}`, n === length - 1 ? top : { parent_id: `d-e-${n + 1}` })),
    );
  const count = (store: Store) => {
    const visible = createPublicationStatus(store);
    return Array.from({ length }, (_, n) => visible.record(`d-e-${n}`)).filter(Boolean).length;
  };
  const start = process.cpuUsage();
  expect([count(chain({})), count(chain({ public: '0' }))]).toEqual([length, 0]);
  expect(process.cpuUsage(start).user).toBeLessThan(3_000_000); // more if each record visited the complete chain
  // Two records are below each other, and one of them is below a private record.
  const cycle = [
    object('f-g-1', { parent_id: 'f-g-2' }),
    object('f-g-2', { parent_id: 'f-g-1', ...crumbs('f-g-3', 'f-g-2') }),
    object('f-g-3', { public: '0' }),
  ];
  const visible = createPublicationStatus(createSnapshotOf(cycle));
  expect(['f-g-1', 'f-g-2', 'f-g-3'].filter((id) => visible.record(id))).toEqual([]);
});

it('withholds a field of all records, in lists too, and names one that no record has', () => {
  const text = { search_hidden: 'zulu', description: 'Nets', title: 'Net loft' };
  const page = { kind: 'children', name: 'a-b-1', page: { limit: 25, offset: 0 } } as const;
  const store = createVisibleStore(
    createSnapshotOf([
      object('a-b-1', text),
      object('a-b-1-1', text),
      [page, { total: 1, objects: [{ id: 'a-b-1-1', ...text }] }],
    ]),
    { withholding: readWithholding([{ fields: ['search_hidden', 'titel'], reason: 'Not public.', date: '2026-01-01' }]) },
  );
  for (const id of ['a-b-1', 'a-b-1-1'])
    expect(readPayload(store, 'object', id)).toEqual({ id, description: 'Nets', title: 'Net loft' });
  expect(JSON.stringify(listItems(store, 'children', 'a-b-1'))).not.toContain('zulu');
  expect(store.unmatched()).toEqual(['titel']);
});
