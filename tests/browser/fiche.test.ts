/** The fiche of a collection: its frames, and its loupe by keys, pointer and finger. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAxeViolations, useSiteInBrowser } from '../support/chromium.ts';

const mirror = useSiteInBrowser();
const FICHE = 'objects/lica-quay-1/fiche.html';

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await mirror.browser().newPage({ viewport: { width: 1280, height: 800 }, ...options });
  await page.goto(`${mirror.url()}/${FICHE}`);
  return page;
}
const frame = (page: Page, number: number) => page.locator('.frames a').nth(number - 1);
/** The title in the loupe; undefined if it is closed. */
const shownBy = async (page: Page) =>
  (await page.locator('.loupe').isVisible()) ? await page.locator('.loupe b').innerText() : undefined;
const titleOf = (page: Page, number: number) => frame(page, number).locator('img').getAttribute('alt');
const pathOf = async (page: Page, number: number) =>
  new URL((await frame(page, number).getAttribute('href')) ?? '', page.url()).href;

it('has the images of all records of the collection, each of which links to its record', async () => {
  const page = await open();
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const frames = await hrefs('.frames a:has(img[alt])');
  await page.locator('.breadcrumbs a').last().click();
  await page.waitForURL('**/objects/lica-quay-1.html');
  expect(frames).toEqual(await hrefs('.contents .card > a:has(img[src*="/thumbs/"])'));
  expect(frames.length).toBeGreaterThan(30);
  await page.getByRole('link', { name: 'See it as a fiche' }).click();
  await page.waitForURL(`**/${FICHE}`);
  await page.close();
});

describe('the loupe', () => {
  it('goes from frame to frame by keys, and Enter opens the record', async () => {
    const page = await open();
    await page.locator('.breadcrumbs a').last().focus();
    await page.keyboard.press('Tab');
    expect(await shownBy(page)).toBe(await titleOf(page, 1));
    for (const [key, number] of [
      ['ArrowRight', 2],
      ['ArrowDown', 12],
      ['ArrowLeft', 11],
      ['ArrowUp', 1],
      ['End', 37],
      ['Home', 1],
      ['ArrowDown', 11],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await shownBy(page)]).toEqual([key, await titleOf(page, number)]);
    }
    expect(await page.locator('.frames a[tabindex="0"]').count()).toBe(1);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await shownBy(page)).toBeUndefined();
    const record = await pathOf(page, 11);
    await page.keyboard.press('Enter');
    await page.waitForURL(record);
    await page.close();
  });

  it('is one tab stop, and closes when the focus leaves', async () => {
    const page = await open();
    await frame(page, 3).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.fiche'))).toBeNull();
    expect(await shownBy(page)).toBeUndefined();
    await page.close();
  });

  it('follows the mouse, with a larger image after a moment, and a click opens the record', async () => {
    const page = await open();
    const dated = page.locator('.frames a[data-date]').first();
    await dated.hover();
    expect(await shownBy(page)).toBe(await dated.locator('img').getAttribute('alt'));
    expect(await page.locator('.loupe span').innerText()).toBe(await dated.getAttribute('data-date'));
    await page.locator('.lens img[src*="media/"]').waitFor();
    await page.mouse.move(5, 5);
    expect(await shownBy(page)).toBeUndefined();
    const record = await pathOf(page, 4);
    await page.addInitScript(() =>
      addEventListener('pagereveal', (event) => Object.assign(window, { moves: event.viewTransition ? 'yes' : 'no' })),
    );
    const moves = async () => {
      await page.goto(`${mirror.url()}/${FICHE}`);
      await frame(page, 4).click();
      await page.waitForURL(record);
      return (await page.waitForFunction(() => (window as unknown as { moves?: string }).moves)).jsonValue();
    };
    // The browser gives up a move to a page that takes some seconds to load, which is rare.
    let moved = await moves();
    for (let more = 4; moved !== 'yes' && more > 0; more--) moved = await moves();
    expect(moved).toBe('yes');
    await page.close();
  });

  it('opens at a touch, and the second touch of a frame opens the record', async () => {
    const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await frame(page, 10).tap();
    expect(await shownBy(page)).toBe(await titleOf(page, 10));
    await frame(page, 23).tap();
    expect(await shownBy(page)).toBe(await titleOf(page, 23));
    expect(page.url()).toContain(FICHE);
    await page.locator('h1').tap();
    expect(await shownBy(page)).toBeUndefined();
    const record = await pathOf(page, 23);
    await frame(page, 23).tap();
    await frame(page, 23).tap();
    await page.waitForURL(record);
    await page.close();
  });
});

it('is a list of links without scripts', async () => {
  const page = await open({ javaScriptEnabled: false });
  expect(await page.locator('.loupe, .loupe-hint').filter({ visible: true }).count()).toBe(0);
  await page.getByRole('link', { name: (await titleOf(page, 2)) ?? '', exact: true }).focus();
  await page.keyboard.press('Tab');
  const record = await pathOf(page, 3);
  await page.keyboard.press('Enter');
  await page.waitForURL(record);
  await page.close();
});
