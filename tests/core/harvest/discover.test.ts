/** `harvest --discover`: additional seeds from the catalog index, if upstream has one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../../src/harvest/report.ts';
import {
  createTestDirectory,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  startServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { createRecord, type Handler, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listPage = (...objects: object[]) => ({ total: objects.length, next_offset: null, objects });
const ids = (...names: string[]) => listPage(...names.map((id) => ({ id })));

/**
 * Five collections. An author names the first; the second is a seed; the repository names the second and the third, a narrator
 * the fourth, a topic the fourth and the fifth.
 */
async function startArchive(): Promise<TestUpstream> {
  const upstream = await startTestUpstream();
  const at = (pathname: string) => `${upstream.url}${pathname}`;
  upstream.routes.set('/api/3.0/authors/', ids('Ada'));
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', body: `<a href="${at(path('demo-org-1'))}">x</a>` });
  for (const n of [1, 2, 3, 4, 5])
    upstream.routes.set(path(`demo-org-${n}`), createRecord(upstream, `demo-org-${n}`, { model: 'collection' }));
  upstream.routes.set(
    path('demo'),
    createRecord(upstream, 'demo', { model: 'repository', links: { children: at(`${path('demo')}children/`) } }),
  );
  upstream.routes.set(`${path('demo')}children/`, ids('demo-org-2', 'demo-org-3'));
  upstream.routes.set('/api/0.2/', {
    facets: at('/api/0.2/facet/'),
    narrators: at('/api/0.2/narrator/'),
    repository: at('/api/0.2/demo/'),
    search: at('/api/0.2/search/'),
  });
  upstream.routes.set('/api/0.2/narrator/', listPage({ id: 12, links: { json: at('/api/0.2/narrator/12/') } }));
  upstream.routes.set('/api/0.2/narrator/12/interviews/', ids('demo-org-4'));
  upstream.routes.set('/api/0.2/facet/', listPage({ id: 'topics' }));
  upstream.routes.set('/api/0.2/facet/topics/children/', listPage({ id: '7', title: 'Fishing' }));
  upstream.routes.set('/api/0.2/facet/topics/7/objects/', ids('demo-org-5', 'demo-org-4'));
  return upstream;
}

const discover = (upstream: TestUpstream, snapshot = createSnapshotPath(), seeds = ['demo-org-2']) =>
  harvestInProcess(upstream, snapshot, { seeds, discover: true });

it('starts from the repository, the narrators and the facets too, and reports what only each of them discovered', async () => {
  const upstream = await startArchive();
  const report = await discover(upstream);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 5, repository: 1 }, []]);
  expect(report.discovery).toEqual({
    ways: [
      { way: 'authors', records: 2, only: 2 },
      { way: 'roots', records: 1, only: 0 },
      { way: 'repository', records: 3, only: 2 },
      { way: 'narrators', records: 1, only: 0 },
      { way: 'facets', records: 2, only: 1 },
    ],
    failedLists: [],
    refused: [],
  });
  expect(new Set(upstream.requests).size).toBe(upstream.requests.length);
});

it('prints the counts as text, and requests no list of the index without --discover', async () => {
  const upstream = await startArchive();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', createSnapshotPath()];
  const plain = await runMicroficheJson<HarvestReport>(args);
  expect([plain.counts, plain.discovery]).toEqual([{ author: 1, collection: 1 }, undefined]);
  expect(upstream.requests.filter((url) => /^\/api\/0\.2\/(?:narrator|facet)/.test(url))).toEqual([]);
  const { stdout } = await runMicrofiche([...args, '--discover']);
  expect(stdout).toMatch(/\n {8}3 {2}repository \(3 in no other way\)\n/);
});

it.each<[string, Handler, string]>([
  ['absent', respondWith(404), 'HTTP 404'],
  ['a web page', respondWith(200, { 'content-type': 'text/html' }, '<p>Welcome'), 'expected JSON, received HTML'],
  ['something else', respondWith(200, {}, '[1, 2]'), 'the response is not a catalog index'],
  ['empty', respondWith(200, {}, '{}'), 'the response is not a catalog index'],
])('reports an index that is %s in one line, and harvests the rest', async (_, handler, cause) => {
  const upstream = await startArchive();
  upstream.routes.set('/api/0.2/', handler);
  const args = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', createSnapshotPath(), '--attempts', '1'];
  const { code, stdout } = await runMicrofiche([...args, '--discover']);
  expect(code).toBe(0);
  expect(stdout).toContain(`  ${upstream.url}/api/0.2/ failed (${cause}).\n`);
  expect(stdout).not.toContain('Failed (');
  expect(stdout).toMatch(/ {8}1 {2}author\n {8}1 {2}collection\nChanges: \d/);
});

it('reports the lists of the index that fail, and reads the others', async () => {
  const upstream = await startArchive();
  upstream.routes.delete('/api/0.2/narrator/');
  upstream.routes.delete('/api/0.2/facet/');
  const report = await discover(upstream);
  expect([report.counts['collection'], report.failures]).toEqual([5, []]); // the list of topics is requested anyway
  expect(report.discovery?.failedLists).toEqual([
    { url: `${upstream.url}/api/0.2/facet/`, cause: 'HTTP 404', lists: 1 },
    { url: `${upstream.url}/api/0.2/narrator/`, cause: 'HTTP 404', lists: 1 },
  ]);
});

it('requests no URL in the index that is on another host or outside the records API', async () => {
  const upstream = await startArchive();
  const other = await startTestUpstream();
  upstream.routes.set('/api/0.2/', {
    repository: `${other.url}/api/0.2/demo/`,
    narrators: `${upstream.url}/admin/narrators/`,
    facets: `${upstream.url}/api/0.2/../../secret/`,
  });
  const report = await discover(upstream);
  expect(report.discovery?.refused).toHaveLength(3);
  expect(other.requests).toEqual([]);
  expect(upstream.requests.filter((url) => /admin|secret/.test(url))).toEqual([]);
});

it('reads other shapes: a map of facets, entries with links, IDs that need encoding, null entries', async () => {
  const upstream = await startArchive();
  const at = (pathname: string) => `${upstream.url}${pathname}`;
  upstream.routes.set('/api/0.2/facet/', { topics: at('/api/0.2/facet/topics/'), 7: 12 });
  upstream.routes.set('/api/0.2/facet/topics/children/', [
    { title: 'Fish / market', links: { objects: 'http://10.0.0.1/objects/' } },
    { id: '8', links: { x: at('/api/0.2/elsewhere/8/objects') } },
    null,
    {},
  ]);
  upstream.routes.set('/api/0.2/facet/topics/Fish%20%2F%20market/objects/', {
    count: 1,
    next: null,
    results: [{ id: 'nonsense!', links: { json: at('/api/0.2/demo-org-5/') } }],
  });
  upstream.routes.set('/api/0.2/elsewhere/8/objects/', ids('demo-org-3', 'demo-org-1-2-mezzanine'));
  upstream.routes.set('/api/0.2/narrator/', ids('..', 'a/../b', ''));
  const report = await discover(upstream);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 4, repository: 1 }, []]);
});

const TERMS = Array.from({ length: 60 }, (_, n) => ({ id: String(n) }));

/** Replaces the topics by 60, in pages of 25 with an envelope. Each has a record. */
function addTerms(
  upstream: TestUpstream,
  envelope: (offset: number) => object,
  failsFrom = Number.POSITIVE_INFINITY,
  status = 500,
) {
  upstream.routes.set('/api/0.2/facet/topics/children/', ((request, response) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
    if (offset >= failsFrom) respondWith(status)(request, response);
    else
      respondWith(200, {}, JSON.stringify({ ...envelope(offset), objects: TERMS.slice(offset, offset + 25) }))(request, response);
  }) satisfies Handler);
}

const termsRead = (upstream: TestUpstream) => upstream.requests.filter((url) => /topics\/\d+\/objects/.test(url)).length;

it.each<[string, (offset: number) => object]>([
  ['says that the first page is the last', () => ({ total: 25, limit: 25, offset: 0, next_offset: null })],
  ['has the same offset on every page', () => ({ total: 60, offset: 0 })],
  ['has a total of 3', () => ({ total: 3, next: null })],
])('reads all terms if their list %s', async (_, envelope) => {
  const upstream = await startArchive();
  addTerms(upstream, envelope);
  const report = await discover(upstream);
  expect([termsRead(upstream), report.failures, report.incompleteLists]).toEqual([60, [], []]);
});

it('reports a list of terms of which a later page fails, unless it is the page after the last', async () => {
  const upstream = await startArchive();
  addTerms(upstream, () => ({ total: 3 }), 50);
  const lists = async () => {
    const { discovery } = await discover(upstream);
    return discovery?.failedLists.filter(({ url }) => url.includes('topics/children'));
  };
  expect(await lists()).toEqual([{ url: `${upstream.url}/api/0.2/facet/topics/children/`, cause: 'HTTP 500', lists: 1 }]);
  addTerms(upstream, () => ({ total: 3 }), 75, 404);
  expect(await lists()).toEqual([]);
});

it('resumes after an interruption, and stores the index', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  const stop = new AbortController();
  await harvestInProcess(upstream, snapshot, { seeds: [], discover: true, signal: stop.signal, onProgress: () => stop.abort() });
  const report = await discover(upstream, snapshot);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 5, repository: 1 }, []]);
  expect(new Set(upstream.requests).size).toBe(upstream.requests.length);
  const stored = readSnapshot(snapshot, ({ db }) =>
    db.prepare(`SELECT kind FROM resource WHERE kind = 'index' AND response IS NOT NULL`).all(),
  );
  expect(stored).toHaveLength(1);
  // A later harvest without --discover keeps what was discovered.
  expect((await harvestInProcess(upstream, snapshot)).counts).toEqual(report.counts);
});

it('discovers records of the sample archive through each list of its index', async () => {
  const sample = await startServe(['--snapshot', SAMPLE]);
  try {
    const base = ['harvest', ...upstreamOptions(sample.url), '--snapshot', createSnapshotPath()];
    const report = await runMicroficheJson<HarvestReport>([...base, '--discover']);
    expect(report.discovery).toMatchObject({ failedLists: [], refused: [] });
    const records = Object.fromEntries((report.discovery?.ways ?? []).map((way) => [way.way, way.records]));
    expect(records).toEqual({
      authors: expect.any(Number),
      repository: expect.any(Number),
      narrators: expect.any(Number),
      facets: expect.any(Number),
    });
    expect(Math.min(...Object.values(records))).toBeGreaterThan(10);
  } finally {
    await sample.stop();
  }
});

it.each([
  [['--discover', '--retry-failed'], '--retry-failed and --discover exclude each other'],
  [['--discover', '--collection', 'demo-org-1'], '--collection and --discover exclude each other'],
])('%j is a usage error', async (options, message) => {
  const url = 'http://127.0.0.1:9';
  const { code, stderr } = await runMicrofiche(['harvest', ...upstreamOptions(url), ...options]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('gives way to --collection, if only the settings have it', async () => {
  const { url } = await startArchive();
  const cwd = createTestDirectory();
  writeFileSync(join(cwd, 'microfiche.config.json'), JSON.stringify({ authorsUrl: url, catalogUrl: url, discover: true }));
  const report = await runMicroficheJson<HarvestReport>(['harvest', '--collection', 'demo-org-3'], { cwd });
  expect([report.counts['collection'], report.discovery]).toEqual([1, undefined]);
});
