/** Withheld names in media files: no such file is in the site or `serve`, in any encoding, declared or not. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createSharedDirectory, readFiles, runMicroficheJson, spawnServe, upstreamOptions } from '../support/commands.ts';
import { encodeText } from '../support/encode-text.ts';
import { createRecord, respondWith, startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';

const NAME = '岡田花子';
const NAMED = `聞き手：今日は${NAME}さんに\nお話をうかがいます。\n`;
const ITEM = 'demo-org-1-1';
/** Transcripts: what their records declare, and the charset that they are in. All but the last contain the name. */
const TRANSCRIPTS: ReadonlyArray<[declared: string, charset: string, text: string]> = [
  ['text/plain; charset=utf-16le', 'UTF-16LE', NAMED],
  ['text/plain; charset=ISO-8859-1', 'SHIFT_JIS', NAMED],
  ['text/plain; charset=Shift_JIS', 'ISO-2022-JP', NAMED],
  ['text/plain; charset=EUC-JP', 'EUC-JP', `${NAME}\n`],
  ['text/plain', 'EUC-JP', `${NAME}、田中太郎\n`],
  ['text/plain', 'UTF-8', NAMED],
  ['text/plain; charset=Shift_JIS', 'SHIFT_JIS', '聞き手：港の村です。\n'],
];
const FILES = TRANSCRIPTS.map(([mimetype, charset, text]) => {
  const bytes = encodeText(text, charset);
  return { mimetype, bytes, name: createHash('sha1').update(bytes).digest('hex').slice(0, 10) };
});

const directory = createSharedDirectory();
const [snapshot, dist] = [join(directory.path, 'snapshot'), join(directory.path, 'dist')];
let upstream: TestUpstream;
let report: BuildReport;

beforeAll(async () => {
  upstream = await startTestUpstream({ shared: true });
  const { url, routes } = upstream;
  const set = (id: string, more: Record<string, unknown>) => routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, more));
  const files = FILES.map(({ mimetype, bytes, name }) => {
    const id = `${ITEM}-transcript-${name}`;
    routes.set(`/files/${name}`, respondWith(200, { 'content-type': 'application/octet-stream' }, bytes));
    set(id, { model: 'file', role: 'transcript', mimetype, links: { download: `${url}/files/${name}` } });
    return { id, model: 'file' };
  });
  set(ITEM, {
    model: 'entity',
    title: '港の岡\u200b田　花子',
    creators: [{ namepart: '岡田花\u00ad子' }, { namepart: '田中太郎' }],
    description: `今日は${NAME}さんに`,
    notes: '<p>岡田<b>花子</b></p>',
    links: { 'children-files': `${url}/api/0.2/${ITEM}/files/` },
  });
  routes.set(`/api/0.2/${ITEM}/files/`, { total: files.length, offset: 0, next_offset: null, objects: files });
  writeFileSync(
    join(directory.path, 'microfiche.config.json'),
    JSON.stringify({ withhold: [{ person: NAME, reason: 'By request.', date: '2026-10-01' }] }),
  );
  await runMicroficheJson(['harvest', ...upstreamOptions(url), '--root', ITEM, '--snapshot', snapshot]);
  await runMicroficheJson(['media', '--snapshot', snapshot]);
  report = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist], { cwd: directory.path });
});
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

it('has no media file with the name in the site, and reports each', () => {
  const published = [...readFiles(dist)].filter(([path]) => path.startsWith('media/')).map(([, bytes]) => bytes.toString('hex'));
  expect(published).toEqual(FILES.slice(-1).map(({ bytes }) => bytes.toString('hex')));
  expect(report.problems.map(({ cause }) => cause)).toEqual(FILES.slice(1).map(() => 'the file contains a withheld name'));
});

it('replaces the name in the middle of a sentence, and with markup in it', () => {
  const texts = [...readFiles(dist)].map(([, bytes]) => bytes.toString());
  expect(texts.filter((text) => /岡\u200b?田(?:<[^>]*>)*　?花\u00ad?子/.test(text))).toEqual([]);
  const pages = texts.filter((text) => text.startsWith('<!DOCTYPE html>'));
  for (const left of ['港の[withheld]', '田中太郎']) expect(pages.some((page) => page.includes(left))).toBe(true);
  expect(pages.some((page) => page.includes('今日は[withheld]さんに'))).toBe(true);
});

it('serves no file with the name', async () => {
  const server = await spawnServe(['--snapshot', snapshot], directory.path);
  try {
    const responses = await Promise.all(FILES.map(({ name }) => fetch(`${server.url}/files/${name}`)));
    expect(responses.map(({ status }) => status)).toEqual([...FILES.slice(1).map(() => 404), 200]);
  } finally {
    await server.stop();
  }
});
