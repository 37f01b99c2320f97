/** Pages in Arabic, which are read from right to left, and in French: accessibility, arrow keys, and directions of texts. */
import { expect, it } from 'vitest';
import { findAxeViolations, useSiteInBrowser, useTab, waitForSearch } from '../support/chromium.ts';

// The same site as in tests/core/site.test.ts, so that it is built once.
const open = useTab(useSiteInBrowser(['en', 'ar', 'fr']));

const DOCUMENT = 'objects/lica-quay-2-1.html';
const PATHS = ['index.html', 'objects/lica-quay-1-1.html', 'objects/lica-ferry-1-1-1.html', 'browse/place/index.html', DOCUMENT];

it.each(['ar', 'fr'])('pages in %s have no axe violations, and fit a phone', async (language) => {
  for (const path of PATHS) {
    const { page, problems } = await open(`${language}/${path}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      language,
      language === 'ar' ? 'rtl' : '',
    ]);
    expect([path, await findAxeViolations(page)]).toEqual([path, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

it('on an Arabic page, the arrow key to the left goes forward: to the next page of a document, and to the next record', async () => {
  const { page } = await open(`ar/${DOCUMENT}`);
  await page.locator('.strip a').first().focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/#page-2$/);
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/#page-1$/);
  const record = await open('ar/objects/lica-quay-1-1.html');
  const link = record.page.locator('.record-navigation a[rel="next"]').first();
  const next = await link.evaluate((anchor: HTMLAnchorElement) => anchor.href);
  await record.page.keyboard.press('ArrowLeft');
  await record.page.waitForURL(next);
  await record.page.keyboard.press('ArrowRight');
  await record.page.waitForURL('**/ar/objects/lica-quay-1-1.html');
});

it('on an Arabic page, an English title is written from left to right, and begins at the right', async () => {
  const { page } = await open('ar/objects/lica-quay-1-1.html');
  const heading = await page.locator('h1').evaluate((h1) => {
    const text = document.createRange();
    text.selectNodeContents(h1);
    const { direction } = getComputedStyle(h1);
    const [own, line] = [h1.getBoundingClientRect(), text.getBoundingClientRect()];
    return { direction, isAtRight: own.right - line.right < 2, isNarrower: own.width - line.width > 2 };
  });
  expect(heading).toEqual({ direction: 'ltr', isAtRight: true, isNarrower: true });
});

it('counts results in the plural forms of Arabic and French', async () => {
  for (const [path, text] of [
    ['ar/search.html?q=ferry', /^\d+ نتيجة، مجمّعة بحسب المقابلة$/],
    ['ar/search.html?q=telegram', /^\d نتائج$/],
    ['ar/search.html?q=ropewalk%20lane', /^نتيجتان$/],
    ['ar/search.html?q=eel%20smoking', /^نتيجة واحدة$/],
    ['fr/search.html?q=ferry', /^\d+ résultats, groupés par entretien$/],
  ] as const) {
    const { page } = await open(path);
    await page.locator('.results li').first().waitFor();
    await waitForSearch(page);
    expect(await page.locator('#count').innerText()).toMatch(text);
  }
});
