/** The harvest against a test upstream, through the command line. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../../src/harvest/report.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import { createRecord, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const args = ({ url }: TestUpstream, snapshot: string, ...more: string[]) => [
  'harvest',
  ...upstreamOptions(url),
  '--snapshot',
  snapshot,
  '--timeout',
  '5',
  ...more,
];
const harvest = (upstream: TestUpstream, snapshot: string, ...more: string[]) =>
  runMicroficheJson<HarvestReport>(args(upstream, snapshot, ...more));

it('discovers children, files and ancestors from a seed record, and fetches each once', async () => {
  const upstream = await startTestUpstream();
  const children = (id: string) => ({
    'children-objects': `${upstream.url}/api/0.2/${id}/children/?format=api`,
    'children-files': `${upstream.url}/api/0.2/${id}/files/`,
  });
  upstream.routes.set(
    '/api/0.2/demo-org-1-2/',
    createRecord(upstream, 'demo-org-1-2', {
      model: 'entity',
      parent_id: 'demo-org-1',
      links: children('demo-org-1-2'),
      breadcrumbs: [
        { id: 'demo-org-1', model: 'collection' },
        { id: 'demo-org-1-2', model: 'entity' },
      ],
    }),
  );
  upstream.routes.set('/api/0.2/demo-org-1/', createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  upstream.routes.set('/api/0.2/demo-org-1-2/children/', { total: 1, objects: [{ id: 'demo-org-1-2-1' }], next_offset: null });
  upstream.routes.set('/api/0.2/demo-org-1-2/files/', [{ id: 'demo-org-1-2-master-0a1b2c3d4e' }]);
  upstream.routes.set('/api/0.2/demo-org-1-2-1/', createRecord(upstream, 'demo-org-1-2-1', { model: 'segment' }));
  upstream.routes.set(
    '/api/0.2/demo-org-1-2-master-0a1b2c3d4e/',
    createRecord(upstream, 'demo-org-1-2-master-0a1b2c3d4e', { model: 'file' }),
  );
  const report = await harvest(upstream, join(createTestDirectory(), 's'), '--root', 'demo-org-1-2');
  expect(report.counts).toEqual({ collection: 1, entity: 1, file: 1, segment: 1 });
  expect(report.failures).toEqual([]);
  const records = upstream.requests.filter((path) => /^\/api\/0\.2\/./.test(path));
  expect(new Set(records).size).toBe(records.length);
});

it('harvests completely if a response is interrupted, and again without failures', async () => {
  const upstream = await startTestUpstream();
  const snapshot = join(createTestDirectory(), 's');
  const ids = Array.from({ length: 60 }, (_, n) => `demo-org-1-${n + 1}`);
  for (const id of ids) upstream.routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, { model: 'entity' }));
  upstream.routes.set(
    '/api/0.2/demo-org-1/',
    createRecord(upstream, 'demo-org-1', { model: 'collection', links: { children: `${upstream.url}/x` } }),
  );
  upstream.routes.set('/api/0.2/demo-org-1/children/', { total: 60, objects: ids.map((id) => ({ id })), next_offset: null });
  let stop: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    stop = resolve;
  });
  upstream.routes.set('/api/0.2/demo-org-1-40/', (_: IncomingMessage, response: ServerResponse) => {
    stop?.();
    response.destroy();
  });
  const child = runMicrofiche(args(upstream, snapshot, '--root', 'demo-org-1', '--concurrency', '1'));
  await reached;
  upstream.routes.set('/api/0.2/demo-org-1-40/', createRecord(upstream, 'demo-org-1-40', { model: 'entity' }));
  await child;
  const report = await harvest(upstream, snapshot, '--root', 'demo-org-1');
  expect(report.counts).toEqual({ collection: 1, entity: 60 });
  expect(report.failures).toEqual([]);
});

it('retries transient errors, and reports permanent ones', async () => {
  const upstream = await startTestUpstream();
  let attempts = 0;
  upstream.routes.set('/api/0.2/demo-org-1/', (_: IncomingMessage, response: ServerResponse) => {
    attempts++;
    if (attempts === 1) response.writeHead(503).end();
    else if (attempts === 2) response.writeHead(429, { 'retry-after': '1' }).end();
    else
      response
        .writeHead(200)
        .end(JSON.stringify(createRecord(upstream, 'demo-org-1', { model: 'collection', parent_id: 'demo-org-9' })));
  });
  upstream.routes.set('/api/0.2/demo-org-2/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200).end('{"id": "demo-org-2", "tit'),
  );
  upstream.routes.set('/api/0.2/demo-org-3/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200).end('<html>log in</html>'),
  );
  upstream.routes.set('/api/0.2/demo-org-4/', { id: 'demo-org-5' });
  const report = await harvest(
    upstream,
    join(createTestDirectory(), 's'),
    '--root',
    'demo-org-1',
    'demo-org-2',
    'demo-org-3',
    'demo-org-4',
  );
  expect(attempts).toBe(3);
  expect(report.counts).toEqual({ collection: 1 });
  expect(report.failures.map(({ key, cause, referrer }) => [key, cause, referrer])).toEqual([
    ['object:demo-org-2', 'expected JSON, received truncated or malformed JSON', null],
    ['object:demo-org-3', 'expected JSON, received HTML', null],
    ['object:demo-org-4', 'the response is the record demo-org-5', null],
    ['object:demo-org-5', 'HTTP 404', 'object:demo-org-4'],
    ['object:demo-org-9', 'HTTP 404', 'object:demo-org-1'],
  ]);
});

it('follows a redirect to another host only with --allow-host', async () => {
  const upstream = await startTestUpstream();
  const other = await startTestUpstream();
  upstream.routes.set('/api/0.2/demo-org-1/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location: `${other.url}/api/0.2/demo-org-1/` }).end(),
  );
  other.routes.set('/api/0.2/demo-org-1/', createRecord(other, 'demo-org-1'));
  upstream.routes.set('/api/0.2/demo-org-2/', createRecord(upstream, 'demo-org-2'));
  const refused = await harvest(upstream, join(createTestDirectory(), 's'), '--root', 'demo-org-1', 'demo-org-2');
  expect(refused.failures[0]?.cause).toMatch(/is not an allowed host/);
  expect(other.requests).toEqual([]);
  const allowed = await harvest(
    upstream,
    join(createTestDirectory(), 's'),
    '--root',
    'demo-org-1',
    '--allow-host',
    new URL(other.url).host,
  );
  expect(allowed.failures).toEqual([]);
});

it('reports a record that fails later, and keeps its latest valid version', async () => {
  const upstream = await startTestUpstream();
  const snapshot = join(createTestDirectory(), 's');
  upstream.routes.set('/api/0.2/demo-org-1/', createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  await harvest(upstream, snapshot, '--root', 'demo-org-1');
  upstream.routes.delete('/api/0.2/demo-org-1/');
  const report = await harvest(upstream, snapshot, '--root', 'demo-org-1');
  expect(report.counts).toEqual({ collection: 1 });
  expect(report.failures.map(({ key }) => key)).toEqual(['object:demo-org-1']);
});

it('builds a page from a list entry if the record could not be fetched', async () => {
  const upstream = await startTestUpstream();
  const directory = createTestDirectory();
  upstream.routes.set(
    '/api/0.2/demo-org-1/',
    createRecord(upstream, 'demo-org-1', { model: 'collection', links: { children: `${upstream.url}/x` } }),
  );
  upstream.routes.set('/api/0.2/demo-org-1/children/', {
    total: 1,
    objects: [{ id: 'demo-org-1-2', model: 'entity', title: 'Known from a list alone' }],
    next_offset: null,
  });
  await harvest(upstream, join(directory, 's'), '--root', 'demo-org-1');
  await runMicroficheJson(['build', '--snapshot', join(directory, 's'), '--out', join(directory, 'dist')]);
  const html = readFileSync(join(directory, 'dist/objects/demo-org-1-2.html'), 'utf8');
  expect(html).toContain('<h1>Known from a list alone</h1>');
  expect(html).toContain('based on its entry in a list');
});

it('reports a list that shows fewer entries than its total', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', { total: 3, objects: [{ id: 'Ada Quill', title: 'Ada Quill' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', title: 'Ada Quill', body: '', articles: [] });
  const report = await harvest(upstream, join(createTestDirectory(), 's'));
  expect(report.incompleteLists).toEqual([{ kind: 'authors', name: '', seen: 1, total: 3, passes: 3 }]);
  expect(report.counts).toEqual({ author: 1 });
});

it('stops reading a list that returns its last page at every offset', async () => {
  const upstream = await startTestUpstream();
  const names = ['Ada Quill', 'Bram Vane', 'Clio Thole'];
  upstream.routes.set('/api/3.0/authors/', (request: IncomingMessage, response: ServerResponse) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
    const name = names[Math.min(offset, names.length - 1)];
    response.end(JSON.stringify({ total: 3, offset, next_offset: offset + 1, objects: [{ id: name, title: name }] }));
  });
  for (const name of names) upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  const report = await harvest(upstream, join(createTestDirectory(), 's'));
  expect([report.counts, report.incompleteLists, report.failures]).toEqual([{ author: 3 }, [], []]);
  expect(upstream.requests.length).toBeLessThan(15);
});
