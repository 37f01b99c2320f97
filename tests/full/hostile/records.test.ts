/** Builds an archive in which each record breaks something: every record has its page, and no record stops the build. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/build/steps/build-report.ts';
import { objectFileName } from '../../../src/platform/portability.ts';
import { startChromium } from '../../support/chromium.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson } from '../../support/commands.ts';
import { DEEP_ID, EMPTY_IDS, PLAIN_IDS, SEGMENT_ID, SPOKEN_TEXT, writeHostileArchive } from '../../support/hostile-records.ts';

const { path: directory, remove } = createSharedDirectory();
const snapshot = join(directory, 'archive');
const dist = join(directory, 'dist');
const ARGS = ['--site', 'https://mirror.example/archive/', '--languages', 'en,es,ja'];
let ids: string[];
let report: BuildReport;
let files: Map<string, Buffer>;
const page = (path: string) => files.get(path)?.toString() ?? '';

beforeAll(async () => {
  ids = writeHostileArchive(snapshot);
  report = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...ARGS]);
  files = readFiles(dist);
});
afterAll(remove);

it('every record has its page in every language, and nothing else fails', () => {
  for (const id of ids)
    for (const prefix of ['', 'es/', 'ja/']) {
      const html = page(`${prefix}objects/${objectFileName(id)}.html`);
      expect(html, id).toMatch(/<h1(?: lang="en")?(?: class="long")?>/);
      expect(html, id).toContain(id);
    }
  for (const id of PLAIN_IDS.slice(1)) expect(page(`objects/${id}.html`)).toContain(`<h1>Title of ${id}</h1>`);
  expect(report.documents).toBe(ids.length + 4 + 3);
});

describe('a record whose page cannot be rendered', () => {
  it.each([
    ['', 'This record could not be displayed.'],
    ['es/', 'No se ha podido mostrar este registro.'],
    ['ja/', 'このレコードを表示できませんでした。'],
  ])('has a page at %j with a notice and a link to its collection', (prefix, notice) => {
    const html = page(`${prefix}objects/${DEEP_ID}.html`);
    for (const part of [notice, '<h1>Too deep to be shown</h1>', DEEP_ID, 'objects/demo-org-1.html"'])
      expect(html).toContain(part);
  });

  it('is in the report, and remains in lists', async () => {
    const failed = report.pageProblems.filter(({ cause }) => cause.startsWith('it could not be rendered'));
    expect(failed.map((problem) => problem.page)).toEqual(['es/', 'ja/', ''].map((prefix) => `${prefix}objects/${DEEP_ID}.html`));
    expect(page('browse/topic/deep.html')).toContain(`${DEEP_ID}.html`);
  });
});

it('reports the records that are shown only in part', () => {
  const cut = report.pageProblems.filter(({ cause }) => cause.startsWith('shown only in part'));
  expect(cut.map(({ cause }) => cause.replace(/^.*: /, '')).sort()).toEqual([
    ...['description', 'description', 'external_urls', 'search_hidden', 'search_hidden', 'title', 'title', 'title'],
  ]);
});

it('an incremental build, and a clean one from another directory, write the same bytes and report the same', async () => {
  const again = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...ARGS]);
  expect([again.written, again.removed, again.pageProblems]).toEqual([0, 0, report.pageProblems]);
  const elsewhere = join(directory, 'elsewhere');
  cpSync(snapshot, join(elsewhere, 'archive'), { recursive: true });
  const args = ['build', '--snapshot', join('elsewhere', 'archive'), '--out', 'clean', '--clean', ...ARGS];
  const { code, stdout, stderr } = await runMicrofiche(args, { cwd: directory });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Problems with single pages (${report.pageProblems.length}); the rest of the site is complete:`);
  expect(stdout).toContain('it could not be rendered: ');
  expect(stdout).toContain('Crawlers do not read https://mirror.example/archive/robots.txt');
  const clean = readFiles(join(directory, 'clean'));
  expect(clean.get(`objects/${SEGMENT_ID}.html`)?.toString()).toContain(SPOKEN_TEXT);
  expect([...clean].filter(([path, bytes]) => !files.get(path)?.equals(bytes)).map(([path]) => path)).toEqual([]);
});

it('verify succeeds, although pages link to the recording of a record that could not be shown', async () => {
  const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
  expect([code, stdout.split('\n').slice(1)]).toEqual([0, ['']]);
});

/** Bytes of a page without the texts of a record. The page not found has the style sheet, which is the largest part. */
const MAX_PAGE = 400_000;

it('the texts of a record are short on all pages except its own and its finding aid', () => {
  const pages = [...files].filter(([path]) => path.endsWith('.html'));
  const large = pages.filter(([, bytes]) => bytes.length > MAX_PAGE).map(([path]) => path);
  const own = /^(?:\w\w\/)?(?:objects\/[^/]+(?:\/contents)?|guide\/[^/]+)\.html$/;
  expect(large.filter((path) => !own.test(path))).toEqual([]);
  for (const [path, bytes] of pages) {
    const title = /<title>([^<]*)<\/title>/.exec(bytes.toString())?.[1] ?? '';
    expect(title.length, path).toBeLessThan(400);
    expect(/<meta property="og:description" content="([^"]*)"/.exec(bytes.toString())?.[1]?.length, path).toBeLessThan(1100);
  }
});

it('no page, feed or index has a control character, a direction override or a noncharacter', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  const illegible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/;
  for (const [path, bytes] of files)
    if (/\.(?:html|xml|webmanifest|json|txt)$/.test(path)) expect(illegible.exec(bytes.toString())?.[0], path).toBeUndefined();
});

it('a browser parses all XML and JSON', async () => {
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    const parseErrorOf = (text: string) =>
      tab.evaluate(
        (xml) => new DOMParser().parseFromString(xml, 'application/xml').querySelector('parsererror')?.textContent,
        text,
      );
    expect(await parseErrorOf('<a>\uffff</a>')).toBeDefined();
    const xml = [...files].filter(([path]) => path.endsWith('.xml'));
    expect(xml.map(([path]) => path)).toEqual(['feed.xml', 'opensearch.xml', 'sitemap-0.xml', 'sitemap-index.xml']);
    for (const [path, bytes] of xml) expect(await parseErrorOf(bytes.toString()), path).toBeUndefined();
  } finally {
    await browser.close();
  }
  expect(JSON.parse(page('app.webmanifest'))).toMatchObject({ lang: 'en' });
  for (const [path, bytes] of files)
    for (const [, json] of bytes.toString().matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
      expect(() => JSON.parse(json ?? ''), path).not.toThrow();
});

it('codes that are names of JavaScript properties have existing placeholders', () => {
  const placeholders = [...files]
    .filter(([path]) => path.endsWith('.html'))
    .flatMap(([, bytes]) => [...bytes.toString().matchAll(/assets\/(no-picture-[^"]*)"/g)].map((match) => match[1] as string));
  for (const name of new Set(placeholders)) expect(files.has(`assets/${name}`), name).toBe(true);
});

it('an empty recording is reported as empty', () => {
  for (const id of EMPTY_IDS) {
    const html = page(`objects/${id}.html`);
    expect(html).toContain('is an empty file, so there is nothing to play.');
    expect(html).not.toMatch(/<video|is not in this copy/);
  }
});

it('sizes are formatted for the page’s language', () => {
  const size = (prefix: string) => /[(（]BIN, ([^)）]*)[)）]/.exec(page(`${prefix}objects/${EMPTY_IDS[0]}.html`))?.[1];
  expect(['', 'es/', 'ja/'].map(size)).toEqual(['0 bytes', '0 bytes', '0 バイト']);
});
