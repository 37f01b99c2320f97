/** What readers know: a form without a network, over HTTP and from file://, whose file `microfiche inbox` reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { formatTime } from '../../src/formats/moments.ts';
import type { Inbox } from '../../src/publish/inbox/read-inbox.ts';
import { BROWSERS, openPage, startBrowser } from '../support/browsers.ts';
import { createTestDirectory, runMicroficheJson, startServe } from '../support/commands.ts';

const PHOTOGRAPH = 'lica-quay-1-1';
const SEGMENT = 'lica-ferry-1-1-1';
const PERSON = 'sven-ashlock';
/** A page that is not in front draws no frames. */
const POLLING = { polling: 100 };

/** Opens the form by the link of a page. */
async function follow(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForSelector('.know-link');
  await Promise.all([page.waitForNavigation(), page.$eval('.know-link', (link) => (link as HTMLAnchorElement).click())]);
  await page.waitForSelector('#know:not([hidden])');
}

async function add(page: Page, kind: string, text: string): Promise<void> {
  const before = await page.$$eval('.contributions > li', (rows) => rows.length);
  await page.$eval(`[name="kind"][value="${kind}"]`, (radio) => (radio as HTMLInputElement).click());
  await page.type('#words', text);
  await page.$eval('#know [type="submit"]', (button) => (button as HTMLElement).click());
  await page.waitForFunction((count) => document.querySelectorAll('.contributions > li').length > count, POLLING, before);
}

/** Returns the name and the text of the file that the page saves. */
const saved = (page: Page) =>
  page.evaluate(async () => {
    const file: { name?: string; text?: Promise<string> } = {};
    const create = URL.createObjectURL.bind(URL);
    const { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (blob) => {
      file.text = (blob as Blob).text();
      return create(blob);
    };
    HTMLAnchorElement.prototype.click = function keepName() {
      file.name = this.download;
    };
    document.getElementById('save')?.click();
    Object.assign(URL, { createObjectURL: create });
    Object.assign(HTMLAnchorElement.prototype, { click });
    return { name: file.name ?? '', text: (await file.text) ?? '' };
  });

async function readBack(text: string): Promise<Inbox> {
  const file = join(createTestDirectory(), 'contribution.json');
  writeFileSync(file, text);
  return runMicroficheJson<Inbox>(['inbox', file, '--snapshot', inject('mirror').snapshot]);
}

describe.each(BROWSERS)('in %s', (name) => {
  let browser: Browser;
  let host: Awaited<ReturnType<typeof startServe>>;
  beforeAll(async () => {
    const { snapshot, dist } = inject('mirror');
    [browser, host] = await Promise.all([startBrowser(name), startServe(['--snapshot', snapshot, '--dir', dist])]);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.stop();
  });
  const topOf = (scheme: 'http' | 'file') => (scheme === 'http' ? host.url : pathToFileURL(inject('mirror').dist).href);

  it.each(['http', 'file'] as const)('gives back what is known of a record, a moment and a person (%s)', async (scheme) => {
    const top = topOf(scheme);
    const own = await browser.createBrowserContext();
    const { page, problems } = await openPage(own, top);
    await follow(page, `${top}/objects/${PHOTOGRAPH}.html`);
    expect(await page.$eval('#subject', (link) => [link.textContent, link.getAttribute('href')])).toEqual([
      'Nets drying on the quay',
      `objects/${PHOTOGRAPH}.html`,
    ]);
    await add(page, 'date', 'It was in May 1942.');
    await page.goto(`${top}/objects/${SEGMENT}.html`);
    await page.waitForFunction(() => (document.querySelector<HTMLVideoElement>('.player')?.readyState ?? 0) > 0, POLLING);
    // A browser may go to the nearest frame. At the end of the recording, which has two seconds, the next one would open.
    const moment = await page.evaluate(async () => {
      const player = document.querySelector<HTMLVideoElement>('.player') as HTMLVideoElement;
      const link = document.querySelector<HTMLAnchorElement>('.know-link') as HTMLAnchorElement;
      player.currentTime = 1;
      await new Promise((resolve) => player.addEventListener('timeupdate', resolve, { once: true }));
      await new Promise((resolve) => setTimeout(resolve));
      link.click();
      return Math.round(player.currentTime * 10) / 10;
    });
    await page.waitForFunction(() => location.pathname.endsWith('/know.html'), POLLING);
    await page.waitForSelector('#know:not([hidden])');
    expect(await page.$eval('#subject', (link) => link.textContent)).toMatch(new RegExp(`· at ${formatTime(moment)}$`));
    await add(page, 'correction', 'She says “Farrow”.\nNot “Barrow”.');
    await follow(page, `${top}/people/${PERSON}.html`);
    await add(page, 'story', 'He taught us to swim.');
    await page.type('#name', 'Mara');
    // Not by a place on the screen: the page may move while it is saved.
    await page.$eval('#may-publish', (box) => (box as HTMLInputElement).click());
    // Another visit finds all of it again.
    await page.goto(`${top}/know.html`);
    await page.waitForSelector('#own:not([hidden])');
    const { name: fileName, text } = await saved(page);
    expect(fileName).toMatch(/^contribution-lantern-islands-community-archive-\d{4}-\d\d-\d\d\.json$/);
    const { problems: unread, subjects } = await readBack(text);
    expect(unread).toEqual([]);
    expect(subjects.map(({ subject, state }) => [subject.kind, subject.id, state])).toEqual([
      ['object', SEGMENT, 'unchanged'],
      ['object', PHOTOGRAPH, 'unchanged'],
      ['person', PERSON, 'unknown'],
    ]);
    const [segment, photograph] = subjects.map(({ contributions }) => contributions[0]);
    expect(segment).toMatchObject({ kind: 'correction', moment, text: 'She says “Farrow”.\nNot “Barrow”.' });
    expect(photograph).toMatchObject({ kind: 'date', reader: { name: 'Mara', mayPublish: true, mayShowName: false } });
    expect(photograph?.record).toMatchObject({ date: 'c. 1942', credit: 'Hugo Fairtide' });
    expect(await page.$eval('#clear', (it) => it.checkVisibility() && !(it as HTMLButtonElement).disabled)).toBe(true);
    await page.$eval('#clear', (button) => (button as HTMLElement).click());
    await page.waitForSelector('#own', { hidden: true });
    await page.reload();
    await page.waitForSelector('#none:not([hidden])');
    expect(await page.$('#own:not([hidden])')).toBeNull();
    expect(problems).toEqual([]);
    await own.close();
  });

  it('marks places in the image with the keyboard and with a pointer', async () => {
    const own = await browser.createBrowserContext();
    const { page } = await openPage(own, topOf('file'));
    await follow(page, `${topOf('file')}/objects/${PHOTOGRAPH}.html`);
    await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.marked-picture img')?.naturalWidth ?? 0) > 0);
    await page.focus('#mark');
    await page.keyboard.press('Enter');
    const label = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await label()).toBe('Place 1: 50% from the left, 50% from the top');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowDown'] as const) await page.keyboard.press(key);
    expect(await label()).toBe('Place 1: 48% from the left, 51% from the top');
    expect(await page.$eval('#position', (status) => status.textContent)).toBe(await label());
    await page.keyboard.down('Shift');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp'] as const) await page.keyboard.press(key);
    await page.keyboard.up('Shift');
    await page.keyboard.press('Enter');
    expect(await label()).toBe('Name at place 1');
    await page.keyboard.type('Hugo');
    /** Returns a function that gives the points of the image, to which it scrolls: a field that has the focus may be below it. */
    const scrollToImage = async () => {
      await page.$eval('#marks', async (layer) => {
        // The page may still scroll to the field.
        for (let last = -1; last !== scrollY; await new Promise((resolve) => setTimeout(resolve, 150))) last = scrollY;
        layer.scrollIntoView({ block: 'center', behavior: 'instant' });
      });
      const box = await (await page.$('#marks'))?.boundingBox();
      if (!box) throw new Error('The image is not shown');
      return (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    };
    const mark = async () => {
      const point = await scrollToImage();
      // If the page scrolls in the meantime, the click is beside the image.
      if ((await page.$$('.mark-box')).length < 2) await page.mouse.click(...point(0.2, 0.25));
      return label();
    };
    await expect.poll(mark, { interval: 1_000 }).toBe('Name at place 2');
    await page.keyboard.type('Mara');
    let at = await scrollToImage();
    await page.mouse.move(...at(0.7, 0.1));
    await page.mouse.down();
    await page.mouse.move(...at(0.8, 0.2));
    await page.mouse.move(...at(0.9, 0.3));
    await page.mouse.up();
    await page.keyboard.type('The boat');
    // A place that is removed by its key leaves the others.
    at = await scrollToImage();
    await page.mouse.click(...at(0.5, 0.9));
    await page.waitForSelector('#names > li:nth-child(4)');
    await page.focus('.mark-box:nth-child(4)');
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => document.querySelectorAll('.mark-box').length === 3);
    await page.$eval('#know [type="submit"]', (button) => (button as HTMLElement).click());
    await page.waitForSelector('.contributions > li:nth-child(3)');
    const { subjects } = await readBack((await saved(page)).text);
    const marks = subjects[0]?.contributions.map(({ text, mark }) => [text, mark]) ?? [];
    expect(marks.map(([text]) => text)).toEqual(['Hugo', 'Mara', 'The boat']);
    expect(marks[0]?.[1]).toMatchObject({ x: 0.42, y: 0.45, width: 0.14, height: 0.11 });
    expect(marks[1]?.[1]).toMatchObject({ x: expect.closeTo(0.14, 1), y: expect.closeTo(0.19, 1), width: 0.12, height: 0.12 });
    expect(marks[2]?.[1]).toMatchObject({
      x: expect.closeTo(0.7, 1),
      width: expect.closeTo(0.2, 1),
      height: expect.closeTo(0.2, 1),
    });
    await own.close();
  });

  it('keeps a text that is not added yet for its own subject', async () => {
    const own = await browser.createBrowserContext();
    const { page } = await openPage(own, host.url);
    await follow(page, `${host.url}/objects/${PHOTOGRAPH}.html`);
    await page.type('#words', 'I remember');
    await follow(page, `${host.url}/people/${PERSON}.html`);
    expect(await page.$eval('#words', (field) => (field as HTMLTextAreaElement).value)).toBe('');
    await follow(page, `${host.url}/objects/${PHOTOGRAPH}.html`);
    expect(await page.$eval('#words', (field) => (field as HTMLTextAreaElement).value)).toBe('I remember');
    await own.close();
  });
});

it('marks the place that a finger taps, and none where it scrolls', async () => {
  const browser = await startBrowser('chrome');
  const top = pathToFileURL(inject('mirror').dist).href;
  const { page } = await openPage(browser, top);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await follow(page, `${top}/objects/${PHOTOGRAPH}.html`);
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('.marked-picture img')?.naturalWidth ?? 0) > 0);
  const scroll = () => page.evaluate(() => scrollY);
  const pointOf = async (x: number, y: number) => {
    await page.$eval('#marks', (layer) => layer.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const box = await (await page.$('#marks'))?.boundingBox();
    if (!box) throw new Error('The image is not shown');
    return [box.x + box.width * x, box.y + box.height * y] as const;
  };
  const [left, bottom] = await pointOf(0.5, 0.9);
  const before = await scroll();
  await page.touchscreen.touchStart(left, bottom);
  for (let moved = 20; moved <= 200; moved += 20) await page.touchscreen.touchMove(left, bottom - moved);
  // A finger that rests before it is lifted throws nothing, so that the page is still before the next tap.
  for (let rest = 0; rest < 10; rest++) await page.touchscreen.touchMove(left, bottom - 200);
  await page.touchscreen.touchEnd();
  await expect.poll(scroll).toBeGreaterThan(before);
  expect(await page.$$('.mark-box')).toHaveLength(0);
  await page.touchscreen.tap(...(await pointOf(0.3, 0.6)));
  await page.waitForSelector('.mark-box');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Name at place 1');
  await page.keyboard.type('Mara');
  await page.$eval('#know [type="submit"]', (button) => (button as HTMLElement).click());
  await page.waitForSelector('.contributions > li');
  const { subjects } = await readBack((await saved(page)).text);
  expect(subjects[0]?.contributions).toMatchObject([
    { text: 'Mara', mark: { x: expect.closeTo(0.24, 1), y: expect.closeTo(0.54, 1), width: 0.12, height: 0.12 } },
  ]);
  await browser.close();
});

it('links and pages are left out if the design says so, and an e-mail has what was written if it has an address', async () => {
  const { small } = inject('mirror');
  const cwd = createTestDirectory();
  const build = async (design: object, out: string) => {
    writeFileSync(join(cwd, 'microfiche.config.json'), JSON.stringify({ design }));
    await runMicroficheJson<BuildReport>(['build', '--snapshot', small, '--out', out], { cwd });
  };
  await build({ contact: 'desk@archive.example' }, 'dist');
  const browser = await startBrowser('chrome');
  const page = await browser.newPage();
  const top = pathToFileURL(join(cwd, 'dist')).href;
  await follow(page, `${top}/objects/lica-quay-1.html`);
  await add(page, 'story', 'We lived there & swam.');
  const mail = new URL(await page.$eval('#mail', (link) => (link as HTMLAnchorElement).href));
  expect([mail.pathname, mail.searchParams.get('body')]).toEqual([
    'desk@archive.example',
    expect.stringContaining('A story: We lived there & swam.\r\n'),
  ]);
  // What a mail program would cut is only in the file.
  await page.$eval('#words', (field) => {
    (field as HTMLTextAreaElement).value = 'word '.repeat(500);
  });
  await add(page, 'story', 'more');
  expect(await page.$eval('#mail', (link) => (link as HTMLElement).hidden)).toBe(true);
  await build({ contributions: false }, 'dist');
  await page.goto(`${top}/objects/lica-quay-1.html`);
  expect(await page.$('.know-link')).toBeNull();
  await expect(page.goto(`${top}/know.html`)).rejects.toThrow('ERR_FILE_NOT_FOUND');
  await browser.close();
});
