/** What the harvest says in the end: each failure with its address, status, cause, tries and who led there, for machines and for people. */
import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { microfiche, microficheJson, temporary, upstreamAt } from '../support.ts';
import { fill, record, sends, startUpstream } from '../upstream.ts';
import { aSnapshot, harvestHere } from './here.ts';

it('names each failure in JSON, on the terminal, in the snapshot and in status', async () => {
  const up = await startUpstream();
  fill(up, 30);
  up.answers.set('/api/0.2/demo-org-1-2/', sends(500));
  up.answers.set('/api/0.2/demo-org-1-3/', sends(200, { 'content-type': 'text/html' }, '<p>no'));
  const snapshot = aSnapshot();
  const args = ['harvest', ...upstreamAt(up.url), '--root', 'demo-org-1', 'demo-org-77', '--snapshot', snapshot];
  const flags = ['--attempts', '2', '--timeout', '5'];
  const { failures } = await microficheJson<HarvestReport>([...args, ...flags]);
  const list = 'children:demo-org-1?limit=25&offset=0';
  const failure = (name: string, more: object) => ({
    key: `object:${name}`,
    kind: 'object',
    name,
    url: `${up.url}/api/0.2/${name}/`,
    kept: false,
    ...more,
  });
  expect(failures).toEqual([
    failure('demo-org-1-2', { status: 500, cause: 'HTTP 500', attempts: 2, referrer: list }),
    failure('demo-org-1-3', { status: 200, cause: 'the answer is a web page, not JSON', attempts: 2, referrer: list }),
    failure('demo-org-77', { status: 404, cause: 'HTTP 404', attempts: 1, referrer: null }),
  ]);
  const lines = [
    `  object:demo-org-1-2: HTTP 500, 2 tries, named by ${list} (${up.url}/api/0.2/demo-org-1-2/)`,
    `  object:demo-org-1-3: the answer is a web page, not JSON, 2 tries, named by ${list} (${up.url}/api/0.2/demo-org-1-3/)`,
    `  object:demo-org-77: HTTP 404 (${up.url}/api/0.2/demo-org-77/)`,
  ].join('\n');
  const said = await microfiche([...args, ...flags]);
  expect(readFileSync(join(snapshot, 'report.txt'), 'utf8')).toContain(lines);
  const groups = [
    '3 resources could not be downloaded. “harvest --retry-failed” may help with 2; the cause of the others is permanent (such as HTTP 404): retrying seldom helps.',
    '  1 × HTTP 404',
    `    object:demo-org-77 (${up.url}/api/0.2/demo-org-77/)`,
    '  1 × HTTP 500',
    `    object:demo-org-1-2, 2 tries, named by ${list} (${up.url}/api/0.2/demo-org-1-2/)`,
    '  1 × the answer is a web page, not JSON',
    `    object:demo-org-1-3, 2 tries, named by ${list} (${up.url}/api/0.2/demo-org-1-3/)`,
  ].join('\n');
  expect(said.stdout).toContain(groups);
  expect((await microfiche(['status', '--snapshot', snapshot])).stdout).toContain(groups);
});

it('names the shortfall of a list in words', async () => {
  const up = await startUpstream();
  up.answers.set('/api/3.0/authors/', { total: 3, objects: [{ id: 'Ada Quill' }], next_offset: null });
  up.answers.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', title: 'Ada Quill' });
  const snapshot = aSnapshot();
  const { stdout } = await microfiche(['harvest', ...upstreamAt(up.url), '--snapshot', snapshot]);
  expect(stdout).toContain('  authors: 2 of 3 not seen after 3 passes\n');
  expect((await microfiche(['status', '--snapshot', snapshot])).stdout).toContain('  authors: 2 of 3 not seen after 3 passes\n');
});

it('D42: shows ten failures of each cause and where the rest stands, and says that retrying seldom helps with 404', async () => {
  const up = await startUpstream();
  const ids = fill(up, 130);
  const list = up.answers.get('/api/0.2/demo-org-1/children/');
  const stop = (id: string, status: number) => up.answers.set(`/api/0.2/${id}/`, sends(status));
  for (const id of ids.slice(0, 100)) stop(id, 404);
  for (const id of ids.slice(100, 103)) stop(id, 410);
  up.answers.set('/api/0.2/demo-org-1/children/', list);
  const snapshot = aSnapshot();
  const args = ['harvest', ...upstreamAt(up.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const { stdout, code } = await microfiche(args);
  expect(code).toBe(0);
  const said = [stdout, (await microfiche(['status', '--snapshot', snapshot])).stdout];
  for (const output of said) {
    expect(output).toContain(
      '103 resources could not be downloaded. The cause is permanent (such as HTTP 404): retrying seldom helps.',
    );
    expect(output).toMatch(/ {2}100 × HTTP 404\n(?: {4}object:.*\n){10} {4}… and 90 more, in report\.txt\n {2}3 × HTTP 410/);
    expect(output).not.toContain('--retry-failed');
    expect(output.split('\n').length).toBeLessThan(30);
  }
  const full = readFileSync(join(snapshot, 'report.txt'), 'utf8');
  expect(full.match(/^ {2}object:/gm)).toHaveLength(103);
});

it('D43: says what a run fetched and what the snapshot holds, and tells complete from faultless', async () => {
  const up = await startUpstream();
  const ids = fill(up, 30);
  const good = up.answers.get(`/api/0.2/${ids[3]}/`);
  // The list names it as long as something answers for it.
  up.answers.set(`/api/0.2/${ids[3]}/`, sends(500));
  const snapshot = aSnapshot();
  const args = ['harvest', ...upstreamAt(up.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const first = await microficheJson<HarvestReport>([...args, '--attempts', '1']);
  expect([first.complete, first.failed, first.fetched]).toEqual([true, 1, 30]);
  up.answers.set(`/api/0.2/${ids[3]}/`, good);
  const { stdout } = await microfiche([...args, '--retry-failed']);
  expect(stdout).toMatch(/^Retried what had failed: fetched 1 resource in \d+\.\d s; the snapshot holds 31\.\n/);
});

it('D43: status calls only a site of this snapshot its site', async () => {
  const folder = temporary();
  const dirs = ['one', 'other'].map((name) => [join(folder, name), join(folder, `dist-${name}`)] as const);
  for (const [snapshot, dist] of dirs) {
    const up = await startUpstream();
    fill(up, 1);
    await harvestHere(up, snapshot);
    await microficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  }
  const [[one, own] = ['', ''], [, others] = ['', '']] = dirs;
  expect((await microfiche(['status', '--snapshot', one, '--dir', own])).stdout).toContain(`The site in ${own}: `);
  const { stdout } = await microfiche(['status', '--snapshot', one, '--dir', others]);
  expect(stdout).not.toContain('The site in');
  expect((await microficheJson<{ site?: object }>(['status', '--snapshot', one, '--dir', others])).site).toBeUndefined();
});

it('D44, S16: counts agree with their nouns, and names of others stay on their line', async () => {
  const up = await startUpstream();
  const evil = 'Evil\u001b[2J\nHarvested: 9999 resources \u202egpj';
  up.answers.set('/api/3.0/authors/', { total: 1, objects: [{ id: evil, title: evil }], next_offset: null });
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection' }));
  const snapshot = aSnapshot();
  const args = ['harvest', ...upstreamAt(up.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  const { stdout } = await microfiche(args);
  expect(stdout).toContain('fetched 1 resource in');
  expect(stdout).toContain('1 resource could not be downloaded.');
  const status = await microfiche(['status', '--snapshot', snapshot, '--since', '2020-01-01']);
  for (const output of [stdout, status.stdout, readFileSync(join(snapshot, 'report.txt'), 'utf8')]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(output).not.toMatch(/^Harvested: 9999/m);
    expect(output).toContain('Evil [2J Harvested: 9999 resources  gpj');
  }
});

it('S8: report.txt that is a link is replaced, and what it leads to stays as it is', async () => {
  const up = await startUpstream();
  fill(up, 1);
  const snapshot = aSnapshot();
  const args = ['harvest', ...upstreamAt(up.url), '--root', 'demo-org-1', '--snapshot', snapshot];
  await microfiche(args);
  const victim = join(temporary(), 'victim.txt');
  writeFileSync(victim, 'mine');
  rmSync(join(snapshot, 'report.txt'));
  symlinkSync(victim, join(snapshot, 'report.txt'));
  expect((await microfiche(args)).code).toBe(0);
  expect([readFileSync(victim, 'utf8'), lstatSync(join(snapshot, 'report.txt')).isFile()]).toEqual(['mine', true]);
});

it('S10: an answer that its reader cannot bear is a failure of its own and stops nothing else', async () => {
  const up = await startUpstream();
  const ids = fill(up, 5);
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  up.answers.set(`/api/0.2/${ids[0]}/`, sends(200, {}, deep(200_000)));
  up.answers.set('/api/3.0/authors/', { total: 1, objects: [{ id: 'Ada' }], next_offset: null });
  up.answers.set('/api/3.0/authors/Ada/', { id: 'Ada', articles: [{ title: 'Deep' }] });
  up.answers.set('/api/3.0/articles/Deep/', { id: 'Deep', title: 'Deep', sources: [{ id: 's1' }] });
  up.answers.set('/api/3.0/sources/s1/', sends(200, {}, `{"id":"s1","x":${deep(990)}}`));
  const report = await harvestHere(up, aSnapshot(), { limits: { maxDepth: 1_000 } });
  expect([report.complete, report.counts]).toEqual([true, { article: 1, author: 1, collection: 1, entity: 4, source: 1 }]);
  expect(report.failures.map(({ key }) => key)).toEqual([`object:${ids[0]}`]);
});

it.each([
  [['--timeout', '0'], 'It must be a number of seconds'],
  [['--rate', 'fast'], 'It must be a number of requests a second'],
  [['--gone-limit', '300%'], 'It must be a share'],
  [['--max-depth', '0'], 'It must be a whole number from 1 to 1000'],
  [['--max-body', 'big'], 'It must be a size'],
  [['--allow-host', 'a/b'], 'is not a host such as'],
  [['--full', '--retry-failed'], 'choose one'],
])('%j is wrong use: one sentence, exit 2', async (flags, words) => {
  const { code, stderr } = await microfiche(['harvest', ...upstreamAt('http://127.0.0.1:9'), ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('status --since wants a date', async () => {
  const { code, stderr } = await microfiche(['status', '--since', 'yesterday']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a date such as 2026-01-31.')]);
});
