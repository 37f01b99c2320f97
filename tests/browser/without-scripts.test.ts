/** Every kind of page without JavaScript: it reads, its links lead somewhere, and it shows no control that does nothing. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useSiteInBrowser } from '../support/chromium.ts';
import { PAGE_KINDS } from '../support/page-kinds.ts';

const mirror = useSiteInBrowser();

describe('without scripts', () => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await mirror.browser().newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } });
  });
  afterAll(() => context?.close());

  it.each(PAGE_KINDS)('%s reads, links, and has no control that does nothing', async (path) => {
    const page = await context.newPage();
    await page.goto(`${mirror.url()}/${path}`);
    expect((await page.locator('h1').first().innerText()).trim()).not.toBe('');
    expect(await page.locator('.saved-link').isVisible()).toBe(false);
    const hrefs = await page
      .locator('a:visible')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '').filter((href) => !/^[a-z]+:/.test(href)));
    expect(hrefs.length).toBeGreaterThan(0);
    const { dist } = inject('mirror');
    const fileOf = (href: string) => resolve(dist, dirname(path), decodeURIComponent(href.replace(/[?#].*$/, '') || '.'));
    expect(hrefs.filter((href) => !existsSync(fileOf(href)))).toEqual([]);
    // A form that is sent opens the search page, which says what it needs.
    expect(await page.locator('button:visible:not(form[role="search"] button[type="submit"])').allInnerTexts()).toEqual([]);
    // The choice between grid and list needs only styles.
    expect(await page.locator('main :is(select, input):visible:not(form[role="search"] *, .shapes *)').count()).toBe(0);
    await page.close();
  });

  it('the page of saved items says that it needs scripts, and nothing that is not so without them', async () => {
    const page = await context.newPage();
    await page.goto(`${mirror.url()}/saved.html`);
    expect(await page.locator('main p:visible').allInnerTexts()).toEqual([expect.stringMatching(/require JavaScript.* Browse$/)]);
    await page.close();
  });

  it('the search page says that it needs scripts, and where to browse without them', async () => {
    const page = await context.newPage();
    await page.goto(`${mirror.url()}/search.html?q=ferry`);
    expect(await page.locator('noscript .notice, .notice').first().innerText()).toMatch(/JavaScript/);
    expect(await page.locator('.notice a').first().getAttribute('href')).toBe('browse/index.html');
    await page.close();
  });
});
