/** Record pages in a browser: image viewer, player and transcript, citations, lists, map and print. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { collectPageErrors, playSlowly, pressCopy, useSiteInBrowser, useTab } from '../support/chromium.ts';

const mirror = useSiteInBrowser();

const open = useTab(mirror);

/** Opens a page in a tab with options of its own. */
async function openAlone(path: string, options: object): Promise<{ page: Page; problems: string[] }> {
  const page = await mirror.browser().newPage(options);
  const problems = collectPageErrors(page, mirror.url());
  await page.goto(`${mirror.url()}/${path}`);
  return { page, problems };
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Returns the image in the viewer as a data URL, which changes with zoom and position, once it is drawn and stays as it is. */
const shown = (page: Page): Promise<string> => page.locator('.zoom-view:has(.zoom-edge) canvas').first().evaluate(readSettled);

/** Runs in the page. */
async function readSettled(canvas: HTMLElement | SVGElement): Promise<string> {
  const { width, height } = canvas as HTMLCanvasElement;
  const empty = Object.assign(document.createElement('canvas'), { width, height }).toDataURL();
  let before = empty;
  for (let same = 0; same < 15; ) {
    await new Promise(requestAnimationFrame);
    const now = (canvas as HTMLCanvasElement).toDataURL();
    same = now === before && now !== empty ? same + 1 : 0;
    before = now;
  }
  return before;
}

describe('the image viewer', () => {
  it('opens, zooms, pans, fits the image and closes with the keyboard alone', async () => {
    const { page, problems } = await openAlone('objects/lica-quay-1-1.html', { reducedMotion: 'reduce' });
    await tabTo(page, 'a.zoom');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Image viewer' });
    await dialog.waitFor();
    const seen = [await shown(page)];
    for (const key of ['+', 'ArrowRight', '-']) {
      await page.keyboard.press(key);
      await expect.poll(() => shown(page)).not.toBe(seen.at(-1));
      seen.push(await shown(page));
    }
    expect(new Set(seen).size).toBe(4);
    await page.keyboard.press('0');
    await expect.poll(() => shown(page)).toBe(seen[0]);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
    // The browser tells the page of it a moment later.
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('zoom');
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each([
    ['lica-quay-2-1', { width: 390, height: 844 }],
    ['lica-quay-1-18', { width: 1280, height: 800 }],
  ])('shows a rotated image whole: %s', async (id, viewport) => {
    const { page } = await openAlone(`objects/${id}.html`, { reducedMotion: 'reduce', viewport });
    await page.locator('a.zoom').first().click();
    await page.locator('.zoom-view .zoom-edge').waitFor();
    for (let turn = 0; turn < 4; turn++) {
      await page.getByRole('button', { name: 'Rotate' }).click();
      await expect
        .poll(async () => {
          const [edge, view] = await Promise.all(
            ['.zoom-view .zoom-edge', '.zoom-view'].map((part) => page.locator(part).boundingBox()),
          );
          if (!edge || !view) return 'not shown';
          const beyond = [
            view.x - edge.x,
            view.y - edge.y,
            edge.x + edge.width - view.x - view.width,
            edge.y + edge.height - view.y - view.height,
          ];
          return Math.max(...beyond) <= 1;
        })
        .toBe(true);
    }
    await page.close();
  });

  it('draws an edge around the image, which moves with it', async () => {
    const { page } = await open('objects/lica-quay-1-1.html');
    await page.locator('a.zoom').click();
    const edge = page.locator('.zoom-view .zoom-edge');
    await edge.waitFor();
    const sizeOf = async () => (await edge.boundingBox()) ?? { width: 0, height: 0 };
    const before = await sizeOf();
    const ratio = await page
      .locator('a.zoom img')
      .evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight);
    expect(before.width / before.height).toBeCloseTo(ratio, 1);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(async () => (await sizeOf()).width).toBeGreaterThan(before.width * 1.3);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('has buttons for zoom, pan and fit; the page offers the original image for download', async () => {
    const { page } = await openAlone('objects/lica-quay-1-1.html', { reducedMotion: 'reduce' });
    await page.locator('a.zoom').click();
    const fitted = await shown(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => shown(page)).not.toBe(fitted);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.downloads a').first().click()]);
    const received = readFileSync(
      join(inject('mirror').snapshot, 'media/lica-quay-1/lica-quay-1-1-mezzanine-c8476c1261.image.jpg'),
    );
    expect(readFileSync(await download.path())).toEqual(received);
    await page.close();
  });

  it.each(['objects/lica-quay-1-1.html', 'objects/lica-quay-2-1.html'])(
    'has its controls in two rows on a phone, with the button that closes it at the top right: %s',
    async (path) => {
      const { page } = await openAlone(path, { viewport: { width: 390, height: 844 } });
      await page.locator('a.zoom').first().click();
      const rows = await page.locator('.zoom-bar :is(p, button)').evaluateAll((all) =>
        all
          .map((element) => element.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .map(({ top, height }) => Math.round((top + height / 2) / 10)),
      );
      expect(new Set(rows).size).toBe(2);
      const [bar, close] = [await page.locator('.zoom-bar').boundingBox(), await page.locator('.zoom-close').boundingBox()];
      expect(bar?.height).toBeLessThan(125);
      expect(close?.y).toBeLessThan(20);
      expect((close?.x ?? 0) + (close?.width ?? 0)).toBeGreaterThan(365);
      await page.setViewportSize({ width: 320, height: 568 });
      const ends = await page
        .locator('.zoom-bar button:visible')
        .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().right));
      expect(Math.max(...ends)).toBeLessThanOrEqual(320);
      await page.close();
    },
  );

  it('loads an image of more than 4,000 pixels as tiles', async () => {
    const { page, problems } = await openAlone('objects/lica-quay-1-2.html', { reducedMotion: 'reduce' });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.locator('a.zoom').click();
    await shown(page);
    /** Returns how many pixels of the image the finest tile so far has in one: `region/size/rotation/name` is its path. */
    const finest = () => {
      const tiles = requested.filter((path) => path.includes('/media/tiles/lica-quay-1-2')).map((path) => path.split('/'));
      const widths = tiles.map((parts) => [parts.at(-4)?.split(',')[2] ?? 'Infinity', parts.at(-3)?.split(',')[0]].map(Number));
      return Math.min(...widths.map(([region = 0, size = 0]) => region / size));
    };
    await expect.poll(() => Number.isFinite(finest())).toBe(true);
    const first = finest();
    expect(first).toBeGreaterThan(1);
    for (const key of ['+', '+', '+', '+', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(finest).toBeLessThan(first);
    expect(requested.filter((path) => path.endsWith('.image.jpg'))).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('is replaced by a link to the largest image if scripts are disabled', async () => {
    const { page } = await openAlone('objects/lica-quay-1-1.html', { javaScriptEnabled: false });
    await page.locator('a.zoom').click();
    await page.waitForURL(/\/media\/lica-quay-1\/.*\.image\.jpg$/);
    await page.close();
  });
});

it('shows the pages of a document in order, also in the viewer', async () => {
  const { page, problems } = await openAlone('objects/lica-quay-2-1.html', { reducedMotion: 'reduce' });
  expect(await page.locator('.leaves img').evaluateAll((all) => all.map((img) => (img as HTMLImageElement).alt))).toEqual(
    [1, 2, 3].map((n) => `Page ${n}: Postcard from the mainland no. 1`),
  );
  expect(await page.locator('.leaves figcaption a:not(.download)').allTextContents()).toEqual(
    [1, 2, 3].map((n) => `Page ${n} of Postcard from the mainland`),
  );
  await page.locator('.strip a').nth(1).click();
  await page.locator('#page-2 a.zoom').click();
  const caption = page.locator('.zoom-caption');
  expect(await caption.innerText()).toContain('(2/3)');
  await page.locator('.zoom-view canvas').first().waitFor();
  await page.keyboard.press('ArrowLeft');
  expect(await caption.innerText()).toContain('(1/3)');
  await page.keyboard.press('ArrowRight');
  expect(await caption.innerText()).toContain('(2/3)');
  await page.keyboard.press('PageDown');
  expect(await caption.innerText()).toContain('(3/3)');
  expect(await page.getByRole('button', { name: 'Next image' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous image' }).click();
  expect(await caption.innerText()).toContain('(2/3)');
  const upright = await shown(page);
  await page.keyboard.press('r');
  await expect.poll(() => shown(page)).not.toBe(upright);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement !== null);
  expect(problems).toEqual([]);
  await page.close();
});

describe('a document', () => {
  const current = (page: Page) => page.locator('.leaves > li:visible').evaluateAll((all) => all.map(({ id }) => id));

  it('shows one page at a time, turned with strip, buttons and keys, each with an address', async () => {
    const { page, problems } = await open('objects/lica-quay-2-1.html#page-2');
    expect(await current(page)).toEqual(['page-2']);
    expect(await page.locator('.document-bar [role=status]').innerText()).toBe('Page 2 of 3');
    await page.getByRole('button', { name: 'Next page' }).click();
    expect([await current(page), new URL(page.url()).hash]).toEqual([['page-3'], '#page-3']);
    expect(await page.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('link', { name: 'Page 1', exact: true }).click();
    expect(await current(page)).toEqual(['page-1']);
    await page.keyboard.press('ArrowRight');
    expect([await current(page), page.url()]).toEqual([['page-2'], expect.stringContaining('lica-quay-2-1.html')]);
    await page.locator('#page-2 a.zoom').focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    expect([await current(page), page.url()]).toEqual([['page-3'], expect.stringContaining('lica-quay-2-1.html')]);
    expect(await page.evaluate(() => document.activeElement?.closest('li')?.id)).toBe('page-3');
    expect(problems).toEqual([]);
  });

  it('has its strip beside the page on a desk, in the first screen, and below it on a phone', async () => {
    const { page } = await openAlone('objects/lica-quay-2-1.html', {});
    const boxes = async () => [await page.locator('.strip').boundingBox(), await page.locator('.leaves').boundingBox()] as const;
    await page.setViewportSize({ width: 1280, height: 800 });
    const [strip, leaf] = await boxes();
    expect((strip?.x ?? 0) + (strip?.width ?? 0)).toBeLessThanOrEqual(leaf?.x ?? 0);
    expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThan(800);
    await page.setViewportSize({ width: 390, height: 844 });
    const [below, page1] = await boxes();
    expect(below?.y).toBeGreaterThan((page1?.y ?? 0) + (page1?.height ?? 0));
    await page.close();
  });

  it('turns its pages with the arrow keys while it is in view and nothing has the focus; otherwise they open other records', async () => {
    const { page } = await open('objects/lica-quay-2-2.html');
    await page.goto(page.url().replace('lica-quay-2-2', 'lica-quay-2-1'));
    await page.keyboard.press('ArrowRight');
    expect([await current(page), new URL(page.url()).hash]).toEqual([['page-2'], '#page-2']);
    await page.keyboard.press('Home'); // the page's own key
    expect(await current(page)).toEqual(['page-2']);
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
    expect([await current(page), page.url()]).toEqual([['page-3'], expect.stringContaining('lica-quay-2-1.html')]);
    await page.locator('.summary-rows a, .fields a').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/lica-quay-2-2.html');
    await page.goto(page.url().replace('lica-quay-2-2', 'lica-quay-2-1'));
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(
      () => (document.querySelector('.document')?.getBoundingClientRect().bottom ?? 0) < innerHeight / 4,
    );
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/lica-quay-2-2.html');
  });

  it('shows all pages without scripts, and on paper', async () => {
    const { page } = await openAlone('objects/lica-quay-2-1.html', { javaScriptEnabled: false });
    expect(await current(page)).toEqual(['page-1', 'page-2', 'page-3']);
    await page.close();
    const { page: printed } = await open('objects/lica-quay-2-1.html');
    await printed.emulateMedia({ media: 'print' });
    expect(await current(printed)).toEqual(['page-1', 'page-2', 'page-3']);
  });
});

describe('the first screen', () => {
  const FIRST_SCREEN = { width: 1280, height: 720 };
  /** Returns the box of an element; fails if it does not begin in the first screen. */
  async function boxOf(page: Page, selector: string) {
    const box = (await page.locator(selector).first().boundingBox()) as { x: number; y: number; width: number };
    expect(box.y, selector).toBeLessThan(FIRST_SCREEN.height);
    return box;
  }

  it('has the image, and beside it what, when, who, where, whether it may be used, and how to cite it', async () => {
    const { page } = await openAlone('objects/lica-quay-1-1.html', { viewport: FIRST_SCREEN });
    const [image, facts] = [await boxOf(page, '.object-picture'), await boxOf(page, '.object-facts')];
    expect(facts.x).toBeGreaterThan(image.x + image.width / 2);
    for (const field of ['creation', 'creators', 'location', 'rights'])
      await boxOf(page, `.object-facts [data-field="${field}"]`);
    await boxOf(page, '.citations dd');
    await page.close();
  });

  it('of a segment has the player, the transcript beside it, and above them when, who, whether it may be used, and a button for how to cite it', async () => {
    const { page } = await openAlone('objects/lica-ferry-1-1-1.html', { viewport: FIRST_SCREEN });
    for (const field of ['creation', 'creators', 'rights']) await boxOf(page, `.object-facts [data-field="${field}"]`);
    const [player, words] = [await boxOf(page, 'video'), await boxOf(page, '.cues li')];
    expect(words.x).toBeGreaterThan(player.x + player.width);
    expect(player.y).toBeLessThan(420);
    await page.locator('.cite-fold > summary').click();
    await boxOf(page, '.citations dd');
    await page.close();
  });

  it('says that an item has no image', async () => {
    const { page } = await open('objects/lica-quay-2-10.html');
    expect(await page.locator('.object-media').innerText()).toContain('No image available');
  });

  it('names the interview of a segment on a line of its own', async () => {
    const { page } = await open('objects/lica-ferry-1-1-1.html');
    expect(await page.locator('h1').innerText()).toBe('Leif Vane Interview\nSegment 1: First day on the ferries');
    expect(await page.locator('h1 a').getAttribute('href')).toBe('../objects/lica-ferry-1-1.html');
  });

  it('shows a very long title in small letters, and the breadcrumbs in one line', async () => {
    const { page } = await open('objects/lica-quay-2-2.html');
    const height = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().height);
    expect(await height('h1')).toBeLessThan(300);
    expect(await height('.breadcrumbs')).toBeLessThan(40);
  });

  it('does not list the one file whose image it shows', async () => {
    const { page } = await open('objects/lica-quay-1-1.html');
    expect(await page.getByRole('heading', { name: /^Files/ }).count()).toBe(0);
    await page.getByText('Full record').click();
    await page.locator('.full-record').getByRole('link', { name: 'Nets drying on the quay' }).click();
    await page.waitForURL('**/lica-quay-1-1-mezzanine-c8476c1261.html');
  });
});

it('names what related records share, and their collection if it is another one', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  const notes = (selector: string) =>
    page.locator('.related .card', { hasText: selector }).first().locator('.card-note').allInnerTexts();
  // One of the same kind and decade is the first, and records of one title are one card.
  expect(await page.locator('.related .card-title').first().innerText()).toBe('Fog bell');
  expect(await notes('Fog bell')).toEqual(['Topic: Fishing']);
  expect(await notes('Timetable with pencil notes no. 21')).toEqual([
    'One of 2 records with this title',
    'Topic: Fishing',
    'Papers of the Ferry Union',
  ]);
});

describe('all files of a record', () => {
  it('are downloaded as a ZIP file', async () => {
    const { page, problems } = await open('objects/lica-quay-2-1.html');
    await page.evaluate(() => Reflect.deleteProperty(Array.prototype, 'findLast')); // engines of 2020 have none
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all 3 files (ZIP)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('lica-quay-2-1.zip');
    const { stdout: record } = await execa('unzip', ['-p', await download.path(), 'record.txt']);
    expect(record).toMatch(
      /^Postcard from the mainland no\. 1\n\nDate: Spring 1943\n[\s\S]*\nRights: [\s\S]*\n\nFairtide, Finn\. .*\n\nhttps:/,
    );
    const { stdout: listed } = await execa('unzip', ['-Z1', await download.path()]);
    expect(listed.split('\n')).toEqual(['record.txt', ...[1, 2, 3].map((n) => `lica-quay-2-1-page-${n}.jpg`)]);
    const { stdout } = await execa('unzip', ['-t', await download.path()]);
    expect(stdout.match(/testing: lica-quay-2-1-.*\.jpg\s+OK/g)).toHaveLength(3);
    expect(problems).toEqual([]);
  });

  it('are listed as links on file://', async () => {
    const page = await mirror.browser().newPage();
    await page.goto(pathToFileURL(join(inject('mirror').dist, 'objects/lica-quay-2-1.html')).href);
    await page.getByText('All 3 files').click();
    const links = await page.locator('.download-all a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const link of links) expect(existsSync(fileURLToPath(link)), link).toBe(true);
    expect(links).toHaveLength(3);
    await page.close();
  });
});

it.each([
  ['of a photograph', 'objects/lica-quay-1-1.html', '.object-picture', true],
  ['of a document', 'objects/lica-quay-2-1.html', '.document', true],
  ['of a collection', 'objects/lica-quay-1.html', '.description', false],
])('the buttons %s are one row below the title, on a phone too', async (_, path, shows, isBeside) => {
  const names = ['Save', 'Copy link', 'Print'];
  const { page } = await open(path);
  const box = async (target: ReturnType<Page['locator']>) =>
    (await target.first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const button = (name: string) => page.locator('.object-actions').getByRole('button', { name, exact: true });
  await button('Print').waitFor();
  const tops = new Set(await Promise.all(names.map(async (name) => (await box(button(name))).y)));
  const title = await box(page.locator('h1'));
  const shown = await box(page.locator(shows));
  expect(tops.size).toBe(1);
  expect([...tops][0]).toBeGreaterThanOrEqual(title.y + title.height);
  // What the page shows begins at the top, beside the title.
  if (isBeside) expect(shown.x + shown.width).toBeLessThan(title.x);
  else expect([...tops][0]).toBeLessThan(shown.y);
  expect(shown.y).toBeLessThan(isBeside ? 112 : 300);
  await page.setViewportSize({ width: 390, height: 844 });
  const [save, copy, heading, media] = await Promise.all(
    [button('Save'), button('Copy link'), page.locator('h1'), page.locator(shows)].map(box),
  );
  expect(save?.y).toBe(copy?.y);
  expect((save?.y ?? 0) - (heading?.y ?? 0) - (heading?.height ?? 0)).toBeLessThan(25);
  expect(save?.y).toBeLessThan(media?.y ?? 0);
  await page.setViewportSize({ width: 1280, height: 720 });
});

it('the player of a segment is at the top, and beside it title, buttons, facts and texts; below it on a phone', async () => {
  const { page } = await open('objects/lica-ferry-1-1-1.html');
  const box = async (selector: string) =>
    (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.locator('[data-save]').waitFor();
  const measure = async () => ({
    ...{ title: await box('h1'), player: await box('.player'), controls: await box('.player-buttons') },
    ...{ save: await box('[data-save]'), facts: await box('.object-facts'), words: await box('.object-words') },
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  const desk = await measure();
  expect(Math.abs(desk.player.y - desk.title.y)).toBeLessThan(75);
  expect(desk.controls.y + desk.controls.height).toBeLessThan(800);
  for (const beside of [desk.title, desk.save, desk.facts, desk.words])
    expect(beside.x).toBeGreaterThan(desk.player.x + desk.player.width);
  expect(desk.facts.y + desk.facts.height).toBeLessThanOrEqual(desk.words.y);
  expect(desk.words.y - desk.player.y).toBeLessThan(320);
  await page.setViewportSize({ width: 390, height: 844 });
  const phone = await measure();
  expect(phone.player.y + phone.player.height).toBeLessThan(700);
  expect(phone.player.y).toBeLessThan(300);
  for (const below of [phone.save, phone.facts]) expect(below.y).toBeGreaterThan(phone.player.y + phone.player.height);
  expect(phone.words.y).toBeGreaterThan(phone.facts.y);
  expect(phone.words.y).toBeLessThan(940);
  await page.setViewportSize({ width: 1280, height: 720 });
});

it('copies the address of the page: of one that only this machine serves, that on the web', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await pressCopy(page.getByRole('button', { name: 'Copy link' }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'https://mirror.example/archive/objects/lica-quay-1-1.html',
  );
});

it('opens the previous and the next record with the arrow keys, but not while the reader uses them for something else', async () => {
  const { page } = await open('objects/lica-quay-1-2.html');
  await page.locator('#masthead-q').press('ArrowRight');
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL('**/lica-quay-1-3.html');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL('**/lica-quay-1-2.html');
  expect(await page.locator('.record-navigation.short a').allInnerTexts()).toHaveLength(2);
});

describe('an interview', () => {
  it('lists its segments with durations, and misses no recording where the record lists none', async () => {
    const { page } = await open('objects/lica-ferry-1-1.html');
    const lines = await page.locator('.playlist li').allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
      'Segment 1: First day on the ferries 2:17',
      'Segment 2: The winter the sound froze 3:34',
      'Segment 3: How the flood came 4:51',
      'Segment 4: Lantern makers of the quay 5:08',
    ]);
    expect(await page.getByRole('heading', { name: /^Segments/ }).innerText()).toContain('15:50 total');
    expect(await page.locator('.glossary > p').first().innerText()).toMatch(/^net loft\nthe upper floor where nets are/);
  });

  it('shows a waveform with progress for audio, and plays from the clicked position', async () => {
    const { page, problems } = await open('objects/lica-ferry-1-4-1.html');
    const waveform = page.locator('.wave');
    expect(await page.locator('.player-length').innerText()).toBe('Length: 3:40');
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) > 0);
    const { width = 0 } = (await waveform.boundingBox()) ?? {};
    await waveform.click({ position: { x: width / 2, y: 20 } });
    const time = await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime / audio.duration);
    expect(time).toBeCloseTo(0.5, 1);
    await page.waitForFunction(() =>
      /\(0(?:px)? (?:49|5\d)/.test(document.querySelector<SVGElement>('.wave-played')?.style.clipPath ?? ''),
    );
    expect(problems).toEqual([]);
  });

  it('plays with the keyboard alone, with captions and a linked transcript, and continues with the next segment', async () => {
    const { page, problems } = await openAlone('objects/lica-ferry-1-1.html', {});
    await page.addInitScript(playSlowly);
    await tabTo(page, 'a.button');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/lica-ferry-1-1-1.html#play');
    const player = page.locator('video.player');
    const of = <T>(read: (video: HTMLVideoElement) => T) => player.evaluate(read as (element: HTMLElement | SVGElement) => T);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('player');
    expect(await of((video) => [...(video.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text))).toEqual([
      'Well, the whistle went at five,',
      'and the gulls knew it before we did.',
    ]);
    expect(await of((video) => [video.textTracks[0]?.kind, video.textTracks[0]?.mode])).toEqual(['captions', 'showing']);
    await of((video) => video.pause());
    await tabTo(page, '.cues li:nth-child(2) .cue-time');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    await page.locator('.cues li:nth-child(2)[data-spoken]').waitFor();
    await of((video) => {
      video.playbackRate = 1;
    });
    await page.waitForURL('**/lica-ferry-1-1-2.html#play');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('stays at the end of a segment while the reader is typing', async () => {
    const { page } = await open('objects/lica-ferry-1-1-1.html');
    expect(await page.getByLabel('Autoplay next segment').isChecked()).toBe(true);
    await page.getByPlaceholder('Find in text').fill('whis');
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.play());
    await page.waitForFunction(() => document.querySelector('video')?.ended);
    await page.waitForTimeout(300);
    expect(page.url()).toContain('lica-ferry-1-1-1.html');
  });

  it('stops at the end of a segment if autoplay is off', async () => {
    const { page } = await open('objects/lica-ferry-1-1-1.html');
    await page.getByLabel('Autoplay next segment').uncheck();
    await page.reload();
    expect(await page.getByLabel('Autoplay next segment').isChecked()).toBe(false);
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.play());
    await page.waitForFunction(() => document.querySelector('video')?.ended);
    await page.waitForTimeout(300);
    expect(page.url()).toContain('lica-ferry-1-1-1.html');
  });

  it.each([
    ['lica-ferry-1-1-1', 'video.player', 2, undefined],
    ['lica-ferry-1-4-1', 'audio.player', 220, undefined],
    ['lica-ferry-1-3-2', undefined, undefined, 'is stream-only'],
    ['lica-ferry-1-1-4', undefined, undefined, 'The recording is not in this copy.'],
  ])('%s has a player, or a notice why not', async (id, player, seconds, notice) => {
    const { page } = await open(`objects/${id}.html`);
    expect(await page.locator('.player').count()).toBe(player ? 1 : 0);
    if (player) {
      const length = await page.locator(player).evaluate(
        (media) =>
          new Promise((resolve) => {
            const audio = media as HTMLMediaElement;
            if (audio.readyState > 0) resolve(audio.duration);
            else audio.addEventListener('loadedmetadata', () => resolve(audio.duration));
          }),
      );
      expect(length).toBeCloseTo(seconds ?? 0, 0);
    }
    if (notice) expect(await page.locator('.absent').allInnerTexts()).toEqual([expect.stringContaining(notice)]);
  });

  it('lists other interviews with the same narrator', async () => {
    const { page } = await open('objects/lica-ferry-1-3.html');
    const section = page.locator('section', { hasText: 'Other interviews with the same narrator' });
    expect(await section.locator('.card a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      '../objects/lica-ferry-1000-8.html',
    ]);
  });
});

it('shows a collection as a grid or a list, and remembers the choice', async () => {
  const { page } = await open('objects/lica-quay-1.html');
  const images = page.locator('.contents .card-picture');
  expect(await images.first().isVisible()).toBe(true);
  await page.getByLabel('List').check();
  expect((await images.first().boundingBox())?.width).toBe(48);
  await page.goto(`${mirror.url()}/objects/lica-quay-2.html`);
  expect(await page.getByLabel('List').isChecked()).toBe(true);
  await page.getByRole('link', { name: 'Finding aid' }).click();
  await page.waitForURL('**/objects/lica-quay-2/contents.html');
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Request', 'Title', 'Date', 'ID']);
  const [first, second] = await page.locator('tbody').allInnerTexts();
  expect(first?.trim().split(/\s*[\t\n\u2002]\s*/)).toEqual([
    'Postcard from the mainland no. 1',
    '3 files',
    'Spring 1943',
    'lica-quay-2-1',
  ]);
  expect(second?.trim()).toMatch(/^A very long title/);
});

it('lists the segments of interviews in a finding aid, and says in words what is below each record', async () => {
  const { page } = await open('objects/lica-ferry-1/contents.html');
  expect(await page.getByRole('heading', { name: 'Contents' }).innerText()).toBe('Contents');
  const rows = await page.locator('tbody').first().locator('tr').allInnerTexts();
  expect(rows.map((row) => row.trim().split(/\s*[\t\n\u2002]\s*/))).toEqual([
    ['Leif Vane Interview', '4 segments · 1 file', 'June 2, 2010', 'lica-ferry-1-1'],
    ['Segment 1: First day on the ferries', '2 files', 'June 2, 2010', 'lica-ferry-1-1-1'],
    ['Segment 2: The winter the sound froze', '1 file', 'June 2, 2010', 'lica-ferry-1-1-2'],
    ['Segment 3: How the flood came', 'June 2, 2010', 'lica-ferry-1-1-3'],
    ['Segment 4: Lantern makers of the quay', 'June 2, 2010', 'lica-ferry-1-1-4'],
  ]);
  const columns = await page
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].slice(1).map((cell) => cell.getBoundingClientRect().left)));
  expect(new Set(columns.map(String)).size).toBe(1);
});

it('filters the contents of a finding aid, which is printed whole', async () => {
  const { page } = await open('objects/lica-ferry-1/contents.html');
  const shown = () => page.locator('tbody tr:visible .id').allInnerTexts();
  const all = await shown();
  await page.getByRole('searchbox', { name: 'Filter' }).fill('VÁNE winter');
  expect(await shown()).toEqual(['lica-ferry-1-1', 'lica-ferry-1-1-2', 'lica-ferry-1-10', 'lica-ferry-1-10-2']);
  await page.emulateMedia({ media: 'print' });
  expect(await shown()).toEqual(all);
  expect(await page.locator('.contents-tools:visible, .tick:visible').count()).toBe(0);
  await page.emulateMedia({ media: null });
  await page.getByRole('searchbox', { name: 'Filter' }).fill('no such record');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  expect(await shown()).toEqual(all);
});

it('copies a list of the records that a reader selects in a finding aid, or shows it', async () => {
  const { page } = await open('objects/lica-ferry-1/contents.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = page.getByRole('button', { name: 'Copy request list' });
  expect(await copy.isDisabled()).toBe(true);
  await page.getByLabel('Request: Segment 2: The winter the sound froze').first().check();
  await page.getByLabel('Request: Wren Saltmarsh Interview').check();
  const list = [
    'Voices of the Sound: interviews (lica-ferry-1)',
    `lica-ferry-1-1-2: Leif Vane Interview, Segment 2: The winter the sound froze, June 2, 2010\nhttps://mirror.example/archive/objects/lica-ferry-1-1-2.html`,
    `lica-ferry-1-2: Wren Saltmarsh Interview, June 3, 2011\nhttps://mirror.example/archive/objects/lica-ferry-1-2.html`,
  ].join('\n\n');
  await pressCopy(copy);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${list}\n`);
  await page.reload();
  await page.getByText('Selected: 2').waitFor();
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await copy.click();
  await page.locator('.request-list pre').waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(list);
  // What the reader says of a visit comes first, and the list alone can be printed.
  await page.getByText('Add your name and visit').click();
  await page.getByLabel('Name').fill('Ada Reader');
  await page.getByLabel('Date of visit').fill('May 4');
  const [heading, ...records] = list.split('\n\n');
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await page.getByRole('button', { name: 'Print request list' }).click();
  await page.emulateMedia({ media: 'print' });
  expect((await page.locator('body').innerText()).trim()).toBe(
    [heading, 'Name: Ada Reader\nDate of visit: May 4', ...records].join('\n\n'),
  );
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  // The site names no e-mail address.
  expect(await page.locator('[data-request="mail"]').count()).toBe(0);
  // The first screen links to the contents, and the bar stays in view.
  await page.evaluate(() => scrollTo(0, 0));
  const jump = page.getByRole('link', { name: '12 items' });
  expect((await jump.boundingBox())?.y).toBeLessThan(400);
  await jump.click();
  await page.mouse.wheel(0, 400);
  await expect.poll(async () => (await copy.boundingBox())?.y).toBeLessThan(80);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  expect([await page.locator('.tick input:checked').count(), await copy.isDisabled()]).toEqual([0, true]);
  await page.locator('tbody .id a').nth(1).click();
  await page.waitForURL('**/objects/lica-ferry-1-1-1.html');
});

it('shows citations in the style that the reader chose on any page, without moving, and offers them as files', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  const shown = () =>
    page.locator('.citations [data-style]:visible').evaluateAll((all) => all.map((each) => each.getAttribute('data-style')));
  await page.locator('.cite-fold > summary').click();
  expect(await shown()).toEqual(['Chicago']);
  await page.getByLabel('Citation style').selectOption('MLA');
  expect(await shown()).toEqual(['MLA']);
  for (const path of [
    'objects/lica-ferry-1-1-1.html',
    'objects/lica-quay-1.html',
    'people/leif-vane.html',
    'objects/lica-ferry-1-1/transcript.html',
  ]) {
    await page.goto(`${mirror.url()}/${path}`, { waitUntil: 'commit' });
    const fold = page.locator('.cite-fold > summary');
    await page.locator('footer.colophon').waitFor();
    if ((await fold.count()) > 0) await fold.click();
    expect([path, await shown()]).toEqual([path, ['MLA']]);
    // The list follows when the script has run.
    await expect.poll(() => page.getByLabel('Citation style').inputValue()).toBe('MLA');
  }
  await page.getByLabel('Citation style').selectOption('RIS');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'BibTeX' }).click()]);
  expect(file.suggestedFilename()).toBe('lica-ferry-1-1.bib');
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^@misc\{lica-ferry-1-1,\n[\s\S]*\}\n$/);
  // The archive’s own citation is not on every page.
  await page.getByLabel('Citation style').selectOption('preferred');
  await page.goto(`${mirror.url()}/people/leif-vane.html`);
  await page.locator('.cite-fold > summary').click();
  expect(await shown()).toEqual(['Chicago']);
});

it('shows the details, checksums and related files of a file record', async () => {
  const { page } = await open('objects/lica-quay-2-1.html');
  await page.locator('.leaves figcaption a').first().click();
  await page.getByText('Full record').click();
  const text = await page.locator('main').innerText();
  for (const label of ['SHA-1', 'SHA-256', 'MD5', 'Size in bytes', 'Media type', 'Original file name'])
    expect(text).toContain(label);
  const section = page.locator('section', { hasText: 'Related files' });
  expect(await section.locator('.card-title').allInnerTexts()).toEqual([
    'Page 2 of Postcard from the mainland',
    'Page 3 of Postcard from the mainland',
  ]);
});

it('copies a citation to the clipboard', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.cite-fold > summary').click();
  await page.getByLabel('Citation style').selectOption('BibTeX');
  await pressCopy(page.getByRole('button', { name: 'Copy', exact: true }));
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^@\w+\{/);
});

it('copies a citation with its names in Arabic isolated, so that the points around them keep their places', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.citations dd:not(.code)').evaluateAll((all) => {
    for (const each of all) each.append(Object.assign(document.createElement('bdi'), { textContent: 'سلمى' }), '.');
  });
  await page.locator('.cite-fold > summary').click();
  await page.getByLabel('Citation style').selectOption('APA');
  await pressCopy(page.getByRole('button', { name: 'Copy', exact: true }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\u2068سلمى\u2069\.$/);
});

describe('the map of places', () => {
  it('links to each place, and shows land from bundled outlines', async () => {
    const { page, problems } = await open('browse/place/index.html');
    expect((await page.locator('.map .land').getAttribute('d'))?.length).toBeGreaterThan(50);
    expect((await page.locator('.map text').allTextContents()).map((text) => text.trim())).toEqual(
      expect.arrayContaining(['Fenwick Sound', 'Île aux Phoques', 'Lantern Quay', 'Tern Hill']),
    );
    await page.getByRole('link', { name: /^Tern Hill: \d+ records$/ }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Tern Hill/);
    expect(problems).toEqual([]);
  });
});

it('prints the content without navigation and controls', async () => {
  const { page } = await open('objects/lica-ferry-1-1-1.html');
  await page.emulateMedia({ media: 'print' });
  for (const selector of ['.masthead nav', '.player', '.downloads', '.json', '.theme', '.record-navigation'])
    expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
  expect(await page.getByText('and the gulls knew it before we did.', { exact: true }).isVisible()).toBe(true);
  for (const role of ['Narrator', 'Interviewer'])
    expect(await page.getByText(role, { exact: true }).first().isVisible(), role).toBe(true);
  // The full record, for catalogers, would take more paper than all else.
  expect(await page.getByText('Order', { exact: true }).isVisible()).toBe(false);
});

it('has no line above either field of the first row of details, in one column or two', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  for (const [width, inFirstRow] of [
    [1280, 2],
    [800, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const borders = await page
      .locator('.fields dl.two-columns > div')
      .evaluateAll((rows) => rows.map((row) => Number.parseFloat(getComputedStyle(row).borderTopWidth)));
    expect(borders.slice(0, inFirstRow)).toEqual(Array(inFirstRow).fill(0));
    expect(borders[inFirstRow]).toBeGreaterThan(0);
  }
});

it('links a location to the place of its name', async () => {
  const { page } = await open('objects/lica-quay-1-1.html');
  const link = page.locator('.object-facts [data-field="location"] a');
  expect(await link.innerText()).toBe('Tern Hill');
  await link.click();
  await page.waitForURL('**/browse/place/*.html');
  expect(await page.locator('h1').innerText()).toBe('Tern Hill');
});

it('names a place once in the summary, and its location among the details', async () => {
  const { page } = await open('objects/lica-quay-2-1.html');
  expect(await page.locator('.object-facts [data-field="geography"]').innerText()).toContain('Tern Hill');
  expect(await page.locator('.object-facts [data-field="location"]').count()).toBe(0);
  expect(await page.locator('.fields [data-field="location"]').textContent()).toBe('Made atTern Hill');
});
