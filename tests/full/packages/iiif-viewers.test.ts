/** IIIF manifests in Mirador and Universal Viewer, which show each image and recording, and request nothing elsewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startChromium } from '../../support/chromium.ts';
import { createSharedDirectory, ROOT, runMicroficheJson } from '../../support/commands.ts';
import { type StaticHost, startStaticHost } from '../../support/static-host.ts';

const { snapshot } = inject('mirror');
const directory = createSharedDirectory();
let browser: Browser;
let host: StaticHost;

beforeAll(async () => {
  const site = join(directory.path, 'dist');
  host = await startStaticHost(site);
  const only = ['--collection', 'lica-quay-1', 'lica-quay-2', 'lica-ferry-1', '--no-search'];
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', site, '--site', `${host.url}/`, ...only]);
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  await host.stop();
  directory.remove();
});

const manifestUrl = (id: string) => `${host.url}/iiif/${id}/manifest.json`;

/** Opens a page of a viewer whose files `read` returns by name. Returns also what failed, and what was requested elsewhere. */
async function openViewer(html: string, read: (name: string) => Buffer): Promise<{ page: Page; failed: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const failed: string[] = [];
  page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`));
  page.on(
    'request',
    (request) => /^https?:/.test(request.url()) && !request.url().startsWith(host.url) && failed.push(request.url()),
  );
  const body = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${html}`;
  await page.route('**/viewer/index.html', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.route(/\/viewer\/[^?]+\.(?:js|css)$/, (route, request) => {
    const name = basename(request.url());
    const contentType = extname(name) === '.css' ? 'text/css' : 'text/javascript';
    return route.fulfill({ contentType, body: read(name) });
  });
  await page.goto(`${host.url}/viewer/index.html`);
  return { page, failed };
}

/** Waits until the image viewer shows an image: more than one color in the middle, where nothing else is. */
async function waitForImage(page: Page): Promise<void> {
  await page.locator('.openseadragon-canvas canvas').first().waitFor();
  const clip = { x: 500, y: 250, width: 200, height: 250 };
  await expect
    .poll(async () => Math.max(...(await sharp(await page.screenshot({ clip })).stats()).channels.map(({ stdev }) => stdev)))
    .toBeGreaterThan(10);
}

const IMAGES = ['lica-quay-1-2', 'lica-quay-1-1', 'lica-quay-1-3', 'lica-quay-2-1'];

describe('in Mirador', () => {
  const dist = join(ROOT, 'node_modules/mirador/dist');

  function open(id: string) {
    const viewer = { id: 'viewer', windows: [{ manifestId: manifestUrl(id) }] };
    const html = `<div id="viewer" style="position:absolute;inset:0"></div>
      <script src="mirador.min.js"></script><script>Mirador.viewer(${JSON.stringify(viewer)})</script>`;
    return openViewer(html, (name) => readFileSync(join(dist, name)));
  }

  it.each(IMAGES)('shows the images of %s', async (id) => {
    const { page, failed } = await open(id);
    await waitForImage(page);
    expect(failed).toEqual([]);
  });

  it('shows a recording with its duration and captions', async () => {
    const { page, failed } = await open('lica-ferry-1-1');
    const video = page.locator('video');
    await video.waitFor();
    await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).duration)).toBeCloseTo(2, 0);
    expect(await video.locator('track').getAttribute('src')).toMatch(/\.vtt$/);
    await page.getByText('Leif Vane Interview', { exact: true }).first().waitFor();
    expect(failed).toEqual([]);
  });

  it('plays a sound', async () => {
    const { page, failed } = await open('lica-ferry-1-4');
    const audio = page.locator('audio');
    await audio.waitFor({ state: 'attached' });
    await expect.poll(() => audio.evaluate((element) => (element as HTMLAudioElement).duration)).toBeCloseTo(220, 0);
    expect(failed).toEqual([]);
  });
});

/**
 * The `dist` of the npm package universalviewer, as `.ci/run` unpacks it. It needs none of the 427 packages that npm would
 * install with it, one of which compiles C++.
 */
const UNIVERSAL_VIEWER = process.env['UNIVERSAL_VIEWER'];

describe.skipIf(UNIVERSAL_VIEWER === undefined)('in Universal Viewer', () => {
  const dist = UNIVERSAL_VIEWER as string;
  /** An image that it shows while it loads others has a wrong address, in any manifest. */
  const isItsOwn = (failure: string) => failure.includes('/images/data:image/gif');

  async function open(id: string) {
    const data = JSON.stringify({ manifest: manifestUrl(id), embedded: true });
    const html = `<link rel="stylesheet" href="uv.css"><div id="uv" class="uv" style="width:1200px;height:800px"></div>
      <script src="umd/UV.js"></script><script>UV.init('uv', ${data})</script>`;
    const read = (name: string) => readFileSync(join(dist, existsSync(join(dist, name)) ? name : `umd/${name}`));
    const { page, failed } = await openViewer(html, read);
    return { page, failed: () => failed.filter((each) => !isItsOwn(each)) };
  }

  it.each(IMAGES)('shows the images of %s', async (id) => {
    const { page, failed } = await open(id);
    await waitForImage(page);
    expect(failed()).toEqual([]);
  });

  it.each([
    ['lica-ferry-1-1', 'video', '00:02'], // of one of its segments, the site has only the still image
    ['lica-ferry-1-4', 'audio', '03:40'],
  ])('plays the recordings of %s', async (id, element, duration) => {
    const { page, failed } = await open(id);
    const player = page.locator('.player').filter({ has: page.locator(element), visible: true });
    await player.getByText(duration).waitFor();
    await player.locator('.av-icon-play').click();
    const time = () => player.locator(element).evaluate((media) => (media as HTMLMediaElement).currentTime);
    await expect.poll(time).toBeGreaterThan(0);
    expect(failed()).toEqual([]);
  });

  it('plays the one recording of a segment', async () => {
    const { page, failed } = await open('lica-ferry-1-1-1');
    await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    const time = () => page.locator('video').evaluate((media) => (media as HTMLMediaElement).currentTime);
    await expect.poll(time).toBeGreaterThan(0);
    expect(failed()).toEqual([]);
  });
});
