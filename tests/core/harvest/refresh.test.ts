/** Incremental harvests: new, changed, removed and restored records, conditional requests, and --retry-failed. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { changesSince } from '../../../src/snapshot/changes.ts';
import { readFailures } from '../../../src/snapshot/read.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readSnapshot, readStoredBody } from '../../support/harvest-in-process.ts';
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

/** Starts an upstream with a collection of 40 items, and harvests it once. */
async function createHarvestedSnapshot(more?: (id: string) => Record<string, unknown>) {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 40, more);
  const snapshot = createSnapshotPath();
  const first = await harvestInProcess(upstream, snapshot);
  expect(first.counts).toEqual({ collection: 1, entity: 40 });
  expect(first.changes).toEqual({ new: 41, changed: 0, restored: 0 });
  upstream.requests.length = 0;
  return { upstream, ids, snapshot };
}

it('stores new and changed records, and keeps earlier versions', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const old = readStoredBody(snapshot, 'demo-org-1-3');
  upstream.routes.set(path('demo-org-1-3'), createRecord(upstream, 'demo-org-1-3', { model: 'entity', title: 'Another title' }));
  addRecords(upstream, 41);
  upstream.routes.set(path('demo-org-1-3'), createRecord(upstream, 'demo-org-1-3', { model: 'entity', title: 'Another title' }));
  const since = new Date().toISOString();
  const report = await harvestInProcess(upstream, snapshot);
  expect(report.changes).toEqual({ new: 1, changed: 1, restored: 0 });
  expect(readStoredBody(snapshot, 'demo-org-1-3')).toContain('Another title');
  const versions = readSnapshot(snapshot, ({ db }) =>
    db.prepare(`SELECT body FROM response WHERE key = 'object:demo-org-1-3' ORDER BY id`).all(),
  );
  expect(versions.map(({ body }) => Buffer.from(body as Uint8Array).toString())).toEqual([
    old,
    readStoredBody(snapshot, 'demo-org-1-3'),
  ]);
  expect(readSnapshot(snapshot, (store) => changesSince(store, since))).toEqual({
    new: ['object:demo-org-1-41'],
    changed: ['object:demo-org-1-3'],
    restored: [],
    removed: [],
  });
});

it('marks a record as removed after 404 in two runs, keeps its last version, and shows that on its page', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const body = readStoredBody(snapshot, 'demo-org-1-7');
  upstream.routes.delete(path('demo-org-1-7'));
  const second = await harvestInProcess(upstream, snapshot);
  expect([second.removed, second.failures.map(({ key, hasEarlierVersion }) => [key, hasEarlierVersion])]).toEqual([
    [],
    [['object:demo-org-1-7', true]],
  ]);
  const since = new Date().toISOString();
  const third = await harvestInProcess(upstream, snapshot);
  expect([third.removed, third.failures, third.counts]).toEqual([['object:demo-org-1-7'], [], { collection: 1, entity: 40 }]);
  expect(readStoredBody(snapshot, 'demo-org-1-7')).toBe(body);
  const status = await runMicrofiche(['status', '--snapshot', snapshot, '--since', since]);
  expect(status.stdout).toMatch(/ 1 {2}removed\n +object:demo-org-1-7/);
  const out = join(createTestDirectory(), 'dist');
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', out, '--no-search']);
  expect(readFileSync(join(out, 'objects/demo-org-1-7.html'), 'utf8')).toMatch(
    /This record was removed from the live archive \(detected on \w+ \d+, \d{4}\)/,
  );
  expect(readFileSync(join(out, 'objects/demo-org-1-8.html'), 'utf8')).not.toContain('removed from the live archive');
  expect(readFileSync(join(out, 'about.html'), 'utf8')).toContain('1 record or guide page was removed from the live archive');
});

it('treats 410 like 404, and starts over after a successful response', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const good = upstream.routes.get(path('demo-org-1-7'));
  upstream.routes.set(path('demo-org-1-7'), respondWith(410));
  await harvestInProcess(upstream, snapshot);
  upstream.routes.set(path('demo-org-1-7'), good);
  await harvestInProcess(upstream, snapshot);
  upstream.routes.set(path('demo-org-1-7'), respondWith(410));
  expect((await harvestInProcess(upstream, snapshot)).removed).toEqual([]);
  expect((await harvestInProcess(upstream, snapshot)).removed).toEqual(['object:demo-org-1-7']);
});

it('does not mark a record as removed for other failures', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  upstream.routes.set(path('demo-org-1-7'), respondWith(403));
  for (let run = 0; run < 3; run++) expect((await harvestInProcess(upstream, snapshot)).removed).toEqual([]);
  expect(readSnapshot(snapshot, readFailures).map(({ key, hasEarlierVersion }) => [key, hasEarlierVersion])).toEqual([
    ['object:demo-org-1-7', true],
  ]);
});

it('reports a removed record that responds again as restored', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const good = upstream.routes.get(path('demo-org-1-7'));
  upstream.routes.delete(path('demo-org-1-7'));
  await harvestInProcess(upstream, snapshot);
  await harvestInProcess(upstream, snapshot);
  upstream.routes.set(path('demo-org-1-7'), good);
  const since = new Date().toISOString();
  expect((await harvestInProcess(upstream, snapshot)).changes).toEqual({ new: 0, changed: 0, restored: 1 });
  expect(readSnapshot(snapshot, (store) => changesSince(store, since))).toMatchObject({
    restored: ['object:demo-org-1-7'],
    removed: [],
  });
});

it('skips removal detection, and reports why, if more than a tenth of the known records fail', async () => {
  const { upstream, ids, snapshot } = await createHarvestedSnapshot();
  const removed = ids.slice(0, 5); // of 41
  const good = new Map(removed.map((id) => [path(id), upstream.routes.get(path(id))]));
  for (const id of removed) upstream.routes.delete(path(id));
  for (let run = 0; run < 3; run++) {
    const report = await harvestInProcess(upstream, snapshot);
    expect([report.removed, report.removalSkipped]).toEqual([[], { unseen: 5, known: 41 }]);
  }
  expect(readFileSync(join(snapshot, 'snapshot.sqlite')).length).toBeGreaterThan(0);
  for (const [url, route] of [...good].slice(1)) upstream.routes.set(url, route);
  expect(await harvestInProcess(upstream, snapshot)).toMatchObject({ removed: [] }); // the first run that counts
  expect(await harvestInProcess(upstream, snapshot)).toMatchObject({ removed: ['object:demo-org-1-1'] });
});

it('marks more records as removed if --gone-limit allows it', async () => {
  const { upstream, ids, snapshot } = await createHarvestedSnapshot();
  for (const id of ids.slice(0, 5)) upstream.routes.delete(path(id));
  await harvestInProcess(upstream, snapshot, { maxMissingShare: 0.2 });
  expect((await harvestInProcess(upstream, snapshot, { maxMissingShare: 0.2 })).removed).toHaveLength(5);
});

it('fetches records that no list names any more, and keeps those that respond', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const list = { total: 0, objects: [], next_offset: null };
  upstream.routes.set('/api/0.2/demo-org-1/children/', list);
  for (let run = 0; run < 2; run++) {
    const report = await harvestInProcess(upstream, snapshot);
    expect([report.removed, report.failures, report.counts]).toEqual([[], [], { collection: 1, entity: 40 }]);
  }
});

it('sends stored validators, and keeps the stored body on 304', async () => {
  const { upstream, ids, snapshot } = await createHarvestedSnapshot();
  let conditional = 0;
  for (const id of ids) {
    upstream.routes.set(path(id), (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers['if-none-match'] === `"${id}"` && request.headers['if-modified-since']) {
        conditional++;
        response.writeHead(304).end();
      } else {
        response.setHeader('etag', `"${id}"`).setHeader('last-modified', 'Sat, 03 Jan 2026 10:00:00 GMT');
        respond(createRecord(upstream, id, { model: 'entity' }), request, response);
      }
    });
  }
  await harvestInProcess(upstream, snapshot, { full: true });
  await harvestInProcess(upstream, snapshot, { full: true });
  expect(conditional).toBe(0);
  const report = await harvestInProcess(upstream, snapshot);
  expect([conditional, report.changes]).toEqual([40, { new: 0, changed: 0, restored: 0 }]);
});

it('skips records whose list entry is unchanged, unless --full is set', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  await harvestInProcess(upstream, snapshot);
  expect(upstream.requests.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url))).toEqual([]);
  upstream.requests.length = 0;
  const full = await harvestInProcess(upstream, snapshot, { full: true });
  expect(upstream.requests.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url))).toHaveLength(40);
  expect(full.changes).toEqual({ new: 0, changed: 0, restored: 0 });
});

it('revalidates records older than --trust-days, and records that failed', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const records = () => upstream.requests.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url));
  await harvestInProcess(upstream, snapshot, { maxAgeDays: 0 });
  expect(records()).toHaveLength(40);
  const good = upstream.routes.get(path('demo-org-1-3'));
  upstream.routes.set(path('demo-org-1-3'), respondWith(404));
  await harvestInProcess(upstream, snapshot, { full: true });
  upstream.routes.set(path('demo-org-1-3'), good);
  upstream.requests.length = 0;
  await harvestInProcess(upstream, snapshot);
  expect(records()).toEqual([path('demo-org-1-3')]);
});

it('revalidates records that were confirmed in the future, by a wrong clock', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(`UPDATE resource SET checked_at = '2090-01-01T00:00:00.000Z' WHERE name IN ('demo-org-1-3', 'demo-org-1-9')`);
  db.close();
  await harvestInProcess(upstream, snapshot);
  expect(upstream.requests.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url)).sort()).toEqual([
    path('demo-org-1-3'),
    path('demo-org-1-9'),
  ]);
});

it('sends no modification date back that was in the future', async () => {
  const upstream = await startTestUpstream();
  const since: unknown[] = [];
  upstream.routes.set(path('demo-org-1'), ((request, response) => {
    since.push(request.headers['if-modified-since']);
    const modified = since.length === 1 ? 'Sun, 01 Jan 2090 00:00:00 GMT' : 'Sat, 01 Jan 2000 00:00:00 GMT';
    response
      .writeHead(200, { 'last-modified': modified })
      .end(JSON.stringify(createRecord(upstream, 'demo-org-1', { model: 'collection' })));
  }) satisfies Handler);
  const snapshot = createSnapshotPath();
  for (let i = 0; i < 3; i++) await harvestInProcess(upstream, snapshot);
  expect(since).toEqual([undefined, undefined, 'Sat, 01 Jan 2000 00:00:00 GMT']);
});

it('fetches records whose list entry differs from the stored record, in its date or in another field', async () => {
  const { upstream, ids, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const changes = (id: string) =>
    ({
      [ids[2] as string]: { title: 'New title, old date' },
      [ids[5] as string]: { record_lastmod: '2026-02-02T10:00:00' },
    })[id] ?? {};
  addRecords(upstream, 40, (id) => ({ record_lastmod: '2020-01-01T10:00:00', ...changes(id) }));
  const report = await harvestInProcess(upstream, snapshot);
  expect(upstream.requests.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url)).sort()).toEqual([
    path('demo-org-1-3'),
    path('demo-org-1-6'),
  ]);
  expect(report.changes).toEqual({ new: 0, changed: 2, restored: 0 });
});

it('drops a failed resource that nothing names any more', async () => {
  const { upstream, snapshot } = await createHarvestedSnapshot();
  const collection = upstream.routes.get(path('demo-org-1')) as Record<string, unknown>;
  upstream.routes.set(path('demo-org-1'), { ...collection, parent_id: 'demo-org' });
  expect((await harvestInProcess(upstream, snapshot)).failures.map(({ key }) => key)).toEqual(['object:demo-org']);
  upstream.routes.set(path('demo-org-1'), collection);
  expect((await harvestInProcess(upstream, snapshot)).failures).toEqual([]);
});

it('--retry-failed fetches only resources that failed, and those discovered through them', async () => {
  const upstream: TestUpstream = await startTestUpstream();
  addRecords(upstream, 30);
  const good = new Map(['demo-org-1-4', 'demo-org-1-9'].map((id) => [path(id), upstream.routes.get(path(id))]));
  for (const url of good.keys()) upstream.routes.set(url, respondWith(500));
  const list = upstream.routes.get('/api/0.2/demo-org-1/children/') as (
    request: IncomingMessage,
    response: ServerResponse,
  ) => void;
  upstream.routes.set('/api/0.2/demo-org-1/children/', (request: IncomingMessage, response: ServerResponse) =>
    request.url?.includes('offset=25') ? response.writeHead(500).end() : list(request, response),
  );
  const snapshot = createSnapshotPath();
  const first = await harvestInProcess(upstream, snapshot, { limits: { maxAttempts: 1 } });
  expect(first.counts).toEqual({ collection: 1, entity: 23 });
  expect(first.incompleteLists).toMatchObject([{ name: 'demo-org-1', total: 30 }]);
  for (const [url, route] of good) upstream.routes.set(url, route);
  upstream.routes.set('/api/0.2/demo-org-1/children/', list);
  upstream.requests.length = 0;
  const second = await harvestInProcess(upstream, snapshot, { retryFailed: true });
  expect([second.counts, second.failures, second.incompleteLists, second.removed]).toEqual([
    { collection: 1, entity: 30 },
    [],
    [],
    [],
  ]);
  const requests = upstream.requests.filter((url) => !url.includes('/children/'));
  expect(requests.sort()).toEqual([...good.keys(), ...[26, 27, 28, 29, 30].map((n) => path(`demo-org-1-${n}`))].sort());
});

it('--retry-failed fails if no harvest has been completed', async () => {
  const upstream = await startTestUpstream();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', createSnapshotPath(), '--retry-failed'];
  const { code, stderr } = await runMicrofiche(args);
  expect([code, stderr]).toEqual([
    1,
    'microfiche: No completed harvest to retry. First run "microfiche harvest" without --retry-failed.\n',
  ]);
});
