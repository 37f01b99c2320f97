/** The search page when part of its index cannot be loaded: it shows an error, and the next search works. */
import { cpSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { keyBucket } from '../../src/formats/search/key-buckets.ts';
import { decodeResults } from '../../src/formats/search/result-blocks.ts';
import { encodeKey } from '../../src/formats/search/word-codes.ts';
import { BROWSERS, startBrowser } from '../support/browsers.ts';
import { createSharedDirectory, LONG, readFiles, startServe } from '../support/commands.ts';
import { INDEX, readPieces, readStart } from '../support/search-index.ts';

const folder = createSharedDirectory();
const dist = join(folder.path, 'dist');
let site: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  cpSync(inject('mirror').dist, dist, { recursive: true });
  site = await startServe(['--snapshot', inject('mirror').snapshot, '--dir', dist]);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

/** The files of a directory of the site, by path. Their names are hashes. */
const filesIn = (directory: string) => readdirSync(join(inject('mirror').dist, directory)).map((name) => `${directory}/${name}`);

/** A file of the site, and a search that needs it. */
type NeededFile = readonly [file: string, query: string];

/** The files of the index that a search needs: the start file, then words, keys, and what the first result shows. */
function indexFiles(): NeededFile[] {
  const files = readFiles(inject('mirror').dist);
  const [{ directory, buckets } = { directory: '', buckets: 0 }] = readStart(files).indexes;
  const ofIndex = (name: string) => `${INDEX}/${directory}/${name}.js`;
  const id = 'lica-ferry-1-1';
  const hasResult = (path: string) =>
    [...decodeResults(readPieces(files.get(path) as Buffer)).values()].some(({ url }) => url === `objects/${id}.html`);
  return [
    [`${INDEX}/start.js`, 'ferry'],
    [ofIndex('w0'), 'ferry'],
    [ofIndex(`k${keyBucket(encodeKey('title', 'ferry') as string, buckets)}`), 'ferry'],
    [[...files.keys()].find((path) => path.startsWith(ofIndex('r').slice(0, -3)) && hasResult(path)) as string, id],
  ];
}

const count = (page: Page) => page.$eval('#count', (element) => element.textContent);

/** Opens the search page while a file is missing, and searches again when it is restored. */
async function searchAfterFailure(page: Page, top: string, [missing, query]: NeededFile): Promise<void> {
  const away = join(folder.path, 'away');
  renameSync(join(dist, missing), away);
  try {
    await page.goto(`${top}/search.html?q=${query}`);
    await page.waitForFunction(() => document.querySelector('#count')?.textContent?.includes('could not be loaded'));
    expect(await page.$eval('#results', (list) => list.ariaBusy)).toBe('false');
  } finally {
    renameSync(away, join(dist, missing));
  }
  await page.click('.search-words button');
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect(await count(page)).toMatch(/^\d+ results(?:, grouped by interview)?$/);
}

/** The columns of facets that each search needs. */
const NEEDED_FACETS = ['parents', 'model'];
const facetFiles = NEEDED_FACETS.map((pack): NeededFile => [`assets/facets/${pack}.js`, 'ferry']);
/** What the correction of a word needs. */
const spellingFiles = filesIn('assets/words').map((file): NeededFile => [file, 'whistel']);

describe.each(BROWSERS)('in %s', (name) => {
  /** In Firefox, one file of each kind is missing, unless this is LONG. */
  const sampleOf = (files: NeededFile[]) => (LONG || name === 'chrome' ? files : files.slice(0, 1));
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser(name);
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  it.each([...sampleOf(indexFiles()), ...sampleOf(facetFiles), ...sampleOf(spellingFiles)])(
    'searches again after %s could not be loaded, over HTTP',
    async (...missing) => {
      const reader = await browser.createBrowserContext(); // without what the service worker has of other readers
      await searchAfterFailure(await reader.newPage(), site.url, missing);
      await reader.close();
    },
  );

  it('shows the results and a notice if a column of the filters could not be loaded', async () => {
    const [column, away] = [join(dist, 'assets/facets/topic.js'), join(folder.path, 'topic.js')];
    await page.setViewport({ width: 1200, height: 800 });
    renameSync(column, away);
    try {
      await page.goto(`${site.url}/search.html?q=ferry`);
      await page.waitForSelector('#results[aria-busy="false"] li');
      await page.waitForSelector('#filters[aria-busy="false"]'); // which move what is below them
      await page.click('#filters [data-filter="topic"] summary');
      await page.waitForFunction(() => document.querySelector('#notices')?.textContent?.includes('could not be loaded'));
      expect(await count(page)).toMatch(/^\d+ results(?:, grouped by interview)?$/);
    } finally {
      renameSync(away, column);
    }
    await page.click('.search-words button');
    await page.waitForSelector('#filters [data-filter="topic"] label');
  });

  it('loads the columns of filters and orders after the results', async () => {
    await page.setViewport({ width: 390, height: 800 });
    await page.goto(`${site.url}/search.html?q=ferry`);
    await page.waitForFunction(() => {
      const names = performance.getEntriesByType('resource').map(({ name }) => name);
      return ['date', 'title'].every((facet) => names.some((name) => name.endsWith(`facets/${facet}.js`)));
    });
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .sort((a, b) => a.startTime - b.startTime)
        .flatMap(({ name }) => /facets\/\w+|(?<=index\/\w+\/)r(?=\d)/.exec(name)?.[0] ?? []),
    );
    const results = loaded.indexOf('r');
    expect(loaded.slice(0, results).sort()).toEqual(NEEDED_FACETS.map((pack) => `facets/${pack}`).sort());
    expect(loaded.slice(results)).toEqual(expect.arrayContaining(['facets/topic', 'facets/title', 'facets/date']));
  });

  it('shortens a query from a link to the maximum length', async () => {
    const many = Array.from({ length: 1500 }, (_, n) => `word${n}`).join('+');
    await page.goto(`${site.url}/search.html?q=ferry+${many}`);
    await page.waitForSelector('#results[aria-busy="false"]');
    const query = await page.$eval('#q', (field) => (field as HTMLInputElement).value);
    expect([query.slice(0, 11), query.length]).toEqual(['ferry word0', 200]);
    expect(new URL(page.url()).searchParams.get('q')).toBe(query);
  });

  it.each([...sampleOf(indexFiles()), ...sampleOf(facetFiles), ...sampleOf(spellingFiles)])(
    'searches again after %s could not be loaded, from file://',
    async (...missing) => {
      await searchAfterFailure(page, pathToFileURL(dist).href, missing);
    },
  );
});
