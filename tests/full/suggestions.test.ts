/** Suggestions below all search fields, and cards of names above the results: by keys and mouse, over HTTP and from file://. */
import { pathToFileURL } from 'node:url';
import type { Route } from 'playwright-core';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BROWSERS, openPage, startBrowser } from '../support/browsers.ts';
import { collectPageErrors, findAxeViolations, useSiteInBrowser } from '../support/chromium.ts';
import { sharedSite } from '../support/shared-sites.ts';

const options = (page: Page) => page.$$eval('.suggestions li', (all) => all.map((option) => option.textContent?.trim() ?? ''));

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let dist: string;
  beforeAll(async () => {
    dist = pathToFileURL(inject('mirror').dist).href;
    browser = await startBrowser(name);
  });
  afterAll(() => browser?.close());

  it('suggests names from file://, and opens the page of the chosen one with the keyboard alone', async () => {
    const { page, problems } = await openPage(browser, `${dist}/`);
    await page.goto(`${dist}/objects/lica-quay-1-1.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('Áshlock P');
    await page.waitForFunction(() => document.querySelectorAll('.suggestions li').length === 1);
    expect(await options(page)).toEqual(['Petra Ashlock Person']);
    expect(await page.$eval('#masthead-q', (field) => field.getAttribute('aria-expanded'))).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(
      await page.$eval(
        '#masthead-q',
        (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
      ),
    ).toContain('Petra Ashlock');
    await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press('Enter')]);
    expect(page.url()).toMatch(/people\/petra-ashlock\.html$/);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('suggests places, topics and titles, closes with Escape, and searches with Enter', async () => {
    const { page } = await openPage(browser, `${dist}/`);
    await page.goto(`${dist}/index.html`);
    for (const [typed, expected] of [
      ['tern h', 'Tern Hill Place'],
      ['cannery w', 'Work and livelihood › Fishing › Cannery work Topic'],
      ['harbour ph', 'Harbour Photographs Collection'],
      ['slipw', 'First snow on the slipway'],
      ['of the pack', 'Women of the packing line'],
      ['fog b', 'Fog Bells Guide page'],
    ] as const) {
      await page.$eval('#welcome-q', (field) => {
        (field as HTMLInputElement).value = '';
      });
      await page.focus('#welcome-q');
      await page.keyboard.type(typed);
      await page.waitForFunction(
        (text) => [...document.querySelectorAll('.suggestions li')].some((option) => option.textContent?.includes(text)),
        {},
        expected,
      );
      // In one step, because the list may change after the last letter.
      const heights = await page.evaluate(() =>
        Array.from(document.querySelectorAll('.suggestions li'), (option) => option.getBoundingClientRect().height),
      );
      expect(new Set(heights)).toEqual(new Set([44]));
    }
    await page.keyboard.press('Escape');
    expect(await options(page)).toEqual([]);
    await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press('Enter')]);
    expect(page.url()).toMatch(/search\.html\?q=fog\+b$/);
    await page.close();
  });

  it('shows people and places above the results', async () => {
    const { page } = await openPage(browser, `${dist}/`);
    await page.goto(`${dist}/search.html?q=tern+hill`);
    await page.waitForSelector('#names li');
    const cards = await page.$$eval('#names li', (all) =>
      all.map((card) => [card.textContent, card.querySelector('a')?.getAttribute('href')]),
    );
    expect(cards[0]?.[0]).toMatch(/^Tern Hill Place · \d+ records$/);
    expect(cards[0]?.[1]).toMatch(/^browse\/place\//);
    await page.goto(`${dist}/search.html?q=zzzz`);
    await page.waitForFunction(() => document.querySelector('#count')?.textContent !== '');
    expect(await page.$eval('#names', (list) => (list as HTMLElement).hidden)).toBe(true);
    await page.close();
  });

  it('opens pages of a compact site', async () => {
    const compact = pathToFileURL(await sharedSite('--compact', '--languages', 'en,es')).href;
    const { page } = await openPage(browser, `${compact}/`);
    await page.goto(`${compact}/page.html?es/objects/lica-quay-1-1.html`);
    await page.waitForSelector('#masthead-q[role="combobox"]');
    // All letters at once, because each list for fewer letters would be replaced, perhaps during the click.
    await page.focus('#masthead-q');
    await page.$eval('#masthead-q', (field) => {
      (field as HTMLInputElement).value = 'petra ash';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.waitForSelector('.suggestions li');
    await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click('.suggestions li')]);
    await page.waitForSelector('h1');
    expect(page.url()).toMatch(/page\.html\?es\/people\/petra-ashlock\.html$/);
    await page.goto(`${compact}/page.html?objects/%E0%A4%A`); // not percent-encoding
    await page.waitForFunction(() => location.pathname.endsWith('/404.html'));
    await page.close();
  });
});

describe('the list', () => {
  const mirror = useSiteInBrowser();
  it('has no accessibility violation while it is open', async () => {
    const page = await mirror.browser().newPage();
    await page.goto(`${mirror.url()}/objects/lica-quay-1-1.html`);
    await page.locator('#masthead-q').pressSequentially('ash');
    await page.locator('.suggestions li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.close();
  });

  it.each([
    ['reports names that cannot be loaded while a reader waits for them', false, 1],
    ['does not report what fails because the reader has searched and leaves the page', true, 0],
  ])('%s', async (_, searches, warnings) => {
    const page = await mirror.browser().newPage();
    const problems = collectPageErrors(page, mirror.url());
    const requested = Promise.withResolvers<Route>();
    await page.route('**/assets/names/*.js', (route) => requested.resolve(route));
    await page.goto(`${mirror.url()}/objects/lica-quay-1-1.html`);
    // The page stays, so that what it reports can be read.
    await page
      .locator('#masthead-q')
      .evaluate((field: HTMLInputElement) => field.form?.addEventListener('submit', (event) => event.preventDefault()));
    // One key, one request: a second one would follow if a slow machine paused between two keys.
    await page.locator('#masthead-q').press('f');
    const route = await requested.promise;
    if (searches) await page.keyboard.press('Enter');
    await route.abort();
    await page.waitForFunction(() => document.querySelectorAll('head script[src*="/names/"]').length === 0);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(problems.filter((problem) => problem.startsWith('warning:'))).toHaveLength(warnings);
    await page.close();
  });
});
