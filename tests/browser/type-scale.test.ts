/**
 * Sizes of type, line heights and heights of controls: those of the scale (src/site/styles/tokens.css) and no others; and that
 * readers who set more space between letters, words and lines lose nothing (WCAG 1.4.12).
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useSiteInBrowser, useTab } from '../support/chromium.ts';
import { PAGE_KINDS } from '../support/page-kinds.ts';

const open = useTab(useSiteInBrowser());

/** Returns what is not of the scale, each once, with an element that has it. */
function findOffScale(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const sizes = [13, 15, 17, 20, 25, 32];
    const lines = [1.15, 1.35, 1.6];
    const controls = [36, 44];
    const isNear = (value: number, all: readonly number[], by: number) => all.some((each) => Math.abs(each - value) <= by);
    const found = new Map<string, string>();
    const note = (what: string, { outerHTML }: Element) => found.set(what, outerHTML.slice(0, 100));
    const isShown = (element: Element) => element.getClientRects().length > 0 && element.closest('svg, .unseen, .skip') === null;
    const hasText = ({ childNodes }: Element) =>
      [...childNodes].some((node) => node.nodeType === 3 && /\S/.test(node.nodeValue ?? ''));
    for (const element of document.querySelectorAll('body *')) {
      if (!isShown(element)) continue;
      if (element.matches('button, select, input:not([type="checkbox"], [type="radio"], [type="range"]), summary.button')) {
        const { height } = element.getBoundingClientRect();
        if (!isNear(height, controls, 1)) note(`control of ${height} px`, element);
      }
      if (!hasText(element) || element.matches('option')) continue;
      const { fontSize, lineHeight } = getComputedStyle(element);
      const size = Number.parseFloat(fontSize);
      const isDisplay = element.closest('h1') !== null && size >= 36 && size <= 56;
      if (!isDisplay && !isNear(size, sizes, 0.1)) note(`${size} px`, element);
      const line = Number.parseFloat(lineHeight) / size;
      if (!isNear(line, lines, 0.01)) note(`line height ${line.toFixed(2)}`, element);
    }
    return [...found].map(([what, html]) => `${what}: ${html}`);
  });
}

it.each(PAGE_KINDS)('are those of the scale in %s', async (path) => {
  const { page } = await open(path);
  expect(await findOffScale(page)).toEqual([]);
});

/** Returns the elements that do not show all of their text, with the spacing of WCAG 1.4.12. */
function findCut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-block-end: 2em !important; }`);
    document.adoptedStyleSheets = [style];
    const hides = ({ overflowX, overflowY }: CSSStyleDeclaration) => /hidden|clip/.test(overflowX + overflowY);
    const isCut = (element: Element) =>
      /\S/.test(element.textContent ?? '') &&
      element.getClientRects().length > 0 &&
      element.closest('.unseen, .skip, svg, .wide-only, .of-results') === null &&
      hides(getComputedStyle(element)) &&
      (element.scrollHeight > element.clientHeight + 2 || element.scrollWidth > element.clientWidth + 2);
    return [...document.querySelectorAll('body *')].filter(isCut).map(({ outerHTML }) => outerHTML.slice(0, 160));
  });
}

it.each([
  'index.html',
  'objects/lica-ferry-1-1-1.html',
  'objects/lica-quay-1-1.html',
  'collections/index.html',
  'people/index.html',
  'guide/fog-bells.html',
])('loses no text on a phone in %s if a reader spaces it', async (path) => {
  const { page } = await open(path);
  await page.setViewportSize({ width: 360, height: 720 });
  expect(await findCut(page)).toEqual([]);
});

// The name of the archive, breadcrumbs and the links to other records are in lines as narrow as this.
it.each(['about.html', 'objects/lica-quay-1.html', 'objects/lica-quay-1-1.html', 'objects/lica-ferry-1-3-2.html'])(
  'loses no text on the narrowest screen in %s if a reader spaces it',
  async (path) => {
    const { page } = await open(path);
    await page.setViewportSize({ width: 320, height: 720 });
    expect(await findCut(page)).toEqual([]);
  },
);
