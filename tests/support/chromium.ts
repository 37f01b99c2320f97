/** Starts Chromium, and records errors, requests and accessibility violations of pages. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { LONG, startServe } from './commands.ts';
import { sharedSite } from './shared-sites.ts';

/** Command-line options of Chromium. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Milliseconds. While other tests use all cores, a page may take longer than the 30 seconds of Playwright and Puppeteer. */
export const PAGE_TIMEOUT = 100_000;

/** Chromium without a window opens pages twice as fast. Long tests, and those of all that readers do, use the readers' one. */
export const CHROMIUM = LONG ? 'chromium' : 'chromium-headless-shell';

/** Starts the Chromium at `$CHROMIUM`, or Debian's. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: programFile(CHROMIUM), args: CHROMIUM_FLAGS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PAGE_TIMEOUT);
    return context;
  };
  return browser;
}

/**
 * Serves the site that all tests share, or one of the same snapshot in several languages, and starts a browser, before the first
 * test of a file. Stops both after the last one.
 */
export function useSiteInBrowser(languages: readonly string[] = ['en']): { browser: () => Browser; url: () => string } {
  let browser: Browser | undefined;
  let server: Awaited<ReturnType<typeof startServe>> | undefined;
  beforeAll(async () => {
    const { snapshot, dist: english } = inject('mirror');
    const dist = languages.join() === 'en' ? english : await sharedSite('--languages', languages.join());
    [browser, server] = await Promise.all([startChromium(), startServe(['--snapshot', snapshot, '--dir', dist])]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The browser and the site are available only while tests run');
    return value;
  };
  return { browser: () => started(browser), url: () => started(server).url };
}

/**
 * Returns a function that opens a page of a site in a tab that all tests of a file share, without what earlier tests stored, and
 * returns the problems since then. A new tab costs more than most tests. Tests do not close the tab.
 */
export function useTab(site: {
  browser: () => Browser;
  url: () => string;
}): (path: string) => Promise<{ page: Page; problems: string[] }> {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    page = await site.browser().newPage();
    problems = collectPageErrors(page, site.url());
  });
  afterAll(() => page?.close());
  return async (path) => {
    if (page.url().startsWith(site.url())) {
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      // Only then does an address that differs in its fragment load the page again.
      await page.goto('about:blank');
      await page.emulateMedia({ media: null });
    }
    problems.length = 0;
    await page.goto(`${site.url()}/${path}`);
    return { page, problems };
  };
}

/**
 * Runs in pages before their scripts: recordings play at a tenth of their speed. Those of two seconds would end, and the next
 * page would open, while a busy machine looks at what is played.
 */
export function playSlowly(): void {
  addEventListener('play', ({ target }) => void Object.assign(target as object, { playbackRate: 0.1 }), true);
}

/** Presses a button, and waits in the page until it says that it has copied something, which it does for two seconds only. */
export async function pressCopy(button: Locator): Promise<void> {
  const element = await button.elementHandle(); // its name is about to change
  const isCopied = (pressed: Node | null) => pressed?.textContent === 'Copied';
  await Promise.all([button.page().waitForFunction(isCopied, element), button.click()]);
}

/** Waits until the search page shows the results of the latest query. */
export async function waitForSearch(page: Page): Promise<void> {
  await page.locator('#results[aria-busy="false"]').waitFor({ state: 'attached' });
}

/**
 * Whether Chromium reports that a page was shown or left before the transition to it could begin, which depends on how
 * busy the machine is. No script has the promise that is rejected.
 */
export function isLateTransition({ message }: Error): boolean {
  return /Page already revealed$|Transition was skipped\. Navigation aborted$/.test(message);
}

/** Records console messages, errors, failed requests and requests outside `origin`. A correct page has none. */
export function collectPageErrors(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => isLateTransition(error) || problems.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Leaving a page aborts the requests that are in flight.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`outside: ${request.url()}`);
  });
  // Not awaited: the browser receives messages in order, so the script applies to the next navigation.
  void page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`blocked by the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  return problems;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns axe-core's violations in a page's current state (WCAG 2.2 AA and best practices). `options` are axe-core's. */
export async function findAxeViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  // While a color changes, it is neither the one before nor the one after.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(still);
  });
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (chosen) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        rules: { 'target-size': { enabled: true } },
        ...chosen,
      }),
    options,
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}
