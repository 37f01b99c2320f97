/** Starts Chromium or Firefox with the same interface, because a site on file:// must work in both. */
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { programFile } from '../../scripts/setup/programs.ts';
import { CHROMIUM, CHROMIUM_FLAGS, isLateTransition, PAGE_TIMEOUT } from './chromium.ts';

/** The browsers that tests run in. */
export const BROWSERS = ['chrome', 'firefox'] as const;
/** One of `BROWSERS`. */
export type BrowserName = (typeof BROWSERS)[number];

/** Starts the browser at `$CHROMIUM` or `$FIREFOX`, or Debian's. With `isWhole`, Chromium is that of readers. */
export async function startBrowser(name: BrowserName, { isWhole = false } = {}): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: name,
    executablePath: programFile(name === 'firefox' ? 'firefox-esr' : isWhole ? 'chromium' : CHROMIUM),
    headless: true,
    args: name === 'chrome' ? CHROMIUM_FLAGS : [],
  });
  const openTab = browser.newPage.bind(browser);
  browser.newPage = async (options) => withLongTimeout(await openTab(options));
  return browser;
}

/** Puppeteer waits for 30 s, which is too short on a busy machine. */
function withLongTimeout(page: Page): Page {
  page.setDefaultTimeout(PAGE_TIMEOUT);
  return page;
}

/** Opens a page that records console messages, errors, failed requests and requests outside `directory`. */
export async function openPage(
  browser: Browser | BrowserContext,
  directory: string,
): Promise<{ page: Page; problems: string[] }> {
  const page = withLongTimeout(await browser.newPage());
  const problems: string[] = [];
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => isLateTransition(error as Error) || problems.push(`error: ${(error as Error).message}`));
  page.on('requestfailed', (request) => {
    // Leaving a page aborts the requests that are in flight.
    if (!/ABORTED|aborted/.test(request.failure()?.errorText ?? '')) problems.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(directory) && !/^(?:blob|data):/.test(request.url()))
      problems.push(`outside: ${request.url()}`);
  });
  await page.evaluateOnNewDocument(() => {
    // A driver reports an error as an object without its message.
    for (const level of ['warn', 'error'] as const) {
      const print = console[level];
      console[level] = (...values: unknown[]) =>
        print(...values.map((value) => (value instanceof Error ? String(value) : value)));
    }
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`blocked by the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.setViewport({ width: 1200, height: 900 });
  return { page, problems };
}

/** Opens the first image of a page in the viewer. A compact page has its elements before its script has run. */
export async function openImageViewer(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === 'complete' && document.querySelector('a.zoom') !== null);
  await page.locator('a.zoom').click();
  await page.waitForSelector('.zoom-view canvas');
}
