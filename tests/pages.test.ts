/** What pages look like in a narrow window and in both themes, and the way home from an address that is not there. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startChromium } from './browser.ts';
import { BROWSERS, start } from './browsers.ts';
import { KINDS_OF_PAGE } from './kinds-of-page.ts';
import { type Host, staticHost } from './static-host.ts';
import { microfiche, microficheJson, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let browser: Browser;
let site: Host;
let host: string;

beforeAll(async () => {
  const { snapshot } = inject('mirror');
  await microficheJson(['build', '--snapshot', snapshot, '--out', dist, '--languages', 'en,es,ja']);
  browser = await startChromium();
  site = await staticHost(dist, { base: '/sub/archive/' });
  host = site.url;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  folder.remove();
});

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${host}/${path}`, { waitUntil: 'load' });
  return page;
}

it.each(['', 'es/', 'ja/'])('D27: no page below /%s scrolls sideways in a window of 320 pixels', async (prefix) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  const wide: string[] = [];
  for (const kind of KINDS_OF_PAGE) {
    await page.goto(`${host}/${prefix}${kind}`);
    if (kind.startsWith('search')) await page.locator('#results[aria-busy="false"] li').first().waitFor();
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) (one as HTMLDetailsElement).open = true;
    });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) wide.push(`${kind}: ${width}`);
  }
  expect(wide).toEqual([]);
  await page.close();
});

it('D25: the cards of a facet’s value leave room below the heading', async () => {
  const page = await open('browse/genre/photograph.html');
  const bottom = await page.locator('h1').evaluate((heading) => heading.getBoundingClientRect().bottom);
  const top = await page.locator('.cards').evaluate((cards) => cards.getBoundingClientRect().top);
  expect(top - bottom).toBeGreaterThanOrEqual(16);
  await page.close();
});

/** The contrast of two colours as the browser computes them (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((n) => {
      const share = Number(n) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('D28: in %s', (colorScheme) => {
  it('the placeholder of a search can be read', async () => {
    const page = await open('about.html', { colorScheme });
    const [ink, ground] = await page
      .locator('#masthead-q')
      .evaluate((input) => [getComputedStyle(input, '::placeholder').color, getComputedStyle(input).backgroundColor]);
    expect(contrast(ink ?? '', ground ?? '')).toBeGreaterThanOrEqual(4.5);
    await page.close();
  });

  it('a coast stands out from land and sea', async () => {
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

describe('D26: an address that is not there', () => {
  const LOST = [
    'nowhere.html',
    'objects/a/b/nowhere.html',
    'sub/archive/nowhere.html',
    'sub/archive/objects/a/b/nowhere.html?x=1',
  ];

  it.each(BROWSERS)('leads home at any depth, with and without a folder above the mirror, in %s', async (name) => {
    const driven = await start(name);
    try {
      const page = await driven.newPage();
      for (const path of LOST) {
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
        await Promise.all([page.waitForNavigation(), page.click('main a')]);
        expect(await page.title()).toBe('Lantern Islands Community Archive');
      }
    } finally {
      await driven.close();
    }
  });

  it('says without JavaScript how to get home', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${host}/objects/a/nowhere.html`);
    expect(await page.locator('main .notice').innerText()).toContain('shorten the address');
    await context.close();
  });

  it('has a page that verify accepts', async () => {
    const { code, stdout } = await microfiche(['verify', '--dir', dist, '--json']);
    expect([code, JSON.parse(stdout).site.policy]).toEqual([0, []]);
  });
});
