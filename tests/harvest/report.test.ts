/** What the harvest says in the end: each failure with its address, status, cause, tries and who led there, for machines and for people. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { microfiche, microficheJson } from '../support.ts';
import { fill, sends, startUpstream } from '../upstream.ts';
import { aSnapshot } from './here.ts';

it('names each failure in JSON, on the terminal, in the snapshot and in status', async () => {
  const up = await startUpstream();
  fill(up, 30);
  up.answers.set('/api/0.2/demo-org-1-2/', sends(500));
  up.answers.set('/api/0.2/demo-org-1-3/', sends(200, { 'content-type': 'text/html' }, '<p>no'));
  const snapshot = aSnapshot();
  const args = [
    'harvest',
    '--authors-url',
    up.url,
    '--catalog-url',
    up.url,
    '--root',
    'demo-org-1',
    'demo-org-77',
    '--snapshot',
    snapshot,
  ];
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
  expect(said.stdout).toContain(lines);
  expect(readFileSync(join(snapshot, 'report.txt'), 'utf8')).toBe(said.stdout);
  expect((await microfiche(['status', '--snapshot', snapshot])).stdout).toContain(lines);
});

it('names the shortfall of a list in words', async () => {
  const up = await startUpstream();
  up.answers.set('/api/3.0/authors/', { total: 3, objects: [{ id: 'Ada Quill' }], next_offset: null });
  up.answers.set('/api/3.0/authors/Ada%20Quill/', { id: 'Ada Quill', title: 'Ada Quill' });
  const snapshot = aSnapshot();
  const { stdout } = await microfiche(['harvest', '--authors-url', up.url, '--catalog-url', up.url, '--snapshot', snapshot]);
  expect(stdout).toContain('  authors: 2 of 3 not seen after 3 passes\n');
  expect((await microfiche(['status', '--snapshot', snapshot])).stdout).toContain('  authors: 2 of 3 not seen after 3 passes\n');
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
  const { code, stderr } = await microfiche([
    'harvest',
    '--authors-url',
    'http://127.0.0.1:9',
    '--catalog-url',
    'http://127.0.0.1:9',
    ...flags,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('status --since wants a date', async () => {
  const { code, stderr } = await microfiche(['status', '--since', 'yesterday']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a date such as 2026-01-31.')]);
});
