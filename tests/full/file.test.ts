/** The site opened from file://, in Chromium and Firefox, and with the same search results as over HTTP. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { build as bundle } from 'vite';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { generateSnapshot } from '../../scripts/bench/generate-snapshot.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import type { SearchQuery } from '../../src/reader/search/search-engine.ts';
import { BROWSERS, type BrowserName, openImageViewer, openPage, startBrowser } from '../support/browsers.ts';
import { playSlowly, startChromium } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  LONG,
  ROOT,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  startServe,
} from '../support/commands.ts';
import { sharedSite } from '../support/shared-sites.ts';

const baseUrlOf = (dist: string) => `${pathToFileURL(dist).href}/`;

async function clickAndWait(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click(selector)]);
  // Chromium drops clicks on a page that it has not shown yet.
  await page.waitForFunction(() => {
    const inTransition = ':active-view-transition';
    return !CSS.supports(`selector(${inTransition})`) || !document.documentElement.matches(inTransition);
  });
}

const count = (page: Page) => page.$eval('#count', (element) => element.textContent ?? '');
const waitForResults = (page: Page) => page.waitForSelector('#results[aria-busy="false"] li');
/** Waits for the filters, which come after the first results and move what is below them. */
const waitForFilters = (page: Page) => page.waitForSelector('#filters[aria-busy="false"]');
const titles = (page: Page) => page.$$eval('.results h2', (headings) => headings.map((heading) => heading.textContent ?? ''));

describe.each(BROWSERS)('in %s', (name) => {
  it('opens home → browse → record → zoom → video → search → facet → result → back', async () => {
    await browse(name, inject('mirror').dist, (path) => path);
  });

  it.runIf(LONG || name === 'chrome')('opens the same pages in a compact build', async () => {
    const out = await sharedSite('--compact', '--languages', 'en,es');
    await browse(name, out, (path) => `page.html?${path}`);
    const { code, stdout } = await runMicrofiche(['verify', '--dir', out]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Site: 1\d\d\d pages, \d+ links: 0 broken links, 0 network/)]);
  });
});

/** Uses a site as a reader does. `urlOf` returns the relative URL of a page that may be in a pack. */
async function browse(name: BrowserName, dist: string, urlOf: (path: string) => string): Promise<void> {
  const baseUrl = baseUrlOf(dist);
  const browser = await startBrowser(name, { isWhole: true });
  try {
    const { page, problems: browserErrors } = await openPage(browser, baseUrl);
    await page.evaluateOnNewDocument(playSlowly);
    await page.goto(`${baseUrl}index.html`);
    await clickAndWait(page, 'a[href="browse/index.html"]');
    await clickAndWait(page, 'a[href="../browse/place/index.html"]');
    await page.waitForSelector('.map .land');
    await clickAndWait(page, '.columns a');
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.card img')?.naturalWidth ?? 0) > 1);
    await page.goto(`${baseUrl}browse/time/index.html`);
    await clickAndWait(page, '.timeline .decade');
    await page.goto(baseUrl + urlOf('objects/lica-quay-1-1.html'));
    await openImageViewer(page);
    await page.keyboard.press('+');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector<HTMLDialogElement>('#zoom')?.open);

    await page.click('.cite-fold summary');
    // From before the click, because the button says so for two seconds only.
    const copied = page.waitForFunction(() => document.querySelector('.citations .copy')?.textContent === 'Copied');
    await Promise.all([copied, page.click('.citations .copy')]);
    if (await page.$('.languages')) {
      await page.click('.languages summary');
      await clickAndWait(page, '.languages a[lang="es"]');
      await page.waitForSelector('html[lang="es"] h1');
      await page.click('.languages summary');
      await clickAndWait(page, '.languages a[lang="en"]');
      await page.waitForSelector('html[lang="en"] h1');
    }

    await page.select('#theme', 'dark');
    await page.goto(baseUrl + urlOf('objects/lica-ferry-1-1-1.html'));
    // A compact build renders the page after it has loaded.
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.waitForSelector('.cues .cue-time');
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.$eval('.cues li:nth-child(2) .cue-time', (button) => (button as HTMLElement).click());
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    await page.$eval('video', (video) => video.pause());

    await page.type('#masthead-q', 'ferry');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    await waitForResults(page);
    const total = Number.parseInt(await count(page), 10);
    expect(total).toBeGreaterThan(20);
    await waitForFilters(page);
    await page.click('details[data-filter="model"] input[value="segment"]');
    await page.waitForFunction(
      (previous) => Number.parseInt(document.querySelector('#count')?.textContent ?? '', 10) < previous,
      {},
      total,
    );
    await waitForResults(page);
    const [first = ''] = await titles(page);
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.results img')?.naturalWidth ?? 0) > 1);
    await clickAndWait(page, '.results a');
    await page.waitForSelector('h1');
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe(first);
    // Firefox restores the page from its back-forward cache without telling the driver, so the page itself reports its URL.
    // after this call has returned: it fails if the page is left before
    await page.evaluate(() => void setTimeout(() => history.back()));
    await page.waitForFunction(() => location.search.includes('q=ferry&model=segment'));
    await waitForResults(page);
    expect(await titles(page)).toContain(first);
    expect(browserErrors).toEqual([]);
  } finally {
    await browser.close();
  }
}

describe('the search index', () => {
  const folder = createSharedDirectory();
  afterAll(folder.remove);

  it('returns the same results over HTTP and from file:// for 200 queries', async () => {
    const { dist, snapshot } = inject('mirror');
    const copy = join(folder.path, 'dist');
    cpSync(dist, copy, { recursive: true });
    // The engine of the search page, for a page that runs queries without a reader.
    await bundle({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir: copy,
        emptyOutDir: false,
        lib: {
          entry: join(ROOT, 'src/reader/search/search-engine.ts'),
          formats: ['iife'],
          name: 'engine',
          fileName: () => 'queries.js',
        },
      },
    });
    writeFileSync(
      join(copy, 'queries.html'),
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>queries</title><script src="queries.js"></script></html>',
    );
    const queries = createQueries(dist);
    expect(queries.length).toBeGreaterThanOrEqual(200);
    const site = await startServe(['--snapshot', snapshot, '--dir', copy]);
    const browser = await startChromium();
    try {
      const runQueries = async (url: string) => {
        const page = await browser.newPage();
        await page.goto(url);
        const responses = await page.evaluate(runEngineQueries, queries);
        await page.close();
        return responses;
      };
      const http = await runQueries(`${site.url}/queries.html`);
      const file = await runQueries(`${baseUrlOf(copy)}queries.html`);
      for (const [i, query] of queries.entries()) expect(file[i], JSON.stringify(query)).toEqual(http[i]);
      expect(http.filter(({ total }) => total > 0).length).toBeGreaterThan(100);
    } finally {
      await browser.close();
      await site.stop();
    }
  });

  it('can be left out by an option', async () => {
    const { snapshot, dist } = inject('mirror');
    const out = join(createTestDirectory(), 'dist');
    await runMicroficheJson<BuildReport>([
      'build',
      '--snapshot',
      snapshot,
      '--out',
      out,
      '--collection',
      'lica-quay-2',
      '--no-search',
    ]);
    const ofIndex = (site: string) =>
      [...readFiles(site).keys()].filter((path) => /^assets\/(?:index|facets|words|names)\//.test(path));
    expect([ofIndex(dist).length > 0, ofIndex(out)]).toEqual([true, []]);
  });

  it('is all that search has in a site: scripts, of which none is a program of others', () => {
    const paths = [...readFiles(inject('mirror').dist).keys()].filter((path) => !/^(?:media|thumbs|objects)\//.test(path));
    expect(paths).toContain('assets/index/start.js');
    expect(paths.filter((path) => /pagefind|wasm|^packs\//.test(path))).toEqual([]);
    expect(readFileSync(join(inject('mirror').dist, 'search.html'), 'utf8')).not.toContain('wasm');
    const ofIndex = paths.filter((path) => path.startsWith('assets/index/'));
    expect(ofIndex.filter((path) => !/^assets\/index\/(?:start|[a-z2-7]{10}\/[wpkr]\d+)\.js$/.test(path))).toEqual([]);
  });
});

/** Runs in the page. Returns the number of results of each query, the first ones as a reader sees them, and counts of facets. */
async function runEngineQueries(queries: SearchQuery[]) {
  const { search: runQuery } = (window as unknown as { engine: typeof import('../../src/reader/search/search-engine.ts') })
    .engine;
  const responses: Array<{ total: number; counts: unknown; first: unknown[] }> = [];
  for (const query of queries) {
    const { results, counts } = await runQuery(query, '');
    const first = await Promise.all(results.slice(0, 20).map(async (result) => result.data()));
    const counted = await counts(['model', 'genre']);
    responses.push({ total: results.length, counts: counted.counts, first: first.map(({ url, meta }) => ({ url, meta })) });
  }
  return responses;
}

/** Returns queries for words from titles, alone and in pairs, with and without facet values, years and sort orders. */
function createQueries(dist: string): SearchQuery[] {
  const titleWords = [
    ...new Set(
      [...readFiles(dist)]
        .filter(([path]) => /^objects\/[^/]+\.html$/.test(path))
        .flatMap(([, html]) => /<h1>([^<]*)</.exec(html.toString())?.[1]?.match(/[\p{L}\p{N}]{3,}|[\p{Script=Han}]+/gu) ?? []),
    ),
  ];
  const chosen: SearchQuery['chosen'][] = [
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
  const sorts: SearchQuery['sort'][] = ['', 'title', 'date'];
  const typed = [
    ...titleWords,
    ...titleWords.map((word, i) => `${word} ${titleWords[(i * 7 + 3) % titleWords.length]}`),
    ...titleWords.map((word) => word.slice(0, 3)),
    'quillmarrow',
    'zzzz',
    '',
    '山の灯',
    '“',
  ];
  return typed.map((text, i): SearchQuery => {
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

/** Building 20,000 records takes two minutes. */
const RECORDS = LONG ? 20_000 : 1_200;

it('searches in a browser that cannot decompress', async () => {
  const browser = await startBrowser('chrome', { isWhole: true });
  try {
    const { page, problems } = await openPage(browser, baseUrlOf(inject('mirror').dist));
    await page.evaluateOnNewDocument(() => Reflect.deleteProperty(window, 'DecompressionStream'));
    await page.goto(`${baseUrlOf(inject('mirror').dist)}search.html?q=timetable`);
    await waitForResults(page);
    expect(await page.$eval('.results a', (link) => link.textContent)).toMatch(/timetable/i);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
});

describe(`a site of ${RECORDS} records`, () => {
  const temporaryDirectory = createSharedDirectory();
  const dist = join(temporaryDirectory.path, 'dist');
  afterAll(temporaryDirectory.remove);

  it('has few files of search', async () => {
    const snapshot = join(temporaryDirectory.path, 'snapshot');
    generateSnapshot(snapshot, RECORDS);
    await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist]);
    const files = [...readFiles(join(dist, 'assets'))].filter(([path]) => /^(?:index|words|names|facets)\//.test(path));
    expect(files.filter(([path]) => path.startsWith('index/')).length).toBeLessThan(RECORDS / 20);
    expect(files.reduce((total, [, bytes]) => total + bytes.length, 0)).toBeLessThan(RECORDS * 500);
    expect(readFileSync(join(dist, 'assets/index/start.js'), 'utf8')).toMatch(/^microfichePack\("start",/);
  });

  it.each(BROWSERS)('can be searched from file:// in %s', async (name) => {
    const baseUrl = baseUrlOf(dist);
    const browser = await startBrowser(name, { isWhole: true });
    try {
      const { page, problems: browserErrors } = await openPage(browser, baseUrl);
      await page.setViewport({ width: 1280, height: 800 }); // the filters are open beside the results
      await page.goto(`${baseUrl}search.html?q=lantern+festival`);
      await waitForResults(page);
      expect(Number.parseInt((await count(page)).replace(/,/g, ''), 10)).toBeGreaterThan(RECORDS / 20);
      await waitForFilters(page);
      await page.click('details[data-filter="genre"] summary');
      await page.waitForSelector('details[data-filter="genre"] input[value="postcard"]');
      await waitForFilters(page);
      await page.click('details[data-filter="genre"] input[value="postcard"]');
      await page.waitForFunction(() => location.search.includes('genre=postcard'));
      await waitForResults(page);
      await clickAndWait(page, '.results a');
      expect(await page.$eval('h1', (heading) => heading.textContent)).toMatch(/lantern/i);
      expect(browserErrors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
