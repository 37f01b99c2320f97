/** Debian's Chromium and Firefox, both driven in the same way: what opens by double click must open in either. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { programFile } from '../scripts/setup/programs.ts';
import { FLAGS } from './browser.ts';

export const BROWSERS = ['chrome', 'firefox'] as const;
export type BrowserName = (typeof BROWSERS)[number];

const PROGRAMS = { chrome: 'chromium', firefox: 'firefox-esr' } as const satisfies Record<BrowserName, string>;

export function start(browser: BrowserName): Promise<Browser> {
  return puppeteer.launch({
    browser,
    executablePath: programFile(PROGRAMS[browser]),
    headless: true,
    args: browser === 'chrome' ? FLAGS : [],
  });
}

/** Opens a page that remembers whatever it complains of, and whatever it asks for outside `folder`. */
export async function openPage(browser: Browser, folder: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${(error as Error).message}`));
  page.on('requestfailed', (request) => {
    // What was still on its way when the reader left the page is no fault of the page.
    if (!/ABORTED|aborted/.test(request.failure()?.errorText ?? '')) complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(folder) && !/^(?:blob|data):/.test(request.url())) complaints.push(`outside: ${request.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`refused by the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.setViewport({ width: 1200, height: 900 });
  return { page, complaints };
}
