/** What plays several recordings one after the other: the page of an entire interview, and the voices of a topic. */
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { collectPageErrors, findAxeViolations, playSlowly, useSiteInBrowser } from '../support/chromium.ts';

const site = useSiteInBrowser();
const INTERVIEW = 'objects/lica-ferry-1-1/transcript.html';
const TOPIC = 'browse/topic/12.html';

describe.each(['http', 'file'])('on %s', (scheme) => {
  const open = async (path: string) => {
    const page = await site.browser().newPage();
    await page.addInitScript(playSlowly);
    const top = scheme === 'http' ? site.url() : pathToFileURL(inject('mirror').dist).href;
    const problems = collectPageErrors(page, top);
    await page.goto(`${top}/${path}`);
    return { page, problems };
  };
  const setSpeed = (page: Page, speed: number) =>
    page.locator('.player').evaluate((player, rate) => void Object.assign(player, { playbackRate: rate }), speed);
  /** Waits until the player plays the recording of a segment. */
  const waitForSegment = (page: Page, id: string) =>
    page.waitForFunction((name) => {
      const player = document.querySelector<HTMLMediaElement>('.player');
      return player?.currentSrc.includes(`/${name}.`) && player.currentTime > 0;
    }, id);

  it('plays an interview through, and marks what is said', async () => {
    const { page, problems } = await open(INTERVIEW);
    const now = page.locator('.interview-now a');
    expect(await now.innerText()).toBe('Segment 1: First day on the ferries');
    await page.locator('[data-play-all]', { hasText: 'Play' }).click();
    await waitForSegment(page, 'lica-ferry-1-1-1.video');
    await setSpeed(page, 1);
    await waitForSegment(page, 'lica-ferry-1-1-2.video');
    expect(await now.innerText()).toBe('Segment 2: The winter the sound froze');
    await page.locator('[data-spoken]', { hasText: 'The whistle went at five' }).waitFor();
    await setSpeed(page, 1);
    await waitForSegment(page, 'lica-ferry-1-1-3.video'); // which has no transcript
    await setSpeed(page, 1);
    await page.locator('[data-play-all]', { hasText: 'Play' }).waitFor(); // the last one has no recording
    expect(problems).toEqual([]);
    await page.close();
  });

  it('plays an interview from the words or the segment that the reader chooses', async () => {
    const { page } = await open(INTERVIEW);
    await page.getByText('The whistle went at five & the gulls knew it.').click();
    await waitForSegment(page, 'lica-ferry-1-1-2.video');
    expect(await page.locator('.player').evaluate((player: HTMLVideoElement) => player.currentTime)).toBeGreaterThanOrEqual(1);
    await page.getByRole('button', { name: 'Play: Segment 3: How the flood came' }).click();
    await waitForSegment(page, 'lica-ferry-1-1-3.video');
    await page.close();
  });

  it('plays one voice after the other, with its name and citation', async () => {
    const { page, problems } = await open(TOPIC);
    const heard = page.locator('.voices [aria-current]');
    await page.getByRole('button', { name: 'Hear 4 voices' }).click();
    await waitForSegment(page, 'lica-ferry-1-1-1.video');
    expect(await heard.locator('.voice-name').innerText()).toBe('Leif Vane');
    await setSpeed(page, 1);
    await waitForSegment(page, 'lica-ferry-1-4-1.audio');
    expect(await page.locator('.voices [role="status"]').innerText()).toBe('2 of 4: Sven Netherby');
    // A passage from the middle of a long recording.
    expect(await page.locator('.voices .player').evaluate((player: HTMLMediaElement) => player.currentTime)).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Next voice' }).click();
    await waitForSegment(page, 'lica-ferry-1-5-1.video');
    expect(await page.locator('.voices [role="status"]').innerText()).toBe('3 of 4: Dov Kelpie');
    expect(await heard.locator('details p').innerText()).toMatch(/^Kelpie, Dov\..*\(0:00–0:02\)/);
    await page.getByRole('button', { name: 'Next voice' }).click();
    await waitForSegment(page, 'lica-ferry-1-6-1.video');
    await page.getByRole('button', { name: 'Stop' }).click();
    expect([await heard.count(), await page.locator('.voices .player').isVisible()]).toEqual([0, false]);
    await page.getByRole('button', { name: 'Hear 4 voices' }).click();
    await waitForSegment(page, 'lica-ferry-1-1-1.video');
    expect(problems).toEqual([]);
    await page.close();
  });
});

it('shows in the ribbon where the words are that a reader looks for', async () => {
  const page = await site.browser().newPage();
  await page.goto(`${site.url()}/${INTERVIEW}`);
  await page.getByLabel('Find in text').fill('gulls');
  expect(await page.locator('mark.found').count()).toBe(2);
  const blocks = await page
    .locator('.interview-bar .ribbon a rect')
    .evaluateAll((all) => all.map((block) => block.getBoundingClientRect().x));
  const ticks = await page.locator('.ribbon .tick').evaluateAll((all) => all.map((tick) => tick.getBoundingClientRect().x));
  expect(ticks.map((tick) => blocks.filter((block) => block <= tick).length)).toEqual([1, 2]);
  await page.close();
});

it.each([INTERVIEW, TOPIC])('without a script, has quotations and links, and no control: %s', async (path) => {
  const page = await site.browser().newPage({ javaScriptEnabled: false });
  await page.goto(`${site.url()}/${path}`);
  expect(await page.locator('main :is(button, video, audio):visible').count()).toBe(0);
  expect(await page.getByText('the gulls knew it').first().isVisible()).toBe(true);
  expect(await page.locator('main a[href*=".html#t=0"]:visible').count()).toBeGreaterThan(0);
  await page.close();
});

it.each([
  [INTERVIEW, 1200],
  [INTERVIEW, 390],
  [TOPIC, 1200],
  [TOPIC, 390],
])('is accessible, and as wide as the window: %s, %d pixels', async (path, width) => {
  const page = await site.browser().newPage({ viewport: { width, height: 800 } });
  await page.goto(`${site.url()}/${path}`);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  await page.close();
});
