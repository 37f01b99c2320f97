/** Pages in a narrow window and in both appearances, and the page not found. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROWSERS, startBrowser } from '../support/browsers.ts';
import { startChromium } from '../support/chromium.ts';
import { LONG, runMicrofiche } from '../support/commands.ts';
import { PAGE_KINDS } from '../support/page-kinds.ts';
import { sharedSite } from '../support/shared-sites.ts';
import { type StaticHost, startStaticHost } from '../support/static-host.ts';

let browser: Browser;
let dist: string;
let site: StaticHost;
let host: string;

beforeAll(async () => {
  dist = await sharedSite('--languages', 'en,es,ja');
  browser = await startChromium();
  site = await startStaticHost(dist, { base: '/sub/archive/' });
  host = site.url;
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${host}/${path}`, { waitUntil: 'load' });
  return page;
}

it.each(['', 'es/', 'ja/'])('no page in /%s scrolls horizontally at 320 pixels', async (prefix) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  const overflowing: string[] = [];
  // Every page in English, and in each other language a third of them.
  const third = ['', 'es/', 'ja/'].indexOf(prefix);
  for (const kind of PAGE_KINDS.filter((_, n) => LONG || prefix === '' || n % 3 === third)) {
    await page.goto(`${host}/${prefix}${kind}`);
    if (kind.startsWith('search')) await page.locator('#results[aria-busy="false"] li').first().waitFor();
    await page.locator('details').evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true;
    });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) overflowing.push(`${kind}: ${width}`);
  }
  expect(overflowing).toEqual([]);
  await page.close();
});

it.each([1440, 1280, 1000, 834])('has a header of one row in a window of %i, with the languages in a menu', async (width) => {
  const page = await open('objects/lica-quay-1-1.html', { viewport: { width, height: 800 } });
  const boxOf = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
  const boxes = await Promise.all(
    ['.masthead-title', '.masthead nav:not(.languages)', '.language-menu summary', '.masthead-tools'].map(boxOf),
  );
  const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
  expect((await boxOf('.masthead')).height).toBeLessThanOrEqual(72);
  // It closes like other menus.
  const menu = page.locator('.language-menu');
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(4, 400)]) {
    await menu.locator('summary').click();
    await close();
    expect(await menu.getAttribute('open')).toBe(null);
  }
  await page.close();
});

it.each(['', 'es/', 'ja/'])(
  'has a header of two low rows on a phone in /%s, with the languages in a menu, the search, and sections in a row',
  async (prefix) => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      const page = await open(`${prefix}objects/lica-quay-1-1.html`, { viewport });
      const boxOf = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
      const [header, title, menu, search, sections] = await Promise.all(
        ['.masthead', '.masthead-title', '.language-menu', '.masthead-search button', '.masthead nav:not(.languages)'].map(boxOf),
      );
      // On the narrowest screens, the archive's name has three lines, and is not cut.
      expect(header.height).toBeLessThanOrEqual(viewport.width < 390 ? 104 : 96);
      expect(menu.left).toBeGreaterThanOrEqual(title.right);
      expect(search.left).toBeGreaterThanOrEqual(menu.right);
      expect(sections.top).toBeGreaterThanOrEqual(Math.max(title.bottom, menu.bottom, search.bottom));
      for (const { width, height } of [menu, search]) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      await page.locator('.masthead nav:not(.languages) a').last().focus();
      const last = await boxOf('.masthead nav:not(.languages) li:last-child a');
      expect(last.right).toBeLessThanOrEqual(viewport.width);
      await page.locator('.language-menu summary').click();
      const item = page.locator('.language-menu a[lang="es"]');
      expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await item.click();
      await page.waitForURL('**/es/objects/lica-quay-1-1.html');
      await page.close();
    }
  },
);

it('leaves space between the heading of a facet value and its cards', async () => {
  const page = await open('browse/genre/photograph.html');
  const bottom = await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().bottom);
  const top = await page.locator('.cards').evaluate((cards) => cards.getBoundingClientRect().top);
  expect(top - bottom).toBeGreaterThanOrEqual(16);
  await page.close();
});

/** Returns the contrast ratio of two computed colors (WCAG 2.2). */
function contrast(first: string, second: string): number {
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((n) => {
      const share = Number(n) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('gives the placeholder of the search field enough contrast', async () => {
    const page = await open('about.html', { colorScheme });
    const [ink, ground] = await page
      .locator('#masthead-q')
      .evaluate((input) => [getComputedStyle(input, '::placeholder').color, getComputedStyle(input).backgroundColor]);
    expect(contrast(ink ?? '', ground ?? '')).toBeGreaterThanOrEqual(4.5);
    await page.close();
  });

  it('gives the coast enough contrast to land and sea', async () => {
    const page = await open('browse/place/index.html', { colorScheme });
    const { coast, land, sea } = await page.evaluate(() => {
      const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
      return { coast: style('.map .land').stroke, land: style('.map .land').fill, sea: style('.map .sea').fill };
    });
    expect(contrast(coast, land)).toBeGreaterThanOrEqual(3);
    expect(contrast(coast, sea)).toBeGreaterThanOrEqual(3);
    await page.close();
  });
});

describe('the page not found', () => {
  const MISSING = [
    'nowhere.html',
    'objects/a/b/nowhere.html',
    'sub/archive/nowhere.html',
    'sub/archive/objects/a/b/nowhere.html?x=1',
  ];

  it.each(BROWSERS)('links to the site at any depth, with and without a directory above it, in %s', async (name) => {
    const driven = await startBrowser(name);
    try {
      const page = await driven.newPage();
      for (const path of MISSING) {
        const root = `${host}/${path.startsWith('sub/') ? 'sub/archive/' : ''}`;
        await page.goto(`${host}/${path}`);
        await page.waitForFunction(
          (home) => document.querySelector<HTMLAnchorElement>('main a')?.getAttribute('href') === home,
          {},
          `${root}index.html`,
        );
        const links = await page.$$eval('a', (all) => all.map((link) => link.href));
        for (const link of links.filter((href) => !href.includes('#'))) {
          expect(link.startsWith(root), `${path}: ${link}`).toBe(true);
          expect((await fetch(link)).status, link).toBe(200);
        }
        expect(await page.$eval('main form', (form) => form.action)).toBe(`${root}search.html`);
        await Promise.all([page.waitForNavigation(), page.click('main a')]);
        expect(await page.title()).toBe('Lantern Islands Community Archive');
      }
    } finally {
      await driven.close();
    }
  });

  it('has the saved items and the appearance that all pages have', async () => {
    const page = await browser.newPage();
    await page.goto(`${host}/objects/lica-quay-1-1.html`);
    await page.locator('[data-save]').click();
    await page.goto(`${host}/objects/a/b/nowhere.html`);
    await page.locator('.saved-link .count', { hasText: '1' }).waitFor();
    expect(await page.locator('.saved-link').getAttribute('href')).toBe(`${host}/saved.html`);
    await page.getByLabel('Appearance').selectOption('dark');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.close();
  });

  it('explains how to get to the home page without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${host}/objects/a/nowhere.html`);
    expect(await page.locator('main .notice').innerText()).toContain('shorten the address');
    await context.close();
  });

  it('passes verify', async () => {
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dist, '--json']);
    expect([code, JSON.parse(stdout).site.policy]).toEqual([0, []]);
  });
});
