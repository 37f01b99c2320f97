/** `harvest --discover`: the catalog's own index as further ways in, where it answers. */
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { microfiche, microficheJson, SAMPLE, serve, upstreamAt } from '../support.ts';
import { type Handler, record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, harvestHere, look } from './here.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listed = (...objects: object[]) => ({ total: objects.length, next_offset: null, objects });
const ids = (...names: string[]) => listed(...names.map((id) => ({ id })));

/**
 * Five collections: an author leads to the first, a root to the second, the repository to the second and the third, a narrator to the fourth,
 * a topic to the fifth.
 */
async function anArchive(): Promise<Upstream> {
  const up = await startUpstream();
  const at = (address: string) => `${up.url}${address}`;
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

const discovered = (up: Upstream, snapshot = aSnapshot(), roots = ['demo-org-2']) =>
  harvestHere(up, snapshot, { roots, discover: true });

it('begins also with the repository, the narrators and the facets, and says what only each of them led to', async () => {
  const up = await anArchive();
  const report = await discovered(up);
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

it('says it in words too, and asks for none of it without --discover', async () => {
  const up = await anArchive();
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot()];
  const plain = await microficheJson<HarvestReport>(args);
  expect([plain.counts, plain.discovery]).toEqual([{ author: 1, collection: 1 }, undefined]);
  expect(up.asked.filter((asked) => /^\/api\/0\.2\/(?:$|narrator|facet)/.test(asked))).toEqual([]);
  const { stdout } = await microfiche([...args, '--discover']);
  expect(stdout).toMatch(/\n {8}3 {2}repository; 3 by no other way\n/);
});

it.each<[string, Handler, string]>([
  ['absent', sends(404), 'HTTP 404'],
  ['a web page', sends(200, { 'content-type': 'text/html' }, '<p>Welcome'), 'the answer is a web page, not JSON'],
  ['another thing', sends(200, {}, '[1, 2]'), 'the answer is no index'],
  ['empty', sends(200, {}, '{}'), 'the answer is no index'],
])('where the index is %s, one line says so and nothing else changes', async (_, handler, cause) => {
  const up = await anArchive();
  up.answers.set('/api/0.2/', handler);
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--attempts', '1'];
  const { code, stdout } = await microfiche([...args, '--discover']);
  expect(code).toBe(0);
  expect(stdout).toContain(`  ${up.url}/api/0.2/ did not answer as an index (${cause}).\n`);
  expect(stdout).not.toContain('could not be downloaded');
  expect(stdout).toMatch(/ {8}1 {2}author\n {8}1 {2}collection\n\d/);
});

it('names the lists of the index that do not answer, and takes the others', async () => {
  const up = await anArchive();
  up.answers.delete('/api/0.2/narrator/');
  up.answers.delete('/api/0.2/facet/');
  const report = await discovered(up);
  expect([report.counts['collection'], report.failures]).toEqual([5, []]); // the terms of topics are asked for all the same
  expect(report.discovery?.unanswered).toEqual([
    { url: `${up.url}/api/0.2/facet/`, cause: 'HTTP 404', lists: 1 },
    { url: `${up.url}/api/0.2/narrator/`, cause: 'HTTP 404', lists: 1 },
  ]);
});

it('asks no address in the index that leads to another host or out of the API', async () => {
  const up = await anArchive();
  const other = await startUpstream();
  up.answers.set('/api/0.2/', {
    repository: `${other.url}/api/0.2/demo/`,
    narrators: `${up.url}/admin/narrators/`,
    facets: `${up.url}/api/0.2/../../secret/`,
  });
  const report = await discovered(up);
  expect(report.discovery?.refused).toHaveLength(3);
  expect(other.asked).toEqual([]);
  expect(up.asked.filter((asked) => /admin|secret/.test(asked))).toEqual([]);
});

it('reads other shapes: a map of facets, entries with links, ids that need encoding, nothing at all', async () => {
  const up = await anArchive();
  const at = (address: string) => `${up.url}${address}`;
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
  const report = await discovered(up);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 4, repository: 1 }, []]);
});

it('goes on after an interruption, and keeps what the index said', async () => {
  const up = await anArchive();
  const snapshot = aSnapshot();
  const stop = new AbortController();
  await harvestHere(up, snapshot, { roots: [], discover: true, signal: stop.signal, onProgress: () => stop.abort() });
  const report = await discovered(up, snapshot);
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 5, repository: 1 }, []]);
  expect(new Set(up.asked).size).toBe(up.asked.length);
  const kept = look(snapshot, ({ db }) =>
    db.prepare(`SELECT kind FROM resource WHERE kind = 'index' AND response IS NOT NULL`).all(),
  );
  expect(kept).toHaveLength(1);
  // A later harvest without it leaves them alone.
  expect((await harvestHere(up, snapshot)).counts).toEqual(report.counts);
});

it('finds the records of the sample that no author leads to', async () => {
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
])('%j is wrong use', async (flags, words) => {
  const url = 'http://127.0.0.1:9';
  const { code, stderr } = await microfiche(['harvest', ...upstreamAt(url), ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});
