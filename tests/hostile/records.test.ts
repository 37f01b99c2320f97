/** One record never stops the rest: an archive in which each record would break something is built, and every record has its page. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildReport } from '../../src/pipeline/build.ts';
import { fileName } from '../../src/platform/portable.ts';
import { startChromium } from '../browser.ts';
import { filesBelow, microfiche, microficheJson, temporaryFolder } from '../support.ts';
import { DEEP_ID, EMPTY_IDS, PLAIN_IDS, SAID, SEGMENT_ID, writeHostileArchive } from './records.ts';

const { path: folder, remove } = temporaryFolder();
const snapshot = join(folder, 'archive');
const dist = join(folder, 'dist');
const ARGS = ['--site', 'https://mirror.example/archive/', '--languages', 'en,es,ja'];
let ids: string[];
let report: BuildReport;
let files: Map<string, Buffer>;
const page = (path: string) => files.get(path)?.toString() ?? '';

beforeAll(async () => {
  ids = writeHostileArchive(snapshot);
  report = await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...ARGS]);
  files = filesBelow(dist);
}, 300_000);
afterAll(remove);

it('D11, S10: every record has its page in every language, and nothing else fails', () => {
  for (const id of ids)
    for (const prefix of ['', 'es/', 'ja/']) {
      const html = page(`${prefix}objects/${fileName(id)}.html`);
      expect(html, id).toContain('<h1>');
      expect(html, id).toContain(id);
    }
  for (const id of PLAIN_IDS.slice(1)) expect(page(`objects/${id}.html`)).toContain(`<h1>Title of ${id}</h1>`);
  expect(report.documents).toBe(ids.length + 4 + 3);
});

describe('a record whose page cannot be made', () => {
  it.each([
    ['', 'This record could not be shown.'],
    ['es/', 'Este registro no se pudo mostrar.'],
    ['ja/', 'この記録は表示できませんでした。'],
  ])('D11: has a page at %j that says so and leads to its collection', (prefix, words) => {
    const html = page(`${prefix}objects/${DEEP_ID}.html`);
    for (const part of [words, '<h1>Too deep to be shown</h1>', DEEP_ID, 'objects/demo-org-1.html"'])
      expect(html).toContain(part);
  });

  it('D11: is told in the report and on the terminal, and stays in lists and search', async () => {
    const failed = report.pageProblems.filter(({ cause }) => cause.startsWith('it could not be rendered'));
    expect(failed.map((one) => one.page)).toEqual(['es/', 'ja/', ''].map((prefix) => `${prefix}objects/${DEEP_ID}.html`));
    expect(page('browse/topic/deep.html')).toContain(`${DEEP_ID}.html`);
  });
});

it('names the records of which only the beginning is shown', () => {
  const cut = report.pageProblems.filter(({ cause }) => cause.startsWith('shown only in part'));
  expect(cut.map(({ cause }) => cause.replace(/^.*: /, '')).sort()).toEqual([
    ...['description', 'description', 'external_urls', 'search_hidden', 'search_hidden', 'title', 'title', 'title'],
  ]);
});

it('a build over it makes the same bytes and tells the same; so does a clean one from another folder (D12)', async () => {
  const again = await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...ARGS]);
  expect([again.written, again.removed, again.pageProblems]).toEqual([0, 0, report.pageProblems]);
  const elsewhere = join(folder, 'elsewhere');
  cpSync(snapshot, join(elsewhere, 'archive'), { recursive: true });
  const args = ['build', '--snapshot', join('elsewhere', 'archive'), '--out', 'clean', '--clean', ...ARGS];
  const { code, stdout, stderr } = await microfiche(args, { cwd: folder });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`${report.pageProblems.length} problems with single records; everything else is there:`);
  expect(stdout).toContain('it could not be rendered: ');
  expect(stdout).toContain('Crawlers do not read https://mirror.example/archive/robots.txt');
  const clean = filesBelow(join(folder, 'clean'));
  expect(clean.get(`objects/${SEGMENT_ID}.html`)?.toString()).toContain(SAID);
  expect([...clean].filter(([path, bytes]) => !files.get(path)?.equals(bytes)).map(([path]) => path)).toEqual([]);
}, 300_000);

it('D11: verify passes, also where pages lead to the recording of a record that could not be shown', async () => {
  const { code, stdout } = await microfiche(['verify', '--dir', dist]);
  expect([code, stdout.split('\n').slice(1)]).toEqual([0, ['']]);
});

it('D19: what stands beside a record’s own page is short', () => {
  const pages = [...files].filter(([path]) => path.endsWith('.html'));
  const large = pages.filter(([, bytes]) => bytes.length > 300_000).map(([path]) => path);
  expect(large.every((path) => /^(?:\w\w\/)?(?:objects|guide)\/[^/]+\.html$/.test(path))).toBe(true);
  for (const [path, bytes] of pages) {
    const title = /<title>([^<]*)<\/title>/.exec(bytes.toString())?.[1] ?? '';
    expect(title.length, path).toBeLessThan(400);
    expect(/<meta property="og:description" content="([^"]*)"/.exec(bytes.toString())?.[1]?.length, path).toBeLessThan(1100);
  }
});

it('S16: no page, feed or index has a control character, an override, or half a pair', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const illegible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/;
  for (const [path, bytes] of files)
    if (/\.(?:html|xml|webmanifest|json|txt)$/.test(path)) expect(illegible.exec(bytes.toString())?.[0], path).toBeUndefined();
});

it('D18: what is XML or JSON is read by a browser’s own parsers', async () => {
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    const faultsOf = (text: string) =>
      tab.evaluate(
        (xml) => new DOMParser().parseFromString(xml, 'application/xml').querySelector('parsererror')?.textContent,
        text,
      );
    expect(await faultsOf('<a>\uffff</a>')).toBeDefined();
    const xml = [...files].filter(([path]) => path.endsWith('.xml'));
    expect(xml.map(([path]) => path)).toEqual(['feed.xml', 'opensearch.xml', 'sitemap-0.xml', 'sitemap-index.xml']);
    for (const [path, bytes] of xml) expect(await faultsOf(bytes.toString()), path).toBeUndefined();
  } finally {
    await browser.close();
  }
  expect(JSON.parse(page('app.webmanifest'))).toMatchObject({ lang: 'en' });
  for (const [path, bytes] of files)
    for (const [, json] of bytes.toString().matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
      expect(() => JSON.parse(json ?? ''), path).not.toThrow();
});

it('D18: codes with names that JavaScript knows have placeholders that are there', () => {
  const pictures = [...files]
    .filter(([path]) => path.endsWith('.html'))
    .flatMap(([, bytes]) => [...bytes.toString().matchAll(/assets\/(no-picture-[^"]*)"/g)].map((match) => match[1] as string));
  for (const name of new Set(pictures)) expect(files.has(`assets/${name}`), name).toBe(true);
});

it('D44: an empty recording is called empty', () => {
  for (const id of EMPTY_IDS) {
    const html = page(`objects/${id}.html`);
    expect(html).toContain('is an empty file: there is nothing to play.');
    expect(html).not.toMatch(/<video|stays in the living archive/);
  }
});

it('D17: sizes are written as the page’s language does', () => {
  const size = (prefix: string) => /\(BIN, ([^)]*)\)/.exec(page(`${prefix}objects/${EMPTY_IDS[0]}.html`))?.[1];
  expect(['', 'es/', 'ja/'].map(size)).toEqual(['0 bytes', '0 bytes', '0 バイト']);
});
