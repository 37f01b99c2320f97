/** The way through the site with the keyboard alone: home, search, facet, record, player, save. */
import { pathToFileURL } from 'node:url';
import type { Browser, KeyInput, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BROWSERS, openPage, startBrowser } from '../support/browsers.ts';
import { playSlowly } from '../support/chromium.ts';
import { type StaticHost, startStaticHost } from '../support/static-host.ts';

/** Presses of Tab after which a reader gives up. */
const MAX_STEPS = 150;

let host: StaticHost;
beforeAll(async () => {
  host = await startStaticHost(inject('mirror').dist);
});
afterAll(() => host?.stop());

/** The element with the focus: whether it matches, what it is, and whether a reader sees that it has the focus. */
function readFocus(page: Page, selector: string) {
  return page.evaluate((wanted) => {
    const element = document.activeElement ?? document.body;
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    const isOnScreen = width > 0 && height > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      isFound: element.matches(wanted),
      name: `${document.hasFocus()} ${element.matches(':focus')} ${element.localName}.${element.className} ${(element.textContent ?? '').trim().slice(0, 40)}`,
      // A player draws the focus of its own controls.
      isSeen: element.matches('body, video, audio') || (isOnScreen && outlineStyle !== 'none' && outlineWidth !== '0px'),
    };
  }, selector);
}

/** Moves the focus to an element with Tab; back with Shift and Tab. Each element on the way shows that it has the focus. */
async function tabTo(page: Page, selector: string, direction: 'on' | 'back' = 'on'): Promise<number> {
  const passed: string[] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const { isFound, isSeen, name } = await readFocus(page, selector);
    if (step > 0) expect(isSeen, `${name} on ${page.url()}`).toBe(true);
    if (isFound) return step;
    passed.push(name);
    if (direction === 'back') await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (direction === 'back') await page.keyboard.up('Shift');
  }
  throw new Error(`Tab does not reach ${selector} on ${page.url()}, but ${passed.join(' | ')}`);
}

async function pressAndWait(page: Page, key: KeyInput): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press(key)]);
}

const waitForResults = (page: Page) => page.waitForSelector('#results[aria-busy="false"] li');
const readCount = (page: Page) => page.$eval('#count', (element) => Number.parseInt(element.textContent ?? '', 10));

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(name, { isWhole: true });
  });
  afterAll(() => browser?.close());

  it.each(['http', 'file'] as const)('home → search → facet → record → player → save (%s)', async (scheme) => {
    const top = scheme === 'http' ? `${host.url}/` : `${pathToFileURL(inject('mirror').dist).href}/`;
    const { page, problems } = await openPage(browser, top);
    await page.evaluateOnNewDocument(playSlowly);
    await page.goto(`${top}index.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('whistle');
    await pressAndWait(page, 'Enter');
    await waitForResults(page);
    const total = await readCount(page);
    // Nothing has the focus on the page that a search opens.
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.closest('#results') !== null)).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');

    await tabTo(page, 'details[data-filter="model"] > summary');
    if (!(await page.$('details[data-filter="model"][open]'))) await page.keyboard.press('Enter');
    await page.waitForSelector('details[data-filter="model"] input[value="segment"]');
    await tabTo(page, 'details[data-filter="model"] input[value="segment"]');
    await page.keyboard.press(' ');
    await page.waitForFunction(
      (before) => Number.parseInt(document.querySelector('#count')?.textContent ?? '', 10) < before,
      {},
      total,
    );
    await waitForResults(page);
    await page.keyboard.press('/'); // in a checkbox
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('q');
    await tabTo(page, '#main > [data-skip-to="results"]', 'back');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.matches('#results li:first-child a'))).toBe(true);
    // From the results to the filters, and from the values of a facet back, in a few steps.
    expect(await tabTo(page, '[data-skip-to="filters"]', 'back')).toBeLessThan(8);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.matches('[data-filter="model"] > summary'))).toBe(true);
    expect(await tabTo(page, '[data-filter="model"] [data-skip-to="results"]')).toBeLessThan(15);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.matches('#results li:first-child a'))).toBe(true);
    await tabTo(page, '#results a');
    const title = await page.evaluate(() => document.activeElement?.textContent);
    await pressAndWait(page, 'Enter');
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe(title);

    await page.waitForSelector('[data-save]:not([hidden])');
    await page.waitForSelector('.cues .cue-time');
    await tabTo(page, '.cues li:nth-child(2) .cue-time');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector<HTMLMediaElement>('video, audio')?.paused === false);
    await page.$eval('video, audio', (player) => (player as HTMLMediaElement).pause());

    await tabTo(page, '[data-save]', 'back');
    if (name === 'firefox' && scheme === 'file') await pressAndWait(page, 'Enter');
    else {
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-save][aria-pressed="true"]');
      await tabTo(page, '.saved-link', 'back');
      await pressAndWait(page, 'Enter');
    }
    await page.waitForSelector('#saved li a');
    expect(await page.$$eval('#saved li a', (links) => links.map((link) => link.textContent))).toEqual([title]);
    expect(problems).toEqual([]);
    await page.close();
  });
});
