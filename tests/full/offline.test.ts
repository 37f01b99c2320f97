/** A hosted site without a network: visited pages are available, and the entire site if it was saved for offline. */
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import { parseManifest } from '../../src/formats/manifest-lines.ts';
import { playSlowly, startChromium } from '../support/chromium.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  runMicroficheJson,
  SAMPLE,
  startServe,
  upstreamOptions,
} from '../support/commands.ts';
import { startStaticHost } from '../support/static-host.ts';

let browser: Awaited<ReturnType<typeof startChromium>>;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

/** Serves a site and opens it in a new browser profile. `stop` ends the server, so that the site is offline. */
async function openHostedSite(dist = inject('mirror').dist): Promise<{ url: string; stop: () => Promise<void>; page: Page }> {
  const { snapshot } = inject('mirror');
  const { url, stop } = await startServe(['--snapshot', snapshot, '--dir', dist]);
  onTestFinished(stop);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  return { url, stop, page };
}

const waitForResults = (page: Page) => page.locator('#results[aria-busy="false"] li').first().waitFor();
const IMAGE = '.object-picture img';
const imageWidth = (page: Page) =>
  page.locator(IMAGE).evaluate(async (img: HTMLImageElement) =>
    img.decode().then(
      () => img.naturalWidth,
      () => 0,
    ),
  );

const waitForLoaded = (page: Page, file: string) =>
  page.waitForFunction((end) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(end)), file);

/** Waits until the service worker has cached what a page has loaded, which it does after the page has got it. */
async function waitForCaches(page: Page): Promise<void> {
  const listMissing = () =>
    page.evaluate(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const urls = [location.href, ...loaded].filter((url) => url.startsWith(location.origin));
      const known = await Promise.all(urls.map((url) => caches.match(url, { ignoreSearch: true })));
      return urls.filter((_, i) => !known[i]);
    });
  await expect.poll(listMissing).toEqual([]);
}

it('can be installed', async () => {
  const { url, page } = await openHostedSite();
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await (await page.request.get(String(href))).json();
  expect(manifest).toMatchObject({ name: 'Lantern Islands Community Archive', display: 'standalone', start_url: 'index.html' });
  for (const { src } of manifest.icons as Array<{ src: string }>)
    expect((await page.request.get(`${url}/${src}`)).status()).toBe(200);
});

it('shows visited pages with their images and searches, and no others', async () => {
  const { url, stop, page } = await openHostedSite();
  await page.goto(`${url}/objects/lica-quay-1-1.html`);
  expect(await imageWidth(page)).toBeGreaterThan(0);
  await waitForCaches(page);
  await page.goto(`${url}/search.html?q=quillmarrow`);
  await waitForResults(page);
  await waitForLoaded(page, 'assets/facets/title.js'); // which it loads after it has shown the results
  await waitForCaches(page);
  await stop();

  await page.goto(`${url}/objects/lica-quay-1-1.html`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Nets drying on the quay');
  expect(await imageWidth(page)).toBeGreaterThan(0);
  await page.goto(`${url}/search.html?q=quillmarrow&sort=title`);
  await waitForResults(page);
  expect(await page.locator('#count').innerText()).toBe('1 result');
  await page.goto(`${url}/`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Lantern Islands Community Archive');
  await expect(page.goto(`${url}/objects/lica-quay-1-20.html`)).rejects.toThrow();
});

describe('save for offline', () => {
  it('shows size and progress, downloads nothing twice, and makes everything available', async () => {
    const { url, stop, page } = await openHostedSite();
    await page.goto(`${url}/about.html`);
    const button = page.getByRole('button', { name: /^Save for offline \([\d.]+ MB\)$/ });
    // In the page, from before the click: a busy test may look only when all are saved.
    const hasProgress = () => /\b\d+ of \d+ files saved/.test(document.getElementById('keep')?.textContent ?? '');
    await Promise.all([page.waitForFunction(hasProgress), button.click()]);
    await page.getByText('The entire copy is saved.').waitFor();
    const before = await page.evaluate(() => performance.getEntriesByType('resource').length);
    await button.click();
    await page.waitForFunction(() => document.querySelector<HTMLProgressElement>('#keep progress')?.hidden);
    expect((await page.evaluate(() => performance.getEntriesByType('resource').length)) - before).toBeLessThan(3);
    await stop();

    await page.goto(`${url}/objects/lica-quay-1-20.html`);
    expect(await imageWidth(page)).toBeGreaterThan(0);
    await page.goto(`${url}/search.html?q=ferry`);
    await waitForResults(page);
    await page.locator('details[data-filter="model"] label', { hasText: 'Interview segment' }).click();
    await page.waitForFunction(() => document.querySelector('#count')?.textContent === '60 results');
    await waitForResults(page);
    const title = await page.locator('.results a').first().innerText();
    await page.locator('.results a').first().click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.addInitScript(playSlowly); // at its end, the next one opens
    await page.goto(`${url}/objects/lica-ferry-1-1-1.html`);
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.locator('.cues .cue-time').nth(1).click();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);

    await page.goto(`${url}/about.html`);
    await page.getByRole('button', { name: 'Remove offline copy' }).click();
    await page.getByText('The offline copy was removed.').waitFor();
    // The browser's HTTP cache may still contain pages; the site's caches do not.
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  });

  it('reports a failed download, and resumes it', async () => {
    const dist = join(createTestDirectory(), 'dist');
    cpSync(inject('mirror').dist, dist, { recursive: true });
    renameSync(join(dist, 'objects/lica-quay-1-9.html'), join(dist, 'moved.html'));
    const { url, page } = await openHostedSite(dist);
    await page.goto(`${url}/about.html`);
    const button = page.getByRole('button', { name: /^Save for offline/ });
    await button.click();
    await page.getByText('Download incomplete').waitFor();
    renameSync(join(dist, 'moved.html'), join(dist, 'objects/lica-quay-1-9.html'));
    await button.click();
    await page.getByText('The entire copy is saved.').waitFor();
  });
});

/** Returns everything in the browser's caches: name of the cache, path in the site, and SHA-256 of the content. */
function readCaches(page: Page): Promise<Array<[cache: string, path: string, sha256: string]>> {
  return page.evaluate(async () => {
    const all: Array<[string, string, string]> = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const bytes = await (await cache.match(request))?.arrayBuffer();
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as ArrayBuffer));
        const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
        all.push([name, decodeURIComponent(new URL(request.url).pathname.slice(1)), hex]);
      }
    }
    return all;
  });
}

const readManifestFiles = (dist: string) =>
  new Map(parseManifest(readFileSync(join(dist, 'manifest-sha256.txt'), 'utf8')).map(({ path, sha256 }) => [path, sha256]));

describe('a withdrawn record', () => {
  const ID = 'lica-quay-1-20';
  const folder = createSharedDirectory();
  const [snapshot, sample, dist] = ['snapshot', 'sample', 'dist'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  let port = 0;
  afterAll(folder.remove);

  /** Harvests the archive in its current state, and builds the site. */
  async function update(...media: string[]): Promise<void> {
    const upstream = await startServe(['--snapshot', sample, '--port', String(port)]);
    port = Number(new URL(upstream.url).port);
    try {
      await runMicroficheJson([
        'harvest',
        ...upstreamOptions(upstream.url),
        '--snapshot',
        snapshot,
        '--collection',
        'lica-quay-1',
      ]);
      if (media.length > 0) await runMicroficheJson([...media, '--snapshot', snapshot]);
    } finally {
      await upstream.stop();
    }
    await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist]);
  }

  async function openReader(url: string): Promise<Page> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${url}/`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    return page;
  }

  /** Opens the site as two readers: one visits the record, the other saves the entire site. */
  async function openReaders(url: string): Promise<{ visitor: Page; saver: Page }> {
    const visitor = await openReader(url);
    await visitor.goto(`${url}/objects/${ID}.html`);
    expect(await imageWidth(visitor)).toBeGreaterThan(0);
    await waitForCaches(visitor);
    await visitor.goto(`${url}/search.html?q=quay`);
    await waitForResults(visitor);
    const saver = await openReader(url);
    await saver.goto(`${url}/about.html`);
    await saver.getByRole('button', { name: /^Save for offline/ }).click();
    await saver.getByText('The entire copy is saved.').waitFor();
    for (const page of [visitor, saver]) {
      const paths = (await readCaches(page)).map(([, path]) => path).filter((path) => path.includes(ID));
      expect(paths.some((path) => path.endsWith('.html')) && paths.some((path) => path.endsWith('.webp'))).toBe(true);
    }
    return { visitor, saver };
  }

  /** Expects that after the next visit, the caches have only the site's current files, byte for byte, and the program's own. */
  async function expectCurrentCaches(page: Page, url: string, now: ReadonlyMap<string, string>): Promise<void> {
    await page.goto(`${url}/index.html`);
    await expect
      .poll(async () =>
        (await readCaches(page)).filter(([, path, sha256]) => !path.startsWith('microfiche-') && now.get(path) !== sha256),
      )
      .toEqual([]);
    const texts = await page.evaluate(async () => {
      const responses = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).matchAll()));
      return Promise.all(responses.flat().map((response) => response.text()));
    });
    expect(texts.filter((text) => text.includes(`${ID}.`))).toEqual([]);
  }

  /** Expects that the site that was saved for offline is complete again. */
  async function expectSaved(page: Page, now: ReadonlyMap<string, string>): Promise<void> {
    await expect
      .poll(async () => {
        const saved = new Set((await readCaches(page)).flatMap(([cache, path]) => (cache.includes('saved') ? [path] : [])));
        return [...now.keys()].filter((path) => !saved.has(path));
      })
      .toEqual([]);
  }

  it('is deleted from the browser’s caches at the next visit, visited or saved, from hosts with and without validators', async () => {
    cpSync(SAMPLE, sample, { recursive: true });
    await update('media');
    const visits = [];
    for (const plain of [false, true]) {
      const { url, stop } = await startStaticHost(dist, { plain });
      onTestFinished(stop);
      visits.push({ url, stop, ...(await openReaders(url)) });
    }

    const before = readManifestFiles(dist);
    const file = join(sample, `objects/${ID}.json`);
    const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...record, public: '0' }));
    writeSampleSnapshot(sample);
    await update();
    const now = readManifestFiles(dist);
    expect(now.has(`objects/${ID}.html`)).toBe(false);
    expect([...before.keys()].some((path) => /^assets\/index\/\w+\/r\d+\.js$/.test(path) && !now.has(path))).toBe(true);

    for (const { url, stop, visitor, saver } of visits) {
      for (const page of [visitor, saver]) await expectCurrentCaches(page, url, now);
      await expectSaved(saver, now);
      await stop();
      await saver.goto(`${url}/search.html?q=quay`);
      await waitForResults(saver);
    }
  });
});

it('limits the cache of visited pages, but never deletes a saved site or files that every page needs', async () => {
  const { dist } = inject('mirror');
  const { url, stop } = await startStaticHost(dist);
  onTestFinished(stop);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.evaluate(async () => {
    const fill = async (kind: string, count: number) => {
      const cache = await caches.open(`microfiche-${kind} /`);
      for (let n = 0; n < count; n++) {
        const address = `${location.origin}/${kind}/${n}.html`;
        const headers = { 'x-microfiche-address': address, 'x-microfiche-bytes': '9', 'x-microfiche-sha256': 'x' };
        await cache.put(address, new Response('some page', { headers }));
      }
    };
    await fill('saved', 30);
    await fill('visited', 2100);
  });
  const names = async () => (await readCaches(page)).map(([, path]) => path);
  let now = await names();
  for (const path of ['browse/genre/photograph.html', 'objects/lica-quay-1.html', 'guide/index.html', 'authors/index.html']) {
    await page.goto(`${url}/${path}`, { waitUntil: 'networkidle' });
    for (let y = 0; y < 6; y++) await page.mouse.wheel(0, 1500);
    await page.waitForLoadState('networkidle');
  }
  await expect
    .poll(async () => {
      now = await names();
      return now.filter((path) => !path.startsWith('saved/')).length;
    })
    .toBeLessThan(2060);
  expect(now.filter((path) => path.startsWith('saved/'))).toHaveLength(30);
  expect(now).toEqual(expect.arrayContaining(['index.html', 'assets/site.css', 'visited/2099.html', 'authors/index.html']));
  expect(now).not.toContain('visited/0.html');
});
