/** Untrusted responses: unusual bytes and names, deeply nested JSON, and URLs of other hosts. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestLimits } from '../../../src/harvest/harvest.ts';
import { isPublicAddress } from '../../../src/http/allowed-hosts.ts';
import { readBytes } from '../../../src/snapshot/rows.ts';
import {
  createTestDirectory,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  spawnMicrofiche,
  upstreamOptions,
} from '../../support/commands.ts';
import {
  createSnapshotPath,
  harvestInProcess,
  readSnapshot,
  readStoredBody,
  summarizeFailures,
} from '../../support/harvest-in-process.ts';
import { addRecords, createRecord, respondWith, startTestUpstream } from '../../support/test-upstream.ts';

const COLLECTION = '/api/0.2/demo-org-1/';

async function harvestBody(body: string | Uint8Array, headers: Record<string, string> = {}, limits: Partial<HarvestLimits> = {}) {
  const upstream = await startTestUpstream();
  upstream.routes.set(COLLECTION, respondWith(200, headers, body));
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot, { limits });
  return { up: upstream, snapshot, report };
}

const oddBodies: Array<[string, Buffer]> = [
  [
    'invalid UTF-8',
    Buffer.concat([
      Buffer.from('{"id":"demo-org-1","model":"collection","title":"a'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('b"}'),
    ]),
  ],
  ['duplicate keys', Buffer.from('{"id":"x","id":"demo-org-1","model":"collection","title":"one","title":"two"}')],
  [
    'huge numbers',
    Buffer.from('{"id":"demo-org-1","model":"collection","sort":1e999,"size":123456789012345678901234567890,"title":"n"}'),
  ],
  ['NUL and other control characters', Buffer.from('{"id":"demo-org-1","model":"collection","title":"a\u0000b\u0001\nc"}\u0000')],
  ['a byte order mark', Buffer.from('\uFEFF{"id":"demo-org-1","model":"collection","title":"bom"}')],
  [
    'keys with a meaning in JavaScript',
    Buffer.from(
      '{"id":"demo-org-1","model":"collection","__proto__":{"x":1},"constructor":{"prototype":1},"toString":7,"title":"proto"}',
    ),
  ],
  ['lone surrogates', Buffer.from('{"id":"demo-org-1","model":"collection","title":"a\\ud800b","description":"\\udfff"}')],
];

it.each(oddBodies)('stores %s byte for byte, and builds a page', async (_, bytes) => {
  const { snapshot, report } = await harvestBody(bytes);
  expect([report.failures, report.counts]).toEqual([[], { collection: 1 }]);
  const stored = readSnapshot(snapshot, ({ db }) =>
    db.prepare(`SELECT body FROM response WHERE key = 'object:demo-org-1'`).get(),
  );
  expect(Buffer.from(readBytes(stored, 'body')).equals(bytes)).toBe(true);
  const out = join(createTestDirectory(), 'dist');
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', out, '--no-search']);
  const page = readFiles(out).get('objects/demo-org-1.html')?.toString() ?? '';
  expect(page).toContain('<h1>');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the page may contain none of them
  expect(page).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
});

it('fails if JSON is nested deeper than --max-depth', async () => {
  const body = `{"id":"demo-org-1","model":"collection","x":${'['.repeat(150)}${']'.repeat(150)}}`;
  const { report } = await harvestBody(body);
  expect(summarizeFailures(report)).toEqual([
    ['object:demo-org-1', 200, 'the JSON is nested deeper than 100 levels (--max-depth)', 1],
  ]);
  expect((await harvestBody(body, {}, { maxDepth: 200 })).report.counts).toEqual({ collection: 1 });
});

it('fails without a crash if JSON is nested a million levels deep', async () => {
  const { report } = await harvestBody('[{"a":'.repeat(1_000_000));
  expect(report.failures).toHaveLength(1);
});

it('fails if a body exceeds --max-body', async () => {
  const { report } = await harvestBody(`{"id":"demo-org-1","x":"${'y'.repeat(5_000)}"}`, {}, { maxBodyBytes: 1_000 });
  expect(report.failures).toMatchObject([{ cause: 'the response body exceeds 1.0 KB (--max-body)', attempts: 1 }]);
});

it('reports invalid IDs, and names that cannot be in a URL, and never requests them', async () => {
  const upstream = await startTestUpstream();
  const ids = ['../../etc/passwd', 'CON', 'a b', 'x'.repeat(5_000), 'demo-org-1-2/../..', '', null];
  addRecords(upstream, 1);
  upstream.routes.set('/api/0.2/demo-org-1/children/', {
    total: 9,
    next_offset: null,
    objects: [{ id: 'demo-org-1-1' }, ...ids.map((id) => ({ id }))],
  });
  upstream.routes.set('/api/3.0/authors/', { total: 2, next_offset: null, objects: [{ id: '..' }, { id: 'x'.repeat(600) }] });
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot);
  expect(report.counts).toEqual({ collection: 1, entity: 1 });
  const refused = report.failures.map(({ kind, name, cause, attempts }) => [kind, name.slice(0, 20), cause, attempts]);
  const [noId, noName] = ['its ID does not have the form of an object ID', 'its name cannot be part of a URL'];
  expect(refused.sort()).toEqual([
    ['author', '..', noName, 0],
    ['author', 'x'.repeat(20), noName, 0],
    ['object', '../../etc/passwd', noId, 0],
    ['object', 'CON', noId, 0],
    ['object', 'a b', noId, 0],
    ['object', 'demo-org-1-2/../..', noId, 0],
    ['object', 'x'.repeat(20), noId, 0],
  ]);
  expect(upstream.requests.filter((path) => !/^\/api\/(?:3\.0\/authors\/\?|0\.2\/demo-org-1(?:-1)?\/)/.test(path))).toEqual([]);
  const out = join(createTestDirectory(), 'dist');
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', out]);
  expect((await runMicrofiche(['verify', '--snapshot', snapshot, '--dir', out])).code).toBe(0);
});

it('recognizes the same resource in every spelling of its URL', async () => {
  const upstream = await startTestUpstream();
  const { host } = new URL(upstream.url);
  const named = 'Zoë O’Quay / 日本';
  const spellings = [
    `${upstream.url}/api/3.0/authors/${encodeURIComponent(named)}/`,
    `${upstream.url}/api/3.0/authors/${encodeURIComponent(named)}`,
    `https://${host}/api/3.0/authors/${encodeURIComponent(named).replace(/%../g, (code) => code.toLowerCase())}/?format=api`,
    `${upstream.url}/api/3.0/authors/Zo%C3%AB%20O%E2%80%99Quay%20%2F%20日本/?limit=1&format=api`,
  ];
  upstream.routes.set('/api/3.0/authors/', {
    total: 4,
    next_offset: null,
    objects: spellings.map((json, n) => ({ id: `${named}${' '.repeat(n)}`, title: named, links: { json } })),
  });
  const objects = [
    'demo-org-1-5/',
    'demo-org-1-5',
    'demo-org-1-5/?format=api',
    'api/0.2/demo-org-1-5/?b=2&format=api&a=1',
    'api/0.2/demo%2Dorg%2D1%2D5/',
  ];
  const body = objects.map((path, n) => `<a href="${n % 2 ? 'https' : 'http'}://${host}/${path}">x</a>`).join('');
  upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(named)}/`, { id: named, title: named, body });
  upstream.routes.set(
    '/api/0.2/demo-org-1-5/',
    createRecord(upstream, 'demo-org-1-5', { model: 'entity', parent_id: 'demo-org-1-5' }),
  );
  const report = await harvestInProcess(upstream, createSnapshotPath(), { seeds: ['demo-org-1-5'] });
  expect([report.counts, report.failures]).toEqual([{ author: 1, entity: 1 }, []]);
  expect(upstream.requests.sort()).toEqual([
    '/api/0.2/demo-org-1-5/',
    '/api/3.0/authors/?limit=25&offset=0',
    `/api/3.0/authors/${encodeURIComponent(named)}/`,
  ]);
});

it('requests every URL with its trailing slash, which avoids redirects', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 10);
  for (const [path, route] of [...upstream.routes]) {
    upstream.routes.set(path.replace(/\/$/, ''), respondWith(301, { location: path }));
    upstream.routes.set(path, route);
  }
  await harvestInProcess(upstream, createSnapshotPath());
  expect(upstream.requests.every((path) => /\/(?:\?.*)?$/.test(path))).toBe(true);
});

it('harvests the record that a redirect targets, and reports the requested one as failed', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set(COLLECTION, respondWith(302, { location: '/api/0.2/demo-org-9/' }));
  upstream.routes.set('/api/0.2/demo-org-9/', createRecord(upstream, 'demo-org-9', { model: 'collection' }));
  const snapshot = createSnapshotPath();
  const report = await harvestInProcess(upstream, snapshot);
  expect(summarizeFailures(report)).toEqual([['object:demo-org-1', 200, 'it is now the record demo-org-9', 1]]);
  expect(readStoredBody(snapshot, 'demo-org-9')).toContain('demo-org-9');
});

it('rejects a named host that resolves to a private address, unless --allow-host names the address', async () => {
  const [name, address] = ['archive.example.org', '127.0.0.1'];
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(resolveAs(name, address))}` };
  const upstream = await startTestUpstream(); // listens on that address
  addRecords(upstream, 1);
  const url = `http://${name}:${new URL(upstream.url).port}`;
  const args = [
    'harvest',
    ...upstreamOptions(url),
    '--snapshot',
    createSnapshotPath(),
    '--attempts',
    '1',
    '--root',
    'demo-org-1',
  ];
  const refused = await spawnMicrofiche(args, { env });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`${name} is at ${address}, which is not on the public internet`);
  expect(upstream.requests).toEqual([]);
  const allowed = await spawnMicrofiche([...args, '--allow-host', address], { env });
  expect([allowed.code, allowed.stderr]).toEqual([0, '']);
  expect(upstream.requests.length).toBeGreaterThan(0);
});

/** Returns a module that resolves a name, as the resolver would: not every machine has a name with a private address. */
function resolveAs(name: string, address: string): string {
  return `import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
const { lookup } = dns;
dns.lookup = (host, options, done) => lookup(host === '${name}' ? '${address}' : host, options, done);
syncBuiltinESMExports();`;
}

it('accepts localhost if the operator named it', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 1);
  const url = upstream.url.replace('127.0.0.1', 'localhost');
  expect(
    (await runMicrofiche(['harvest', ...upstreamOptions(url), '--root', 'demo-org-1', '--snapshot', createSnapshotPath()])).code,
  ).toBe(0);
});

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['nonsense', false],
])('isPublic(%s) is %s', (address, expected) => expect(isPublicAddress(address)).toBe(expected));

it('isPublic is false for IPv4-compatible addresses, and for unassigned IPv6 addresses', () => {
  expect(['::7f00:1', '::127.0.0.1', '::a00:1', '4000::1'].filter(isPublicAddress)).toEqual([]);
});
