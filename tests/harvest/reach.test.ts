/** The harvest against a test upstream, through the command line. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { microfiche, microficheJson, temporary, upstreamAt } from '../support.ts';
import { record, startUpstream, type Upstream } from '../upstream.ts';

const args = ({ url }: Upstream, snapshot: string, ...more: string[]) => [
  'harvest',
  ...upstreamAt(url),
  '--snapshot',
  snapshot,
  '--timeout',
  '5',
  ...more,
];
const harvest = (up: Upstream, snapshot: string, ...more: string[]) => microficheJson<HarvestReport>(args(up, snapshot, ...more));

it('discovers children, files and ancestors from a seed record, and fetches each once', async () => {
  const up = await startUpstream();
  const children = (id: string) => ({
    'children-objects': `${up.url}/api/0.2/${id}/children/?format=api`,
    'children-files': `${up.url}/api/0.2/${id}/files/`,
  });
  up.answers.set(
    '/api/0.2/demo-org-1-2/',
    record(up, 'demo-org-1-2', {
      model: 'entity',
      parent_id: 'demo-org-1',
      links: children('demo-org-1-2'),
      breadcrumbs: [
        { id: 'demo-org-1', model: 'collection' },
        { id: 'demo-org-1-2', model: 'entity' },
      ],
    }),
  );
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection' }));
  up.answers.set('/api/0.2/demo-org-1-2/children/', { total: 1, objects: [{ id: 'demo-org-1-2-1' }], next_offset: null });
  up.answers.set('/api/0.2/demo-org-1-2/files/', [{ id: 'demo-org-1-2-master-0a1b2c3d4e' }]);
  up.answers.set('/api/0.2/demo-org-1-2-1/', record(up, 'demo-org-1-2-1', { model: 'segment' }));
  up.answers.set('/api/0.2/demo-org-1-2-master-0a1b2c3d4e/', record(up, 'demo-org-1-2-master-0a1b2c3d4e', { model: 'file' }));
  const report = await harvest(up, join(temporary(), 's'), '--root', 'demo-org-1-2');
  expect(report.counts).toEqual({ collection: 1, entity: 1, file: 1, segment: 1 });
  expect(report.failures).toEqual([]);
  const records = up.asked.filter((path) => /^\/api\/0\.2\/./.test(path));
  expect(new Set(records).size).toBe(records.length);
});

it('harvests completely if a response is interrupted, and again without failures', async () => {
  const up = await startUpstream();
  const snapshot = join(temporary(), 's');
  const ids = Array.from({ length: 60 }, (_, n) => `demo-org-1-${n + 1}`);
  for (const id of ids) up.answers.set(`/api/0.2/${id}/`, record(up, id, { model: 'entity' }));
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection', links: { children: `${up.url}/x` } }));
  up.answers.set('/api/0.2/demo-org-1/children/', { total: 60, objects: ids.map((id) => ({ id })), next_offset: null });
  let stop: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    stop = resolve;
  });
  up.answers.set('/api/0.2/demo-org-1-40/', (_: IncomingMessage, response: ServerResponse) => {
    stop?.();
    response.destroy();
  });
  const child = microfiche(args(up, snapshot, '--root', 'demo-org-1', '--concurrency', '1'));
  await reached;
  up.answers.set('/api/0.2/demo-org-1-40/', record(up, 'demo-org-1-40', { model: 'entity' }));
  await child;
  const report = await harvest(up, snapshot, '--root', 'demo-org-1');
  expect(report.counts).toEqual({ collection: 1, entity: 60 });
  expect(report.failures).toEqual([]);
});

it('retries transient errors, and reports permanent ones', async () => {
  const up = await startUpstream();
  let attempts = 0;
  up.answers.set('/api/0.2/demo-org-1/', (_: IncomingMessage, response: ServerResponse) => {
    attempts++;
    if (attempts === 1) response.writeHead(503).end();
    else if (attempts === 2) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(200).end(JSON.stringify(record(up, 'demo-org-1', { model: 'collection', parent_id: 'demo-org-9' })));
  });
  up.answers.set('/api/0.2/demo-org-2/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200).end('{"id": "demo-org-2", "tit'),
  );
  up.answers.set('/api/0.2/demo-org-3/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200).end('<html>log in</html>'),
  );
  up.answers.set('/api/0.2/demo-org-4/', { id: 'demo-org-5' });
  const report = await harvest(up, join(temporary(), 's'), '--root', 'demo-org-1', 'demo-org-2', 'demo-org-3', 'demo-org-4');
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
  const up = await startUpstream();
  const other = await startUpstream();
  up.answers.set('/api/0.2/demo-org-1/', (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location: `${other.url}/api/0.2/demo-org-1/` }).end(),
  );
  other.answers.set('/api/0.2/demo-org-1/', record(other, 'demo-org-1'));
  const refused = await harvest(up, join(temporary(), 's'), '--root', 'demo-org-1');
  expect(refused.failures[0]?.cause).toMatch(/is not an allowed host/);
  expect(other.asked).toEqual([]);
  const allowed = await harvest(up, join(temporary(), 's'), '--root', 'demo-org-1', '--allow-host', new URL(other.url).host);
  expect(allowed.failures).toEqual([]);
});

it('reports a record that fails later, and keeps its latest valid version', async () => {
  const up = await startUpstream();
  const snapshot = join(temporary(), 's');
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection' }));
  await harvest(up, snapshot, '--root', 'demo-org-1');
  up.answers.delete('/api/0.2/demo-org-1/');
  const report = await harvest(up, snapshot, '--root', 'demo-org-1');
  expect(report.counts).toEqual({ collection: 1 });
  expect(report.failures.map(({ key }) => key)).toEqual(['object:demo-org-1']);
});

it('builds a page from a list entry if the record could not be fetched', async () => {
  const up = await startUpstream();
  const folder = temporary();
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection', links: { children: `${up.url}/x` } }));
  up.answers.set('/api/0.2/demo-org-1/children/', {
    total: 1,
    objects: [{ id: 'demo-org-1-2', model: 'entity', title: 'Known from a list alone' }],
    next_offset: null,
  });
  await harvest(up, join(folder, 's'), '--root', 'demo-org-1');
  await microficheJson(['build', '--snapshot', join(folder, 's'), '--out', join(folder, 'dist')]);
  const html = readFileSync(join(folder, 'dist/objects/demo-org-1-2.html'), 'utf8');
  expect(html).toContain('<h1>Known from a list alone</h1>');
  expect(html).toContain('based on its entry in a list');
});

it('reports a list that shows fewer entries than its total', async () => {
  const up = await startUpstream();
  up.answers.set('/api/3.0/authors/', { total: 3, objects: [{ id: 'Ada Quill', title: 'Ada Quill' }], next_offset: null });
  up.answers.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', title: 'Ada Quill', body: '', articles: [] });
  const report = await harvest(up, join(temporary(), 's'));
  expect(report.shortfalls).toEqual([{ kind: 'authors', name: '', seen: 1, total: 3, passes: 3 }]);
  expect(report.counts).toEqual({ author: 1 });
});

it('stops reading a list that returns its last page at every offset', async () => {
  const up = await startUpstream();
  const names = ['Ada Quill', 'Bram Vane', 'Clio Thole'];
  up.answers.set('/api/3.0/authors/', (request: IncomingMessage, response: ServerResponse) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
    const name = names[Math.min(offset, names.length - 1)];
    response.end(JSON.stringify({ total: 3, offset, next_offset: offset + 1, objects: [{ id: name, title: name }] }));
  });
  for (const name of names) up.answers.set(`/api/3.0/authors/${encodeURIComponent(name)}/`, { id: name, title: name });
  const report = await harvest(up, join(temporary(), 's'));
  expect([report.counts, report.shortfalls, report.failures]).toEqual([{ author: 3 }, [], []]);
  expect(up.asked.length).toBeLessThan(15);
});
