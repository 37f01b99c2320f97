/** `harvest --collection`: the collections, everything below them, their ancestors, and nothing else. */
import { expect, it } from 'vitest';
import { readFailures, readResourceNames } from '../../../src/snapshot/read.ts';
import { runMicrofiche, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot } from '../../support/harvest-in-process.ts';
import { createRecord, respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const path = (id: string) => `/api/0.2/${id}/`;
const listPage = (...ids: string[]) => ({ total: ids.length, next_offset: null, objects: ids.map((id) => ({ id })) });

/** Three collections of three items each, below an organization; an author's text links to the second. */
async function startArchive(): Promise<TestUpstream> {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', body: `<a href="${upstream.url}${path('demo-org-2-1')}">x</a>` });
  const children = (id: string) => ({ children: `${upstream.url}${path(id)}children/` });
  upstream.routes.set(
    path('demo-org'),
    createRecord(upstream, 'demo-org', { model: 'organization', links: children('demo-org') }),
  );
  upstream.routes.set(`${path('demo-org')}children/`, listPage('demo-org-1', 'demo-org-2', 'demo-org-10'));
  for (const id of ['demo-org-1', 'demo-org-2', 'demo-org-10']) {
    upstream.routes.set(
      path(id),
      createRecord(upstream, id, { model: 'collection', parent_id: 'demo-org', links: children(id) }),
    );
    const below = [1, 2, 3].map((n) => `${id}-${n}`);
    upstream.routes.set(`${path(id)}children/`, listPage(...below));
    for (const child of below)
      upstream.routes.set(path(child), createRecord(upstream, child, { model: 'entity', parent_id: id }));
  }
  return upstream;
}

it('harvests the collections, everything below them, and their ancestors', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot, { seeds: [], collections: ['demo-org-1'] });
  expect([report.counts, report.failures]).toEqual([{ collection: 1, entity: 3, organization: 1 }, []]);
  expect(readSnapshot(snapshot, (store) => readResourceNames(store, 'object'))).toEqual([
    'demo-org',
    'demo-org-1',
    'demo-org-1-1',
    'demo-org-1-2',
    'demo-org-1-3',
  ]);
  expect(upstream.requests.filter((url) => /demo-org\/children|authors\/Ada|demo-org-(?:2|10)/.test(url))).toEqual([]);
});

it('requests, removes and deletes nothing outside the collections', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  upstream.routes.set(path('demo-org-2-3'), respondWith(500));
  await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
  const before = readSnapshot(snapshot, readFailures);
  expect(before.map(({ key }) => key)).toEqual(['object:demo-org-2-3']);
  upstream.requests.length = 0;
  for (const id of ['demo-org-2', 'demo-org-2-1', 'demo-org-2-2', 'demo-org-1-2'])
    upstream.routes.set(path(id), respondWith(404));
  for (let run = 1; run <= 3; run++) {
    const limited = await harvestInProcess(upstream, snapshot, { seeds: [], collections: ['demo-org-1'], maxMissingShare: 0.3 });
    expect(limited.removed).toEqual(run === 2 ? ['object:demo-org-1-2'] : []);
    expect(limited.counts).toEqual({ author: 1, collection: 3, entity: 8, organization: 1 });
  }
  expect(upstream.requests.filter((url) => url.includes('demo-org-2'))).toEqual([]);
  expect(readSnapshot(snapshot, readFailures)).toEqual(before);
});

it('applies the removal safeguard to the share of known records inside the collections', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  for (const id of ['demo-org-1-1', 'demo-org-1-2']) upstream.routes.set(path(id), respondWith(404));
  const report = await harvestInProcess(upstream, snapshot, { seeds: [], collections: ['demo-org-1'], maxMissingShare: 0.3 });
  expect(report.removalSkipped).toEqual({ unseen: 2, known: 5 });
});

it('resumes an interrupted harvest, and limits --retry-failed to the same collections', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  const stop = new AbortController();
  const stopped = await harvestInProcess(upstream, snapshot, {
    seeds: [],
    collections: ['demo-org-1'],
    full: true,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(stopped.complete).toBe(false);
  upstream.requests.length = 0;
  const good = upstream.routes.get(path('demo-org-1-3'));
  upstream.routes.set(path('demo-org-1-3'), respondWith(500));
  const last = await harvestInProcess(upstream, snapshot, { seeds: [], collections: ['demo-org-1'], limits: { maxAttempts: 1 } });
  expect([last.complete, last.failures.length]).toEqual([true, 1]);
  upstream.routes.set(path('demo-org-1-3'), good);
  const retried = await harvestInProcess(upstream, snapshot, { seeds: [], retryFailed: true });
  expect([retried.failures, retried.fetched]).toEqual([[], 1]);
  expect(upstream.requests.filter((url) => /demo-org-(?:2|10)|Ada/.test(url))).toEqual([]);
});

it('rejects --collection after an interrupted harvest of the entire archive', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  const stop = new AbortController();
  await harvestInProcess(upstream, snapshot, { signal: stop.signal, onProgress: () => stop.abort() });
  const args = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot];
  const { code, stderr } = await runMicrofiche([...args, '--collection', 'demo-org-1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('run the same command without --collection')]);
  expect((await harvestInProcess(upstream, snapshot)).counts).toEqual({ author: 1, collection: 3, entity: 9, organization: 1 });
});

it('accepts a harvest of the entire archive after an interrupted limited one', async () => {
  const upstream = await startArchive();
  const snapshot = createSnapshotPath();
  const stop = new AbortController();
  await harvestInProcess(upstream, snapshot, {
    seeds: [],
    collections: ['demo-org-1'],
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect((await harvestInProcess(upstream, snapshot)).counts).toEqual({ author: 1, collection: 3, entity: 9, organization: 1 });
});

it('reports a collection that does not exist; a seed record outside the collections is a usage error', async () => {
  const upstream = await startArchive();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', createSnapshotPath()];
  const absent = await runMicrofiche([...args, '--collection', 'demo-org-77']);
  expect(absent.stdout).toContain('object:demo-org-77');
  const outside = await runMicrofiche([...args, '--collection', 'demo-org-1', '--root', 'demo-org-2-1']);
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('demo-org-2-1 is not below')]);
});
