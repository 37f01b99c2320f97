/** `microfiche inbox`: the files that readers sent, listed by record. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { describe, expect, inject, it } from 'vitest';
import type { Contribution, ContributionFile } from '../../src/formats/contribution.ts';
import { formatContributions } from '../../src/formats/contribution-link.ts';
import type { Inbox } from '../../src/publish/inbox/read-inbox.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson } from '../support/commands.ts';

/** What pages of the sample say of this record. */
const NETS = {
  title: 'Nets drying on the quay',
  date: 'c. 1942',
  description:
    'Nets drying on the quay, seen from the loft stairs. A second print hangs in the ferry house. The boat on the left was later rebuilt as a library.',
  credit: 'Hugo Fairtide',
};
let last = 0;
function contributionOf(changes: Partial<Contribution>, id = 'lica-quay-1-1'): Contribution {
  last += 1;
  return {
    id: last.toString(16).padStart(32, '0'),
    at: `2026-11-${String(last).padStart(2, '0')}T08:00:00.000Z`,
    subject: { kind: 'object', id, page: `objects/${id}.html` },
    record: NETS,
    moment: undefined,
    kind: 'story',
    text: 'They stood there.',
    mark: undefined,
    ...changes,
  };
}
const READER = { name: 'Mara', contact: 'mara@home.example', mayPublish: true, mayShowName: false };
const fileOf = (contributions: Contribution[], reader: ContributionFile['reader'] = READER) =>
  formatContributions({
    archive: { title: 'Lantern', url: 'http://a.invalid', harvestedAt: '2026-11-01' },
    reader,
    contributions,
  });

function writeFiles(files: Record<string, string>): string {
  const directory = createTestDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

it('lists contributions by record, once each, with what became of the record', async () => {
  const names = contributionOf({ kind: 'names', mark: { file: 'media/a.webp', x: 0.1, y: 0.2, width: 0.3, height: 0.4 } });
  const changed = contributionOf(
    { record: { ...NETS, date: '1941' }, text: 'The year is wrong.', kind: 'date' },
    'lica-quay-1-2',
  );
  const absent = contributionOf({}, 'lica-quay-99');
  const person = contributionOf({
    subject: { kind: 'person', id: 'sven-ashlock', page: 'people/sven-ashlock.html' },
    moment: 83,
  });
  const directory = writeFiles({
    'one.json': fileOf([person, names, changed]),
    'below/two.json': fileOf([names, absent], { ...READER, mayPublish: false, mayShowName: true }),
    'notes.txt': 'not a contribution',
  });
  const { snapshot } = inject('mirror');
  const inbox = await runMicroficheJson<Inbox>(['inbox', directory, '--snapshot', snapshot]);
  expect(inbox.problems).toEqual([]);
  expect(inbox.subjects.map(({ subject, state, count }) => [subject.id, state, count])).toEqual([
    ['lica-quay-1-1', 'unchanged', 1],
    ['lica-quay-1-2', 'changed', 1],
    ['lica-quay-99', 'absent', 1],
    ['sven-ashlock', 'unknown', 1],
  ]);
  // Of two files of the same reader, the stricter consent counts.
  expect(inbox.subjects[0]?.contributions[0]?.reader).toEqual({ ...READER, mayPublish: false, mayShowName: false });
  expect(inbox.subjects[0]?.contributions[0]?.mark).toEqual(names.mark);
  expect(inbox.subjects[1]?.now?.title).toBeTruthy();
});

it('writes Markdown, CSV and JSON, and replaces them only with --force', async () => {
  const directory = writeFiles({ 'one.json': fileOf([contributionOf({ moment: 83 })]) });
  const to = join(createTestDirectory(), 'out');
  const args = ['inbox', join(directory, 'one.json'), '--to', to, '--snapshot', inject('mirror').snapshot];
  expect(await runMicrofiche(args)).toMatchObject({ code: 0, stderr: '' });
  const read = (name: string) => readFileSync(join(to, name), 'utf8');
  expect(read('inbox.md')).toContain('## Nets drying on the quay (lica-quay-1-1)');
  expect(read('inbox.md')).toContain(': story at 1:23\n\n```\nThey stood there.\n```');
  expect(read('inbox.md')).toContain('mara\\@home.example. May be published, without the name.');
  expect(read('inbox.csv').split('\r\n')[1]).toMatch(/^object,lica-quay-1-1,unchanged,.*,story,83,They stood there\.,/);
  expect((JSON.parse(read('inbox.json')) as Inbox).subjects).toHaveLength(1);
  const { code, stderr } = await runMicrofiche(args);
  expect([code, stderr]).toEqual([1, expect.stringContaining('replace them with --force')]);
  expect((await runMicrofiche([...args, '--force'])).code).toBe(0);
});

it('says of each file what is wrong with it, and continues', async () => {
  const directory = writeFiles({
    'a.json': '{',
    'b.json': fileOf([contributionOf({})]),
    'c.json': '{"format":"other","version":1}',
  });
  symlinkSync(join(directory, 'b.json'), join(directory, 'd.json'));
  const { code, stdout } = await runMicrofiche([
    'inbox',
    directory,
    join(directory, 'none.json'),
    '--snapshot',
    inject('mirror').snapshot,
  ]);
  expect(code).toBe(3);
  expect(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('Not read'))
      .map((line) => line.replace(directory, '')),
  ).toEqual([
    'Not read: /a.json: It is not JSON.',
    'Not read: /c.json: It is not a file of contributions.',
    'Not read: /none.json: It does not exist.',
  ]);
  expect(stdout).toContain('1 contribution about 1 record or person, from 1 file.');
});

it('says nothing more of withheld records than that they are', async () => {
  const cwd = writeFiles({
    'microfiche.config.json': JSON.stringify({ withhold: [{ id: 'lica-quay-1-1', reason: 'a request', date: '2026-10-01' }] }),
    'one.json': fileOf([contributionOf({ text: 'A secret.' })]),
  });
  const to = join(cwd, 'out');
  const { code, stdout } = await runMicrofiche(['inbox', 'one.json', '--to', to, '--snapshot', inject('mirror').snapshot], {
    cwd,
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('lica-quay-1-1: 1 (withheld)')]);
  for (const name of ['inbox.md', 'inbox.csv', 'inbox.json']) {
    const text = readFileSync(join(to, name), 'utf8');
    expect(text).toContain('lica-quay-1-1');
    expect(text).not.toMatch(/secret|Nets/);
  }
});

describe('hostile values', () => {
  const HOSTILE =
    '=HYPERLINK("http://evil.example")\n# Heading\n```\n<script>alert(1)</script>\u001b[31m\u202e [a](javascript:x)';
  it('are neither markup, nor formulas, nor control characters in what is written', async () => {
    const hostile = contributionOf({
      text: HOSTILE,
      record: { title: HOSTILE, date: HOSTILE, description: HOSTILE, credit: HOSTILE },
    });
    const reader = { ...READER, name: HOSTILE, contact: HOSTILE };
    const cwd = writeFiles({ 'one.json': fileOf([hostile], reader) });
    const { stdout } = await runMicrofiche(['inbox', 'one.json', '--to', 'out', '--snapshot', inject('mirror').snapshot], {
      cwd,
    });
    const [markdown, csv] = ['inbox.md', 'inbox.csv'].map((name) => readFileSync(join(cwd, 'out', name), 'utf8')) as [
      string,
      string,
    ];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    for (const text of [markdown, stdout]) expect(text).not.toMatch(/[\u001b\u202e]/);
    const html = new MarkdownIt({ html: true, linkify: true }).render(markdown);
    expect(html).not.toMatch(/<script|<a /);
    expect(html.match(/<h\d/g)).toEqual(['<h1', '<h2', '<h3']);
    expect(csv).not.toMatch(/(?:^|,|")=/);
  });

  it('do not hide the contribution of another reader under its ID', async () => {
    const genuine = contributionOf({});
    const directory = writeFiles({
      'a.json': fileOf([{ ...genuine, text: 'Another text.' }]),
      'b.json': fileOf([genuine]),
    });
    const inbox = await runMicroficheJson<Inbox>(['inbox', directory, '--snapshot', inject('mirror').snapshot]);
    expect(inbox.subjects[0]?.count).toBe(2);
  });
});
