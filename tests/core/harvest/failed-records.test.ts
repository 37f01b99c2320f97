/** Records that could not be fetched: the records below them are harvested anyway, and can be found on the site. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestDirectory, runMicroficheJson } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot, summarizeFailures } from '../../support/harvest-in-process.ts';
import { createRecord, type Handler, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const FILE = 'demo-org-1-2-mezzanine-0a1b2c3d4e';

/** Returns a list page with these entries. */
const listPage = (...ids: string[]) => ({
  total: ids.length,
  next_offset: null,
  objects: ids.map((id) => ({ id, title: `Entry of ${id}` })),
});

/** Returns the links of an item, with both of its lists. */
const links = (upstream: TestUpstream, id: string) => ({
  json: `${upstream.url}${path(id)}`,
  'children-objects': `${upstream.url}${path(id)}children/`,
  'children-files': `${upstream.url}${path(id)}files/`,
});

/** Returns breadcrumbs, from the collection down. */
const crumbs = (...ids: string[]) => ids.map((id) => ({ id, label: id.split('-').at(-1) }));

/**
 * Starts an upstream with a collection of one item, which has a segment and a file. As in real archives, a file role is in the
 * file's breadcrumbs and is its parent. `replacements` changes the responses for some IDs; undefined removes one.
 */
async function startArchive(replacements: Record<string, Handler | undefined> = {}): Promise<TestUpstream> {
  const upstream = await startTestUpstream();
  const addRecord = (id: string, more: Record<string, unknown>) =>
    upstream.routes.set(path(id), createRecord(upstream, id, more));
  addRecord('demo-org-1', { model: 'collection', links: { children: `${upstream.url}${path('demo-org-1')}children/` } });
  addRecord('demo-org-1-2', {
    model: 'entity',
    links: links(upstream, 'demo-org-1-2'),
    breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2'),
  });
  addRecord('demo-org-1-2-3', { model: 'segment', breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2', 'demo-org-1-2-3') });
  addRecord(FILE, {
    model: 'file',
    role: 'mezzanine',
    parent_id: 'demo-org-1-2-mezzanine',
    breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2', 'demo-org-1-2-mezzanine', FILE),
  });
  upstream.routes.set(`${path('demo-org-1')}children/`, listPage('demo-org-1-2'));
  upstream.routes.set(`${path('demo-org-1-2')}children/`, listPage('demo-org-1-2-3', 'demo-org-1-2-mezzanine'));
  upstream.routes.set(`${path('demo-org-1-2')}files/`, listPage(FILE));
  for (const [id, handler] of Object.entries(replacements)) upstream.routes.set(path(id), handler);
  return upstream;
}

describe('lists of a record that could not be fetched', () => {
  it.each<[string, Handler]>([
    ['404', respondWith(404)],
    ['410', respondWith(410)],
    ['403', respondWith(403)],
    ['500', respondWith(500)],
    ['truncated JSON', respondWith(200, {}, '{"id": "demo')],
    ['JSON nested too deeply', respondWith(200, {}, `${'['.repeat(200)}${']'.repeat(200)}`)],
    ['a redirect to a host that is not allowed', respondWith(302, { location: 'http://10.0.0.1/' })],
    ['another record', respondWith(200, {}, '{"id": "demo-org-1"}')],
  ])('are requested after %s, and the records below are harvested', async (_, fault) => {
    const upstream = await startArchive({ 'demo-org-1-2': fault });
    const snapshot = createSnapshotPath();
    const report = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
    expect(report.counts).toEqual({ collection: 1, file: 1, segment: 1 });
    expect(report.failures.map(({ key }) => key)).toEqual(['object:demo-org-1-2']);
  });

  it('are requested level by level from the organization down, and their absence is not a failure', async () => {
    const upstream = await startArchive({ 'demo-org-1': undefined, 'demo-org-1-2': undefined });
    upstream.routes.set(`${path('demo-org')}children/`, listPage('demo-org-1'));
    const report = await harvestInProcess(upstream, createSnapshotPath(), { seeds: ['demo-org'] });
    expect(report.counts).toEqual({ file: 1, segment: 1 });
    expect(report.failures.map(({ key }) => key)).toEqual(['object:demo-org', 'object:demo-org-1', 'object:demo-org-1-2']);
    expect(upstream.requests).not.toContain(`${path('demo-org')}files/?limit=25&offset=0`);
    const count = upstream.requests.length;
    expect(new Set(upstream.requests).size).toBe(count);
  });

  it('are reported if they fail for another reason than their absence', async () => {
    const upstream = await startArchive({ 'demo-org-1-2': undefined });
    upstream.routes.set(`${path('demo-org-1-2')}files/`, respondWith(500));
    const report = await harvestInProcess(upstream, createSnapshotPath(), { limits: { maxAttempts: 1 } });
    expect(summarizeFailures(report)).toEqual([
      ['files:demo-org-1-2?limit=25&offset=0', 500, 'HTTP 500', 1],
      ['object:demo-org-1-2', 404, 'HTTP 404', 1],
    ]);
  });

  it('are requested again by --retry-failed and by an incremental harvest', async () => {
    const upstream = await startArchive({ 'demo-org-1-2': undefined });
    const lists = ['children', 'files'].map((list) => `${path('demo-org-1-2')}${list}/`);
    const routes = lists.map((list) => upstream.routes.get(list));
    for (const list of lists) upstream.routes.delete(list);
    const snapshot = createSnapshotPath();
    expect((await harvestInProcess(upstream, snapshot)).counts).toEqual({ collection: 1 });
    lists.forEach((list, n) => {
      upstream.routes.set(list, routes[n]);
    });
    const retried = await harvestInProcess(upstream, snapshot, { retryFailed: true });
    expect([retried.counts, retried.failures.length]).toEqual([{ collection: 1, file: 1, segment: 1 }, 1]);
    upstream.requests.length = 0;
    await harvestInProcess(upstream, snapshot);
    for (const list of lists) expect(upstream.requests).toContain(`${list}?limit=25&offset=0`);
  });
});

describe('file roles', () => {
  it('are never requested, reported or stored, regardless of what names them', async () => {
    const upstream = await startArchive();
    upstream.routes.set(path('demo-org-1-2-mezzanine'), createRecord(upstream, 'demo-org-1-2-mezzanine'));
    const snapshot = createSnapshotPath();
    const report = await harvestInProcess(upstream, snapshot, { seeds: ['demo-org-1-2-mezzanine', 'demo-org-1'] });
    expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 1, file: 1, segment: 1 }, []]);
    expect(upstream.requests.filter((url) => url.includes('-mezzanine/'))).toEqual([]);
    expect(
      readSnapshot(snapshot, ({ db }) => db.prepare(`SELECT key FROM resource WHERE key LIKE '%-mezzanine%'`).all()),
    ).toEqual([{ key: `object:${FILE}` }]);
  });
});

it('the site shows partial records with everything below them, and a file role only as text', async () => {
  const upstream = await startArchive({ 'demo-org-1-2': undefined });
  upstream.routes.set(`${path('demo-org-5')}children/`, listPage('demo-org-5-1'));
  upstream.routes.set(path('demo-org-5-1'), createRecord(upstream, 'demo-org-5-1', { model: 'entity', parent_id: 'demo-org-5' }));
  upstream.routes.set(
    path('demo-org-6-1'),
    createRecord(upstream, 'demo-org-6-1', { model: 'entity', breadcrumbs: crumbs('demo-org-6', 'demo-org-6-1') }),
  );
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot, { seeds: ['demo-org-1', 'demo-org-5', 'demo-org-6-1'] });
  expect(report.failures.map(({ key }) => key)).toEqual(['object:demo-org-1-2', 'object:demo-org-5', 'object:demo-org-6']);
  const dist = join(createTestDirectory(), 'dist');
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  const page = (id: string) => readFileSync(join(dist, `objects/${id}.html`), 'utf8');
  // From a list entry, from its own list alone, from breadcrumbs alone.
  expect(page('demo-org-1-2')).toContain('<h1>Entry of demo-org-1-2</h1>');
  for (const below of ['demo-org-1-2-3', FILE]) expect(page('demo-org-1-2')).toContain(`href="../objects/${below}.html"`);
  for (const [child, parent] of [
    ['demo-org-1-2', 'demo-org-1'],
    ['demo-org-5-1', 'demo-org-5'],
    ['demo-org-6-1', 'demo-org-6'],
  ] as const) {
    expect(page(parent)).toContain(`href="../objects/${child}.html"`);
    expect(page(child)).toContain(`href="../objects/${parent}.html"`);
  }
  expect(readdirSync(join(dist, 'objects')).filter((name) => name.endsWith('-mezzanine.html'))).toEqual([]);
  const trail = /<nav class="breadcrumbs".*?<\/nav>/s.exec(page(FILE))?.[0] ?? '';
  expect(trail.replace(/<[^>]+>|\s+/g, ' ')).toMatch(/Entry of demo-org-1-2 +mezzanine +Title of/);
  expect(trail).not.toContain('mezzanine.html');
  expect(
    page('demo-org-1-2')
      .match(/<ol class="playlist".*?<\/ol>/s)?.[0]
      .match(/<li>/g),
  ).toHaveLength(1);
  expect(page('demo-org-1-2')).not.toMatch(/-mezzanine\b(?!-)/);
  expect(readFileSync(join(dist, 'about.html'), 'utf8')).not.toContain('-mezzanine<');
});
