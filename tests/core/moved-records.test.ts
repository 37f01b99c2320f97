/** Records that have another ID now: upstream redirects, and their old pages lead to the new ones. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { createRecord, respondWith, startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;

/** Starts an archive with a collection, an item that keeps its ID, and one that will have another. */
async function startArchive(): Promise<TestUpstream> {
  const upstream = await startTestUpstream();
  const ids = ['demo-org-1', 'demo-org-1-2', 'demo-org-1-3'];
  for (const id of ids)
    upstream.routes.set(
      path(id),
      createRecord(upstream, id, {
        title: `Title of ${id}`,
        ...(id === 'demo-org-1'
          ? { model: 'collection', links: { children: `${upstream.url}${path(id)}children/` } }
          : { model: 'entity', breadcrumbs: ['demo-org-1', id].map((each) => ({ id: each, label: each })) }),
      }),
    );
  setChildren(upstream, ids.slice(1));
  return upstream;
}

function setChildren({ routes }: TestUpstream, ids: readonly string[]): void {
  const objects = ids.map((id) => ({ id, title: `Title of ${id}` }));
  routes.set(`${path('demo-org-1')}children/`, { total: ids.length, next_offset: null, objects });
}

/** Gives a record another ID, to which upstream redirects. */
function move(upstream: TestUpstream, from: string, to: string): void {
  const record = JSON.stringify(upstream.routes.get(path(from))).replaceAll(from, to);
  upstream.routes.set(path(to), JSON.parse(record));
  upstream.routes.set(path(from), respondWith(301, { location: path(to) }));
}

const harvest = (upstream: TestUpstream, snapshot: string) =>
  runMicroficheJson<{ failures: Array<{ cause: string }> }>([
    'harvest',
    ...upstreamOptions(upstream.url),
    '--snapshot',
    snapshot,
    '--root',
    'demo-org-1',
  ]);

it('leads from the page at the old ID to that at the new one, in each language, and shows the record once', async () => {
  const upstream = await startArchive();
  const directory = createTestDirectory();
  const [snapshot, dist] = ['snapshot', 'dist'].map((name) => join(directory, name)) as [string, string];
  const build = () => runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--languages', 'en,es', '--no-search']);
  const page = (name: string) => readFileSync(join(dist, name), 'utf8');
  await harvest(upstream, snapshot);
  await build();
  expect(page('objects/demo-org-1-2.html')).toContain('<h1>Title of demo-org-1-2</h1>');

  move(upstream, 'demo-org-1-2', 'demo-org-1-9');
  setChildren(upstream, ['demo-org-1-9', 'demo-org-1-3']);
  const { failures } = await harvest(upstream, snapshot);
  expect(failures.map(({ cause }) => cause)).toEqual(['it is now the record demo-org-1-9']);
  await build();
  const old = page('objects/demo-org-1-2.html');
  expect(old).toContain('<meta http-equiv="refresh" content="0; url=../objects/demo-org-1-9.html">');
  expect(old).toContain('This record has another ID now, and so another page:');
  expect(page('es/objects/demo-org-1-2.html')).toContain('url=../objects/demo-org-1-9.html');
  expect(page('objects/demo-org-1-9.html')).toContain('<h1>Title of demo-org-1-9</h1>');
  const collection = page('objects/demo-org-1.html');
  expect(collection).toContain('demo-org-1-9.html');
  expect(collection).not.toContain('demo-org-1-2.html');

  // The new record has moved too: the oldest page leads to the newest.
  move(upstream, 'demo-org-1-9', 'demo-org-1-10');
  setChildren(upstream, ['demo-org-1-10', 'demo-org-1-3']);
  await harvest(upstream, snapshot);
  await build();
  for (const id of ['demo-org-1-2', 'demo-org-1-9'])
    expect(page(`objects/${id}.html`)).toContain('url=../objects/demo-org-1-10.html');

  // What was moved by mistake is there again.
  upstream.routes.set(path('demo-org-1-2'), createRecord(upstream, 'demo-org-1-2', { title: 'Here again', model: 'entity' }));
  setChildren(upstream, ['demo-org-1-2', 'demo-org-1-10', 'demo-org-1-3']);
  await harvest(upstream, snapshot);
  await build();
  expect(page('objects/demo-org-1-2.html')).toContain('<h1>Here again</h1>');
});

it('leads to the record into which it was merged, which was harvested before and is shown once', async () => {
  const upstream = await startArchive();
  const directory = createTestDirectory();
  const [snapshot, dist] = ['snapshot', 'dist'].map((name) => join(directory, name)) as [string, string];
  const build = () => runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  const page = (name: string) => readFileSync(join(dist, name), 'utf8');
  await harvest(upstream, snapshot);
  await build();
  const merge = (from: string, to: string) => upstream.routes.set(path(from), respondWith(301, { location: path(to) }));
  merge('demo-org-1-2', 'demo-org-1-3');
  setChildren(upstream, ['demo-org-1-3']);
  const { failures } = await harvest(upstream, snapshot);
  expect(failures.map(({ cause }) => cause)).toEqual(['it is now the record demo-org-1-3']);
  await build();
  expect(page('objects/demo-org-1-2.html')).toContain('url=../objects/demo-org-1-3.html');
  expect(page('objects/demo-org-1-3.html')).toContain('<h1>Title of demo-org-1-3</h1>');
  const collection = page('objects/demo-org-1.html');
  expect(collection).not.toContain('demo-org-1-2.html');
  expect(collection).toContain('demo-org-1-3.html');
  expect(page('data.html')).not.toContain('Title of demo-org-1-2');

  // A list that names the old one yet shows the record once too.
  setChildren(upstream, ['demo-org-1-2', 'demo-org-1-3']);
  await harvest(upstream, snapshot);
  await build();
  expect(page('objects/demo-org-1-2.html')).toContain('url=../objects/demo-org-1-3.html');
  expect(page('objects/demo-org-1.html').match(/<h[23]>[^\n]*?Title of demo-org-1-\d/g)).toHaveLength(1);
});

it('does not take the place of a record for which another one came without a redirect', async () => {
  const upstream = await startArchive();
  const snapshot = join(createTestDirectory(), 'snapshot');
  await harvest(upstream, snapshot);
  upstream.routes.set(path('demo-org-1-2'), upstream.routes.get(path('demo-org-1-3')));
  const { failures } = await harvest(upstream, snapshot);
  expect(failures.map(({ cause }) => cause)).toEqual(['the response is the record demo-org-1-3']);
});

it('does not show that a private record has moved', async () => {
  const upstream = await startArchive();
  const directory = createTestDirectory();
  const [snapshot, dist] = ['snapshot', 'dist'].map((name) => join(directory, name)) as [string, string];
  const record = upstream.routes.get(path('demo-org-1-2')) as object;
  upstream.routes.set(path('demo-org-1-2'), { ...record, public: '0' });
  await harvest(upstream, snapshot);
  move(upstream, 'demo-org-1-2', 'demo-org-1-9');
  upstream.routes.set(path('demo-org-1-9'), JSON.parse(JSON.stringify(record).replaceAll('demo-org-1-2', 'demo-org-1-9')));
  await harvest(upstream, snapshot);
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  expect(existsSync(join(dist, 'objects/demo-org-1-9.html'))).toBe(true);
  expect(existsSync(join(dist, 'objects/demo-org-1-2.html'))).toBe(false);
});
