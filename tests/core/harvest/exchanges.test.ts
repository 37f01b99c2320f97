/** The requests and responses of a harvest, as sent and received, in the snapshot. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readExchanges } from '../../../src/snapshot/exchanges.ts';
import type { StoredExchange } from '../../../src/snapshot/row-types.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { createSnapshotPath, harvestInProcess } from '../../support/harvest-in-process.ts';
import { addRecords, createRecord, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const PATH = '/api/0.2/demo-org-1-1/';

function exchangesOf(snapshot: string, key: string): StoredExchange[] {
  const store = openSnapshot(snapshot);
  try {
    const row = store.db.prepare('SELECT response FROM resource WHERE key = ?').get(key);
    return readExchanges(store, { response: row?.['response'] as number });
  } finally {
    store.close();
  }
}

const pairs = (raw: readonly string[]) => Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]]);

/** Responds with JSON, and notes the headers of the request as they arrived. */
function note(upstream: TestUpstream, path: string, headers: string[], body: Uint8Array, status = 200): string[][] {
  const received: string[][] = [];
  upstream.routes.set(path, (request: IncomingMessage, response: ServerResponse) => {
    received.push(...(pairs(request.rawHeaders) as string[][]));
    response.writeHead(status, 'Just So', headers);
    response.end(body);
  });
  return received;
}

it('are stored with all headers in their order, repeated ones too, and with the reason phrase', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  const record = Buffer.from(JSON.stringify(createRecord(upstream, 'demo-org-1-1', { model: 'entity' })));
  const headers = [
    'X-First',
    '1',
    'Content-Type',
    'application/json',
    'Set-Cookie',
    'a=1',
    'X-Last',
    'café',
    'Set-Cookie',
    'b=2',
  ];
  const received = note(upstream, PATH, headers, record);
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  const [exchange, ...others] = exchangesOf(snapshot, 'object:demo-org-1-1');
  expect(others).toEqual([]);
  expect(exchange).toMatchObject({
    method: 'GET',
    url: `${upstream.url}${PATH}`,
    status: 200,
    reason: 'Just So',
    body: undefined,
  });
  expect(exchange?.requestHeaders).toEqual(received);
  expect(exchange?.headers.slice(0, 5)).toEqual(pairs(headers));
  expect(exchange?.sentAt).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
});

it('have the headers of an encoded body, which is stored decoded', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  const record = Buffer.from(JSON.stringify(createRecord(upstream, 'demo-org-1-1', { model: 'entity' })));
  note(upstream, PATH, ['Content-Type', 'application/json', 'Content-Encoding', 'gzip'], gzipSync(record));
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  expect(exchangesOf(snapshot, 'object:demo-org-1-1')[0]?.headers).toContainEqual(['Content-Encoding', 'gzip']);
});

it('have one row per redirect, with its body', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  upstream.routes.set('/moved/', upstream.routes.get(PATH));
  note(upstream, PATH, ['Location', '/moved/', 'Content-Type', 'text/plain'], Buffer.from('It moved.'), 301);
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  const exchanges = exchangesOf(snapshot, 'object:demo-org-1-1');
  expect(exchanges.map(({ position, url, status }) => [position, url, status])).toEqual([
    [0, `${upstream.url}${PATH}`, 301],
    [1, `${upstream.url}/moved/`, 200],
  ]);
  expect(Buffer.from(exchanges[0]?.body ?? []).toString()).toBe('It moved.');
  expect(exchanges[1]?.body).toBeUndefined();
});

it('are those of the version that they belong to, and of a body without any if it is confirmed', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 2);
  const snapshot = createSnapshotPath();
  await harvestInProcess(upstream, snapshot);
  const [before] = exchangesOf(snapshot, 'object:demo-org-1-1');
  await harvestInProcess(upstream, snapshot, { full: true });
  expect(exchangesOf(snapshot, 'object:demo-org-1-1')).toEqual([before]);
  upstream.routes.set(PATH, createRecord(upstream, 'demo-org-1-1', { model: 'entity', title: 'Another' }));
  await harvestInProcess(upstream, snapshot, { full: true });
  const store = openSnapshot(snapshot);
  const versions = store.db.prepare(`SELECT id FROM response WHERE key = 'object:demo-org-1-1' ORDER BY id`).all();
  expect(versions.map(({ id }) => readExchanges(store, { response: Number(id) }).length)).toEqual([1, 1]);
  store.close();
});
