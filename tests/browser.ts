/** Starts Debian's Chromium, and remembers whatever a page complains of. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { programFile } from '../scripts/setup/programs.ts';
import { microficheJson, serve, temporaryFolder } from './support.ts';

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: programFile('chromium'), args: FLAGS });
}

/**
 * The mirror that all tests share, or one of the same snapshot in several languages, served, and a browser to look at it: both are there before
 * the first test of a file and gone after the last.
 */
export function mirrorInBrowser(languages: readonly string[] = ['en']): { browser: () => Browser; url: () => string } {
  let browser: Browser | undefined;
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  const folder = temporaryFolder();
  beforeAll(async () => {
    const { snapshot, dist: shared } = inject('mirror');
    const isShared = languages.join() === 'en';
    const dist = isShared ? shared : join(folder.path, 'dist');
    if (!isShared) await microficheJson(['build', '--snapshot', snapshot, '--out', dist, '--languages', languages.join()]);
    [browser, server] = await Promise.all([startChromium(), serve(['--snapshot', snapshot, '--dir', dist])]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The mirror is there only while tests run');
    return one;
  };
  return { browser: () => there(browser), url: () => there(server).url };
}

/** Waits until the search page shows what was asked for last. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#results[aria-busy="false"]').waitFor({ state: 'attached' });
}

/** Console messages, errors, failed requests and requests to any other address than the site's own: a good page has none. */
export function listenForComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A picture that was still on its way when the reader left the page is no fault of the page.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`outside: ${request.url()}`);
  });
  // The order of messages to the browser has it in force before the next navigation.
  void page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`refused by the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  return complaints;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core has to say against a page as it stands (WCAG 2.2 AA and its best practices). */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      rules: { 'target-size': { enabled: true } },
    }),
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}
