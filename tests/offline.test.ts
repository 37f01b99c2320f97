/** A hosted mirror without its host: what was visited is there, and all of it where the reader kept it. */
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startChromium } from './browser.ts';
import { serve, temporary } from './support.ts';

let browser: Awaited<ReturnType<typeof startChromium>>;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser.close());

/** A mirror that its host stops serving, and a reader's browser. */
async function hosted(dist = inject('mirror').dist): Promise<{ url: string; stop: () => Promise<void>; page: Page }> {
  const { snapshot } = inject('mirror');
  const { url, stop } = await serve(['--snapshot', snapshot, '--dir', dist]);
  onTestFinished(stop);
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  return { url, stop, page };
}

const found = (page: Page) => page.locator('#results[aria-busy="false"] li').first().waitFor();
const pictureWidth = (page: Page) =>
  page.locator('.object-picture img').evaluate(async (img: HTMLImageElement) =>
    img.decode().then(
      () => img.naturalWidth,
      () => 0,
    ),
  );

it('can be installed', async () => {
  const { url, page } = await hosted();
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await (await page.request.get(String(href))).json();
  expect(manifest).toMatchObject({ name: 'Lantern Islands Community Archive', display: 'standalone', start_url: 'index.html' });
  for (const { src } of manifest.icons as Array<{ src: string }>)
    expect((await page.request.get(`${url}/${src}`)).status()).toBe(200);
});

it('shows what was visited, pictures and searches too, and nothing else', async () => {
  const { url, stop, page } = await hosted();
  await page.goto(`${url}/objects/lica-quay-1-1.html`);
  expect(await pictureWidth(page)).toBeGreaterThan(0);
  await page.goto(`${url}/search.html?q=quillmarrow`);
  await found(page);
  await page.waitForTimeout(300);
  await stop();

  await page.goto(`${url}/objects/lica-quay-1-1.html`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Nets drying on the quay');
  expect(await pictureWidth(page)).toBeGreaterThan(0);
  await page.goto(`${url}/search.html?q=quillmarrow&sort=title`);
  await found(page);
  expect(await page.locator('#count').innerText()).toBe('1 result');
  await page.goto(`${url}/`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Lantern Islands Community Archive');
  await expect(page.goto(`${url}/objects/lica-quay-1-20.html`)).rejects.toThrow();
});

describe('keep all of it', () => {
  it('says how much that is and how far it is, fetches nothing twice, and then everything is there', async () => {
    const { url, stop, page } = await hosted();
    await page.goto(`${url}/about.html`);
    const button = page.getByRole('button', { name: /^Keep all of it \([\d.]+ MB\)$/ });
    await button.click();
    await page.getByText(/^\d+ of \d+ files kept$/).waitFor();
    await page.getByText('All of it is kept.').waitFor();
    const before = await page.evaluate(() => performance.getEntriesByType('resource').length);
    await button.click();
    await page.waitForFunction(() => document.querySelector<HTMLProgressElement>('#keep progress')?.hidden);
    expect((await page.evaluate(() => performance.getEntriesByType('resource').length)) - before).toBeLessThan(3);
    await stop();

    await page.goto(`${url}/objects/lica-quay-1-20.html`);
    expect(await pictureWidth(page)).toBeGreaterThan(0);
    await page.goto(`${url}/search.html?q=ferry`);
    await found(page);
    await page.locator('details[data-filter="model"] label', { hasText: 'Interview segment' }).click();
    await page.waitForFunction(() => document.querySelector('#count')?.textContent === '60 results');
    await found(page);
    await page.locator('.results a').first().click();
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.goto(`${url}/objects/lica-ferry-1-1-1.html`);
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.locator('.cues button').nth(1).click();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 1);

    await page.goto(`${url}/about.html`);
    await page.getByRole('button', { name: 'Forget what is kept' }).click();
    await page.getByText('Nothing is kept any longer.').waitFor();
    // The browser's own cache may still hold a page for a while; ours holds none.
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
  }, 120_000);

  it('says so where something cannot be had, and goes on later', async () => {
    const dist = join(temporary(), 'dist');
    cpSync(inject('mirror').dist, dist, { recursive: true });
    renameSync(join(dist, 'objects/lica-quay-1-9.html'), join(dist, 'elsewhere.html'));
    const { url, page } = await hosted(dist);
    await page.goto(`${url}/about.html`);
    const button = page.getByRole('button', { name: /^Keep all/ });
    await button.click();
    await page.getByText('It could not all be kept').waitFor();
    renameSync(join(dist, 'elsewhere.html'), join(dist, 'objects/lica-quay-1-9.html'));
    await button.click();
    await page.getByText('All of it is kept.').waitFor();
  });
});
