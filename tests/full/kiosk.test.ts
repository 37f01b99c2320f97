/** Sites built with `--kiosk`: no external links, QR codes, idle timeout, on-screen keyboard. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import jsQR from 'jsqr';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { collectPageErrors, findAxeViolations, startChromium, waitForSearch } from '../support/chromium.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, startServe } from '../support/commands.ts';

const IDLE_MINUTES = 0.08;
const folder = createSharedDirectory();
const dist = join(folder.path, 'dist');
let browser: Browser;
let site: Awaited<ReturnType<typeof startServe>>;
let pages: Array<[path: string, html: string]>;

beforeAll(async () => {
  const { snapshot } = inject('mirror');
  const idle = String(IDLE_MINUTES);
  const languages = ['--languages', 'en,ja', '--site', 'https://mirror.example/'];
  await runMicroficheJson<BuildReport>([
    'build',
    '--snapshot',
    snapshot,
    '--out',
    dist,
    '--kiosk',
    '--idle-minutes',
    idle,
    ...languages,
  ]);
  pages = [...readFiles(dist)].filter(([path]) => path.endsWith('.html')).map(([path, bytes]) => [path, bytes.toString()]);
  [browser, site] = await Promise.all([startChromium(), startServe(['--snapshot', snapshot, '--dir', dist])]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  folder.remove();
});

/** Runs in a page. Its events are those of a visitor, because a busy machine may take longer than the idle timeout. */
const simulateVisitor = () => void setInterval(() => dispatchEvent(new Event('scroll')), 300);

/** Opens a page with a visitor who is active. */
async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ hasTouch: true });
  await page.addInitScript(simulateVisitor);
  const problems = collectPageErrors(page, site.url);
  await page.goto(`${site.url}/${path}`);
  return { page, problems };
}

it('has styles that no other site has, also on the page of a missing address', () => {
  const styles = (site: string) => ['assets/site.css', '404.html'].map((path) => readFileSync(join(site, path), 'utf8'));
  for (const style of styles(dist)) expect(style).toContain('.kiosk-keyboard');
  for (const style of styles(inject('mirror').dist)) expect(style).not.toContain('.kiosk-keyboard');
});

describe('the pages', () => {
  it('contain no external URL that a link, a form or the browser could follow', () => {
    for (const [path, html] of pages) {
      const elements = [...html.matchAll(/<(?!p\b)[a-z]+ [^>]*(?:href|src|action)="(?:[a-z]+:|\/\/)[^>]*>/gi)].map(
        ([tag]) => tag,
      );
      expect(elements, path).toEqual([]);
    }
  });

  it('contain the same text as without kiosk mode', () => {
    const textOf = (html: string) =>
      html
        .replace(
          /<div class="outside-panel".*?<\/div>|<p class="iiif.*?<\/p>|<p class="for-phone.*?<\/p>|<button[^>]* data-save=.*?<\/button>/gs,
          '',
        )
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ');
    const plain = readFiles(inject('mirror').dist).get('objects/lica-quay-1-2.html')?.toString() ?? '';
    const kiosk = pages.find(([path]) => path === 'objects/lica-quay-1-2.html')?.[1] ?? '';
    const main = (html: string) => /<h1>[\s\S]*Rights and credit/.exec(html)?.[0] ?? '';
    expect(textOf(main(kiosk))).toBe(textOf(main(plain)));
  });

  it('pass verify', async () => {
    const { code, stdout } = await runMicrofiche(['verify', '--dir', dist]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 broken links, 0 network references')]);
  });
});

/** Returns what a phone would read from the QR code of a panel. */
async function readCode(panel: Locator): Promise<string | undefined> {
  const { data, info } = await sharp(await panel.locator('svg').screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

it('shows each external URL as text and as a readable QR code', async () => {
  const { page, problems } = await open('objects/lica-ferry-1-1-1.html');
  await page.locator('details.full-record > summary').click();
  const buttons = page.locator('button.outside');
  const count = await buttons.count();
  expect(count).toBeGreaterThan(5);
  const urls = new Set<string>();
  for (const button of await buttons.all()) {
    await button.click();
    const panel = page.locator('.outside-panel:popover-open');
    const url = await panel.locator('.address').innerText();
    expect(await readCode(panel)).toBe(url);
    urls.add(url);
    await panel.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.outside-panel:popover-open').count()).toBe(0);
  }
  expect([...urls].some((url) => url.endsWith('/lica-ferry-1-1-1/'))).toBe(true);
  expect([...urls]).toContain('https://mirror.example/objects/lica-ferry-1-1-1.html');
  expect(await page.getByRole('button', { name: 'QR code for your phone' }).count()).toBe(1);
  expect(await page.locator('.copy:visible').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.close();
});

it('shows the attract screen after the idle timeout, and starts at a touch', async () => {
  const page = await browser.newPage({ hasTouch: true });
  const problems = collectPageErrors(page, site.url);
  // As the page opens: a busy machine may take longer than the idle timeout until the test goes on.
  await page.addInitScript(() => {
    if (location.pathname.endsWith('/topic/index.html')) localStorage.setItem('microfiche-theme', 'dark');
  });
  await page.goto(`${site.url}/browse/topic/index.html`);
  await page.waitForURL('**/attract.html');
  expect(await page.evaluate(() => localStorage.getItem('microfiche-theme'))).toBeNull();
  await page.waitForTimeout(IDLE_MINUTES * 60_000 * 1.5); // it stays on the attract screen
  expect(page.url()).toContain('attract.html');
  await page.touchscreen.tap(200, 200);
  await page.waitForURL('**/index.html');
  expect(problems).toEqual([]);
  await page.close();
});

it('works from file:// too', async () => {
  const page = await browser.newPage({ hasTouch: true });
  const directory = `${pathToFileURL(dist).href}/`;
  const problems = collectPageErrors(page, directory);
  await page.goto(`${directory}objects/lica-quay-1-1.html`);
  await page.waitForURL('**/attract.html');
  await page.addInitScript(simulateVisitor);
  await page.touchscreen.tap(200, 200);
  await page.waitForURL('**/index.html');
  await page.locator('input[type="search"]').tap();
  await page.locator('.kiosk-keyboard').waitFor();
  expect(problems).toEqual([]);
  await page.close();
});

it('does not time out while a visitor is active', async () => {
  const page = await browser.newPage({ hasTouch: true });
  await page.clock.install({ time: new Date('2026-11-21T12:00:00') });
  await page.clock.pauseAt(new Date('2026-11-21T12:01:00'));
  await page.goto(`${site.url}/browse/topic/index.html`);
  for (let moved = 0; moved < 5; moved++) {
    await page.mouse.move(100 + moved, 300);
    await page.clock.runFor(IDLE_MINUTES * 60_000 * 0.75);
  }
  expect(page.url()).toContain('browse/topic/index.html');
  await page.clock.runFor(IDLE_MINUTES * 60_000);
  await page.waitForURL('**/attract.html');
  await page.close();
});

describe('the on-screen keyboard', () => {
  it('types, deletes and searches', async () => {
    const { page, problems } = await open('about.html');
    await page.locator('input[type="search"]').tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    for (const key of ['f', 'e', 'r', 'r', 'y', 'y', '⌫']) await keys.getByRole('button', { name: key, exact: true }).tap();
    expect(await page.locator('input[type="search"]').inputValue()).toBe('ferry');
    await keys.getByRole('button', { name: 'Search', exact: true }).tap();
    await page.waitForURL('**/search.html?q=ferry');
    await waitForSearch(page);
    expect(await page.locator('.results li').count()).toBeGreaterThan(3);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('follows the field when its text is erased, in engines that cannot change the list of style sheets too', async () => {
    const { page, problems } = await open('about.html');
    await page.evaluate(() => {
      let sheets: readonly CSSStyleSheet[] = Object.freeze([]);
      Object.defineProperty(document, 'adoptedStyleSheets', {
        get: () => sheets,
        set(list: CSSStyleSheet[]) {
          sheets = Object.freeze([...list]);
        },
      });
    });
    const input = page.locator('input[type="search"]');
    await input.tap();
    const key = (name: string) => page.locator('.kiosk-keyboard').getByRole('button', { name, exact: true });
    for (const name of ['f', 'e']) await key(name).tap();
    await input.evaluate((field: HTMLInputElement) => {
      field.value = ''; // as its button for erasing does
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await key('q').tap();
    expect(await input.inputValue()).toBe('q');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has a labeled space bar, and letters with accents', async () => {
    const { page } = await open('about.html');
    await page.locator('input[type="search"]').tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    const key = (name: string) => keys.getByRole('button', { name, exact: true });
    const press = async (...names: string[]) => {
      for (const name of names) await key(name).tap();
    };
    await press('a', 'Space', 'áñü Letters with accents', 'ñ', 'o', 'áñü Letters with accents', 'abc', 'x');
    expect(await page.locator('input[type="search"]').inputValue()).toBe('a ñox');
    await press('áñü Letters with accents');
    for (const letter of 'áéíóúñü') expect(await key(letter).isVisible()).toBe(true);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.close();
  });

  it('leaves the field free, and can be read', async () => {
    const { page } = await open('index.html');
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator('input[type="search"]').tap();
      await page.locator('.kiosk-keyboard').waitFor();
      const keys = await page.locator('.kiosk-keyboard').boundingBox();
      const field = await page.locator('input[type="search"]').boundingBox();
      expect(field?.y).toBeGreaterThanOrEqual(0);
      expect((field?.y ?? 0) + (field?.height ?? 0) + 100).toBeLessThan(keys?.y ?? 0);
      expect(await findAxeViolations(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })).toEqual([]);
      await page.locator('input[type="search"]').blur();
      await page.locator('.kiosk-keyboard').waitFor({ state: 'detached' });
    }
    await page.close();
  });

  it('has kana on the Japanese pages', async () => {
    const { page } = await open('ja/about.html');
    await page.locator('input[type="search"]').tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    await keys.getByRole('button', { name: 'な', exact: true }).tap();
    await keys.getByRole('button', { name: 'が', exact: true }).tap();
    await keys.getByRole('button', { name: 'が', exact: true }).tap();
    // Names in an archive in English are written in Latin letters.
    expect(await keys.locator('[data-skbtn="{latin}"]').innerText()).toBe('abc 英字');
    await keys.getByRole('button', { name: 'abc' }).tap();
    await keys.getByRole('button', { name: 'q', exact: true }).tap();
    await keys.getByRole('button', { name: '空白' }).tap();
    await keys.getByRole('button', { name: 'áñü' }).tap();
    await keys.getByRole('button', { name: 'é', exact: true }).tap();
    await keys.getByRole('button', { name: 'w', exact: true }).tap();
    expect(await page.locator('input[type="search"]').inputValue()).toBe('ながq éw');
    // The next field begins with the letters that were chosen.
    await page.goto(`${site.url}/ja/browse/genre/photograph.html`);
    await page.locator('.masthead input[type="search"]').tap();
    await keys.getByRole('button', { name: 'q', exact: true }).tap();
    await keys.getByRole('button', { name: 'あ', exact: true }).tap();
    await keys.getByRole('button', { name: 'な', exact: true }).tap();
    expect(await page.locator('.masthead input[type="search"]').inputValue()).toBe('qな');
    await page.close();
  });

  it('types years with digits, as wide as the window, below the fields', async () => {
    const { page } = await open('search.html?q=ferry');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.locator('#from').tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    expect(await keys.getByRole('button', { name: 'q', exact: true }).count()).toBe(0);
    for (const key of '19432') await keys.getByRole('button', { name: key, exact: true }).tap();
    expect(await page.locator('#from').inputValue()).toBe('1943');
    await page.waitForURL('**from=1943');
    const [field, box] = [await page.locator('#from').boundingBox(), await keys.boundingBox()];
    expect([box?.x, box?.width]).toEqual([0, await page.evaluate(() => document.documentElement.clientWidth)]);
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(box?.y ?? 0);
    await page.close();
  });

  it('goes to the first match of a filter, which it does not cover', async () => {
    const { page } = await open('browse/creator/index.html');
    await page.setViewportSize({ width: 1280, height: 720 });
    const field = page.locator('.name-filter input');
    await field.tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    const [box, board] = [await field.boundingBox(), await keys.boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0) + 100).toBeLessThan(board?.y ?? 0);
    for (const key of 'quill') await keys.getByRole('button', { name: key, exact: true }).tap();
    await keys.getByRole('button', { name: 'Go to the first match' }).tap();
    expect(await keys.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Quill/);
    await page.close();
  });

  it('filters the values of a facet of search, and opens nothing that is behind its keys', async () => {
    const { page } = await open('search.html?q=the');
    await page.setViewportSize({ width: 1280, height: 720 });
    const creator = page.locator('[data-filter="creator"]');
    await creator.locator('summary').tap();
    await creator.getByRole('button', { name: 'Show all' }).tap();
    const field = creator.getByLabel('Filter creators');
    await field.tap();
    const keys = page.locator('.kiosk-keyboard');
    await keys.waitFor();
    for (const key of 'qui') await keys.getByRole('button', { name: key, exact: true }).tap();
    expect(await creator.locator('label > span:not(.count)').allInnerTexts()).toEqual([
      ...['Quill, Clio', 'Quill, Elsa', 'Quill, Hugo (narrator ID 303)'],
    ]);
    await keys.getByRole('button', { name: 'Go to the first match' }).tap();
    await keys.waitFor({ state: 'detached' });
    await page.waitForTimeout(500);
    expect(page.url()).toMatch(/search\.html\?q=the$/);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('Clio Quill');
    await page.close();
  });

  it('disappears permanently when a physical keyboard is used', async () => {
    const { page } = await open('about.html');
    await page.locator('input[type="search"]').tap();
    await page.locator('.kiosk-keyboard').waitFor();
    await page.keyboard.press('e');
    expect(await page.locator('.kiosk-keyboard').count()).toBe(0);
    await page.goto(`${site.url}/index.html`);
    await page.locator('input[type="search"]').tap();
    await page.waitForTimeout(300);
    expect(await page.locator('.kiosk-keyboard').count()).toBe(0);
    await page.close();
  });
});

it('has no buttons that save records, because many people use it', async () => {
  for (const path of ['objects/lica-quay-1.html', 'objects/lica-quay-1-1.html', 'search.html?q=ferry']) {
    const { page } = await open(path);
    if (path.startsWith('search')) await page.locator('#results li').first().waitFor();
    expect(await page.locator('.saved-link, .save-item, [data-save]').count()).toBe(0);
    await page.close();
  }
});

describe('an item', () => {
  const back = (page: Page) => page.locator('.kiosk-back');

  it('leads back to the search or list that the visitor came from, and to the beginning, where both are forgotten', async () => {
    const { page, problems } = await open('search.html?q=ferry');
    await waitForSearch(page);
    await page.locator('#q').fill('ferry constance');
    await page.waitForURL('**q=ferry+constance');
    await waitForSearch(page);
    await page.goto(`${site.url}/objects/lica-quay-1-1.html`);
    expect(await back(page).innerText()).toBe('Back to results');
    for (const target of await page.locator('.kiosk-bar a, .kiosk-restart').all())
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(57);
    expect(await findAxeViolations(page)).toEqual([]);
    // Another item does not change the way.
    await page.locator('.record-navigation.short [rel="next"]').click();
    await back(page).click();
    await waitForSearch(page);
    expect(new URL(page.url()).search).toBe('?q=ferry+constance');
    await page.goto(`${site.url}/search.html`);
    await page.goto(`${site.url}/objects/lica-quay-1-1.html`);
    expect(await back(page).innerText()).toBe('Back to Search');
    await page.goto(`${site.url}/browse/genre/photograph.html`);
    await page.goto(`${site.url}/ja/objects/lica-quay-1-1.html`);
    expect(await page.locator('.kiosk-bar a, .kiosk-restart').allInnerTexts()).toEqual(['最初に戻る', '「Photographs」に戻る']);
    await page.goto(`${site.url}/objects/lica-quay-1-1.html`);
    expect(await page.locator('.kiosk-bar a, .kiosk-restart').allInnerTexts()).toEqual(['Start over', 'Back to Photographs']);
    await page.locator('.kiosk-restart').click();
    await page.waitForURL('**/attract.html');
    expect(await page.evaluate(() => sessionStorage.getItem('microfiche-came-from'))).toBeNull();
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has no way back if the visitor came from nowhere; other sites have none at all', async () => {
    const { page } = await open('objects/lica-quay-1-1.html');
    expect(await page.locator('.kiosk-bar a:visible').count()).toBe(0);
    expect(await page.locator('.masthead .kiosk-restart').innerText()).toBe('Start over');
    await page.close();
    expect(readFiles(inject('mirror').dist).get('objects/lica-quay-1-1.html')?.toString()).not.toContain('kiosk-bar');
  });
});

it('a collection, a person and a guide page lead back to the results, where the visitor was, and an item to them', async () => {
  const { page } = await open('search.html?q=lantern');
  await waitForSearch(page);
  await page.locator('#more').click();
  await expect.poll(() => page.locator('#results > li').count()).toBeGreaterThan(20);
  const shown = await page.locator('#results > li').count();
  await page.evaluate(() => scrollTo(0, 3000));
  for (const path of ['objects/lica-quay-1.html', 'people/leif-vane.html', 'guide/flood-of-1947.html']) {
    await page.goto(`${site.url}/${path}`);
    const back = page.locator('.kiosk-back');
    expect(await back.innerText()).toBe('Back to results');
    const title = await page.locator('h1').innerText();
    await page.evaluate(() => scrollTo(0, 400));
    await page.goto(`${site.url}/objects/lica-quay-1-3.html`);
    expect(await back.innerText()).toBe(`Back to ${title}`);
    await back.click();
    await page.waitForURL(`**/${path}`);
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(400);
    await back.click();
    await waitForSearch(page);
    expect(await page.locator('#results > li').count()).toBe(shown);
    await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(3000);
  }
  await page.close();
});

it('has a QR code of each record below its title', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  for (const path of ['objects/lica-quay-1-1.html', 'objects/lica-ferry-1-1-1.html', 'objects/lica-quay-1.html']) {
    await page.goto(`${site.url}/${path}`);
    const code = page.getByRole('button', { name: 'QR code for your phone' });
    expect((await code.boundingBox())?.y).toBeLessThan(500);
  }
  await page.close();
});

it.each(['http', 'file'])('has a QR code of the moment at which the recording is (%s)', async (scheme) => {
  const { page } = await open('objects/lica-ferry-1-1-1.html');
  const address = 'https://mirror.example/objects/lica-ferry-1-1-1.html';
  const code = page.getByRole('button', { name: 'QR code for your phone' });
  const panel = page.locator('.outside-panel:popover-open');
  if (scheme === 'file') await page.goto(pathToFileURL(join(dist, 'objects/lica-ferry-1-1-1.html')).href);
  for (const [seconds, expected] of [
    [0, address],
    [1, `${address}#t=1`],
    [0, address],
  ] as const) {
    await page.locator('video').evaluate((player: HTMLVideoElement, time) => {
      player.currentTime = time;
    }, seconds);
    await code.click();
    await expect.poll(() => panel.locator('.address').innerText()).toBe(expected);
    expect(await readCode(panel)).toBe(expected);
    await panel.getByRole('button', { name: 'Close' }).click();
  }
  await page.close();
});

it('shows the player of a segment with its controls in a window of 1280 × 800', async () => {
  const { page } = await open('objects/lica-ferry-1-1-1.html');
  await page.setViewportSize({ width: 1280, height: 800 });
  const [player, controls] = [await page.locator('video').boundingBox(), await page.locator('[data-skip="10"]').boundingBox()];
  expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBeLessThanOrEqual(800);
  // As wide as its image, without bars beside it.
  expect((player?.width ?? 0) / (player?.height ?? 1)).toBeCloseTo(4 / 3, 1);
  await page.close();
});

it.each([1280, 1080])('shows suggestions complete, in whole rows within the window of %i pixels', async (width) => {
  const { page } = await open('browse/genre/photograph.html');
  await page.setViewportSize({ width, height: 800 });
  await page.locator('.masthead input[type="search"]').tap();
  await page.locator('.kiosk-keyboard').waitFor();
  for (const key of 'fer') await page.locator('.kiosk-keyboard').getByRole('button', { name: key, exact: true }).tap();
  await page.locator('.suggestions li').first().waitFor();
  const box = await page.locator('.suggestions').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  const keys = await page.locator('.kiosk-keyboard').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(keys?.y ?? 0);
  const cut = await page.locator('.suggestions li').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const [name, kind] = [...row.children] as [HTMLElement, HTMLElement];
      const isWhole =
        name.scrollHeight <= name.clientHeight && kind.getBoundingClientRect().right <= row.getBoundingClientRect().right;
      return isWhole ? [] : [row.textContent];
    }),
  );
  expect(cut).toEqual([]);
  await page.close();
});

it('has breadcrumbs at one height, and a masthead of two rows at most', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const middles = await page.locator('.breadcrumbs :is(a, span):visible').evaluateAll((crumbs) =>
      crumbs.map((crumb) => {
        const { top, height } = crumb.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    expect(new Set(middles).size).toBe(1);
    expect((await page.locator('.masthead').boundingBox())?.height).toBeLessThan(175);
  }
  await page.close();
});

it('has large targets in lists of links and beside an image', async () => {
  const { page } = await open('browse/index.html');
  const small = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((found) =>
        found.filter((target) => target.getBoundingClientRect().height < 40).map(({ outerHTML }) => outerHTML),
      );
  expect(await small('.facets a')).toEqual([]);
  await page.goto(`${site.url}/objects/lica-quay-1-1.html`);
  expect(await small('.summary-rows a')).toEqual([]);
  await page.goto(`${site.url}/index.html`);
  expect(await small('.way-examples a')).toEqual([]);
  await page.close();
});

it('prevents context menus, dragging and selection, and has large targets', async () => {
  const { page } = await open('browse/index.html');
  const prevented = await page.evaluate(() =>
    ['contextmenu', 'dragstart'].map(
      (type) => !document.body.dispatchEvent(new Event(type, { bubbles: true, cancelable: true })),
    ),
  );
  expect(prevented).toEqual([true, true]);
  expect(await page.evaluate(() => getComputedStyle(document.body).userSelect)).toBe('none');
  const small = await page
    .locator('.masthead nav a, .letters a, .pager a, .breadcrumbs a, button, .again')
    .evaluateAll((found) =>
      found.filter((target) => target.getBoundingClientRect().height < 40).map((target) => target.outerHTML),
    );
  expect(small).toEqual([]);
  await page.close();
});

it.each(['attract.html', 'index.html', 'objects/lica-ferry-1-1-1.html', 'ja/search.html?q=a'])(
  'finds no accessibility violation in %s',
  async (path) => {
    const { page } = await open(path);
    await page.emulateMedia({ reducedMotion: 'reduce' }); // a slide that fades in has no contrast yet
    const outside = page.locator('button.outside:visible').first();
    if (await outside.count()) await outside.click();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.close();
  },
);

it('rejects an invalid idle timeout', async () => {
  const { code, stderr } = await runMicrofiche(['build', '--kiosk', '--idle-minutes', 'soon']);
  expect(code).toBe(2);
  expect(stderr).toContain('Expected a number of minutes, for example 3.');
});

it('passes on what visitors know as text and code, and forgets it after them', async () => {
  const { page, problems } = await open('objects/lica-quay-1-1.html');
  await page.locator('.know-link').click();
  const keys = page.locator('.kiosk-keyboard');
  const key = (name: string) => keys.getByRole('button', { name, exact: true });
  await page.getByRole('radio', { name: 'A story' }).check();
  await page.locator('#words').focus();
  await keys.waitFor();
  for (const name of ['w', 'e', '.', '⏎', 's']) await key(name).tap();
  expect(await page.locator('#words').inputValue()).toBe('we.\ns');
  await key('Close').tap();
  await keys.waitFor({ state: 'detached' });
  await page.locator('#know [type="submit"]').tap();
  await page.locator('#name').focus();
  await keys.waitFor();
  for (const name of ['m', 'o']) await key(name).tap();
  await key('Close').tap();
  await expect.poll(() => page.locator('#as-text').inputValue()).toContain('A story: we.\ns\n\nmo\n[ ] The archive may publish');
  await page.locator('#code path[d]').waitFor();
  await expect.poll(() => readCode(page.locator('#code'))).toContain('A story: we.\ns\n\nmo\n');
  expect(await page.locator('#save, #mail').count()).toBe(0);
  await page.goto(`${site.url}/attract.html`);
  await page.goto(`${site.url}/know.html`);
  await page.locator('#none').waitFor();
  expect([await page.locator('#own').isVisible(), await page.locator('#name').inputValue()]).toEqual([false, '']);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('know')))).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});
