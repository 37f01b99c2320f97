/** A later harvest: what is new, changed, gone and there again, what is asked for, and what is kept of before. */
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

/** An archive of 40 entities that has been harvested once. */
async function harvestedOnce(more?: (id: string) => Record<string, unknown>) {
  const up = await startUpstream();
  const ids = fill(up, 40, more);
  const snapshot = aSnapshot();
  const first = await harvestHere(up, snapshot);
  expect(first.counts).toEqual({ collection: 1, entity: 40 });
  expect(first.changes).toEqual({ new: 41, changed: 0, returned: 0 });
  up.asked.length = 0;
  return { up, ids, snapshot };
}

it('finds new and changed records, and keeps the old bodies as versions', async () => {
  const { up, snapshot } = await harvestedOnce();
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

it('marks as gone what answered 404 in two runs, keeps its last body, and its page says so', async () => {
  const { up, snapshot } = await harvestedOnce();
  const body = bodyIn(snapshot, 'demo-org-1-7');
  up.answers.delete(path('demo-org-1-7'));
  const second = await harvestHere(up, snapshot);
  expect([second.gone, second.failures.map(({ key, kept }) => [key, kept])]).toEqual([[], [['object:demo-org-1-7', true]]]);
  const since = new Date().toISOString();
  const third = await harvestHere(up, snapshot);
  expect([third.gone, third.failures, third.counts]).toEqual([['object:demo-org-1-7'], [], { collection: 1, entity: 40 }]);
  expect(bodyIn(snapshot, 'demo-org-1-7')).toBe(body);
  const status = await microfiche(['status', '--snapshot', snapshot, '--since', since]);
  expect(status.stdout).toMatch(/ 1 {2}gone\n +object:demo-org-1-7/);
  const out = join(temporary(), 'dist');
  await microficheJson(['build', '--snapshot', snapshot, '--out', out, '--no-search']);
  expect(readFileSync(join(out, 'objects/demo-org-1-7.html'), 'utf8')).toMatch(
    /The living archive no longer has this: it was found gone on \d+ \w+ \d{4}/,
  );
  expect(readFileSync(join(out, 'objects/demo-org-1-8.html'), 'utf8')).not.toContain('no longer has this');
  expect(readFileSync(join(out, 'about.html'), 'utf8')).toContain('1 record or guide entry is no longer in the living archive');
});

it('takes 410 like 404, and one good answer between for a new beginning', async () => {
  const { up, snapshot } = await harvestedOnce();
  const good = up.answers.get(path('demo-org-1-7'));
  up.answers.set(path('demo-org-1-7'), sends(410));
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), good);
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), sends(410));
  expect((await harvestHere(up, snapshot)).gone).toEqual([]);
  expect((await harvestHere(up, snapshot)).gone).toEqual(['object:demo-org-1-7']);
});

it('does not take any other failure for gone, however often', async () => {
  const { up, snapshot } = await harvestedOnce();
  up.answers.set(path('demo-org-1-7'), sends(403));
  for (let run = 0; run < 3; run++) expect((await harvestHere(up, snapshot)).gone).toEqual([]);
  expect(look(snapshot, failures).map(({ key, kept }) => [key, kept])).toEqual([['object:demo-org-1-7', true]]);
});

it('knows a record that is there again', async () => {
  const { up, snapshot } = await harvestedOnce();
  const good = up.answers.get(path('demo-org-1-7'));
  up.answers.delete(path('demo-org-1-7'));
  await harvestHere(up, snapshot);
  await harvestHere(up, snapshot);
  up.answers.set(path('demo-org-1-7'), good);
  const since = new Date().toISOString();
  expect((await harvestHere(up, snapshot)).changes).toEqual({ new: 0, changed: 0, returned: 1 });
  expect(look(snapshot, (store) => changesSince(store, since))).toMatchObject({ returned: ['object:demo-org-1-7'], gone: [] });
});

it('marks nothing as gone where more than a tenth is missing, says why, and does not count that run', async () => {
  const { up, ids, snapshot } = await harvestedOnce();
  const gone = ids.slice(0, 5); // of 41
  const good = new Map(gone.map((id) => [path(id), up.answers.get(path(id))]));
  for (const id of gone) up.answers.delete(path(id));
  for (let run = 0; run < 3; run++) {
    const report = await harvestHere(up, snapshot);
    expect([report.gone, report.doubt]).toEqual([[], { unseen: 5, known: 41 }]);
  }
  expect(readFileSync(join(snapshot, 'snapshot.sqlite')).length).toBeGreaterThan(0);
  for (const [address, what] of [...good].slice(1)) up.answers.set(address, what);
  expect(await harvestHere(up, snapshot)).toMatchObject({ gone: [] }); // the first time that counts
  expect(await harvestHere(up, snapshot)).toMatchObject({ gone: ['object:demo-org-1-1'] });
});

it('marks them all the same where --gone-limit allows it', async () => {
  const { up, ids, snapshot } = await harvestedOnce();
  for (const id of ids.slice(0, 5)) up.answers.delete(path(id));
  await harvestHere(up, snapshot, { goneLimit: 0.2 });
  expect((await harvestHere(up, snapshot, { goneLimit: 0.2 })).gone).toHaveLength(5);
});

it('still asks for what no list names any longer, and keeps it while it answers', async () => {
  const { up, snapshot } = await harvestedOnce();
  const list = { total: 0, objects: [], next_offset: null };
  up.answers.set('/api/0.2/demo-org-1/children/', list);
  for (let run = 0; run < 2; run++) {
    const report = await harvestHere(up, snapshot);
    expect([report.gone, report.failures, report.counts]).toEqual([[], [], { collection: 1, entity: 40 }]);
  }
});

it('asks conditionally where validators were given, and takes 304 for what it has', async () => {
  const { up, ids, snapshot } = await harvestedOnce();
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

it('does not ask again for what a list’s line says is unchanged, and asks with --full', async () => {
  const { up, snapshot } = await harvestedOnce(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  await harvestHere(up, snapshot);
  expect(up.asked.filter((asked) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(asked))).toEqual([]);
  up.asked.length = 0;
  const full = await harvestHere(up, snapshot, { full: true });
  expect(up.asked.filter((asked) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(asked))).toHaveLength(40);
  expect(full.changes).toEqual({ new: 0, changed: 0, returned: 0 });
});

it('does not trust a line for longer than --trust-days, nor after a failure', async () => {
  const { up, snapshot } = await harvestedOnce(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const records = () => up.asked.filter((asked) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(asked));
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

it('asks where the line bears another date, or contradicts the record in anything else', async () => {
  const { up, ids, snapshot } = await harvestedOnce(() => ({ record_lastmod: '2020-01-01T10:00:00' }));
  const line = (id: string) =>
    ({
      [ids[2] as string]: { title: 'New title, old date' },
      [ids[5] as string]: { record_lastmod: '2026-02-02T10:00:00' },
    })[id] ?? {};
  fill(up, 40, (id) => ({ record_lastmod: '2020-01-01T10:00:00', ...line(id) }));
  const report = await harvestHere(up, snapshot);
  expect(up.asked.filter((asked) => /^\/api\/0\.2\/demo-org-1-\d+\/$/.test(asked)).sort()).toEqual([
    path('demo-org-1-3'),
    path('demo-org-1-6'),
  ]);
  expect(report.changes).toEqual({ new: 0, changed: 2, returned: 0 });
});

it('what only a dead link named, and nobody names any longer, is forgotten', async () => {
  const { up, snapshot } = await harvestedOnce();
  const collection = up.answers.get(path('demo-org-1')) as Record<string, unknown>;
  up.answers.set(path('demo-org-1'), { ...collection, parent_id: 'demo-org' });
  expect((await harvestHere(up, snapshot)).failures.map(({ key }) => key)).toEqual(['object:demo-org']);
  up.answers.set(path('demo-org-1'), collection);
  expect((await harvestHere(up, snapshot)).failures).toEqual([]);
});

it('--retry-failed takes just what failed, and what that leads to', async () => {
  const up: Upstream = await startUpstream();
  fill(up, 30);
  const good = new Map(['demo-org-1-4', 'demo-org-1-9'].map((id) => [path(id), up.answers.get(path(id))]));
  for (const address of good.keys()) up.answers.set(address, sends(500));
  const list = up.answers.get('/api/0.2/demo-org-1/children/') as (request: IncomingMessage, response: ServerResponse) => void;
  up.answers.set('/api/0.2/demo-org-1/children/', (request: IncomingMessage, response: ServerResponse) =>
    request.url?.includes('offset=25') ? response.writeHead(500).end() : list(request, response),
  );
  const snapshot = aSnapshot();
  const first = await harvestHere(up, snapshot, { limits: { attempts: 1 } });
  expect(first.counts).toEqual({ collection: 1, entity: 23 });
  expect(first.shortfalls).toMatchObject([{ name: 'demo-org-1', total: 30 }]);
  for (const [address, what] of good) up.answers.set(address, what);
  up.answers.set('/api/0.2/demo-org-1/children/', list);
  up.asked.length = 0;
  const second = await harvestHere(up, snapshot, { retryFailed: true });
  expect([second.counts, second.failures, second.shortfalls, second.gone]).toEqual([{ collection: 1, entity: 30 }, [], [], []]);
  const asked = up.asked.filter((one) => !one.includes('/children/'));
  expect(asked.sort()).toEqual([...good.keys(), ...[26, 27, 28, 29, 30].map((n) => path(`demo-org-1-${n}`))].sort());
});

it('--retry-failed says what is wrong where there is nothing to retry', async () => {
  const up = await startUpstream();
  const args = ['harvest', ...upstreamAt(up.url), '--snapshot', aSnapshot(), '--retry-failed'];
  const { code, stderr } = await microfiche(args);
  expect([code, stderr]).toEqual([
    1,
    'microfiche: There is no finished harvest to retry: run “microfiche harvest” without --retry-failed first.\n',
  ]);
});
