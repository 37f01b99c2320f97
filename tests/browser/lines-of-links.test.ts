/** What is in one line, and what has several: the downloads of a record, and the title of the lead image. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { createSharedDirectory, runMicroficheJson, SAMPLE } from '../support/commands.ts';

const directory = createSharedDirectory();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  // With the originals of recordings.
  await runMicroficheJson(['build', '--snapshot', SAMPLE, '--out', join(directory.path, 'dist')]);
  browser = await startChromium();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  directory.remove();
});

const open = (path: string) => page.goto(pathToFileURL(join(directory.path, 'dist', path)).href);

it.each([
  [1280, 'beside'],
  [340, 'below'],
])(
  'has the formats of a file in order, each with a name of its own, at %i pixels: the second %s the first',
  async (width, place) => {
    await open('objects/lica-ferry-1-9-2.html');
    await page.setViewportSize({ width, height: 800 });
    const list = page.locator('.downloads li').filter({ hasText: 'MPG' });
    const boxes = await list
      .locator('a')
      .evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON() as DOMRect));
    const [first, second] = boxes as [DOMRect, DOMRect];
    if (place === 'beside') {
      expect(second.y).toBe(first.y);
      expect(second.left).toBeGreaterThan(first.right);
    } else {
      expect(second.left).toBe(first.left);
      expect(second.top).toBeGreaterThan(first.bottom);
    }
    const text = (await list.textContent())?.replace(/\s+/g, ' ');
    expect(text).toMatch(/^ ?Download video \([^()]+\) Download video \(MPG, [^()]+\) ?$/);
  },
);

it('has two lines for the title of the lead image, also in a narrow window', async () => {
  await open('index.html');
  await page.setViewportSize({ width: 1000, height: 800 });
  const title = page.locator('.lead-title').first();
  const heightOf = (words: string) =>
    title.evaluate((element, text) => {
      element.textContent = text;
      return element.clientHeight;
    }, words);
  expect(await heightOf('The ferry at the quay. '.repeat(9))).toBeCloseTo(2 * (await heightOf('The ferry')), -1);
});
