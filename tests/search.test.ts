/** The search page when a part of its index cannot be loaded: it says so, and the next search works. */
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BROWSERS, start } from './browsers.ts';
import { serve, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  cpSync(inject('mirror').dist, dist, { recursive: true });
  site = await serve(['--snapshot', inject('mirror').snapshot, '--dir', dist]);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

const count = (page: Page) => page.$eval('#count', (element) => element.textContent);

/** Opens the search page while a file is away, and searches again when it is back. */
async function searchAround(page: Page, top: string, lost: string): Promise<void> {
  const away = join(folder.path, 'away');
  renameSync(join(dist, lost), away);
  try {
    await page.goto(`${top}/search.html?q=ferry`);
    await page.waitForFunction(() => document.querySelector('#count')?.textContent?.includes('could not be loaded'));
    expect(await page.$eval('#results', (list) => list.ariaBusy)).toBe('false');
  } finally {
    renameSync(away, join(dist, lost));
  }
  await page.click('.search-words button');
  await page.waitForSelector('#results[aria-busy="false"] li');
  expect(await count(page)).toMatch(/^\d+ results$/);
}

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await start(name);
  });
  afterAll(() => browser.close());

  it.each(['pagefind/pagefind.js', 'pagefind/pagefind-entry.json', 'assets/facets.js'])(
    'D15: a search works again after %s could not be loaded once, over HTTP',
    async (lost) => {
      const page = await browser.newPage();
      await searchAround(page, site.url, lost);
      await page.close();
    },
  );

  it('searches for no more than a reader would type, whatever a link brings', async () => {
    const page = await browser.newPage();
    const many = Array.from({ length: 1500 }, (_, n) => `word${n}`).join('+');
    await page.goto(`${site.url}/search.html?q=ferry+${many}`);
    await page.waitForSelector('#results[aria-busy="false"]', { timeout: 10_000 });
    const asked = await page.$eval('#q', (field) => (field as HTMLInputElement).value);
    expect([asked.slice(0, 11), asked.length]).toEqual(['ferry word0', 200]);
    expect(new URL(page.url()).searchParams.get('q')).toBe(asked);
    await page.close();
  });

  it.each(['packs/engine.js', 'packs/directory.js', 'assets/facets.js'])(
    'D15: a search works again after %s could not be loaded once, from file://',
    async (lost) => {
      const page = await browser.newPage();
      await searchAround(page, pathToFileURL(dist).href, lost);
      await page.close();
    },
  );
});
