/** The report of a harvest, as JSON and as text: each failure with its URL, status, cause, attempts and referrer. */
import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../../src/harvest/report.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import { createSnapshotPath, harvestInProcess } from '../../support/harvest-in-process.ts';
import { addRecords, createRecord, respondWith, startTestUpstream } from '../../support/test-upstream.ts';

it('reports each failure in JSON, on the terminal, in the snapshot and in status', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 30);
  upstream.routes.set('/api/0.2/demo-org-1-2/', respondWith(503));
  upstream.routes.set('/api/0.2/demo-org-1-3/', respondWith(200, { 'content-type': 'text/html' }, '<p>no'));
  const snapshot = createSnapshotPath();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', 'demo-org-77', '--snapshot', snapshot];
  const limits = ['--attempts', '2', '--timeout', '5'];
  const { failures } = await runMicroficheJson<HarvestReport>([...args, ...limits]);
  const list = 'children:demo-org-1?limit=25&offset=0';
  const failure = (name: string, more: object) => ({
    key: `object:${name}`,
    kind: 'object',
    name,
    url: `${upstream.url}/api/0.2/${name}/`,
    hasEarlierVersion: false,
    since: expect.any(String),
    missing: false,
    ...more,
  });
  expect(failures).toEqual([
    failure('demo-org-1-2', { status: 503, cause: 'HTTP 503', transient: true, attempts: 2, referrer: list }),
    failure('demo-org-1-3', { status: 200, cause: 'expected JSON, received HTML', transient: true, attempts: 2, referrer: list }),
    failure('demo-org-77', { status: 404, cause: 'HTTP 404', transient: false, attempts: 1, referrer: null, missing: true }),
  ]);
  const lines = [
    `  object:demo-org-1-2: HTTP 503, 2 attempts, linked from ${list} (${upstream.url}/api/0.2/demo-org-1-2/)`,
    `  object:demo-org-1-3: expected JSON, received HTML, 2 attempts, linked from ${list} (${upstream.url}/api/0.2/demo-org-1-3/)`,
    `  object:demo-org-77: HTTP 404 (${upstream.url}/api/0.2/demo-org-77/)`,
  ].join('\n');
  const { stdout, code } = await runMicrofiche([...args, ...limits]);
  expect(code).toBe(3); // with permanent failures only, as below, it is 0
  expect(readFileSync(join(snapshot, 'report.txt'), 'utf8')).toContain(lines);
  const groups = [
    'Failed (3), 1 of them permanently (such as HTTP 404); retry the others with "microfiche harvest --retry-failed":',
    '  1 × HTTP 404: the archive does not have it (1 record)',
    `    object:demo-org-77 (${upstream.url}/api/0.2/demo-org-77/)`,
    "  1 × HTTP 503: an error of the archive's server (1 record)",
    `    object:demo-org-1-2, 2 attempts, linked from ${list} (${upstream.url}/api/0.2/demo-org-1-2/)`,
    '  1 × expected JSON, received HTML (1 record)',
    `    object:demo-org-1-3, 2 attempts, linked from ${list} (${upstream.url}/api/0.2/demo-org-1-3/)`,
  ].join('\n');
  expect(stdout).toContain(groups);
  expect((await runMicrofiche(['status', '--snapshot', snapshot])).stdout).toContain(groups);
});

it('prints an incomplete list', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/3.0/authors/', { total: 3, objects: [{ id: 'Ada Quill' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', title: 'Ada Quill' });
  const snapshot = createSnapshotPath();
  const { stdout } = await runMicrofiche(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot]);
  const lines = 'Incomplete lists (1):\n  authors: 1 of 3 entries found after 3 passes\n';
  expect(stdout).toContain(lines);
  expect((await runMicrofiche(['status', '--snapshot', snapshot])).stdout).toContain(lines);
});

it('says in one line how many records the archive does not have, lists them in the file, and advises against a retry', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 130);
  const list = upstream.routes.get('/api/0.2/demo-org-1/children/');
  const failWith = (id: string, status: number) => upstream.routes.set(`/api/0.2/${id}/`, respondWith(status));
  for (const id of ids.slice(0, 100)) failWith(id, 404);
  for (const id of ids.slice(100, 103)) failWith(id, 410);
  upstream.routes.set('/api/0.2/demo-org-1/children/', list);
  const snapshot = createSnapshotPath();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const { stdout, code } = await runMicrofiche(args);
  expect(code).toBe(0);
  const outputs = [stdout, (await runMicrofiche(['status', '--snapshot', snapshot])).stdout];
  for (const output of outputs) {
    expect(output).toContain(
      'Missing in the archive itself. The copy is right, and there is nothing to do:\n  103 other resources that records and pages name are not there.\n',
    );
    expect(output).not.toMatch(/--retry-failed|object:/);
    expect(output.split('\n').length).toBeLessThan(30);
  }
  const full = readFileSync(join(snapshot, 'report.txt'), 'utf8');
  expect(full.match(/^ {2}object:/gm)).toHaveLength(103);
});

it('reports what a run fetched and what the snapshot contains; a complete run may have failures', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 30);
  const good = upstream.routes.get(`/api/0.2/${ids[3]}/`);
  // The list names it while it has a response.
  upstream.routes.set(`/api/0.2/${ids[3]}/`, respondWith(500));
  const snapshot = createSnapshotPath();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const first = await runMicroficheJson<HarvestReport>([...args, '--attempts', '1']);
  expect([first.complete, first.failed, first.fetched]).toEqual([true, 1, 30]);
  upstream.routes.set(`/api/0.2/${ids[3]}/`, good);
  const { stdout } = await runMicrofiche([...args, '--retry-failed']);
  expect(stdout).toMatch(/^Retry completed in \d+\.\d s\. Fetched: 1 resource\. Snapshot: 31 resources\.\n/);
});

it('status reports only a site of this snapshot', async () => {
  const directory = createTestDirectory();
  const dirs = ['one', 'other'].map((name) => [join(directory, name), join(directory, `dist-${name}`)] as const);
  for (const [snapshot, dist] of dirs) {
    const upstream = await startTestUpstream();
    addRecords(upstream, 1);
    await harvestInProcess(upstream, snapshot);
    await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  }
  const [[snapshot, ownSite] = ['', ''], [, otherSite] = ['', '']] = dirs;
  expect((await runMicrofiche(['status', '--snapshot', snapshot, '--dir', ownSite])).stdout).toContain(`Site in ${ownSite}: `);
  const { stdout } = await runMicrofiche(['status', '--snapshot', snapshot, '--dir', otherSite]);
  expect(stdout).not.toContain('Site in');
  const { site } = await runMicroficheJson<{ site?: object }>(['status', '--snapshot', snapshot, '--dir', otherSite]);
  expect(site).toBeUndefined();
});

it('prints counts that agree with their nouns, and untrusted names on one line', async () => {
  const upstream = await startTestUpstream();
  const evil = 'Evil\u001b[2J\nHarvest completed in 9999 s \u202egpj';
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: evil, title: evil }], next_offset: null });
  upstream.routes.set(`/api/3.0/authors/${encodeURIComponent(evil)}/`, respondWith(403));
  upstream.routes.set('/api/0.2/demo-org-1/', createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  const snapshot = createSnapshotPath();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const { stdout } = await runMicrofiche(args);
  expect(stdout).toContain('Fetched: 1 resource.');
  expect(stdout).toContain('Failed (1), ');
  const status = await runMicrofiche(['status', '--snapshot', snapshot, '--since', '2020-01-01']);
  for (const output of [stdout, status.stdout, readFileSync(join(snapshot, 'report.txt'), 'utf8')]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(output).not.toMatch(/^Harvest completed in 9999/m);
    expect(output).toContain('Evil [2J Harvest completed in 9999 s  gpj');
  }
});

it('replaces a report.txt that is a symbolic link, and leaves its target unchanged', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 1);
  const snapshot = createSnapshotPath();
  const args = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  await runMicrofiche(args);
  const victim = join(createTestDirectory(), 'victim.txt');
  writeFileSync(victim, 'mine');
  rmSync(join(snapshot, 'report.txt'));
  symlinkSync(victim, join(snapshot, 'report.txt'));
  expect((await runMicrofiche(args)).code).toBe(0);
  expect([readFileSync(victim, 'utf8'), lstatSync(join(snapshot, 'report.txt')).isFile()]).toEqual(['mine', true]);
});

it('a response that cannot be processed is a failure, and does not stop the harvest', async () => {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, 5);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  upstream.routes.set(`/api/0.2/${ids[0]}/`, respondWith(200, {}, deep(200_000)));
  upstream.routes.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  upstream.routes.set('/api/3.0/authors/Ada/', { id: 'Ada', articles: [{ title: 'Deep' }] });
  upstream.routes.set('/api/3.0/articles/Deep/', { id: 'Deep', title: 'Deep', sources: [{ id: 's1' }] });
  upstream.routes.set('/api/3.0/sources/s1/', respondWith(200, {}, `{"id":"s1","x":${deep(990)}}`));
  const report = await harvestInProcess(upstream, createSnapshotPath(), { limits: { maxDepth: 1_000 } });
  expect([report.complete, report.counts]).toEqual([true, { article: 1, author: 1, collection: 1, entity: 4, source: 1 }]);
  expect(report.failures.map(({ key }) => key)).toEqual([`object:${ids[0]}`]);
});

it.each([
  [['--timeout', '0'], 'Expected a number of seconds'],
  [['--rate', 'fast'], 'Expected a number of requests per second'],
  [['--gone-limit', '300%'], 'Expected a percentage'],
  [['--max-depth', '0'], 'Expected an integer from 1 to 1000'],
  [['--max-body', 'big'], 'Expected a size'],
  [['--allow-host', 'a/b'], '"a/b" is not a host. Expected'],
  [['--full', '--retry-failed'], '--retry-failed and --full exclude each other'],
])('%j is a usage error, with one message and exit code 2', async (options, message) => {
  const { code, stderr } = await runMicrofiche(['harvest', ...upstreamOptions('http://127.0.0.1:9'), ...options]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('status --since requires a date', async () => {
  const { code, stderr } = await runMicrofiche(['status', '--since', 'yesterday']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a date, for example 2026-01-31.')]);
});
