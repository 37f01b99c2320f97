/** A site of records in 36 languages: what is copied from a page is found in both browsers, and texts have their direction. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { BROWSERS, openPage, startBrowser } from '../support/browsers.ts';
import { findAxeViolations, startChromium } from '../support/chromium.ts';
import { createSharedDirectory, LONG, readFiles, runMicroficheJson, startServe } from '../support/commands.ts';
import { INVENTED } from '../support/invented-scripts.ts';

/** Records that say the same in two languages, in the forms that archives use. */
const IN_TWO_LANGUAGES = [
  { id: 'demo-org-1-94', title_ja: '凧揚げの日' },
  {
    id: 'demo-org-1-95',
    title: 'رسالة \u2067من Harbor Commission Haifa Office!',
    creators: [{ namepart: 'محمود درويش', role: 'author' }],
    location: 'شارع البحر، القاهرة.',
    topics: [{ id: '7', term: 'الصيد!' }],
  },
  {
    id: 'demo-org-1-91',
    title: 'Minutes of the quilting circle',
    title_ja: '刺し子の会 記録帳',
    description_ja: '冬の夜の集まり。',
    description: 'Evenings in winter.',
  },
  {
    id: 'demo-org-1-92',
    title: { en: 'Boat builders', ar: 'بُناة القوارب' },
    description: { ar: 'ورشة قرب المرفأ.', en: 'A workshop near the harbor.' },
  },
  {
    id: 'demo-org-1-93',
    title: 'Kite day',
    description: 'The children fly kites above the harbor.\n\n子どもたちが港の上で凧を揚げる。',
  },
];

const RIGHT_TO_LEFT = new Set(['ara', 'per', 'urd', 'heb', 'yid', 'syr']);
const idOf = (n: number) => `demo-org-1-${n + 1}`;
const { path: directory, remove } = createSharedDirectory();
const dist = join(directory, 'dist');
let report: BuildReport;

beforeAll(async () => {
  const archive = join(directory, 'archive');
  mkdirSync(join(archive, 'objects'), { recursive: true });
  const manifest = {
    name: 'Demo',
    note: '',
    authors_url: 'https://guide.demo.example',
    catalog_url: 'https://catalog.demo.example',
    made_at: '2026-11-21T00:00:00Z',
  };
  writeFileSync(join(archive, 'archive.json'), JSON.stringify(manifest));
  writeFileSync(join(archive, 'authors.json'), '[]');
  const records = [
    { id: 'demo', model: 'repository', title: 'Demo Archive' },
    { id: 'demo-org', model: 'organization', title: 'Demo' },
    { id: 'demo-org-1', model: 'collection', title: 'Harbor' },
    ...INVENTED.map(([language, title, description], n) => ({
      ...{ id: idOf(n), model: 'entity', title, description, language: [language] },
    })),
    ...IN_TWO_LANGUAGES.map((record) => ({ model: 'entity', ...record })),
  ];
  for (const record of records) writeFileSync(join(archive, 'objects', `${record.id}.json`), JSON.stringify(record));
  writeSampleSnapshot(archive);
  report = await runMicroficheJson(['build', '--snapshot', archive, '--out', dist, '--languages', 'en,ar,ja']);
});
afterAll(remove);

it('builds without a problem', () => {
  expect(report.problems).toEqual([]);
});

it('shows every title in another script with its language and its direction', () => {
  const pages = readFiles(dist);
  INVENTED.forEach(([language, title], n) => {
    // A short title in Latin letters may be in any language.
    if (/\p{Script=Latin}/u.test(title)) return;
    const [heading = ''] = /<h1[^>]*>/.exec(String(pages.get(`objects/${idOf(n)}.html`))) ?? [];
    const [, direction] = / dir="(\w+)"/.exec(heading) ?? [];
    expect([language, heading, direction === 'rtl']).toEqual([
      language,
      expect.stringContaining(' lang="'),
      RIGHT_TO_LEFT.has(language),
    ]);
  });
});

it('isolates texts that are written from right to left in titles and citations, but not those of reference managers', () => {
  const page = String(readFiles(dist).get('objects/demo-org-1-95.html'));
  expect(page).toContain('<title>&#8296;رسالة من Harbor Commission Haifa Office!&#8297; · ');
  expect(page).toContain('<h1 lang="und" dir="auto">رسالة من Harbor');
  expect(page).toContain('<bdi>درويش</bdi>, <bdi>محمود</bdi>. “<bdi>رسالة من Harbor Commission Haifa Office</bdi>!”');
  expect(/data-style="BibTeX".*?<\/div>/s.exec(page)?.[0]).toMatch(/درويش, محمود(?!.*<bdi>)/s);
  expect(page).not.toMatch(/[\u2066-\u2069]/);
});

it('shows titles and descriptions in both of their languages, that of the page first', () => {
  const pages = readFiles(dist);
  const headOf = (path: string) => /<h1.*?<\/header>/s.exec(String(pages.get(path)))?.[0] ?? '';
  const descriptionOf = (path: string) =>
    /<div class="prose description.*?<\/div>\s*<(?!div)/s.exec(String(pages.get(path)))?.[0] ?? '';
  expect(headOf('objects/demo-org-1-91.html')).toMatch(
    /^<h1>Minutes of the quilting circle<.*<p class="other-title" lang="ja">刺し子の会/s,
  );
  expect(headOf('ja/objects/demo-org-1-91.html')).toMatch(/^<h1>刺し子の会 記録帳<.*<p class="other-title" lang="en">Minutes/s);
  expect(descriptionOf('ja/objects/demo-org-1-91.html')).toMatch(/<div lang="ja">冬の夜.*Evenings/s);
  expect(headOf('objects/demo-org-1-92.html')).toMatch(/^<h1>Boat builders<.*<p class="other-title" lang="ar" dir="rtl">/s);
  expect(headOf('ar/objects/demo-org-1-92.html')).toMatch(/^<h1>بُناة/);
  expect(descriptionOf('objects/demo-org-1-92.html')).toMatch(/A workshop.*<div lang="ar" dir="rtl">ورشة/s);
  expect(descriptionOf('objects/demo-org-1-93.html')).toContain('<p lang="ja">子どもたち');
  expect(headOf('objects/demo-org-1-94.html')).toMatch(/^<h1 lang="ja">凧揚げの日<(?!.*other-title)/s);
  expect(String(pages.get('objects/demo-org-1-91.html'))).not.toContain('title_ja</');
});

it('has the title in the language of the page everywhere else, too', () => {
  const pages = readFiles(dist);
  const pageOf = (path: string) => String(pages.get(path));
  expect(pageOf('ja/objects/demo-org-1-91.html')).toMatch(/<title>[^<]*刺し子の会 記録帳/);
  expect(pageOf('ar/objects/demo-org-1-92.html')).toMatch(/<title>[^<]*بُناة القوارب/);
  expect(pageOf('objects/demo-org-1-91.html')).toMatch(/<title>[^<]*Minutes of the quilting circle/);
  const trail = (path: string) => /<nav class="breadcrumbs".*?<\/nav>/s.exec(pageOf(path))?.[0] ?? '';
  expect(trail('ja/objects/demo-org-1-91.html')).toMatch(/>刺し子の会 記録帳</);
  const cards = (prefix: string) =>
    [...pages].flatMap(([path, page]) =>
      path.startsWith(`${prefix}objects/demo-org-1.`) || path.startsWith(`${prefix}objects/demo-org-1--`)
        ? (String(page).match(/<span class="card-title"[^<]*</g) ?? [])
        : [],
    );
  expect(cards('ja/').filter((card) => /刺し子|Minutes/.test(card))).toEqual(['<span class="card-title">刺し子の会 記録帳<']);
  expect(cards('ar/').filter((card) => /بُناة|Boat/.test(card))).toEqual(['<span class="card-title">بُناة القوارب<']);
  expect(cards('').filter((card) => /刺し子|Minutes/.test(card))).toEqual([
    '<span class="card-title">Minutes of the quilting circle<',
  ]);
});

/** Returns the IDs of the records that the site at `top` finds. */
async function searchSite(page: Page, top: string, typed: string): Promise<string[]> {
  await page.goto(`${top}/search.html?q=${encodeURIComponent(typed)}`);
  await page.waitForFunction(
    () => document.querySelector('#results')?.ariaBusy === 'false' && document.querySelector('#count')?.textContent !== '',
  );
  return page.$$eval('#results li', (items) =>
    items.map(
      (item) =>
        item
          .querySelector('a')
          ?.getAttribute('href')
          ?.replace(/^.*\/|\.html.*$/g, '') ?? '',
    ),
  );
}

describe.each(BROWSERS)('on file:// in %s', (name) => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  const top = pathToFileURL(dist).href;
  beforeAll(async () => {
    browser = await startBrowser(name);
    ({ page, problems } = await openPage(browser, top));
  });
  afterAll(() => browser.close());

  it('shows results under the title in the language of the page', async () => {
    for (const [prefix, title] of [
      ['ja/', '刺し子の会 記録帳'],
      ['', 'Minutes of the quilting circle'],
    ]) {
      await page.goto(`${top}/${prefix}search.html?q=quilting`);
      await page.waitForSelector('#results h2 a');
      const [first] = await page.$$eval('#results h2 a', (links) => links.map((link) => [link.textContent, link.lang || '']));
      expect(first).toEqual([title, '']);
    }
  });

  const search = (typed: string) => searchSite(page, top, typed);

  it('finds each record by its words, and by other ways to type them', async () => {
    const missed: string[] = [];
    for (const [n, [, title, description, ...typed]] of INVENTED.entries())
      for (const query of name === 'chrome' || LONG ? [title, description, ...typed] : typed) {
        const found = await search(query);
        if (!found.slice(0, 3).includes(idOf(n))) missed.push(`${idOf(n)} ${query}: ${found.slice(0, 4).join(' ')}`);
      }
    expect(missed).toEqual([]);
    expect(await search('刺し子の会 記録帳')).toEqual(['demo-org-1-91']);
    expect((await search('ورشة قرب المرفأ'))[0]).toBe('demo-org-1-92');
    expect(problems).toEqual([]);
  });
});

it('finds records in scripts of each kind over HTTP too', async () => {
  const server = await startServe(['--snapshot', join(directory, 'archive'), '--dir', dist]);
  const browser = await startBrowser('chrome');
  try {
    const { page, problems } = await openPage(browser, server.url);
    const found = INVENTED.map(([language, , , ...typed], n) => ({ language, id: idOf(n), typed: typed[0] ?? '' }));
    const languages = new Set(['ara', 'heb', 'hin', 'tha', 'tib', 'kor', 'jpn', 'chi', 'gre', 'vie']);
    for (const { language, id, typed } of found.filter((each) => languages.has(each.language)))
      expect([language, await searchSite(page, server.url, typed)]).toEqual([language, expect.arrayContaining([id])]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    await server.stop();
  }
});

it('finds what a reader copies from a page', async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    for (const [n, [language]] of INVENTED.entries()) {
      await page.goto(pathToFileURL(join(dist, `objects/${idOf(n)}.html`)).href);
      const copied = await page.evaluate(() => {
        getSelection()?.selectAllChildren(document.querySelector('h1') as Element);
        return String(getSelection());
      });
      await page.goto(`${pathToFileURL(join(dist, 'search.html')).href}?q=${encodeURIComponent(copied)}`);
      await page.locator('#results li a').first().waitFor();
      expect([language, await page.locator('#results li a').first().getAttribute('href')]).toEqual([
        language,
        expect.stringContaining(`objects/${idOf(n)}.html`),
      ]);
    }
  } finally {
    await browser.close();
  }
});

it('draws the full stop of a value at its end, and the value at the side of the page', async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    for (const path of ['objects/demo-org-1-95.html', 'ar/objects/demo-org-1-95.html', 'browse/topic/index.html']) {
      await page.goto(pathToFileURL(join(dist, path)).href);
      const values = page.locator(
        path.startsWith('browse') ? 'main .tree a' : '.summary-rows :is([data-field="location"] dd, [data-field="topics"] a)',
      );
      const places = await values.evaluateAll((all) =>
        all.map((value) => {
          const text = value.firstChild as Text;
          const range = document.createRange();
          range.setStart(text, text.length - 1);
          range.setEnd(text, text.length);
          const stop = range.getBoundingClientRect();
          range.setStart(text, 0);
          return stop.left === range.getBoundingClientRect().left;
        }),
      );
      expect([path, new Set(places)]).toEqual([path, new Set([true])]);
    }
    await page.goto(pathToFileURL(join(dist, 'browse/topic/index.html')).href);
    const [name, count] = await Promise.all(
      ['a', '.count'].map((part) => page.locator(`main .tree ${part}`).first().boundingBox()),
    );
    expect(count?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0) - 1);
  } finally {
    await browser.close();
  }
});

it('has pages without axe violations, and no wider than a phone', async () => {
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    for (const path of ['', 'ar/', 'ja/'].flatMap((prefix) => [
      `${prefix}index.html`,
      ...[0, 8, 18, 22, 35].map((n) => `${prefix}objects/${idOf(n)}.html`),
    ])) {
      await page.goto(pathToFileURL(join(dist, path)).href);
      expect([path, await findAxeViolations(page)]).toEqual([path, []]);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390]);
    }
  } finally {
    await browser.close();
  }
});
