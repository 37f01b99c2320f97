/** The mirror as it opens by double click: from file://, in Chromium and in Firefox, and with the same answers as over HTTP. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { build as bundle } from 'vite';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { generateSnapshot } from '../scripts/bench/generate.ts';
import type { Query } from '../src/client/engine.ts';
import { type Counts, FACETS } from '../src/client/facet-table.ts';
import { searchable } from '../src/client/words.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { startChromium } from './browser.ts';
import { BROWSERS, type BrowserName, openPage, start } from './browsers.ts';
import { filesBelow, microfiche, microficheJson, ROOT, serve, temporary, temporaryFolder } from './support.ts';

const folderOf = (dist: string) => `${pathToFileURL(dist).href}/`;

async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click(selector)]);
}

const count = (page: Page) => page.$eval('#count', (element) => element.textContent ?? '');
const settled = (page: Page) => page.waitForSelector('#results[aria-busy="false"] li');
const titles = (page: Page) => page.$$eval('.results h2', (all) => all.map((one) => one.textContent ?? ''));

describe.each(BROWSERS)('in %s', (name) => {
  it('home → browse → object → close up → video → search → facet → result → back', async () => {
    await walk(name, inject('mirror').dist, (path) => path);
  });

  it('the same where pages and thumbnails stand in packs', async () => {
    const out = join(temporary(), 'dist');
    await microficheJson<BuildReport>([
      'build',
      '--snapshot',
      inject('mirror').snapshot,
      '--out',
      out,
      '--compact',
      '--languages',
      'en,es',
    ]);
    await walk(name, out, (path) => `page.html?${path}`);
    const { code, stdout } = await microfiche(['verify', '--dir', out]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Site: 1\d\d\d pages, \d+ links: 0 broken links, 0 network/)]);
  });
});

/** A reader's way through the mirror; `at` says where a page is that is no beginning. */
async function walk(name: BrowserName, dist: string, at: (path: string) => string): Promise<void> {
  const folder = folderOf(dist);
  const browser = await start(name);
  try {
    const { page, complaints } = await openPage(browser, folder);
    await page.goto(`${folder}index.html`);
    await follow(page, 'a[href="browse/index.html"]');
    await follow(page, 'a[href="../browse/place/index.html"]');
    await page.waitForSelector('.map .land');
    await follow(page, '.columns a');
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.card img')?.naturalWidth ?? 0) > 1);
    await page.goto(`${folder}browse/time/index.html`);
    await follow(page, '.timeline .decade');
    await page.goto(folder + at('objects/lica-quay-1-1.html'));
    await page.waitForSelector('a.zoom');
    await page.click('a.zoom');
    await page.waitForSelector('.zoom-view canvas');
    await page.keyboard.press('+');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector<HTMLDialogElement>('#zoom')?.open);

    await page.$eval('details.citations', (details) => details.setAttribute('open', ''));
    await page.click('.citations .copy');
    await page.waitForFunction(() => document.querySelector('.citations .copy')?.textContent === 'Copied');
    if (await page.$('.languages')) {
      await follow(page, '.languages a[lang="es"]');
      await page.waitForSelector('html[lang="es"] h1');
      await follow(page, '.languages a[lang="en"]');
      await page.waitForSelector('html[lang="en"] h1');
    }

    await page.select('#theme', 'dark');
    await page.goto(folder + at('objects/lica-ferry-1-1-1.html'));
    expect(await page.$eval('html', (html) => html.dataset['theme'])).toBe('dark');
    await page.waitForSelector('.cues button');
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.$eval('.cues li:nth-child(2) button', (button) => (button as HTMLElement).click());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    await page.$eval('video', (video) => video.pause());

    await page.type('#masthead-q', 'ferry');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    await settled(page);
    const all = Number.parseInt(await count(page), 10);
    expect(all).toBeGreaterThan(20);
    await page.click('details[data-filter="model"] input[value="segment"]');
    await page.waitForFunction(
      (before) => Number.parseInt(document.querySelector('#count')?.textContent ?? '', 10) < before,
      {},
      all,
    );
    await settled(page);
    const [first = ''] = await titles(page);
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.results img')?.naturalWidth ?? 0) > 1);
    await follow(page, '.results a');
    await page.waitForSelector('h1');
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe(first);
    // Firefox takes the page out of its memory, which the driver is not told of: the page itself says where it is.
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => location.search.includes('q=ferry&model=segment'));
    await settled(page);
    expect(await titles(page)).toContain(first);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}

describe('the two forms of the index', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);

  it('answer 200 questions alike, one by one', async () => {
    const { dist, snapshot } = inject('mirror');
    const copy = join(folder.path, 'dist');
    cpSync(dist, copy, { recursive: true });
    // The engine of the search page, for a page that asks without a reader.
    await bundle({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir: copy,
        emptyOutDir: false,
        lib: { entry: join(ROOT, 'src/client/engine.ts'), formats: ['iife'], name: 'engine', fileName: () => 'ask.js' },
      },
    });
    writeFileSync(
      join(copy, 'ask.html'),
      '<!doctype html><html lang="en"><title>ask</title><script src="ask.js"></script></html>',
    );
    writeFileSync(
      join(copy, 'own.html'),
      '<!doctype html><html lang="en"><title>own</title><script type="module">import * as p from "./pagefind/pagefind.js"; window.pagefind = p;</script></html>',
    );
    const questions = questionsAbout(dist);
    expect(questions.length).toBeGreaterThanOrEqual(200);
    const site = await serve(['--snapshot', snapshot, '--dir', copy]);
    const browser = await startChromium();
    try {
      const answers = async (address: string, forms: { index: boolean; packs: boolean }) => {
        const page = await browser.newPage();
        await page.goto(address);
        const found = await page.evaluate(ask, { questions, forms });
        await page.close();
        return found;
      };
      const http = await answers(`${site.url}/ask.html`, { index: true, packs: true });
      const file = await answers(`${folderOf(copy)}ask.html`, { index: true, packs: true });
      const packsOverHttp = await answers(`${site.url}/ask.html`, { index: false, packs: true });
      for (const [i, question] of questions.entries()) {
        expect(file[i], JSON.stringify(question)).toEqual(http[i]);
        expect(packsOverHttp[i], JSON.stringify(question)).toEqual(http[i]);
      }
      expect(http.filter(({ total }) => total > 0).length).toBeGreaterThan(100);

      // Pagefind's own filters, which are slow in a large archive, are the measure of our table.
      const page = await browser.newPage();
      await page.goto(`${site.url}/own.html`);
      await page.waitForFunction('window.pagefind !== undefined');
      const own = await page.evaluate(askPagefind, {
        questions,
        words: questions.map(({ words }) => searchable(words.trim()).trim()),
      });
      for (const [i, question] of questions.entries()) {
        const { total, counts } = own[i] ?? expect.fail('no answer');
        if (total === undefined) continue;
        expect(http[i]?.total, JSON.stringify(question)).toBe(total);
        for (const facet of FACETS)
          if (!question.chosen[facet])
            expect((http[i] as { counts: Counts }).counts[facet], `${facet} of ${JSON.stringify(question)}`).toEqual(
              Object.fromEntries(Object.entries(counts[facet] ?? {}).filter(([, n]) => n > 0)),
            );
      }
    } finally {
      await browser.close();
      await site.stop();
    }
  });

  it('can be chosen', async () => {
    const { snapshot } = inject('mirror');
    const build = async (...more: string[]) => {
      const out = join(temporary(), 'dist');
      await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]);
      return [...filesBelow(out).keys()];
    };
    const onlyPacks = await build('--only-packs');
    expect([onlyPacks.some((path) => path.startsWith('pagefind/')), onlyPacks.includes('packs/engine.js')]).toEqual([
      false,
      true,
    ]);
    const noPacks = await build('--no-packs');
    expect([noPacks.includes('pagefind/pagefind.js'), noPacks.some((path) => path.startsWith('packs/'))]).toEqual([true, false]);
    const { code, stderr } = await microfiche(['build', '--only-packs', '--no-packs']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('exclude each other')]);
  });
});

/** Runs in the page: what each question finds, with the first results as a reader would see them. */
async function ask({ questions, forms }: { questions: Query[]; forms: { index: boolean; packs: boolean } }) {
  const { ask: engine } = (window as unknown as { engine: typeof import('../src/client/engine.ts') }).engine;
  const answers: Array<{ total: number; counts: unknown; first: unknown[] }> = [];
  for (const question of questions) {
    const { results, counts } = await engine(question, '', forms);
    const first = await Promise.all(results.slice(0, 20).map(async (result) => result.data()));
    answers.push({ total: results.length, counts, first: first.map(({ url, meta }) => ({ url, meta })) });
  }
  return answers;
}

interface PagefindItself {
  init(): Promise<void>;
  filters(): Promise<unknown>;
  search(words: string | undefined, options: unknown): Promise<{ results: unknown[]; filters: Counts }>;
}

/** Runs in the page: the same questions to Pagefind itself, where they have words. */
async function askPagefind({ questions, words }: { questions: Query[]; words: string[] }) {
  const { pagefind } = window as unknown as { pagefind: PagefindItself };
  await pagefind.init();
  await pagefind.filters();
  const answers: Array<{ total: number | undefined; counts: Record<string, Record<string, number>> }> = [];
  for (const [i, { chosen, from, to }] of questions.entries()) {
    if (!words[i]) {
      answers.push({ total: undefined, counts: {} });
      continue;
    }
    const filters: Record<string, { any: string[] }> = {};
    for (const [facet, values] of Object.entries(chosen)) filters[facet] = { any: values };
    if (from !== undefined || to !== undefined) {
      const years = Array.from({ length: 700 }, (_, n) => 1400 + n).filter((year) => year >= (from ?? 0) && year <= (to ?? 9999));
      filters['year'] = { any: years.map(String) };
    }
    const { results, filters: counts } = await pagefind.search(words[i], { filters });
    answers.push({ total: results.length, counts });
  }
  return answers;
}

/** Words from the pages' own titles, alone and in pairs, with and without filters, spans of years and orders. */
function questionsAbout(dist: string): Query[] {
  const words = [
    ...new Set(
      [...filesBelow(dist)]
        .filter(([path]) => /^objects\/[^/]+\.html$/.test(path))
        .flatMap(([, html]) => /<h1>([^<]*)</.exec(html.toString())?.[1]?.match(/[\p{L}\p{N}]{3,}|[\p{Script=Han}]+/gu) ?? []),
    ),
  ];
  const chosen: Query['chosen'][] = [
    {},
    { model: ['segment'] },
    { model: ['entity', 'file'] },
    { genre: ['photograph'] },
    { language: ['jpn'], model: ['entity'] },
  ];
  const spans = [
    [undefined, undefined],
    [1940, 1945],
    [undefined, 1939],
    [2000, undefined],
  ] as const;
  const sorts: Query['sort'][] = ['', 'title', 'date'];
  const typed = [
    ...words,
    ...words.map((word, i) => `${word} ${words[(i * 7 + 3) % words.length]}`),
    ...words.map((word) => word.slice(0, 3)),
    'quillmarrow',
    'zzzz',
    '',
    '山の灯',
    '“',
  ];
  return typed.map((text, i): Query => {
    const [from, to] = spans[i % spans.length] as (typeof spans)[number];
    return {
      words: text,
      chosen: chosen[i % chosen.length] ?? {},
      from: i % 3 ? undefined : from,
      to: i % 3 ? undefined : to,
      sort: sorts[i % sorts.length] ?? '',
    };
  });
}

describe('20,000 records', () => {
  const folder = temporaryFolder();
  const dist = join(folder.path, 'dist');
  afterAll(folder.remove);

  it('are built with few packs', async () => {
    const snapshot = join(folder.path, 'snapshot');
    generateSnapshot(snapshot, 20_000);
    await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, '--only-packs']);
    const packs = [...filesBelow(join(dist, 'packs'))];
    expect(packs.length).toBeLessThan(120);
    expect(packs.reduce((sum, [, bytes]) => sum + bytes.length, 0)).toBeLessThan(30_000_000);
    expect(readFileSync(join(dist, 'packs/directory.js'), 'utf8')).toMatch(/^microfichePack\("directory",/);
  }, 240_000);

  it.each(BROWSERS)('are searched from file:// in %s', async (name) => {
    const folder = folderOf(dist);
    const browser = await start(name);
    try {
      const { page, complaints } = await openPage(browser, folder);
      await page.goto(`${folder}search.html?q=lantern+festival`);
      await settled(page);
      expect(Number.parseInt((await count(page)).replace(/,/g, ''), 10)).toBeGreaterThan(1000);
      await page.click('details[data-filter="genre"] summary');
      await page.click('details[data-filter="genre"] input[value="postcard"]');
      await page.waitForFunction(() => location.search.includes('genre=postcard'));
      await settled(page);
      await follow(page, '.results a');
      expect(await page.$eval('h1', (heading) => heading.textContent)).toMatch(/lantern/i);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
