/** Names in a built site: people of one name, and names and citations on the page of a record. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';

const { path: directory, remove } = createSharedDirectory();
const archive = join(directory, 'archive');
const dist = join(directory, 'dist');
let report: BuildReport;
let files: Map<string, Buffer>;
const page = (path: string) => files.get(path)?.toString() ?? '';

const RECORDS: Array<Record<string, unknown>> = [
  { id: 'demo', model: 'repository', title: 'Demo Archive' },
  { id: 'demo-org', model: 'organization', title: 'Demo' },
  { id: 'demo-org-1', model: 'collection', title: 'Harbor' },
  { id: 'demo-org-1-1', title: 'One', creators: [{ namepart: 'Leif Vane', role: 'narrator', oh_id: 3 }] },
  { id: 'demo-org-1-2', title: 'Two', creators: [{ namepart: 'Leif Vane', role: 'author', oh_id: 8 }] },
  { id: 'demo-org-1-3', title: 'Three', creators: [{ namepart: 'Leif Vane', role: 'photographer' }] },
  ...['Ada Quill', 'Ada Quill', 'Ada Mary Quill'].map((namepart, n) => ({
    id: `demo-org-1-${n + 5}`,
    title: `Letter ${n}`,
    creators: [{ namepart, oh_id: 20, role: 'author' }],
  })),
  {
    id: 'demo-org-1-4',
    title: '婦人会 議事録',
    creation: '昭和17年3月頃?',
    creators: [
      { namepart: 'compiler', role: 'Ōta, Inés María' },
      { namepart: 'Ōta, Inés María', role: 'author' },
      { namepart: 'Ada Quill', role: 'recipient' },
    ],
  },
];

beforeAll(async () => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(archive, path)), { recursive: true });
    writeFileSync(join(archive, path), text);
  };
  const manifest = {
    name: 'Demo',
    note: '',
    authors_url: 'https://guide.demo.example',
    catalog_url: 'https://catalog.demo.example',
    made_at: '2026-11-21T00:00:00Z',
  };
  write('archive.json', JSON.stringify(manifest));
  write('authors.json', '[]');
  for (const record of RECORDS) write(`objects/${record['id']}.json`, JSON.stringify({ model: 'entity', ...record }));
  writeSampleSnapshot(archive);
  report = await runMicroficheJson<BuildReport>(['build', '--snapshot', archive, '--out', dist, '--languages', 'en,ja']);
  files = readFiles(dist);
});
afterAll(remove);

it('keeps the page of a name, which lists the people who have it', () => {
  const name = page('browse/creator/leif-vane.html');
  expect(name).toContain('People with this name');
  expect(name).toContain('demo-org-1-3.html');
  expect(name).not.toContain('demo-org-1-1.html');
  const links = [...name.matchAll(/href="[./]*(browse\/creator\/leif-vane--[a-z0-9]+\.html)"[^>]*>([^<]*)/g)];
  expect(links.map(([, , label]) => label)).toEqual(['Vane, Leif (narrator ID 3)', 'Vane, Leif (narrator ID 8)']);
  const [first, second] = links.map(([, path]) => page(path as string));
  expect(first).toContain('demo-org-1-1.html');
  expect(first).toContain('browse/creator/leif-vane.html');
  expect(second).toContain('demo-org-1-2.html');
  expect(page('objects/demo-org-1-1.html')).toContain(String(links[0]?.[1]).replace('browse/creator', 'people'));
  expect(page('ja/browse/creator/leif-vane.html')).toContain('この名前の人物');
});

it('keeps the page of each form of a name, which links to the person', () => {
  const person = page('browse/creator/ada-quill.html');
  for (const n of [5, 6, 7]) expect(person).toContain(`demo-org-1-${n}.html`);
  expect(person).toContain('browse/creator/ada-mary-quill.html');
  expect(page('browse/creator/ada-mary-quill.html')).toContain('browse/creator/ada-quill.html');
  expect(page('browse/creator/index.html')).not.toContain('ada-mary-quill');
});

it('lists and cites a person once, with all roles, and not the recipient as an author', () => {
  const html = page('objects/demo-org-1-4.html');
  expect(html).toMatch(/<dt>Compiler, author<\/dt><dd><a [^>]+>Ōta, Inés María<\/a><\/dd>/);
  expect(html).toMatch(/<dt>Recipient<\/dt><dd><a [^>]+>Ada Quill<\/a><\/dd>/);
  expect(html).toContain(
    '<dd>Ōta, Inés María. “婦人会 議事録.” Letter to Ada Quill, 昭和17年3月頃? demo-org-1-4, Harbor, Demo Archive.',
  );
  expect(html).toContain('title = {婦人会 議事録}');
  expect(html).toContain('note = {demo-org-1-4, Harbor, Demo Archive. Date: 昭和17年3月頃?}');
  expect(html).not.toContain('undefined');
});

it('has no broken links, and nothing to report', async () => {
  expect(report.pageProblems).toEqual([]);
  expect((await runMicrofiche(['verify', '--dir', dist])).code).toBe(0);
});
