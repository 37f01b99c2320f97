/**
 * Accessibility of every kind of page, by axe-core (WCAG 2.2 AA and best practices), in light and dark; with `MICROFICHE_LONG=1`
 * also in every language and on screens of every width; the form always in three languages. Page weight and layout shift.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { encodeList } from '../../src/reader/saved/shared-list.ts';
import { findAxeViolations, useSiteInBrowser } from '../support/chromium.ts';
import { LONG, readFiles } from '../support/commands.ts';
import { PAGE_KINDS } from '../support/page-kinds.ts';
import { type StaticHost, startStaticHost } from '../support/static-host.ts';

const LANGUAGES = LONG ? ['en', 'es', 'ja', 'fr', 'ar'] : ['en'];
const SCREENS = LONG
  ? { narrow: { width: 320, height: 640 }, phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 720 } }
  : { laptop: { width: 1280, height: 720 } };
/** Each language on each screen. */
const LOOKS = LANGUAGES.flatMap((language) =>
  Object.entries(SCREENS).map(([screen, viewport]) => ({ language, screen, viewport })),
);

const mirror = useSiteInBrowser(LANGUAGES);

/** Opens a page in a tab, and waits until it is loaded and rendered. */
async function open(page: Page, path: string): Promise<void> {
  const response = await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'networkidle' });
  expect(response?.status()).toBe(200);
}

/** Returns the links and buttons lower than 24 pixels, but not those in sentences, and not boxes whose labels are targets. */
function findLowTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLow = (target: Element) => Math.max(0, ...Array.from(target.getClientRects(), ({ height }) => height)) < 24;
    const targets = [...document.querySelectorAll('a, button, summary, select, input:not(label input)')].filter(
      (target) => target.getClientRects().length > 0 && target.closest('.skip, .prose, #none, .notice') === null,
    );
    return targets.filter(isLow).map((target) => `lower than 24 pixels: ${target.outerHTML.slice(0, 120)}`);
  });
}

/** Returns what is wrong with a page in light, and with its colors in dark. */
async function findViolations(page: Page): Promise<string[]> {
  const inLight = await findAxeViolations(page);
  // Without the transitions, in which a color is between that of light and that of dark.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  return [...inLight, ...(await findLowTargets(page)), ...(await findAxeViolations(page, ONLY_COLORS))];
}
const ONLY_COLORS = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } };

const SHARED = [
  {
    id: 'lica-quay-1-1',
    path: 'objects/lica-quay-1-1.html',
    title: 'Nets drying on the quay',
    kind: 'Photograph',
    date: 'c. 1942',
  },
].map((item) => ({ ...item, collection: 'Harbour Photographs', image: '', citations: {} }));

/** The state that is looked at in several languages. */
const FORM = 'a form with marks, and what was added';
/** What a reader opens on pages, or fills. */
const STATES: Array<{ name: string; path: string; reach: (page: Page) => Promise<void> }> = [
  {
    name: 'the image viewer',
    path: 'objects/lica-quay-2-1.html',
    async reach(page) {
      await page.locator('a.zoom').first().click();
      await page.locator('.zoom-view canvas').first().waitFor();
    },
  },
  {
    name: 'a record with all sections open',
    path: 'objects/lica-ferry-1-1-1.html',
    async reach(page) {
      // The menu of languages is over other links while it is open.
      await page.locator('details:not(.language-menu)').evaluateAll((all) => {
        for (const details of all) (details as HTMLDetailsElement).open = true;
      });
    },
  },
  {
    name: 'a transcript with words that were found',
    path: 'objects/lica-ferry-1-1-1.html',
    async reach(page) {
      await page.fill('#find', 'the');
      await page.locator('mark.found.current').waitFor();
    },
  },
  {
    name: 'a search with filters',
    path: 'search.html?q=ferry&model=segment&from=1930&to=2020',
    reach: (page) => page.locator('.chip').first().waitFor(),
  },
  {
    name: 'the search page before a search',
    path: 'search.html',
    reach: (page) => page.locator('#start h2:visible').first().waitFor(),
  },
  {
    name: 'a search without results',
    path: 'search.html?q=zzzz',
    reach: (page) => page.locator('#help').waitFor(),
  },
  {
    name: 'a search with its filters shown or hidden',
    path: 'search.html?q=ferry',
    async reach(page) {
      await page.locator('.results li').first().waitFor();
      // On a phone, a button opens them.
      await page.locator('#filters-box > summary:visible, #open-filters:visible').first().click();
    },
  },
  {
    name: 'saved items',
    path: 'objects/lica-quay-1-1.html',
    async reach(page) {
      await page.locator('[data-save]').click();
      await page.goto(page.url().replace('objects/lica-quay-1-1.html', 'saved.html'));
      await page.locator('#saved li').first().waitFor();
    },
  },
  {
    name: 'saved items with a heading, a moment and a note',
    path: 'objects/lica-ferry-1-1-1.html',
    async reach(page) {
      await page.locator('[data-save-moment=""]').click();
      await page.goto(page.url().replace('objects/lica-ferry-1-1-1.html', 'saved.html'));
      await page.locator('#saved textarea').fill('Who asks?');
      await page.locator('#heading').click();
      await page.locator('#saved h2 input').fill('Ferries');
      await page.locator('#saved li:nth-child(2) [data-act="up"]').click();
    },
  },
  {
    name: 'a search of which all results can be exported',
    path: 'search.html?q=ferry',
    async reach(page) {
      await page.locator('#export-all').click();
      await page.locator('#export button').first().waitFor();
    },
  },
  {
    name: FORM,
    path: 'objects/lica-quay-1-1.html',
    async reach(page) {
      await page.locator('.know-link').click();
      await page.locator('#mark').click();
      await page.locator('#names input').fill('Hugo');
      await page.locator('#know [type="submit"]').click();
      await page.locator('.contributions li').waitFor();
      await page.locator('#mark').click();
    },
  },
  {
    name: 'a list with a saved record',
    path: 'objects/lica-quay-1.html',
    async reach(page) {
      await page.locator('.save-item').first().click();
      await page.locator('.save-item[aria-pressed="true"]').waitFor();
    },
  },
  {
    name: 'a list that someone has passed on',
    path: `saved.html#list=${encodeList(SHARED)}`,
    reach: (page) => page.locator('#shared a').first().waitFor(),
  },
];

describe.each(LOOKS)('in $language, $screen', ({ language, viewport }) => {
  // One tab, because a new one takes longer than to load a page.
  let page: Page;
  beforeAll(async () => {
    page = await mirror.browser().newPage({ viewport });
  });
  afterAll(() => page.close());
  const openInLook = async (path: string) => {
    if (page.url().startsWith(mirror.url())) await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank'); // an address that differs in its fragment loads a page again only from another one
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await open(page, language === 'en' ? path : `${language}/${path}`);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
  };

  it.each(PAGE_KINDS)('finds no violation in %s', async (path) => {
    await openInLook(path);
    expect(await findViolations(page)).toEqual([]);
  });

  it.each(STATES)('finds no violation in $name', async ({ path, reach }) => {
    await openInLook(path);
    await reach(page);
    expect(await findViolations(page)).toEqual([]);
  });
});

describe.skipIf(LONG)('in other languages', () => {
  const languages = ['es', 'ja'];
  const site = useSiteInBrowser(['en', ...languages]);

  it.each(languages)('finds no violation in a form with marks in %s', async (language) => {
    const form = STATES.find(({ name }) => name === FORM);
    const page = await site.browser().newPage({ viewport: SCREENS.laptop });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${site.url()}/${language}/${form?.path}`, { waitUntil: 'networkidle' });
    await form?.reach(page);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await page.locator('.contributions li').count()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    await page.close();
  });
});

it.each(['index.html', 'browse/place/index.html', 'objects/lica-ferry-1-1-1.html'])(
  'finds no violation on a phone in %s',
  async (path) => {
    const page = await mirror.browser().newPage({ viewport: { width: 390, height: 844 } });
    await open(page, path);
    expect(await findViolations(page)).toEqual([]);
    await page.close();
  },
);

it('applies and remembers the reader’s choice of appearance', async () => {
  const page = await mirror.browser().newPage({ colorScheme: 'light' });
  await open(page, 'objects/lica-quay-1-1.html');
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByLabel('Appearance').selectOption('dark');
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.goto(`${mirror.url()}/index.html`);
  expect([await background(), await page.getByLabel('Appearance').inputValue()]).toEqual([dark, 'dark']);
  await page.getByLabel('Appearance').selectOption('');
  expect(await background()).toBe(light);
  await page.close();
});

describe('budgets', () => {
  it('limits HTML, style and scripts that a screen needs of a page to 60 KB compressed, beside the search engine', () => {
    const { dist } = inject('mirror');
    const sizes = new Map<string, number>();
    const size = (path: string) => {
      const known = sizes.get(path) ?? gzipSync(readFileSync(join(dist, path))).length;
      sizes.set(path, known);
      return known;
    };
    for (const [path, html] of readFiles(dist)) {
      if (!path.endsWith('.html')) continue;
      const scripts = [...html.toString().matchAll(/<script src="(?:\.\.\/)*([^"]+)"|<script defer src="(?:\.\.\/)*([^"]+)"/g)];
      const parts = ['assets/site.css', ...scripts.map((match) => match[1] ?? (match[2] as string))];
      const total = gzipSync(html).length + parts.reduce((bytes, part) => bytes + size(part), 0);
      expect(total, path).toBeLessThan(60_000);
    }
  });

  it('limits the home page to 50 KB compressed', () => {
    const { dist } = inject('mirror');
    const parts = ['index.html', 'assets/site.css', 'assets/theme.js'].map(
      (part) => gzipSync(readFileSync(join(dist, part))).length,
    );
    expect(parts.reduce((total, part) => total + part, 0)).toBeLessThan(50_000);
  });

  describe('of layout shift', () => {
    let page: Page;
    let slowHost: StaticHost;
    beforeAll(async () => {
      slowHost = await startStaticHost(inject('mirror').dist, { pieceSize: 2000 });
      page = await mirror.browser().newPage({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' });
      await page.addInitScript(() => {
        const saved = [{ id: 'lica-quay-1-1', path: 'objects/lica-quay-1-1.html', title: 'Nets drying on the quay' }];
        localStorage.setItem('microfiche-saved /', JSON.stringify(saved));
        const shifts = { total: 0 };
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          // Shifts inside the browser's own player have no node.
          for (const { value, sources } of list.getEntries() as Array<
            PerformanceEntry & { value: number; sources: Array<{ node: Node | null }> }
          >)
            if (sources.some(({ node }) => node !== null)) shifts.total += value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // Delays images and recordings, as on a slow connection.
      await page.route(/\.(?:webp|jpg|svg|mp4|mp3)$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
    });
    afterAll(async () => {
      await page.close();
      await slowHost.stop();
    });

    it.each([
      'index.html',
      'objects/lica-quay-1.html',
      'objects/lica-quay-1-1.html',
      'objects/lica-quay-2-1.html',
      'objects/lica-ferry-1-1-1.html',
      'objects/lica-ferry-1-4-1.html',
      'browse/place/index.html',
      'search.html?q=ferry',
      'search.html?q=lica-quay-1-1',
      'browse/time/1940s.html',
    ])('does not shift the layout while %s loads', async (path) => {
      await page.goto(`${slowHost.url}/${path}`, { waitUntil: 'networkidle' });
      await page.waitForTimeout(300);
      expect(await page.locator('.saved-link .count').innerText()).toBe('1');
      expect(await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total)).toBe(0);
    });
  });
});
