/** Incremental harvests: new, changed, removed and restored records, conditional requests, and --retry-failed. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesSince } from '../../src/snapshot/changes.ts';
import { failures } from '../../src/snapshot/read.ts';
import { microfiche, microficheJson, temporary, upstreamAt } from '../support.ts';
import { answer, fill, record, sends, startUpstream, type Upstream } from '../upstream.ts';
import { aSnapshot, bodyIn, harvestHere, look } from './here.ts';

const path = (id: string) => `/api/0.2/${id}/`;

/** Starts an upstream with a collection of 40 items, and harvests it once. */
async function createHarvestedSnapshot(more?: (id: string) => Record<string, unknown>) {
  const up = await startUpstream();
  const ids = fill(up, 40, more);
  const snapshot = aSnapshot();
  const first = await harvestHere(up, snapshot);
  expect(first.counts).toEqual({ collection: 1, entity: 40 });
  expect(first.changes).toEqual({ new: 41, changed: 0, returned: 0 });
  up.asked.length = 0;
  return { up, ids, snapshot };
}

it('stores new and changed records, and keeps earlier versions', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const old = bodyIn(snapshot, 'demo-org-1-3');
  up.answers.set(path('demo-org-1-3'), record(up, 'demo-org-1-3', { model: 'entity', title: 'Another title' }));
  fill(up, 41);
  up.answers.set(path('demo-org-1-3'), record(up, 'demo-org-1-3', { model: 'entity', title: 'Another title' }));
  const since = new Date().toISOString();
  const report = await harvestHere(up, snapshot);
  expect(report.changes).toEqual({ new: 1, changed: 1, returned: 0 });
  expect(bodyIn(snapshot, 'demo-org-1-3')).toContain('Another title');
  const versions = look(snapshot, ({ db }) =>
    db.prepare(`SELECT body FROM response WHERE key = 'object:demo-org-1-3' ORDER BY id`).all(),
  );
  expect(versions.map(({ body }) => Buffer.from(body as Uint8Array).toString())).toEqual([old, bodyIn(snapshot, 'demo-org-1-3')]);
  expect(look(snapshot, (store) => changesSince(store, since))).toEqual({
    new: ['object:demo-org-1-41'],
    changed: ['object:demo-org-1-3'],
    returned: [],
    gone: [],
  });
});

it('marks a record as removed after 404 in two runs, keeps its last version, and shows that on its page', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const body = bodyIn(snapshot, 'demo-org-1-7');
  up.answers.delete(path('demo-org-1-7'));
  const second = await harvestHere(up, snapshot);
  expect([second.gone, second.failures.map(({ key, kept }) => [key, kept])]).toEqual([[], [['object:demo-org-1-7', true]]]);
  const since = new Date().toISOString();
  const third = await harvestHere(up, snapshot);
  expect([third.gone, third.failures, third.counts]).toEqual([['object:demo-org-1-7'], [], { collection: 1, entity: 40 }]);
  expect(bodyIn(snapshot, 'demo-org-1-7')).toBe(body);
  const status = await microfiche(['status', '--snapshot', snapshot, '--since', since]);
  expect(status.stdout).toMatch(/ 1 {2}removed\n +object:demo-org-1-7/);
  const out = join(temporary(), 'dist');
  await microficheJson(['build', '--snapshot', snapshot, '--out', out, '--no-search']);
  expect(readFileSync(join(out, 'objects/demo-org-1-7.html'), 'utf8')).toMatch(
    /This record was removed from the live archive \(detected on \d+ \w+ \d{4}\)/,
  );
  expect(readFileSync(join(out, 'objects/demo-org-1-8.html'), 'utf8')).not.toContain('removed from the live archive');
  expect(readFileSync(join(out, 'about.html'), 'utf8')).toContain('1 record or guide page was removed from the live archive');
});

it('treats 410 like 404, and starts over after a successful response', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const good = up.answers.get(path('demo-org-1-7'));
  up.answers.set(path('demo-org-1-7'), sends(410));
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), good);
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), sends(410));
  expect((await harvestHere(up, snapshot)).gone).toEqual([]);
  expect((await harvestHere(up, snapshot)).gone).toEqual(['object:demo-org-1-7']);
});

it('does not mark a record as removed for other failures', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  up.answers.set(path('demo-org-1-7'), sends(403));
  for (let run = 0; run < 3; run++) expect((await harvestHere(up, snapshot)).gone).toEqual([]);
  expect(look(snapshot, failures).map(({ key, kept }) => [key, kept])).toEqual([['object:demo-org-1-7', true]]);
});

it('reports a removed record that responds again as restored', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const good = up.answers.get(path('demo-org-1-7'));
  up.answers.delete(path('demo-org-1-7'));
  await harvestHere(up, snapshot);
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), good);
  const since = new Date().toISOString();
  expect((await harvestHere(up, snapshot)).changes).toEqual({ new: 0, changed: 0, returned: 1 });
  expect(look(snapshot, (store) => changesSince(store, since))).toMatchObject({ returned: ['object:demo-org-1-7'], gone: [] });
});

it('skips removal detection, and reports why, if more than a tenth of the known records fail', async () => {
  const { up, ids, snapshot } = await createHarvestedSnapshot();
  const removed = ids.slice(0, 5); // of 41
  const good = new Map(removed.map((id) => [path(id), up.answers.get(path(id))]));
  for (const id of removed) up.answers.delete(path(id));
  for (let run = 0; run < 3; run++) {
    const report = await harvestHere(up, snapshot);
    expect([report.gone, report.doubt]).toEqual([[], { unseen: 5, known: 41 }]);
  }
  expect(readFileSync(join(snapshot, 'snapshot.sqlite')).length).toBeGreaterThan(0);
  for (const [url, route] of [...good].slice(1)) up.answers.set(url, route);
  expect(await harvestHere(up, snapshot)).toMatchObject({ gone: [] }); // the first run that counts
  expect(await harvestHere(up, snapshot)).toMatchObject({ gone: ['object:demo-org-1-1'] });
});

it('marks more records as removed if --gone-limit allows it', async () => {
  const { up, ids, snapshot } = await createHarvestedSnapshot();
  for (const id of ids.slice(0, 5)) up.answers.delete(path(id));
  await harvestHere(up, snapshot, { goneLimit: 0.2 });
  expect((await harvestHere(up, snapshot, { goneLimit: 0.2 })).gone).toHaveLength(5);
});

it('still fetches records that no list names any more, and keeps those that respond', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const list = { total: 0, objects: [], next_offset: null };
  up.answers.set('/api/0.2/demo-org-1/children/', list);
  for (let run = 0; run < 2; run++) {
    const report = await harvestHere(up, snapshot);
    expect([report.gone, report.failures, report.counts]).toEqual([[], [], { collection: 1, entity: 40 }]);
  }
});

it('sends stored validators, and keeps the stored body on 304', async () => {
  const { up, ids, snapshot } = await createHarvestedSnapshot();
  let conditional = 0;
  for (const id of ids) {
    up.answers.set(path(id), (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers['if-none-match'] === `"${id}"` && request.headers['if-modified-since']) {
        conditional++;
        response.writeHead(304).end();
      } else {
        response.setHeader('etag', `"${id}"`).setHeader('last-modified', 'Sat, 03 Jan 2026 10:00:00 GMT');
        answer(record(up, id, { model: 'entity' }), request, response);
      }
    });
  }
  await harvestHere(up, snapshot, { full: true });
  await harvestHere(up, snapshot, { full: true });
  expect(conditional).toBe(0);
  const report = await harvestHere(up, snapshot);
  expect([conditional, report.changes]).toEqual([40, { new: 0, changed: 0, returned: 0 }]);
});

it('skips records whose list entry is unchanged, unless --full is set', async () => {
  const { up, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  await harvestHere(up, snapshot);
  expect(up.asked.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url))).toEqual([]);
  up.asked.length = 0;
  const full = await harvestHere(up, snapshot, { full: true });
  expect(up.asked.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url))).toHaveLength(40);
  expect(full.changes).toEqual({ new: 0, changed: 0, returned: 0 });
});

it('revalidates records older than --trust-days, and records that failed', async () => {
  const { up, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const records = () => up.asked.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url));
  await harvestHere(up, snapshot, { trustDays: 0 });
  expect(records()).toHaveLength(40);
  const good = up.answers.get(path('demo-org-1-3'));
  up.answers.set(path('demo-org-1-3'), sends(404));
  await harvestHere(up, snapshot, { full: true });
  up.answers.set(path('demo-org-1-3'), good);
  up.asked.length = 0;
  await harvestHere(up, snapshot);
  expect(records()).toEqual([path('demo-org-1-3')]);
});

it('fetches records whose list entry differs from the stored record, in its date or in another field', async () => {
  const { up, ids, snapshot } = await createHarvestedSnapshot(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const changes = (id: string) =>
    ({
      [ids[2] as string]: { title: 'New title, old date' },
      [ids[5] as string]: { record_lastmod: '2026-02-02T10:00:00' },
    })[id] ?? {};
  fill(up, 40, (id) => ({ record_lastmod: '2020-01-01T10:00:00', ...changes(id) }));
  const report = await harvestHere(up, snapshot);
  expect(up.asked.filter((url) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(url)).sort()).toEqual([
    path('demo-org-1-3'),
    path('demo-org-1-6'),
  ]);
  expect(report.changes).toEqual({ new: 0, changed: 2, returned: 0 });
});

it('drops a failed resource that nothing names any more', async () => {
  const { up, snapshot } = await createHarvestedSnapshot();
  const collection = up.answers.get(path('demo-org-1')) as Record<string, unknown>;
  up.answers.set(path('demo-org-1'), { ...collection, parent_id: 'demo-org' });
  expect((await harvestHere(up, snapshot)).failures.map(({ key }) => key)).toEqual(['object:demo-org']);
  up.answers.set(path('demo-org-1'), collection);
  expect((await harvestHere(up, snapshot)).failures).toEqual([]);
});

it('--retry-failed fetches only resources that failed, and those discovered through them', async () => {
  const up: Upstream = await startUpstream();
  fill(up, 30);
  const good = new Map(['demo-org-1-4', 'demo-org-1-9'].map((id) => [path(id), up.answers.get(path(id))]));
  for (const url of good.keys()) up.answers.set(url, sends(500));
  const list = up.answers.get('/api/0.2/demo-org-1/children/') as (request: IncomingMessage, response: ServerResponse) => void;
  up.answers.set('/api/0.2/demo-org-1/children/', (request: IncomingMessage, response: ServerResponse) =>
    request.url?.includes('offset=25') ? response.writeHead(500).end() : list(request, response),
  );
  const snapshot = aSnapshot();
  const first = await harvestHere(up, snapshot, { limits: { attempts: 1 } });
  expect(first.counts).toEqual({ collection: 1, entity: 23 });
  expect(first.shortfalls).toMatchObject([{ name: 'demo-org-1', total: 30 }]);
  for (const [url, route] of good) up.answers.set(url, route);
  up.answers.set('/api/0.2/demo-org-1/children/', list);
  up.asked.length = 0;
  const second = await harvestHere(up, snapshot, { retryFailed: true });
  expect([second.counts, second.failures, second.shortfalls, second.gone]).toEqual([{ collection: 1, entity: 30 }, [], [], []]);
  const requests = up.asked.filter((url) => !url.includes('/children/'));
  expect(requests.sort()).toEqual([...good.keys(), ...[26, 27, 28, 29, 30].map((n) => path(`demo-org-1-${n}`))].sort());
});

it('--retry-failed fails if no harvest has been completed', async () => {
  const up = await startUpstream();
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--retry-failed'];
  const { code, stderr } = await microfiche(args);
  expect([code, stderr]).toEqual([
    1,
    'microfiche: No completed harvest to retry. First run "microfiche harvest" without --retry-failed.\n',
  ]);
});
