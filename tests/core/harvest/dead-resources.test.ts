/** Upstreams that send 500 for what they lack: removals are noticed, dead resources cost little, the report is brief on them. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { planPurge, purge } from '../../../src/catalogue/purge.ts';
import { harvestExitCode, harvestLines } from '../../../src/harvest/report.ts';
import { storedEntries } from '../../../src/snapshot/lists.ts';
import { createSnapshot } from '../../../src/snapshot/store.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { createTestClock } from '../../support/test-clock.ts';
import {
  addRecords,
  createRecord,
  type Handler,
  respond,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const serverError: Handler = respondWith(500, { 'content-type': 'text/html' }, '<h1>Server Error (500)</h1>');

/** Makes an upstream respond to a missing record with 500, except for its files: 404. */
function removeRecord(upstream: TestUpstream, id: string): void {
  upstream.routes.delete(path(id));
  const listed = upstream.routes.get('/api/0.2/demo-org-1/children/') as Handler;
  const list: Handler = (request, response) => {
    // The list of `addRecords` leaves out records without a route.
    const saved = upstream.routes.get(path(id));
    upstream.routes.delete(path(id));
    listed(request, response);
    if (saved !== undefined) upstream.routes.set(path(id), saved);
  };
  upstream.routes.set('/api/0.2/demo-org-1/children/', list);
  upstream.routes.set(path(id), serverError);
  upstream.routes.set(`${path(id)}children/`, serverError);
}

/** Starts an upstream with a collection of 30 items. The list has them all, even if one fails. */
async function startArchive(): Promise<{ upstream: TestUpstream; snapshot: string }> {
  const upstream = await startTestUpstream();
  addRecords(upstream, 30);
  return { upstream, snapshot: createSnapshotPath() };
}

/** Returns the list entries of all items of the collection but one. */
function entriesWithoutSeventh(): Array<{ id: string }> {
  return Array.from({ length: 30 }, (_, n) => ({ id: `demo-org-1-${n + 1}` })).filter(({ id }) => id !== 'demo-org-1-7');
}

/** Adds an author who names articles, of which only the first is in the guide. That one has sources. */
function addGuide(upstream: TestUpstream, articles: number, sources: Record<string, object>): void {
  const titles = Array.from({ length: articles }, (_, n) => `Topic ${n + 1}`);
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada Quill' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', articles: titles.map((title) => ({ title })) });
  for (const title of titles) upstream.routes.set(`/api/3.0/articles/${encodeURIComponent(title)}/`, serverError);
  const names = Object.keys(sources);
  upstream.routes.set('/api/3.0/articles/Topic%201/', { id: 'Topic 1', title: 'Topic 1', sources: names.map((id) => ({ id })) });
  for (const [id, source] of Object.entries(sources)) upstream.routes.set(`/api/3.0/sources/${id}/`, { id, ...source });
}

it('marks a record as removed after 500 in two runs and 404 for its files, if the list of its parent lacks it', async () => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  removeRecord(upstream, 'demo-org-1-7');
  const second = await harvestInProcess(upstream, snapshot);
  expect([second.removed, second.failures.map(({ key, hasEarlierVersion }) => [key, hasEarlierVersion])]).toEqual([
    [],
    [['object:demo-org-1-7', true]],
  ]);
  const third = await harvestInProcess(upstream, snapshot);
  expect([third.removed, third.failures]).toEqual([['object:demo-org-1-7'], []]);
});

it.each<[string, (upstream: TestUpstream) => void]>([
  ['the list of its parent names it', (upstream) => upstream.routes.set(path('demo-org-1-7'), serverError)],
  [
    'it has a list of files',
    (upstream) => {
      removeRecord(upstream, 'demo-org-1-7');
      upstream.routes.set(`${path('demo-org-1-7')}files/`, { total: 0, objects: [], next_offset: null });
    },
  ],
  [
    'the list of its parent cannot be read',
    (upstream) => {
      upstream.routes.set(path('demo-org-1-7'), serverError);
      upstream.routes.set('/api/0.2/demo-org-1/children/', serverError);
    },
  ],
  [
    'the list of its parent is cut off, and has a total that is too small',
    (upstream) => {
      upstream.routes.set(path('demo-org-1-7'), serverError);
      const objects = Array.from({ length: 6 }, (_, n) => ({ id: `demo-org-1-${n + 1}` }));
      upstream.routes.set('/api/0.2/demo-org-1/children/', { total: 5, objects, next_offset: null });
    },
  ],
  [
    'a page of the list of its parent cannot be read, and the other has a total that is too small',
    (upstream) => {
      upstream.routes.set(path('demo-org-1-7'), serverError);
      const page = { total: 25, next_offset: 25, objects: entriesWithoutSeventh().slice(0, 25) };
      upstream.routes.set('/api/0.2/demo-org-1/children/', ((request, response) =>
        respond(request.url?.endsWith('offset=0') ? page : serverError, request, response)) satisfies Handler);
    },
  ],
  [
    'the list of its parent repeats its first page, which has a total that is too small',
    (upstream) => {
      upstream.routes.set(path('demo-org-1-7'), serverError);
      upstream.routes.set('/api/0.2/demo-org-1/children/', ((request, response) => {
        const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
        const objects = entriesWithoutSeventh().slice(0, 25);
        respond({ total: 25, offset, next_offset: offset + 25, objects }, request, response);
      }) satisfies Handler);
    },
  ],
  [
    'the list of its parent names it by its link only',
    (upstream) => {
      upstream.routes.set(path('demo-org-1-7'), serverError);
      const entry = { title: 'A photo', links: { json: `${upstream.url}${path('demo-org-1-7')}` } };
      const objects = [...entriesWithoutSeventh(), entry];
      upstream.routes.set('/api/0.2/demo-org-1/children/', { total: 30, objects, next_offset: null });
    },
  ],
])('keeps a record that fails with 500 if %s, and the report says since when', async (_, fail) => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  fail(upstream);
  const day = new Date().toISOString().slice(0, 10);
  for (let run = 0; run < 3; run++) {
    const report = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
    expect([report.removed, report.counts['entity']]).toEqual([[], 30]);
    expect(harvestLines(report).join('\n')).toMatch(
      new RegExp(`object:demo-org-1-7,.*earlier version stored, failing since ${day} \\(`),
    );
  }
});

/** Adds an organization's list of collections with one item each. Returns a function that removes a record as services do. */
function addOrganization(upstream: TestUpstream, collections: string[]): (id: string) => void {
  const children = `${path('demo-org')}children/`;
  const links = { children: `${upstream.url}${children}` };
  upstream.routes.set(path('demo-org'), createRecord(upstream, 'demo-org', { model: 'organization', links }));
  const list = (ids: string[]) => ({ total: ids.length, objects: ids.map((id) => ({ id })), next_offset: null });
  const listed = new Set(collections);
  upstream.routes.set(children, list(collections));
  for (const id of collections) {
    const links = { children: `${upstream.url}${path(id)}children/` };
    upstream.routes.set(path(id), createRecord(upstream, id, { model: 'collection', links }));
    upstream.routes.set(`${path(id)}children/`, list([`${id}-1`]));
    upstream.routes.set(path(`${id}-1`), createRecord(upstream, `${id}-1`, { model: 'entity' }));
  }
  return (id) => {
    listed.delete(id);
    upstream.routes.set(children, list([...listed]));
    for (const url of [path(id), `${path(id)}children/`]) upstream.routes.set(url, serverError);
  };
}

it('marks a record as removed whose parent was marked in an earlier run', async () => {
  const upstream = await startTestUpstream();
  const remove = addOrganization(upstream, ['demo-org-1', 'demo-org-2']);
  const snapshot = createSnapshotPath();
  const run = () => harvestInProcess(upstream, snapshot, { seeds: ['demo-org'], maxMissingShare: 1, limits: { maxAttempts: 1 } });
  await run();
  remove('demo-org-2');
  upstream.routes.set(path('demo-org-2-1'), respondWith(503));
  await run();
  upstream.routes.set(path('demo-org-2-1'), serverError);
  expect((await run()).removed).toEqual(['object:demo-org-2']);
  expect((await run()).removed).toEqual(['object:demo-org-2-1']);
});

it('marks a record as removed whose parent was never there, and is requested once a week', async () => {
  const upstream = await startTestUpstream();
  const remove = addOrganization(upstream, ['demo-org-1', 'demo-org-2']);
  remove('demo-org-2');
  const snapshot = createSnapshotPath();
  const seeds = ['demo-org', 'demo-org-2', 'demo-org-2-1'];
  const run = () => harvestInProcess(upstream, snapshot, { seeds, maxMissingShare: 1, limits: { maxAttempts: 1 } });
  expect((await run()).counts).toEqual({ collection: 1, entity: 2, organization: 1 });
  remove('demo-org-2-1');
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(`UPDATE resource SET failed_runs = 10 WHERE key = 'object:demo-org-2'`);
  db.close();
  upstream.requests.length = 0;
  await run();
  expect((await run()).removed).toEqual(['object:demo-org-2-1']);
  expect(upstream.requests).not.toContain(path('demo-org-2'));
});

it('marks a record as removed if another one of its list was purged, which still counts as an entry', async () => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  const store = createSnapshot(snapshot);
  purge(store, planPurge(store, ['demo-org-1-3']), { reason: 'x', now: '2026-01-02T00:00:00.000Z' });
  expect([...storedEntries(store, 'children', 'demo-org-1')]).toHaveLength(30);
  store.close();
  removeRecord(upstream, 'demo-org-1-7');
  await harvestInProcess(upstream, snapshot);
  expect(await harvestInProcess(upstream, snapshot)).toMatchObject({ removed: ['object:demo-org-1-7'], incompleteLists: [] });
});

it('requests what failed with 500 in two runs once per run, and after ten runs once a week', async () => {
  const { upstream, snapshot } = await startArchive();
  addGuide(upstream, 3, { s1: { densho_id: 'demo-org-1-77' } });
  upstream.routes.set(path('demo-org-1-77'), serverError);
  upstream.routes.set(`${path('demo-org-1-77')}children/`, serverError);
  const requestsOfRun = async () => {
    upstream.requests.length = 0;
    const report = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 2 } });
    return { report, requests: upstream.requests.filter((url) => /Topic%20[23]|demo-org-1-77/.test(url)).sort() };
  };
  const first = await requestsOfRun();
  expect([harvestExitCode(first.report), first.requests.length > 6]).toEqual([3, true]);
  const second = await requestsOfRun();
  expect(harvestExitCode(second.report)).toBe(0);
  const once = ['/api/0.2/demo-org-1-77/', '/api/3.0/articles/Topic%202/', '/api/3.0/articles/Topic%203/'];
  const third = await requestsOfRun();
  expect(third.requests).toEqual(once);
  expect(third.report.failures.map(({ attempts, transient }) => [attempts, transient])).toEqual(once.map(() => [1, false]));
  for (let run = 4; run <= 10; run++) await requestsOfRun();
  const later = await requestsOfRun();
  expect([later.requests, later.report.failures.length]).toEqual([[], 3]);
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(`UPDATE run SET started_at = '2020-01-01T00:00:00.000Z'`);
  db.close();
  expect((await requestsOfRun()).requests).toEqual(once);
});

it('requests a record that failed with 500 in the last run once, and its list of files', async () => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  removeRecord(upstream, 'demo-org-1-7');
  await harvestInProcess(upstream, snapshot);
  upstream.requests.length = 0;
  await harvestInProcess(upstream, snapshot);
  expect(upstream.requests.filter((url) => url.startsWith(path('demo-org-1-7'))).sort()).toEqual([
    path('demo-org-1-7'),
    `${path('demo-org-1-7')}children/?limit=25&offset=0`,
    `${path('demo-org-1-7')}files/?limit=25&offset=0`,
  ]);
});

it('marks records as removed although more dead ones than the limit allows are kept', async () => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  for (let n = 1; n <= 6; n++) upstream.routes.set(path(`demo-org-1-${n}`), serverError);
  const goneLimit = { maxMissingShare: 0.25 };
  for (let run = 0; run < 2; run++) await harvestInProcess(upstream, snapshot, goneLimit);
  removeRecord(upstream, 'demo-org-1-7');
  await harvestInProcess(upstream, snapshot);
  expect(await harvestInProcess(upstream, snapshot)).toMatchObject({ removed: ['object:demo-org-1-7'] });
});

it('counts no run in which more of the known records fail than the limit allows', async () => {
  const { upstream, snapshot } = await startArchive();
  await harvestInProcess(upstream, snapshot);
  const routes = new Map(upstream.routes);
  for (let n = 1; n <= 30; n++) upstream.routes.set(path(`demo-org-1-${n}`), serverError);
  for (let run = 0; run < 3; run++) {
    const report = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
    expect([report.removalSkipped?.unseen, harvestExitCode(report)]).toEqual([30, 3]);
  }
  for (const [url, route] of routes) upstream.routes.set(url, route);
  expect((await harvestInProcess(upstream, snapshot)).failures).toEqual([]);
});

it('says in one line each what the archive does not have, and counts a record once, not also for its lists', async () => {
  const { upstream, snapshot } = await startArchive();
  addGuide(upstream, 9, { s1: { densho_id: 'demo-org-1-77' } });
  upstream.routes.set(path('demo-org-1-77'), serverError);
  upstream.routes.set(`${path('demo-org-1-77')}children/`, serverError);
  const first = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
  expect(first.failures.map(({ key }) => key).filter((key) => key.includes('demo-org'))).toEqual(['object:demo-org-1-77']);
  expect(harvestLines(first).length).toBeLessThan(24);
  const second = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
  expect(harvestLines(second).slice(-3)).toEqual([
    'Missing in the archive itself. The copy is right, and there is nothing to do:',
    '  8 articles that authors name are not in the guide.',
    '  1 record that the guide names is not in the archive.',
  ]);
});

it('takes for missing neither a list that fails with 500, nor a record that has a list of files', async () => {
  const { upstream, snapshot } = await startArchive();
  addGuide(upstream, 1, { s1: { densho_id: 'demo-org-1-77' } });
  upstream.routes.set(path('demo-org-1-77'), serverError);
  upstream.routes.set(`${path('demo-org-1-77')}files/`, { total: 0, objects: [], next_offset: null });
  upstream.routes.set('/api/0.2/demo-org-1/children/', serverError);
  for (let run = 1; run <= 3; run++) {
    const { failures } = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
    expect(failures.map(({ kind, name, missing }) => [kind, name, missing])).toEqual([
      ['children', 'demo-org-1', false],
      ['object', 'demo-org-1-77', false],
    ]);
  }
});

it('requests nothing as a record whose ID does not begin with that of a known repository', async () => {
  const { upstream, snapshot } = await startArchive();
  addGuide(upstream, 1, {
    s1: { densho_id: 'demovh-hada-01-0017' },
    s2: { external_url: `${upstream.url}/about/us/1/` },
    s3: { external_url: `${upstream.url}/demo/org/1/5/` },
    s4: { densho_id: 'demo-org-1-6' },
  });
  for (let run = 0; run < 2; run++) {
    const report = await harvestInProcess(upstream, snapshot);
    expect([report.failures, report.counts['source']]).toEqual([[], 4]);
  }
  expect(upstream.requests.filter((url) => /demovh|about/.test(url))).toEqual([]);
  const names = readSnapshot(snapshot, ({ db }) => db.prepare(`SELECT name FROM resource WHERE name LIKE '%vh-%'`).all());
  expect(names).toEqual([]);
});

it('learns the repository from the catalog index, if the guide is on another host and no seed is given', async () => {
  const { upstream, snapshot } = await startArchive();
  const guide = await startTestUpstream();
  addGuide(guide, 1, { s1: { densho_id: 'demovh-hada-01-0017' }, s2: { densho_id: 'demo-org-1-6' } });
  upstream.routes.set('/api/0.2/', { repository: `${upstream.url}/api/0.2/demo/` });
  const baseUrls = { authors: guide.url, catalog: upstream.url };
  const report = await harvestInProcess(upstream, snapshot, { baseUrls, seeds: [] });
  expect([report.failures, report.counts['entity']]).toEqual([[], 1]);
  expect(upstream.requests.filter((url) => url.includes('demovh'))).toEqual([]);
});

it('harvests from links to collections, and from old URLs with the parts of an ID between slashes', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 3);
  for (const id of ['demo-org-2', 'demo-org-3-29'])
    upstream.routes.set(path(id), createRecord(upstream, id, { model: id === 'demo-org-2' ? 'collection' : 'entity' }));
  const body = `<a href="${upstream.url}/demo-org-2/">a</a> <a href="http://${new URL(upstream.url).host}/demo/org/3/29/">b</a>`;
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', body });
  const report = await harvestInProcess(upstream, createSnapshotPath());
  expect([report.failures, report.counts]).toEqual([[], { author: 1, collection: 2, entity: 4 }]);
});

it('binds a snapshot to no catalog in which a first harvest found nothing, and fails with the URL to check', async () => {
  const right = await startTestUpstream();
  const wrong = await startTestUpstream();
  addRecords(right, 2);
  addGuide(right, 1, { s1: { densho_id: 'demo-org-1-1' } });
  const snapshot = createSnapshotPath();
  const run = (catalog: string) => harvestInProcess(right, snapshot, { baseUrls: { authors: right.url, catalog }, seeds: [] });
  const first = await run(wrong.url);
  expect([first.counts, harvestExitCode(first)]).toEqual([{ article: 1, author: 1, source: 1 }, 1]);
  const second = await run(right.url);
  expect([second.counts['entity'], harvestExitCode(second)]).toEqual([1, 0]);
  await expect(run(wrong.url)).rejects.toThrow('contains the archive at');
});

it.each([
  ['an empty page', { items: [], page: 1 }],
  ['a page of articles', { count: 1, items: [{ slug: 'harbor', title: 'Harbor' }] }],
  ['a list of articles', [{ slug: 'harbor' }]],
])('recognizes the API that follows the guide by %s, and says that the copy is kept', async (_, articles) => {
  const upstream = await startTestUpstream();
  upstream.routes.delete('/api/3.0/authors/');
  upstream.routes.set('/api/1.0/articles/', articles);
  await expect(harvestInProcess(upstream, createSnapshotPath())).rejects.toThrow(
    /serves API 1\.0 of the guide\. This version of Microfiche reads API 3\.0 only\. What was harvested from 3\.0 is kept/,
  );
});

it.each([
  ['redirects the list of authors to its own', { count: 1, results: [{ id: 'ada' }] }, '/api/1.0/authors/'],
  ['answers in its place', { count: 1, results: [{ slug: 'ada', title: 'Ada' }] }, '/guide/authors/'],
])('recognizes the API that follows the guide if it %s', async (_, authors, location) => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', respondWith(301, { location }));
  upstream.routes.set(location, authors);
  await expect(harvestInProcess(upstream, createSnapshotPath())).rejects.toThrow(/serves API 1\.0 of the guide/);
});

it.each([
  [503, { message: 'Down for maintenance' }],
  [200, { message: 'Down for maintenance' }],
  [200, { errors: [{ code: 'maintenance' }], page: 'home' }],
  [200, ['maintenance']],
])('takes a page for maintenance, sent with status %d as %j, for no other API', async (status, page) => {
  const upstream = await startTestUpstream();
  upstream.routes.delete('/api/3.0/authors/');
  upstream.routes.set('/api/1.0/articles/', respondWith(status, {}, JSON.stringify(page)));
  await expect(harvestInProcess(upstream, createSnapshotPath())).rejects.toThrow(/returned HTTP 404\. Check --authors-url/);
});

it('sends a polite message if a host refuses even the first request for long', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', respondWith(429));
  await expect(harvestInProcess(upstream, createSnapshotPath(), { clock: createTestClock() })).rejects.toThrow(
    /asks us to wait until [-\d]+ [:\d]+ UTC \(HTTP 429\)\. Run the same command again then\./,
  );
});

it('requests what a guide page names also if the catalogue names its repository later', async () => {
  const upstream = await startTestUpstream();
  const at = (pathname: string) => `${upstream.url}${pathname}`;
  addRecords(upstream, 1);
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  const links = ['else-org-1', 'other-org-1'].map((id) => `<a href="${at(path(id))}">x</a>`).join('');
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', body: links });
  const children = { total: 1, objects: [{ id: 'else-org-2' }], next_offset: null };
  upstream.routes.set(
    '/api/0.2/demo-org-1/children/',
    ((request, response) => void setTimeout(() => respond(children, request, response), 500)) satisfies Handler,
  );
  for (const id of ['else-org-1', 'else-org-2'])
    upstream.routes.set(path(id), createRecord(upstream, id, { model: 'collection' }));
  const report = await harvestInProcess(upstream, createSnapshotPath());
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 3 }, []]);
  expect(upstream.requests).not.toContain(path('other-org-1'));
});

it('knows the repository before it requests what authors name, also if one host has both APIs', async () => {
  const upstream = await startTestUpstream();
  const at = (pathname: string) => `${upstream.url}${pathname}`;
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  const links = ['else-org-1', 'demo-org-1'].map((id) => `<a href="${at(path(id))}">x</a>`).join('');
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', body: links });
  upstream.routes.set('/api/0.2/', { repository: at(path('demo')) });
  upstream.routes.set(path('demo-org-1'), createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { seeds: [] });
  expect([report.counts, report.failures]).toEqual([{ author: 1, collection: 1 }, []]);
  expect(upstream.requests.filter((url) => url.includes('else-org'))).toEqual([]);
});

it('--discover reads all facets and terms, although the total is wrong and no next page is named', async () => {
  const upstream = await startTestUpstream();
  const terms = Array.from({ length: 60 }, (_, n) => ({ id: `${n + 1}`, title: `Term ${n + 1}` }));
  const sendPage =
    (all: object[]): Handler =>
    (request, response) => {
      const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
      const objects = all.slice(offset, offset + 25);
      respond({ total: 3, page_size: 25, prev: null, next: null, aggregations: {}, objects }, request, response);
    };
  upstream.routes.set('/api/0.2/', { facets: `${upstream.url}/api/0.2/facet/` });
  upstream.routes.set('/api/0.2/facet/', sendPage([{ id: 'topics' }, { id: 'facility' }]));
  upstream.routes.set('/api/0.2/facet/topics/children/', sendPage(terms));
  upstream.routes.set('/api/0.2/facet/facility/children/', sendPage([]));
  for (const { id } of terms) {
    upstream.routes.set(`/api/0.2/facet/topics/${id}/objects/`, { total: 1, objects: [{ id: `demo-org-1-${id}` }] });
    upstream.routes.set(path(`demo-org-1-${id}`), createRecord(upstream, `demo-org-1-${id}`, { model: 'entity' }));
  }
  const report = await harvestInProcess(upstream, createSnapshotPath(), { seeds: [], discover: true });
  expect([report.counts, report.incompleteLists, report.failures]).toEqual([{ entity: 60 }, [], []]);
});

it('--discover reads the sitemap, and the sitemaps that it names', async () => {
  const upstream = await startTestUpstream();
  const at = (location: string) => `<loc>${upstream.url}${location}</loc>`;
  const sitemap = (...locations: string[]) => respondWith(200, {}, `<urlset>${locations.map(at).join('')}</urlset>`);
  upstream.routes.set('/sitemap.xml', sitemap('/sitemap-1.xml', '/about/'));
  upstream.routes.set('/sitemap-1.xml', sitemap('/demo-org-1-2/', '/demo-org-1-3/', '/news-2020-12/'));
  upstream.routes.set(path('demo-org-1-2'), createRecord(upstream, 'demo-org-1-2', { model: 'entity' }));
  upstream.routes.set(path('demo-org-1'), createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { discover: true });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 1 }, []]);
  expect(report.discovery?.ways.find(({ way }) => way === 'sitemap')).toEqual({ way: 'sitemap', records: 1, only: 1 });
  expect(upstream.requests.filter((url) => url.includes('news'))).toEqual([]);
});

it('--discover reads sitemaps with queries, prefixes of names, CDATA and escaped characters', async () => {
  const upstream = await startTestUpstream();
  const at = (pathname: string) => `${upstream.url}${pathname}`;
  const send = (query: string, xml: string) => respondWith(200, {}, query.includes('page=2') ? xml : index);
  const index = `<?xml version="1.0"?><sm:sitemapindex xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">
    <sm:sitemap><sm:loc><![CDATA[${at('/sitemap.xml?part=a&page=2')}]]></sm:loc></sm:sitemap>
    <sm:sitemap><sm:loc> ${at('/sitemap/more/?a=1&amp;b=2')} </sm:loc></sm:sitemap></sm:sitemapindex>`;
  const pages = `<urlset><url><loc><![CDATA[
    ${at('/demo-org-1-2/')} ]]></loc></url></urlset>`;
  upstream.routes.set('/sitemap.xml', ((request, response) =>
    send(request.url ?? '', pages)(request, response)) satisfies Handler);
  upstream.routes.set('/sitemap/more/', respondWith(200, {}, `<urlset><url><loc>${at('/demo-org-1-3/')}</loc></url></urlset>`));
  for (const id of ['demo-org-1-2', 'demo-org-1-3'])
    upstream.routes.set(path(id), createRecord(upstream, id, { model: 'entity' }));
  upstream.routes.set(path('demo-org-1'), createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { discover: true });
  expect(report.counts).toEqual({ collection: 1, entity: 2 });
  expect(upstream.requests).toContain('/sitemap/more/?a=1&b=2');
});
