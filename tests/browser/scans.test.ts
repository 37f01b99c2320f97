/** The text of a document beside its images, in Chromium. */
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectPageErrors, startChromium, waitForSearch } from '../support/chromium.ts';
import { createAlto, createLeaves, DOCUMENT, publishDocument } from '../support/documents.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

/** Publishes a document of two pages, and returns the URL of its site on the disk. */
async function publish(): Promise<string> {
  const text = createAlto(['The fog bells', 'rang for the ferry'], ['The skerry', 'in fog and the ferry']);
  const { out } = await publishDocument(await createLeaves(['One', 'Two']), [{ title: 'Text', bytes: text }]);
  return pathToFileURL(out).href;
}

/** Returns which page is shown, and the marks on the images in thousandths, each with its page, and whether it is current. */
const readHits = (page: Page) =>
  page.evaluate(() => ({
    shown: document.querySelector('.leaves > li[data-current]')?.id,
    hits: [...document.querySelectorAll('.hits rect')].map((rect) => [
      rect.closest('li')?.id,
      ...['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name))),
      rect.classList.contains('current'),
    ]),
  }));

it('marks on the image what a search found, at its words, without a server', async () => {
  const top = await publish();
  const page = await browser.newPage();
  const problems = collectPageErrors(page, top);
  await page.goto(`${top}/search.html?q=skerry`);
  await waitForSearch(page);
  await page.locator(`#results a[href*="${DOCUMENT}.html#find="]`).first().click();
  await page.locator('.hits rect').waitFor({ state: 'attached' });
  expect(await readHits(page)).toEqual({ shown: 'page-2', hits: [['page-2', 100, 0, 80, 50, true]] });
  const [image, mark] = [await page.locator('#page-2 img').boundingBox(), await page.locator('.hits rect').boundingBox()];
  if (!image || !mark) throw new Error('The image or the mark is not shown');
  expect((mark.x - image.x) / image.width).toBeCloseTo(0.1, 2);
  expect((mark.y - image.y) / image.height).toBeCloseTo(0, 1);
  expect(mark.width / image.width).toBeCloseTo(0.08, 1);
  expect(page.url()).toContain('#find=');
  expect(problems).toEqual([]);
  await page.close();
});

it('turns to the page of the match that is shown, and marks all words of it', async () => {
  const top = await publish();
  const page = await browser.newPage();
  await page.goto(`${top}/objects/${DOCUMENT}.html`);
  await page.getByRole('searchbox', { name: 'Find in text' }).fill('the ferry');
  expect(await readHits(page)).toEqual({
    shown: 'page-1',
    hits: [
      ['page-1', 200, 100, 80, 50, true],
      ['page-1', 300, 100, 80, 50, true],
      ['page-2', 300, 100, 80, 50, false],
      ['page-2', 400, 100, 80, 50, false],
    ],
  });
  await page.getByRole('button', { name: 'Next match' }).click();
  expect((await readHits(page)).shown).toBe('page-2');
  await page.getByRole('searchbox', { name: 'Find in text' }).fill('');
  expect((await readHits(page)).hits).toEqual([]);
  await page.getByRole('link', { name: 'Page 1', exact: true }).last().click();
  // A link outside the strip turns the page by its address, of which the browser tells a moment later.
  await page.locator('#page-1[data-current]').waitFor();
  await page.close();
});

it('has the text beside the image on a desk, below it on a phone, and without scripts', async () => {
  const boxes = async (page: Page) => {
    const [image, text] = [await page.locator('#page-1 img').boundingBox(), await page.locator('.text-body').boundingBox()];
    if (!image || !text) throw new Error('The image or the text is not shown');
    return { isBeside: text.x >= image.x + image.width, isBelow: text.y >= image.y + image.height };
  };
  const top = await publish();
  for (const [viewport, expected] of [
    [
      { width: 1280, height: 800 },
      { isBeside: true, isBelow: false },
    ],
    [
      { width: 390, height: 844 },
      { isBeside: false, isBelow: true },
    ],
  ] as const) {
    const page = await browser.newPage({ viewport, javaScriptEnabled: false });
    await page.goto(`${top}/objects/${DOCUMENT}.html`);
    expect(await boxes(page)).toEqual(expected);
    expect(await page.locator('.text-body').innerText()).toContain('rang for the ferry');
    await page.close();
  }
});
