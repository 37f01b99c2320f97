/** `harvest --discover`: the catalog index as a source of further seeds, if upstream has one. */
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { microfiche, microficheJson, SAMPLE, serve, upstreamAt } from '../support.ts';
import { type Handler, record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, harvestHere, look } from './here.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listed = (...objects: object[]) => ({ total: objects.length, next_offset: null, objects });
const ids = (...names: string[]) => listed(...names.map((id) => ({ id })));

/**
 * Five collections. An author names the first; the second is a seed; the repository names the second and the third, a narrator the fourth,
 * a topic the fourth and the fifth.
 */
async function startArchive(): Promise<Upstream> {
  const up = await startUpstream();
  const at = (pathname: string) => `${up.url}${pathname}`;
  up.answers.set('/api/3.0/authors/', ids('Ada'));
  up.answers.set('/api/3.0/authors/Ada/', { id: 'Ada', body: `<a href="${at(path('demo-org-1'))}">x</a>` });
  for (const n of [1, 2, 3, 4, 5]) up.answers.set(path(`demo-org-${n}`), record(up, `demo-org-${n}`, { model: 'collection' }));
  up.answers.set(path('demo'), record(up, 'demo', { model: 'repository', links: { children: at(`${path('demo')}children/`) } }));
  up.answers.set(`${path('demo')}children/`, ids('demo-org-2', 'demo-org-3'));
  up.answers.set('/api/0.2/', {
    facets: at('/api/0.2/facet/'),
    narrators: at('/api/0.2/narrator/'),
    repository: at('/api/0.2/demo/'),
    search: at('/api/0.2/search/'),
  });
  up.answers.set('/api/0.2/narrator/', listed({ id: 12, links: { json: at('/api/0.2/narrator/12/') } }));
  up.answers.set('/api/0.2/narrator/12/interviews/', ids('demo-org-4'));
  up.answers.set('/api/0.2/facet/', listed({ id: 'topics' }));
  up.answers.set('/api/0.2/facet/topics/children/', listed({ id: '7', title: 'Fishing' }));
  up.answers.set('/api/0.2/facet/topics/7/objects/', ids('demo-org-5', 'demo-org-4'));
  return up;
}

const discover = (up: Upstream, snapshot = aSnapshot(), roots = ['demo-org-2']) =>
  harvestHere(up, snapshot, { roots, discover: true });

it('starts from the repository, the narrators and the facets too, and reports what only each of them discovered', async () => {
  const up = await startArchive();
  const report = await discover(up);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 5, repository: 1 }, []]);
  expect(report.discovery).toEqual({
    ways: [
      { way: 'authors', records: 2, only: 2 },
      { way: 'roots', records: 1, only: 0 },
      { way: 'repository', records: 3, only: 2 },
      { way: 'narrators', records: 1, only: 0 },
      { way: 'facets', records: 2, only: 1 },
    ],
    unanswered: [],
    refused: [],
  });
  expect(new Set(up.asked).size).toBe(up.asked.length);
});

it('prints the counts as text, and requests no part of the index without --discover', async () => {
  const up = await startArchive();
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot()];
  const plain = await microficheJson<HarvestReport>(args);
  expect([plain.counts, plain.discovery]).toEqual([{ author: 1, collection: 1 }, undefined]);
  expect(up.asked.filter((url) => /^\/api\/0\.2\/(?:$|narrator|facet)/.test(url))).toEqual([]);
  const { stdout } = await microfiche([...args, '--discover']);
  expect(stdout).toMatch(/\n {8}3 {2}repository; 3 through nothing else\n/);
});

it.each<[string, Handler, string]>([
  ['absent', sends(404), 'HTTP 404'],
  ['a web page', sends(200, { 'content-type': 'text/html' }, '<p>Welcome'), 'expected JSON, received HTML'],
  ['something else', sends(200, {}, '[1, 2]'), 'the response is not a catalog index'],
  ['empty', sends(200, {}, '{}'), 'the response is not a catalog index'],
])('reports an index that is %s in one line, and harvests the rest', async (_, handler, cause) => {
  const up = await startArchive();
  up.answers.set('/api/0.2/', handler);
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--attempts', '1'];
  const { code, stdout } = await microfiche([...args, '--discover']);
  expect(code).toBe(0);
  expect(stdout).toContain(`  ${up.url}/api/0.2/ failed (${cause}).\n`);
  expect(stdout).not.toContain('Failed (');
  expect(stdout).toMatch(/ {8}1 {2}author\n {8}1 {2}collection\nChanges: \d/);
});

it('reports the lists of the index that fail, and reads the others', async () => {
  const up = await startArchive();
  up.answers.delete('/api/0.2/narrator/');
  up.answers.delete('/api/0.2/facet/');
  const report = await discover(up);
  expect([report.counts['collection'], report.failures]).toEqual([5, []]); // the list of topics is requested even so
  expect(report.discovery?.unanswered).toEqual([
    { url: `${up.url}/api/0.2/facet/`, cause: 'HTTP 404', lists: 1 },
    { url: `${up.url}/api/0.2/narrator/`, cause: 'HTTP 404', lists: 1 },
  ]);
});

it('requests no URL in the index that is on another host or outside the records API', async () => {
  const up = await startArchive();
  const other = await startUpstream();
  up.answers.set('/api/0.2/', {
    repository: `${other.url}/api/0.2/demo/`,
    narrators: `${up.url}/admin/narrators/`,
    facets: `${up.url}/api/0.2/../../secret/`,
  });
  const report = await discover(up);
  expect(report.discovery?.refused).toHaveLength(3);
  expect(other.asked).toEqual([]);
  expect(up.asked.filter((url) => /admin|secret/.test(url))).toEqual([]);
});

it('reads other shapes: a map of facets, entries with links, IDs that need encoding, null entries', async () => {
  const up = await startArchive();
  const at = (pathname: string) => `${up.url}${pathname}`;
  up.answers.set('/api/0.2/facet/', { topics: at('/api/0.2/facet/topics/'), 7: 12 });
  up.answers.set('/api/0.2/facet/topics/children/', [
    { title: 'Fish / market', links: { objects: 'http://10.0.0.1/objects/' } },
    { id: '8', links: { x: at('/api/0.2/elsewhere/8/objects') } },
    null,
    {},
  ]);
  up.answers.set('/api/0.2/facet/topics/Fish%20%2F%20market/objects/', {
    count: 1,
    next: null,
    results: [{ id: 'nonsense!', links: { json: at('/api/0.2/demo-org-5/') } }],
  });
  up.answers.set('/api/0.2/elsewhere/8/objects/', ids('demo-org-3', 'demo-org-1-2-mezzanine'));
  up.answers.set('/api/0.2/narrator/', ids('..', 'a/../b', ''));
  const report = await discover(up);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 4, repository: 1 }, []]);
});

it('resumes after an interruption, and stores the index', async () => {
  const up = await startArchive();
  const snapshot = aSnapshot();
  const stop = new AbortController();
  await harvestHere(up, snapshot, { roots: [], discover: true, signal: stop.signal, onProgress: () => stop.abort() });
  const report = await discover(up, snapshot);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 5, repository: 1 }, []]);
  expect(new Set(up.asked).size).toBe(up.asked.length);
  const stored = look(snapshot, ({ db }) =>
    db.prepare(`SELECT kind FROM resource WHERE kind = 'index' AND response IS NOT NULL`).all(),
  );
  expect(stored).toHaveLength(1);
  // A later harvest without --discover keeps what was discovered.
  expect((await harvestHere(up, snapshot)).counts).toEqual(report.counts);
});

it('discovers records of the sample archive through each list of its index', async () => {
  const sample = await serve(['--snapshot', SAMPLE]);
  try {
    const base = ['harvest', ...upstreamAt(sample.url), '--snapshot', aSnapshot()];
    const report = await microficheJson<HarvestReport>([...base, '--discover']);
    expect(report.discovery).toMatchObject({ unanswered: [], refused: [] });
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
  [['--discover', '--retry-failed'], 'choose one'],
  [['--discover', '--collection', 'demo-org-1'], 'choose one'],
])('%j is a usage error', async (options, message) => {
  const url = 'http://127.0.0.1:9';
  const { code, stderr } = await microfiche(['harvest', ...upstreamAt(url), ...options]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
