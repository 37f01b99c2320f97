import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { collectPageErrors, playSlowly, pressCopy, useSiteInBrowser, useTab, waitForSearch } from '../support/chromium.ts';

const mirror = useSiteInBrowser();
const SEGMENT = 'objects/lica-ferry-1-1-1.html';
const SCHEMES = ['http', 'file'] as const;
const topOf = (scheme: (typeof SCHEMES)[number]) =>
  scheme === 'http' ? mirror.url() : pathToFileURL(inject('mirror').dist).href;

type PageOptions = Parameters<Browser['newPage']>[0] & { scheme?: (typeof SCHEMES)[number] };

const openInTab = useTab(mirror);
const open = async (path: string) => (await openInTab(path)).page;

/** Opens a page in a tab with options of its own, which plays recordings slowly. */
async function openAlone(path: string, { scheme = 'http', ...options }: PageOptions): Promise<Page> {
  const page = await mirror.browser().newPage(options);
  await page.addInitScript(playSlowly);
  await page.goto(`${topOf(scheme)}/${path}`);
  return page;
}

/** Waits until the browser knows the recording, and returns what `read` reads of it. */
async function ofVideo<T>(page: Page, read: (video: HTMLVideoElement) => T): Promise<T> {
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
  return page.locator('video').evaluate(read as (element: HTMLElement | SVGElement) => T) as Promise<T>;
}

const shownTexts = (page: Page) =>
  page.locator('section.text:visible').evaluateAll((all) => all.map((text) => text.dataset['kind']));

it('has tabs for captions, transcript and glossary, which the arrow keys select', async () => {
  const page = await open(SEGMENT);
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Captions', 'Transcript', 'Glossary']);
  expect(await shownTexts(page)).toEqual(['captions']);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  expect(await shownTexts(page)).toEqual(['transcript']);
  await page.keyboard.press('ArrowRight');
  expect(await shownTexts(page)).toEqual(['glossary']);
  expect(await page.getByRole('tab', { name: 'Glossary' }).getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Home');
  expect(await shownTexts(page)).toEqual(['captions']);
});

it('shows all texts below each other without scripts, and on paper', async () => {
  const page = await openAlone(SEGMENT, { javaScriptEnabled: false });
  expect(await shownTexts(page)).toEqual(['captions', 'transcript', 'glossary']);
  expect(await page.getByRole('tab').count()).toBe(0);
  await page.close();
  const printed = await open(SEGMENT);
  await printed.emulateMedia({ media: 'print' });
  expect(await shownTexts(printed)).toEqual(['captions', 'transcript', 'glossary']);
});

it('names the speaker of each paragraph, also of plain text', async () => {
  const page = await open(SEGMENT);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  expect(await page.locator('section.text:visible .prose b').allInnerTexts()).toEqual(['Q:', 'Leif Vane:', 'Q:', 'Leif Vane:']);
});

it('has one heading above a transcript that begins with its title', async () => {
  const headings = (page: Page) => page.getByRole('heading', { name: /Transcript/ });
  const page = await open('objects/lica-ferry-1-2-1.html');
  expect(await headings(page).allInnerTexts()).toEqual(['Transcript']);
  const file = await open('objects/lica-ferry-1-2-1-transcript-aefa6b3816.html');
  expect(await headings(file).and(file.locator(':not(.unseen)')).allInnerTexts()).toEqual(['Transcript of segment 1']);
});

it('has a page with the transcript of the entire interview, from which each segment opens', async () => {
  const page = await open('objects/lica-ferry-1-1.html');
  await page.getByRole('link', { name: 'Entire interview on one page' }).click();
  await page.waitForURL('**/objects/lica-ferry-1-1/transcript.html');
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
    'Segment 1: First day on the ferries 2:17',
    'Segment 2: The winter the sound froze 3:34',
    'Segment 3: How the flood came 4:51',
    'Segment 4: Lantern makers of the quay 5:08',
  ]);
  expect(await page.getByText('No transcript').count()).toBe(2);
  expect(await page.locator('.interview-text .prose').first().innerText()).toContain('Leif Vane: Well, the whistle went at five');
  // Without a script, a time leads to the page of the segment; with it, the recording is played from there.
  const moment = page.getByRole('link', { name: '0:00' });
  expect(await moment.getAttribute('href')).toBe('../../objects/lica-ferry-1-1-2.html#t=0');
  await page.getByRole('heading', { level: 2 }).nth(1).getByRole('link').click();
  await page.waitForURL('**/lica-ferry-1-1-2.html');
  await page.goBack();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.cue-time').first().isVisible()).toBe(false);
});

it('finds words in the shown text, goes from match to match, and unmarks them', async () => {
  const page = await open(SEGMENT);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  const field = page.getByRole('searchbox', { name: 'Find in text' });
  const status = page.locator('.texts-find [role=status]');
  await field.fill('the BOATS');
  expect(await page.locator('mark.found').allInnerTexts()).toEqual(['the boats', 'the boats', 'The boats']);
  expect(await status.innerText()).toBe('1 of 3');
  await field.press('Enter');
  expect(await status.innerText()).toBe('2 of 3');
  await field.press('Shift+Enter');
  await field.press('Shift+Enter');
  expect(await status.innerText()).toBe('3 of 3');
  await page.getByRole('button', { name: 'Next match' }).click();
  expect(await status.innerText()).toBe('1 of 3');
  await field.fill('by sound. You');
  expect(await page.locator('mark.found').allInnerTexts()).toEqual(['by ', 'sound', '. You']);
  await field.fill('zeppelin');
  expect([await status.innerText(), await page.locator('mark.found').count()]).toEqual(['No matches', 0]);
});

describe.each(SCHEMES)('on %s', (scheme) => {
  it('opens at the moment that the address names, and stops at the end of a clip', async () => {
    const page = await openAlone(`${SEGMENT}#t=1`, { scheme });
    const problems = collectPageErrors(page, topOf(scheme));
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    expect(await page.locator('.cues > li[data-quoted] .cue-text').innerText()).toBe('and the gulls knew it before we did.');
    await page.goto(`${topOf(scheme)}/${SEGMENT}#t=0:00,0:01`);
    await page.reload();
    await ofVideo(page, async (video) => {
      video.currentTime = 0.8;
      await video.play();
    });
    await page.waitForFunction(() => document.querySelector('video')?.paused);
    const stopped = await ofVideo(page, (video) => video.currentTime);
    expect(stopped).toBeGreaterThanOrEqual(1);
    expect(stopped).toBeLessThan(1.8);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('opens at the words that a search has found', async () => {
    const page = await openAlone('search.html?q=gulls', { scheme });
    await waitForSearch(page);
    const link = page.locator('#results a[href*="lica-ferry-1-1-1.html"]');
    expect(await link.getAttribute('href')).toMatch(/^objects\/lica-ferry-1-1-1\.html#find=gulls/);
    await link.click();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    expect(await page.locator('[data-quoted]').innerText()).toContain('and the gulls knew it');
    expect(await page.locator('[data-quoted] mark.current').allInnerTexts()).toEqual(['gulls']);
    expect(await page.locator('.texts-find input').inputValue()).toBe('gulls');
    expect(await page.locator('.texts-find [role="status"]').innerText()).toBe('1 of 1');
    await page.goto(`${topOf(scheme)}/${SEGMENT}#find=count%20us`);
    await page.reload();
    expect(await shownTexts(page)).toEqual(['transcript']);
    await page.close();
  });

  it.each([844, 667])('has the player beside the texts on a phone of %d pixels on its side', async (width) => {
    const page = await openAlone(SEGMENT, { scheme, viewport: { width, height: 390 } });
    const boxOf = async (selector: string) => {
      const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return { left: x, right: x + width, top: y, bottom: y + height };
    };
    const [player, controls, texts] = [await boxOf('video'), await boxOf('.player-controls'), await boxOf('.texts')];
    expect(player.bottom - player.top).toBeCloseTo(0.6 * 390, -1);
    expect(texts.left).toBeGreaterThan(player.right);
    expect(texts.top - player.top).toBeLessThan(10);
    expect(controls.top).toBeGreaterThanOrEqual(player.bottom);
    await page.evaluate((top) => scrollTo(0, top), player.top + 60);
    expect((await boxOf('video')).top).toBeCloseTo(0, 0); // it stays in view
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.close();
  });

  it('draws one caption at a moment where one ends and the next begins', async () => {
    const page = await openAlone(SEGMENT, { scheme });
    await ofVideo(page, (video) => video.pause());
    const starts = await page.locator('.cues > li').evaluateAll((lines) => lines.map((line) => Number(line.dataset['start'])));
    const texts = await page.locator('.cues .cue-text').allInnerTexts();
    const length = await ofVideo(page, (video) => video.duration);
    for (const [i, start] of starts.entries()) {
      if (start >= length) continue;
      await page.locator('video').evaluate(async (video: HTMLVideoElement, at) => {
        const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
        video.currentTime = at;
        await seeked;
      }, start);
      const drawn = () =>
        ofVideo(page, (video) => Array.from(video.textTracks[0]?.activeCues ?? [], (cue) => (cue as VTTCue).text));
      await expect.poll(drawn, { message: String(start) }).toEqual([texts[i]]);
      await expect.poll(() => page.locator('.cues [data-spoken] .cue-text').allInnerTexts()).toEqual([texts[i]]);
    }
    await page.close();
  });

  it('gives each caption an address', async () => {
    const page = await openAlone(SEGMENT, { scheme });
    await ofVideo(page, () => undefined);
    await page.locator('.cue-time').nth(1).click();
    expect(new URL(page.url()).hash).toBe('#t=1');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);
    await page.close();
  });
});

it.each([
  { width: 1280, height: 720 },
  { width: 1000, height: 700 },
  { width: 1920, height: 1080 },
])('keeps a large video beside a long text, with all controls and several lines in view (%o)', async (viewport) => {
  const page = await openAlone(SEGMENT, { viewport });
  await ofVideo(page, () => undefined);
  await page.locator('.cues').evaluate((list) => {
    const [line] = list.children;
    for (let i = 0; i < 200; i++) list.append(line?.cloneNode(true) as Node);
    scrollTo(0, document.body.scrollHeight / 2);
  });
  const video = await page.locator('video').boundingBox();
  expect(video?.height).toBeGreaterThan(viewport.height * 0.38);
  expect(video?.width).toBeGreaterThan(viewport.width * 0.33);
  const isBeside = async () => {
    const playing = await page.locator('.object-playing').boundingBox();
    return playing?.y === 0 && playing.height <= viewport.height;
  };
  expect(await isBeside()).toBe(true);
  await page.locator('.clip summary').click();
  expect(await isBeside()).toBe(true);
  const lines = await page.locator('.cues > li').evaluateAll((all) => {
    const bar = document.querySelector('.texts-bar')?.getBoundingClientRect().bottom ?? 0;
    return all.map((line) => line.getBoundingClientRect()).filter(({ top, bottom }) => top >= bar && bottom <= innerHeight)
      .length;
  });
  expect(lines).toBeGreaterThan(6);
  await page.close();
});

it('follows the recording through a long text, but not while the reader is elsewhere on the page', async () => {
  const page = await openAlone(SEGMENT, { viewport: { width: 1280, height: 720 } });
  const isLastInView = () =>
    page.evaluate(() => (document.querySelector('.cues li:last-child')?.getBoundingClientRect().top ?? 0) < innerHeight);
  const speak = () =>
    page.locator('video').evaluate(async (video: HTMLVideoElement) => {
      video.muted = true;
      video.currentTime = 0.9;
      await video.play();
    });
  await page.locator('.cues').evaluate((cues) => {
    const gap = document.createElement('li');
    gap.append(...Array.from({ length: 200 }, () => document.createElement('br')));
    cues.lastElementChild?.before(gap);
  });
  expect(await isLastInView()).toBe(false);
  await speak();
  await expect.poll(isLastInView).toBe(true);
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
  await page.locator('.provenance').scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await speak();
  await page.locator('.cues li:last-child[data-spoken]').waitFor({ state: 'attached' });
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await page.close();
});

it('shows the line that is spoken of a text that a reader changes to', async () => {
  const page = await openAlone(SEGMENT, { viewport: { width: 1280, height: 720 } });
  await page.evaluate(() => {
    const line = document.querySelector('.cues > li:last-child');
    const other = document.querySelector('section.text:not([data-current]) .text-body');
    const spoken = line?.cloneNode(true) as HTMLElement;
    spoken.id = 'other-line';
    spoken.toggleAttribute('data-spoken', true);
    other?.append(...Array.from({ length: 300 }, () => document.createElement('br')), spoken);
  });
  await page.getByRole('tab', { name: 'Transcript' }).click();
  const top = await page.locator('#other-line').evaluate((line) => line.getBoundingClientRect().top);
  expect([top > 0, top < 720]).toEqual([true, true]);
  await page.close();
});

it('steps by ten seconds, and remembers speed and whether captions are followed', async () => {
  const page = await open(SEGMENT);
  await ofVideo(page, () => undefined);
  await page.getByRole('button', { name: '+10 s' }).click();
  expect(await ofVideo(page, (video) => video.currentTime === video.duration)).toBe(true);
  await page.getByRole('button', { name: '−10 s' }).click();
  expect(await ofVideo(page, (video) => video.currentTime)).toBe(0);
  await page.getByLabel('Speed').selectOption('1.5');
  await page.getByLabel('Follow the recording').uncheck();
  await page.reload();
  expect(await ofVideo(page, (video) => video.playbackRate)).toBe(1.5);
  expect(await page.getByLabel('Follow the recording').isChecked()).toBe(false);
});

it('names the other texts that have the words, and continues with the keyboard at a line that the address names', async () => {
  const page = await openAlone(`${SEGMENT}#t=1`, {});
  await page.locator('.cues [data-quoted]').waitFor();
  expect(await page.evaluate(() => document.activeElement?.matches('.cues [data-quoted]'))).toBe(true);
  await page.getByLabel('Find in text').fill('boats');
  await page.getByText('No matches').waitFor();
  await page.getByRole('button', { name: /^Transcript \(\d+\)$/ }).click();
  expect(await page.getByRole('tab', { selected: true }).innerText()).toBe('Transcript');
  await page.getByText(/^1 of \d+$/).waitFor();
  await page.close();
});

it('cites a clip with its times and its address', async () => {
  const page = await open(SEGMENT);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Cite a clip').click();
  await page.locator('.clip-citation', { hasText: 'Vane' }).waitFor(); // its times are those of the player
  // All of it is in the window.
  await expect
    .poll(async () => {
      const box = await page.locator('.clip > div').boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) - (page.viewportSize()?.height ?? 0);
    })
    .toBeLessThan(1);
  await page.getByLabel('From').fill('0:00');
  await page.getByLabel('To', { exact: true }).fill('0:01');
  await pressCopy(page.locator('.clip').getByRole('button', { name: 'Copy', exact: true }));
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/ https:\/\/mirror\.example\/archive\/objects\/lica-ferry-1-1-1\.html#t=0,1 \(0:00–0:01\)\.$/);
  expect(text.match(/https?:/g)).toHaveLength(1);
  // What is not a time in the recording is not cited.
  const copyButton = page.locator('.clip').getByRole('button', { name: 'Copy', exact: true });
  for (const [time, hint] of [
    ['abc', 'Write times as in 1:23.'],
    ['9:99', 'The recording ends at 0:02.'],
    ['', 'Write times as in 1:23.'],
  ] as const) {
    await page.getByLabel('To', { exact: true }).fill(time);
    expect(await page.locator('.clip [role="status"]').innerText()).toBe(hint);
    expect([await page.locator('.clip-citation').isVisible(), await copyButton.isDisabled()]).toEqual([false, true]);
    expect(await page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  }
  await page.getByLabel('To', { exact: true }).fill('0:01');
  expect([await page.locator('.clip-citation').isVisible(), await copyButton.isDisabled()]).toEqual([true, false]);
  await page.locator('.cite-fold summary').click();
  // One of both is open at a time.
  expect(await page.locator('.clip-citation').isVisible()).toBe(false);
  await page.getByLabel('Citation style').selectOption('APA');
  await page.getByText('Cite a clip').click();
  const cited = () => page.locator('.clip-citation').innerText();
  await expect.poll(cited).toMatch(/^Vane, L\. \(2010.*#t=0,1 \(0:00–0:01\)/);
  await page.getByLabel('From').fill('0:30');
  await page.getByLabel('To', { exact: true }).fill('0:10');
  expect(await cited()).toMatch(/#t=10,30 \(0:10–0:30\)$/);
  expect(text.length).toBeGreaterThan(120);
});

it('cites a clip of a file on a drive with its address on the web, or without one', async () => {
  const page = await openAlone(SEGMENT, { scheme: 'file' });
  const cited = () => page.locator('.clip-citation').innerText();
  await page.getByText('Cite a clip').click();
  await page.locator('.clip-citation', { hasText: 'Vane' }).waitFor(); // its times are those of the player
  await page.getByLabel('From').fill('0:00');
  await page.getByLabel('To', { exact: true }).fill('0:01');
  expect(await cited()).toMatch(/ https:[^ ]+lica-ferry-1-1-1\.html#t=0,1 \(0:00–0:01\)\.$/);
  await page.locator('meta[property="og:url"]').evaluate((element) => element.remove());
  await page.getByLabel('To', { exact: true }).fill('0:02');
  expect(await cited()).toMatch(/ http:\/\/127\.0\.0\.1:\d+\/lica-ferry-1-1-1\/ \(0:00–0:02\)\.$/);
  await page.close();
});

it('explains the first use of a glossary’s term in the other texts', async () => {
  const page = await open(SEGMENT);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  const term = page.getByRole('button', { name: 'sound', exact: true });
  await term.click();
  expect(await page.getByRole('note').innerText()).toBe('the water between two islands');
  await term.click();
  expect(await page.getByRole('note').count()).toBe(0);
});

it.each([
  ['on a phone', { width: 390, height: 600 }],
  ['beside a long transcript', { width: 1280, height: 720 }],
])('keeps the player in view %s', async (_, viewport) => {
  const page = await openAlone(SEGMENT, { viewport });
  await page.locator('.object-words').evaluate((words) => words.style.setProperty('padding-bottom', '2000px'));
  await page.evaluate(() => scrollTo(0, (document.querySelector('.object-words')?.getBoundingClientRect().top ?? 0) + 500));
  const box = await page.locator('video').boundingBox();
  expect(box?.y).toBeCloseTo(0, 0);
  await page.close();
});
