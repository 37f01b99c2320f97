/** Facts about the harvest on the site: its title, and the failures that it names. */
import { expect, it } from 'vitest';
import { readCatalogue, readRepositoryTitle } from '../../../src/catalogue/catalogue.ts';
import { createVisibleStore } from '../../../src/catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../../src/catalogue/read/withholding.ts';
import { readBaseUrls } from '../../../src/snapshot/read.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { createRecord, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listPage = (...objects: object[]) => ({ total: objects.length, next_offset: null, objects });

it('does not name failures of lists, or of anything below private records', async () => {
  const upstream = await startTestUpstream();
  const links = (id: string) => ({
    children: `${upstream.url}${path(id)}children/`,
    'children-files': `${upstream.url}${path(id)}files/`,
  });
  upstream.routes.set(
    path('demo-org-1'),
    createRecord(upstream, 'demo-org-1', { model: 'collection', links: links('demo-org-1') }),
  );
  upstream.routes.set(`${path('demo-org-1')}files/`, listPage());
  upstream.routes.set(
    `${path('demo-org-1')}children/`,
    listPage({ id: 'demo-org-1-2' }, { id: 'demo-org-1-3', public: '0' }, { id: 'demo-org-1-4' }),
  );
  upstream.routes.set(
    path('demo-org-1-2'),
    createRecord(upstream, 'demo-org-1-2', {
      model: 'entity',
      public: '0',
      links: { ...links('demo-org-1-2'), parent: 'x' },
      parent_id: 'demo-other-7',
      breadcrumbs: [{ id: 'demo-other-8', model: 'collection', label: 'A secret' }],
    }),
  );
  upstream.routes.set(`${path('demo-org-1-2')}children/`, listPage({ id: 'demo-org-1-2-1' }));
  upstream.routes.set(`${path('demo-org-1-3')}children/`, listPage({ id: 'demo-org-1-3-1' }));
  upstream.routes.set('/api/3.0/authors/', listPage({ id: 'Hidden', published: false }, { id: 'Seen' }));
  upstream.routes.set('/api/3.0/authors/Hidden/', { id: 'Hidden', articles: [{ title: 'Hidden words' }] });
  upstream.routes.set('/api/3.0/authors/Seen/', { id: 'Seen', articles: [{ title: 'Words' }] });
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot);
  expect(report.failures.map(({ key }) => key)).toEqual([
    'article:Hidden words',
    'article:Words',
    'files:demo-org-1-2?limit=25&offset=0',
    'object:demo-org-1-2-1',
    'object:demo-org-1-3',
    'object:demo-org-1-3-1',
    'object:demo-org-1-4',
    'object:demo-other-7',
    'object:demo-other-8',
  ]);
  const { facts, objects } = readSnapshot(snapshot, readCatalogue);
  expect(facts.failures.map(({ key }) => key)).toEqual(['article:Words', 'object:demo-org-1-4']);
  expect(objects.ids()).toEqual(['demo-org-1', 'demo-org-1-4']);
  expect(facts.withheld.filter(({ reason }) => reason === 'private').map(({ what }) => what)).toEqual([
    'demo-org-1-2',
    'demo-org-1-3',
  ]);
});

/** Returns the title of the site of an archive with these records. */
async function siteTitleOf(
  records: Record<string, Record<string, unknown>>,
  more: { roots?: string[]; catalog?: (upstream: TestUpstream) => string } = {},
) {
  const upstream = await startTestUpstream();
  for (const [id, fields] of Object.entries(records)) upstream.routes.set(path(id), createRecord(upstream, id, fields));
  const baseUrls = { authors: upstream.url, catalog: more.catalog?.(upstream) ?? upstream.url };
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot, { seeds: more.roots ?? Object.keys(records), baseUrls });
  return readSnapshot(snapshot, (store) => ({ title: readCatalogue(store).facts.title, bases: readBaseUrls(store) })).title;
}

it('takes the title from the repository, the organization or the only collection', async () => {
  const organization = { 'demo-org': { title: 'The organization', model: 'organization' } };
  const collection = { 'demo-org-1': { title: 'The collection', model: 'collection' } };
  const item = { 'demo-org-1-2': { title: 'An item', model: 'entity', parent_id: 'demo-org-1' } };
  expect(await siteTitleOf({ ...collection, ...item, ...organization, demo: { title: 'All', model: 'repository' } })).toBe('All');
  expect(await siteTitleOf({ ...collection, ...item, ...organization })).toBe('The organization');
  expect(await siteTitleOf({ ...collection, ...item })).toBe('The collection');
});

it.each([
  ['a repository', { demo: { title: ' <b>All</b> &amp; more ', model: 'repository' } }, 'All & more'],
  ['a repository without a title', { demo: { title: '', model: 'repository' } }, undefined],
  ['a private repository', { demo: { title: 'All', model: 'repository', public: '0' } }, undefined],
  ['no repository', { 'demo-org': { title: 'The organization', model: 'organization' } }, undefined],
])('exports find the title of %s without reading all records, and it is that of the site', async (_, records, expected) => {
  const upstream = await startTestUpstream();
  for (const [id, fields] of Object.entries(records)) upstream.routes.set(path(id), createRecord(upstream, id, fields));
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot, { seeds: Object.keys(records) });
  readSnapshot(snapshot, (store) => {
    const title = readRepositoryTitle(createVisibleStore(store, { withholding: NOTHING_WITHHELD, publicOnly: true }));
    expect(title).toBe(expected);
    if (title !== undefined) expect(title).toBe(readCatalogue(store).facts.title);
  });
});

it('uses a neutral title if the archive has none of these, never a URL with a port', async () => {
  const two = { 'demo-org-1': { model: 'collection' }, 'demo-org-2': { model: 'collection' } };
  expect(await siteTitleOf(two)).toBe('Archive');
  expect(await siteTitleOf(two, { catalog: (upstream) => upstream.url.replace('127.0.0.1', 'localhost') })).toBe('localhost');
});

it('takes no title from an organization whose record is missing', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set(`${path('demo-org')}children/`, listPage({ id: 'demo-org-1' }, { id: 'demo-org-2' }));
  for (const id of ['demo-org-1', 'demo-org-2'])
    upstream.routes.set(path(id), createRecord(upstream, id, { model: 'collection', parent_id: 'demo-org' }));
  upstream.routes.set(path('demo-org'), respondWith(404));
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  expect(readSnapshot(snapshot, readCatalogue).facts.title).toBe('Archive');
});
