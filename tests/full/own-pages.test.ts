/** The archive's own pages and exhibits: Markdown with records set in by ID, through the command line and in a browser. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { changeSnapshot, rewriteBody } from '../support/change-snapshot.ts';
import { findAxeViolations, isLateTransition, startChromium } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  LONG,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  startServe,
} from '../support/commands.ts';
import { readPacks } from '../support/packs.ts';
import { createCache } from '../support/shared-sites.ts';

const VISIT = `---
title: Visit the archive
description: Opening hours of the reading desk.
menu: Visit
order: 1
---
# Visit the archive

Open from 10:00 to 16:30. See the [harbor](../exhibits/harbor.md#the-ferry), a [photograph](../objects/lica-quay-1-1.html), and
[another site](https://elsewhere.example/). <b onclick="alert(1)">Ring twice</b><script>alert(1)</script>, quicksilverword.

![The customs house](images/house.png "Drawn by a visitor")
`;
const HARBOR = `---
title: A harbor at work
description: Letters and voices from the quay.
date: 2026-05-01
image: lica-quay-1-1
---
Nets were dried here.[^1]

::image[The **quay** in the morning]{id=lica-quay-1-1}

> Everyone knew the bell.

## The ferry

::player[The first winter]{id=lica-ferry-1-1-1 at=0:01}

::document[A letter]{id=lica-quay-2-1 page=2}

::grid{ids="lica-quay-1-2 lica-quay-1-3"}

Back to [the ferry](#the-ferry), or to [its crew](#the-crew).

[^1]: As the guide says.
`;
const OVERVIEW = `---
title: All of it
draft: false
---
::map[Places]

::timeline[Years]{collection=lica-quay-1}

::grid{collection=lica-quay-1 genre=photograph q=fer limit=2}

::grid{language=English limit=3}
`;
const TEXTS: Readonly<Record<string, string>> = {
  'pages/visit.md': VISIT,
  'pages/visit.es.md': '---\ntitle: Visitar el archivo\nmenu: Visita\n---\nLa sala abre los martes, palabraazogue.\n',
  'pages/day.md': '---\ntitle: 2024-05-01\ndescription: 2024-05-02\n---\nA title that is a date.\n',
  'pages/later.md': '---\ntitle: Not yet\ndraft: true\n---\n::image{id=lica-nothing-1}\n',
  'exhibits/harbor.md': HARBOR,
  'exhibits/overview.md': OVERVIEW,
};

function writeTexts(cwd: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(cwd, 'content', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The head of a HEIC image of 640 × 480 pixels, as phones save photographs: sharp reads it, and no browser but one shows it. */
const HEIC = Buffer.from(
  'AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAAA1G1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBpdG0AAAAAAA' +
    'EAAAAeaWxvYwAAAABEAAABAAEAAAABAAAA9AAAAAQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAFhpcHJwAAAAO2lwY28A' +
    'AAAfaHZjQwEDcAAAAAAAAAAAAFrwAPz9+PgAAA8AAAAAFGlzcGUAAAAAAAACgAAAAeAAAAAVaXBtYQAAAAAAAAABAAECgQIAAAAMbWRhdAAAAAA=',
  'base64',
);

const shared = createSharedDirectory();
const at = (name: string) => join(shared.path, name);
const [cwd, snapshot, site] = [shared.path, at('snapshot'), at('site')];
const env = { MICROFICHE_CACHE: at('cache') };
const LANGUAGES = ['--languages', 'en,es'];
const build = (out: string, ...options: string[]) =>
  runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...options], { cwd, env });
let report: BuildReport;
const page = (path: string, directory = site) => readFileSync(join(directory, path), 'utf8');
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

beforeAll(async () => {
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  createCache(env.MICROFICHE_CACHE);
  writeTexts(cwd, TEXTS);
  mkdirSync(at('content/pages/images'));
  await sharp({ create: { width: 60, height: 40, channels: 3, background: '#369' } })
    .png()
    .toFile(at('content/pages/images/house.png'));
  report = await build(site, ...LANGUAGES, '--site', 'https://mirror.example/');
  return shared.remove;
});

describe('a built site', () => {
  it('has every page, and no draft', () => {
    const paths = [...readFiles(site).keys()];
    for (const path of ['pages/visit.html', 'exhibits/index.html', 'exhibits/harbor.html', 'es/exhibits/overview.html'])
      expect(paths).toContain(path);
    expect(paths.filter((path) => path.includes('later'))).toEqual([]);
  });

  it('sets records into the text, with a link to the record and its rights', () => {
    const main = mainOf(page('exhibits/harbor.html'));
    const figures = main.split('<figure').slice(1);
    expect(figures).toHaveLength(3);
    expect(figures[0]).toMatch(/<a class="zoom".*<strong>quay<\/strong>.*href="\.\.\/objects\/lica-quay-1-1\.html".*Rights: /s);
    expect(figures[1]).toMatch(/<video class="player".*\.mp4#t=1".*href="\.\.\/objects\/lica-ferry-1-1-1\.html#t=1"/s);
    expect(figures[2]).toMatch(/href="\.\.\/objects\/lica-quay-2-1\.html#page-2".*Page 2 of 3/s);
    expect(main.match(/<li class="card"/g)).toHaveLength(2);
    expect(main).toContain('<blockquote>');
    expect(main).toMatch(/<h2 id="text-footnote-label">Notes<\/h2>/);
  });

  it('evaluates maps, timelines and queries', () => {
    const main = mainOf(page('exhibits/overview.html'));
    expect(main).toContain('<figure class="map"');
    expect(main).toContain('<nav class="decades"');
    const cards = [...main.matchAll(/objects\/(lica-quay-1-\d+)\.html"[^>]*> ?<span class="card-picture[^"]*"/g)].map(
      ([, id]) => id,
    );
    expect(cards).toHaveLength(2);
    for (const id of cards) expect(page(`objects/${id}.html`)).toMatch(/<h1[^>]*>[^<]*fer/i);
  });

  it('sanitizes HTML, resolves links, and copies images', () => {
    const main = mainOf(page('pages/visit.html'));
    expect(main).not.toMatch(/onclick|<script/);
    expect(main).toContain('<b>Ring twice</b>');
    expect(main).toContain('10:00 to 16:30');
    expect(main).toContain('href="../exhibits/harbor.html#text-the-ferry"');
    expect(main.match(/<h1/g)).toHaveLength(1);
    const [, path = ''] =
      /src="\.\.\/(pages\/images\/[0-9a-f]{16}\.png)" width="60" height="40" alt="The customs house"/.exec(main) ?? [];
    expect(readFileSync(join(site, path))).toEqual(readFileSync(at('content/pages/images/house.png')));
    expect(mainOf(page('es/exhibits/harbor.html'))).toContain('src="../../media/');
  });

  it('reports a link to a heading that the page does not have', () => {
    const dead = report.pageProblems.filter(({ cause }) => cause.startsWith('its link '));
    const cause = 'its link "#the-crew" is to no heading of the page; it is text';
    expect(dead).toEqual(['es/', ''].map((prefix) => ({ page: `${prefix}exhibits/harbor.html`, cause })));
    expect(page('exhibits/harbor.html')).toContain('Back to <a href="#text-the-ferry">the ferry</a>, or to <a>its crew</a>.');
  });

  it('is in the language of the reader, or marked as being in another one', () => {
    expect(page('es/pages/visit.html')).toContain('<h1>Visitar el archivo</h1>');
    const harbor = mainOf(page('es/exhibits/harbor.html'));
    expect(harbor).toContain('<h1 lang="en">A harbor at work</h1>');
    expect(harbor).toContain('Este texto solo está disponible en inglés.');
    // A query of the English text has an English label.
    const lists = ['', 'es/'].map((prefix) => mainOf(page(`${prefix}exhibits/overview.html`)).match(/<ul class="cards/g)?.length);
    expect(lists).toEqual([2, 2]);
  });

  it('is in the menu, sitemap, feed and the home page', () => {
    for (const [path, label] of [
      ['about.html', 'Visit'],
      ['es/about.html', 'Visita'],
    ] as const)
      expect(/<header.*<\/header>/s.exec(page(path))?.[0]).toMatch(new RegExp(`pages/visit\\.html"[^>]*>${label}</a>`));
    expect(page('about.html')).toContain('href="exhibits/index.html"');
    expect(page('index.html')).toMatch(/<ul class="exhibits">.*href="exhibits\/harbor\.html".*Letters and voices/s);
    expect(page('sitemap-0.xml')).toContain('<loc>https://mirror.example/es/exhibits/harbor.html</loc>');
    expect(page('feed.xml')).toMatch(
      /<title>A harbor at work<\/title>\s*<link href="https:\/\/mirror\.example\/exhibits\/harbor\.html"/,
    );
  });

  it('is found by search, in each of its languages, and has no accessibility violations', async () => {
    const [server, browser] = [await startServe(['--snapshot', snapshot, '--dir', site]), await startChromium()];
    try {
      const tab = await browser.newPage();
      const errors: string[] = [];
      tab.on('pageerror', (error) => isLateTransition(error) || errors.push(error.message));
      for (const word of ['quicksilverword', 'palabraazogue']) {
        await tab.goto(`${server.url}/search.html?q=${word}`);
        const result = tab.locator('main a[href*="pages/visit.html"]').first();
        await result.waitFor();
        expect(await tab.locator('main').textContent()).toContain('Page');
      }
      for (const path of ['pages/visit.html', 'exhibits/harbor.html', 'exhibits/overview.html', 'exhibits/index.html']) {
        await tab.goto(`${server.url}/${path}`, { waitUntil: 'load' });
        expect(await findAxeViolations(tab), path).toEqual([]);
        await tab.emulateMedia({ colorScheme: 'dark' });
        expect(await findAxeViolations(tab, { runOnly: { type: 'rule', values: ['color-contrast'] } }), path).toEqual([]);
        await tab.emulateMedia({ colorScheme: 'light' });
      }
      await tab.goto(`${server.url}/exhibits/harbor.html`);
      await tab.locator('a.zoom').first().click();
      await tab.locator('dialog.zoom-dialog[open]').waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await server.stop();
    }
  });

  it('passes verify as a compact site for a kiosk', async () => {
    const out = at('kiosk');
    await build(out, '--compact', '--kiosk');
    const { code, stdout } = await runMicrofiche(['verify', '--dir', out], { cwd, env });
    expect(stdout).toContain('0 broken links');
    expect(code).toBe(0);
    const packed = [...readPacks(join(out, 'pages'))].find(({ name }) => name === 'pages/visit.html');
    const html = packed ? Buffer.from(packed.data).toString() : page('pages/visit.html', out);
    expect(html).toContain('quicksilverword');
    expect(html).not.toContain('href="https://elsewhere.example');
  });

  it('is in packages', async () => {
    const to = at('site.wacz');
    await runMicroficheJson(['export', 'wacz', '--dir', site, '--site', 'https://mirror.example/', '--to', to], { cwd, env });
    const pages = execFileSync('unzip', ['-p', to, 'pages/pages.jsonl'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    for (const path of ['exhibits/harbor.html', 'es/pages/visit.html'])
      expect(pages).toContain(`"https://mirror.example/${path}"`);
  });

  it('passes verify', async () => {
    expect(await runMicrofiche(['verify', '--dir', site], { cwd, env })).toMatchObject({ code: 0 });
  });

  it.runIf(LONG)('is the same from merged shards', async () => {
    for (const shard of ['0', '1'])
      await build(at(`shard${shard}`), ...LANGUAGES, '--shard', `${shard}/2`, '--site', 'https://mirror.example/');
    await runMicroficheJson(['merge', '--out', at('merged'), at('shard0'), at('shard1')], { cwd, env });
    expect(differing(at('merged'), site)).toEqual([]);
  });
});

function differing(one: string, other: string): string[] {
  const [a, b] = [readFiles(one), readFiles(other)];
  const paths = new Set([...a.keys(), ...b.keys()]);
  return [...paths].filter((path) => !a.get(path)?.equals(b.get(path) ?? Buffer.from('none')));
}

describe('a rebuild', () => {
  const out = at('again');
  beforeAll(() => build(out));

  const changeText = (path: string, change: (text: string) => string) =>
    writeFileSync(at(`content/${path}`), change(readFileSync(at(`content/${path}`), 'utf8')));
  it('renders few pages after texts changed and a record that an exhibit shows', async () => {
    const rendered = async (change: () => void) => {
      change();
      return (await build(out)).rebuilt.pages;
    };
    const harbor = 'exhibits/harbor.md';
    expect(await rendered(() => changeText(harbor, (text) => text.replace('dried', 'dried and sold')))).toBe(1);
    // The page, the list of exhibits, and the home page.
    expect(await rendered(() => changeText(harbor, (text) => text.replace('Letters and', 'Our')))).toBe(3);
    const [before, after] = [at('content/exhibits/overview.md'), at('content/exhibits/everything.md')];
    expect(await rendered(() => renameSync(before, after))).toBe(3);
    changeSnapshot(snapshot, (db) => rewriteBody(db, 'object:lica-quay-1-1', (body) => ({ ...body, title: 'Nets in the wind' })));
    await build(out);
    expect(mainOf(page('exhibits/harbor.html', out))).toContain('Nets in the wind');
  });

  it('renders all pages when the menu changes, and leaves nothing of a deleted page', async () => {
    changeText('pages/visit.md', (text) => text.replace('menu: Visit', 'menu: Find us'));
    const { rebuilt, pages } = await build(out);
    expect(rebuilt.pages).toBe(pages);
    rmSync(at('content/pages'), { recursive: true });
    rmSync(at('content/exhibits'), { recursive: true });
    await build(out);
    expect([...readFiles(out).values()].some((bytes) => bytes.includes('quicksilverword'))).toBe(false);
  });
});

describe('a mistake', () => {
  const withFront = (text: string) => ({ 'exhibits/one.md': `---\ntitle: One\n---\n${text}` });
  const mistakes: Array<[text: Readonly<Record<string, string>>, message: string]> = [
    [
      withFront('Text.\n\n::image{id=lica-nothing-9}'),
      'content/exhibits/one.md, line 6: the record "lica-nothing-9" is not in this site.',
    ],
    [withFront('::images{id=lica-quay-1-1}'), 'line 4: the directive "images" does not exist. Did you mean "image"?'],
    [withFront('::image{ids=lica-quay-1-1}'), 'line 4: ::image has no attribute "ids". Did you mean "id"?'],
    [withFront('::image'), 'line 4: ::image needs the ID of a record, as in ::image{id=demo-org-1-2}.'],
    [withFront('::image{id="not an id"}'), 'line 4: "id" must have IDs of records such as demo-org-1-2, not "not an id".'],
    [withFront('::player{id=lica-ferry-1-1-1 at=9:00}'), 'so that it cannot begin at 9:00.'],
    [withFront('::player{id=lica-ferry-1-1-1 at=soon}'), 'line 4: "at" must be a moment such as 0:35 or 1:02:03, not "soon".'],
    [
      withFront('::document{id=lica-quay-2-1 page=44}'),
      'line 4: the document lica-quay-2-1 has 3 pages, so page 44 does not exist.',
    ],
    [withFront('::map{collection=lica-quay}'), 'line 4: "lica-quay" is not a collection.'],
    [withFront('::grid{topic=nothing-at-all}'), 'line 4: no record in this site has the topic "nothing-at-all".'],
    [withFront('::grid{q=zzzz}'), 'line 4: this query finds no records.'],
    [withFront('::grid{ids=" , "}'), 'line 4: "ids" has no ID of a record: write some, as in'],
    [withFront('::grid{}'), 'line 4: ::grid needs "ids", or a query such as'],
    [withFront('::grid{ids=lica-quay-1-1 q=x}'), 'line 4: ::grid has either "ids" or a query: leave out "q".'],
    [withFront('::grid{q=a limit=1000}'), 'line 4: "limit" must be a number from 1 to 60, not "1000".'],
    [withFront('- ::map'), 'line 4: ::map must be between paragraphs, not in a list, quotation or table.'],
    [withFront('Text\n::image {id=lica-quay-1-1}'), 'line 5: "::image {id=lica-quay-1-1}" cannot be read as a directive.'],
    [withFront('::grid{q="}"}'), 'cannot be read as a directive.'],
    [
      withFront('See ::image{id=lica-quay-1-1} here.'),
      'line 4: "See ::image{id=lica-quay-1-1} here." cannot be read as a directive.',
    ],
    [withFront(':image[The quay]{id=lica-quay-1-1}'), 'line 4: ":image" must have two colons, in a paragraph of its own'],
    [withFront(':::note\nText\n:::'), 'line 4: the directive ":::note" does not exist.'],
    [
      withFront('[A](../objects/lica-nothing-9.html)'),
      'line 4: the link "../objects/lica-nothing-9.html" is to objects/lica-nothing-9.html, which is not a page',
    ],
    [withFront('[A](two.md)'), 'line 4: the link "two.md" is to exhibits/two.html, which is not a page of this site.'],
    [withFront('[A](/about.html)'), 'line 4: the link "/about.html" must be relative'],
    [withFront('![A](none.jpg)'), 'line 4: the image none.jpg does not exist. Paths are relative to the directory of the text.'],
    [
      withFront('![A](../../../secret.jpg)'),
      'line 4: the image ../../../secret.jpg is not a file of the own pages: it must be below pages or exhibits, and not hidden.',
    ],
    [withFront('![A](phone.heic)'), 'line 4: the image phone.heic is in HEIC. Save it as JPEG.'],
    [withFront('Text with ![A](none.jpg)'), 'line 4: an image must be a paragraph of its own'],
    [{ 'pages/one.md': 'No front matter.' }, 'content/pages/one.md, line 1: the title is missing'],
    [{ 'pages/one.md': '---\ntitle: One\norder: first\n---\n' }, 'content/pages/one.md, line 3: "order" must be a number.'],
    [
      { 'pages/one.md': '---\ntitle: One\nauthor: Me\n---\n' },
      'line 3: the field "author" does not exist in front matter. The fields are title,',
    ],
    [{ 'pages/one.md': '---\ntitle: One\ndate: May\n---\n' }, 'line 3: "date" must be a date such as 2026-05-01.'],
    [{ 'pages/one.md': '---\ntitle: "One\n---\n' }, 'front matter is not valid YAML'],
    [{ 'pages/one.md': '---\ntitle: *Ships*\n---\n' }, 'line 2: front matter is not valid YAML: Unresolved alias'],
    [
      { 'pages/one.md': '---\ntitle: !Viva la huelga\n---\n' },
      'line 2: text that begins with "!Viva" must be in quotation marks.',
    ],
    [
      { 'pages/one.md': '---\ntitle: Ferry: the last boat\n---\n' },
      'line 2: text with a colon and a space must be in quotation marks, as in title: "Ferry: the last boat".',
    ],
    [{ 'pages/one.md': '---\ntitle: @quay\n---\n' }, 'line 2: text that begins with "@quay" must be in quotation marks.'],
    [{ 'pages/one.md': '---\ntitle: One\ntitle: Two\n---\n' }, 'line 3: the field "title" is there twice. Delete one of them.'],
    [{ 'pages/one.md': '---\ntitle:\n---\n' }, 'line 2: "title" is empty: write a text.'],
    [{ 'pages/one.md': '---\ntitle: [One]\n---\n' }, 'line 2: "title" must be text of at most 200 characters, not a list.'],
    [
      { 'pages/one.md': '---\ntitle: One\nmenu: no\n---\n' },
      'line 3: "menu" must be true, false, or a label of at most 40 characters.',
    ],
    [
      { 'pages/one.md': '---\ntitle: 1942\n---\n' },
      'line 2: "title" must be text of at most 200 characters. Put numbers in quotation marks',
    ],
    [{ 'pages/one.markdown': '---\ntitle: One\n---\n' }, 'content/pages/one.markdown, line 1: the name must end in .md.'],
    [{ 'pages/one.md': '---\n- One\n---\n' }, 'front matter must have fields, as in "title: The quay".'],
    [
      { 'exhibits/one.md': '---\ntitle: One\nimage: lica-nothing-9\n---\n' },
      '"image": the record "lica-nothing-9" is not in this site.',
    ],
    [{ 'pages/One Page.md': '---\ntitle: One\n---\n' }, 'the name must have only a to z, 0 to 9 and hyphens'],
    [{ 'pages/one.tlh.md': '---\ntitle: One\n---\n' }, 'the name has "tlh", which is not a language: en, es, ja, fr, ar.'],
    [{ 'pages/one.md': '---\ntitle: One\n---\n', 'pages/one.en.md': '---\ntitle: One\n---\n' }, 'is the same page in "en".'],
  ];
  /** Returns the lines that name mistakes. Builds all texts until each is named: a build stops at the first step with some. */
  async function nameMistakes(): Promise<string[]> {
    const directory = at('mistakes');
    const waiting = new Map<string, number>();
    mkdirSync(join(directory, 'content/exhibits'), { recursive: true });
    writeFileSync(join(directory, 'content/exhibits/phone.heic'), HEIC);
    for (const [n, [texts]] of mistakes.entries())
      for (const [path, text] of Object.entries(texts)) {
        const own = path.replace(/one(?: page)?/i, (name) => `${name}-${n}`);
        writeTexts(directory, { [own]: text });
        waiting.set(own, n);
      }
    const named: string[] = [];
    while (waiting.size > 0) {
      const { code, stderr } = await buildIn(directory);
      expect([code, readFiles(join(directory, 'dist')).size]).toEqual([1, 0]);
      const [heading, ...lines] = stderr.trim().split('\n');
      expect(heading).toMatch(/The own pages have \d+ problems:$/);
      named.push(...lines);
      for (const [path, n] of waiting)
        if (lines.some((line) => isAbout(line, n))) {
          rmSync(join(directory, 'content', path));
          waiting.delete(path);
        }
      expect(lines).not.toEqual([]);
    }
    return named;
  }
  const buildIn = (directory: string) =>
    runMicrofiche(['build', '--snapshot', inject('mirror').snapshot, '--out', 'dist', '--no-search'], { cwd: directory, env });
  const isAbout = (line: string, n: number) => new RegExp(`[Oo]ne(?: Page)?-${n}[.]`).test(line.split(', line ')[0] ?? '');
  let named: string[];
  beforeAll(async () => {
    named = await nameMistakes();
  });

  it.each(mistakes.map(([texts, message], n) => [n, message, texts] as const))(
    'is reported in one sentence, with file and line: %i %s',
    (n, message) => {
      const lines = named.filter((line) => isAbout(line, n)).map((line) => line.replace(`-${n}`, ''));
      expect(lines).toEqual([expect.stringContaining(message)]);
    },
  );

  it('that is the only one is reported alone', async () => {
    const directory = createTestDirectory();
    writeTexts(directory, withFront('::image{id=lica-nothing-9}'));
    const { code, stderr } = await buildIn(directory);
    expect([code, stderr]).toEqual([
      1,
      'microfiche: content/exhibits/one.md, line 4: the record "lica-nothing-9" is not in this site.\n',
    ]);
  });

  it('is a withheld or private record, which is not there', async () => {
    const directory = createTestDirectory();
    writeTexts(directory, withFront('::image{id=lica-quay-1-1}'));
    writeFileSync(
      join(directory, 'microfiche.config.json'),
      JSON.stringify({ withhold: [{ id: 'lica-quay-1-1', reason: 'rights', date: '2026-01-01' }] }),
    );
    const { code, stderr } = await runMicrofiche(['build', '--snapshot', inject('mirror').snapshot, '--out', 'dist'], {
      cwd: directory,
      env,
    });
    expect(stderr).toContain('line 4: the record "lica-quay-1-1" is not in this site.');
    expect(code).toBe(1);
  });
});
