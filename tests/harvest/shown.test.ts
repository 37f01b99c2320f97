/** What the site shows of a harvest: its title, and which failures it names. */
import { expect, it } from 'vitest';
import { readCatalogue } from '../../src/catalogue/catalogue.ts';
import { basesOf } from '../../src/snapshot/read.ts';
import { record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, harvestHere, look } from './here.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listed = (...objects: object[]) => ({ total: objects.length, next_offset: null, objects });

it('D4: does not name failures of lists, or of anything below private records', async () => {
  const up = await startUpstream();
  const links = (id: string) => ({ children: `${up.url}${path(id)}children/`, 'children-files': `${up.url}${path(id)}files/` });
  up.answers.set(path('demo-org-1'), record(up, 'demo-org-1', { model: 'collection', links: links('demo-org-1') }));
  up.answers.set(`${path('demo-org-1')}files/`, listed());
  up.answers.set(
    `${path('demo-org-1')}children/`,
    listed({ id: 'demo-org-1-2' }, { id: 'demo-org-1-3', public: '0' }, { id: 'demo-org-1-4' }),
  );
  up.answers.set(
    path('demo-org-1-2'),
    record(up, 'demo-org-1-2', {
      model: 'entity',
      public: '0',
      links: { ...links('demo-org-1-2'), parent: 'x' },
      parent_id: 'demo-other-7',
      breadcrumbs: [{ id: 'demo-other-8', model: 'collection', label: 'A secret' }],
    }),
  );
  up.answers.set(`${path('demo-org-1-2')}children/`, listed({ id: 'demo-org-1-2-1' }));
  up.answers.set(`${path('demo-org-1-3')}children/`, listed({ id: 'demo-org-1-3-1' }));
  up.answers.set('/api/3.0/authors/', listed({ id: 'Hidden', published: false }, { id: 'Seen' }));
  up.answers.set('/api/3.0/authors/Hidden/', { id: 'Hidden', articles: [{ title: 'Hidden words' }] });
  up.answers.set('/api/3.0/authors/Seen/', { id: 'Seen', articles: [{ title: 'Words' }] });
  const snapshot = aSnapshot();
  const report = await harvestHere(up, snapshot);
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
  const { facts, objects } = look(snapshot, readCatalogue);
  expect(facts.failures.map(({ key }) => key)).toEqual(['article:Words', 'object:demo-org-1-4']);
  expect(objects.map(({ id }) => id)).toEqual(['demo-org-1', 'demo-org-1-4']);
  expect(facts.withheld.filter(({ reason }) => reason === 'private').map(({ what }) => what)).toEqual([
    'demo-org-1-2',
    'demo-org-1-3',
  ]);
});

/** Returns the title of the site of an archive with these records. */
async function titleOf(
  records: Record<string, Record<string, unknown>>,
  more: { roots?: string[]; catalog?: (up: Upstream) => string } = {},
) {
  const up = await startUpstream();
  for (const [id, fields] of Object.entries(records)) up.answers.set(path(id), record(up, id, fields));
  const bases = { authors: up.url, catalog: more.catalog?.(up) ?? up.url };
  const snapshot = aSnapshot();
  await harvestHere(up, snapshot, { roots: more.roots ?? Object.keys(records), bases });
  return look(snapshot, (store) => ({ title: readCatalogue(store).facts.title, bases: basesOf(store) })).title;
}

it('D47: takes the title from the repository, the organization or the only collection', async () => {
  const organization = { 'demo-org': { title: 'The organization', model: 'organization' } };
  const collection = { 'demo-org-1': { title: 'The collection', model: 'collection' } };
  const item = { 'demo-org-1-2': { title: 'An item', model: 'entity', parent_id: 'demo-org-1' } };
  expect(await titleOf({ ...collection, ...item, ...organization, demo: { title: 'All', model: 'repository' } })).toBe('All');
  expect(await titleOf({ ...collection, ...item, ...organization })).toBe('The organization');
  expect(await titleOf({ ...collection, ...item })).toBe('The collection');
});

it('D47: without any of them uses a neutral title, never a URL with a port', async () => {
  const two = { 'demo-org-1': { model: 'collection' }, 'demo-org-2': { model: 'collection' } };
  expect(await titleOf(two)).toBe('Archive');
  expect(await titleOf(two, { catalog: (up) => up.url.replace('127.0.0.1', 'localhost') })).toBe('localhost');
});

it('D47: takes no title from an organization whose record is missing', async () => {
  const up = await startUpstream();
  up.answers.set(`${path('demo-org')}children/`, listed({ id: 'demo-org-1' }, { id: 'demo-org-2' }));
  for (const id of ['demo-org-1', 'demo-org-2'])
    up.answers.set(path(id), record(up, id, { model: 'collection', parent_id: 'demo-org' }));
  up.answers.set(path('demo-org'), sends(404));
  const snapshot = aSnapshot();
  await harvestHere(up, snapshot);
  expect(look(snapshot, readCatalogue).facts.title).toBe('Archive');
});
