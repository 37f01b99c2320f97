/** Measures searches in a browser, over HTTP or from file://: the first one, with all that it loads, and later ones. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { programFile } from '../setup/programs.ts';

/** Queries with words of the generated records: frequent and rare ones, single and combined. */
const QUERIES = [
  'lantern festival',
  'school picnic',
  'net loft',
  'flood',
  'ashlock',
  'cannery whistle',
  'herring fleet',
  'box77',
];
const TIMEOUT_MS = 300_000;

/** In pixels. In a narrow window, the filters are closed, and their counts are not loaded. */
const WINDOW = { width: 1280, height: 900 };

/** The browsers: title, name, program and options. */
export const BROWSERS = [
  ['Chromium', 'chrome', 'chromium', ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']],
  ['Firefox', 'firefox', 'firefox-esr', []],
] as const;

/** Counts bytes, and waits. */
export interface Meter {
  /** Gets the URLs that the page requests, as far as the browser reports them. */
  onRequest?(url: string): void;
  /** Returns the bytes read since the last call. */
  take(): number;
  /** Waits until nothing is being loaded. */
  settle?(): Promise<void>;
}

/** Searches in one browser, which had nothing cached. Times are in milliseconds. */
export type Searches = Awaited<ReturnType<typeof measureSearches>>;

/** Opens a search page in a new browser with a new profile, and types the other queries. `run` says which query comes first. */
export async function measureSearches(
  [, browser, program, args]: (typeof BROWSERS)[number],
  searchPage: string,
  run: number,
  meter: Meter,
) {
  const at = run % QUERIES.length;
  const [first = '', ...others] = [...QUERIES.slice(at), ...QUERIES.slice(0, at)];
  await using started: Browser = await puppeteer.launch({
    ...{ browser, executablePath: programFile(program), headless: true, args: [...args], defaultViewport: WINDOW },
  });
  const page = await started.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on('request', (request) => meter.onRequest?.(request.url()));
  await page.evaluateOnNewDocument(recordFirstResult);
  meter.take();
  await page.goto(`${searchPage}?q=${encodeURIComponent(first)}`);
  await page.waitForFunction('window.firstSearch !== undefined');
  const bytes = meter.take();
  const { firstMs, completeMs } = (await page.evaluate('window.firstSearch')) as { firstMs: number; completeMs: number };
  await meter.settle?.();
  const settledBytes = meter.take();
  const later: Array<{ ms: number; bytes: number }> = [];
  for (const query of others) {
    const ms = await measureSearch(page, query);
    later.push({ ms, bytes: meter.take() });
  }
  return {
    /** From opening the page until the first result is shown. */
    firstMs,
    /** From opening the page until the first results and facet counts are shown, and the bytes that were read until then. */
    complete: { ms: completeMs, bytes },
    /** Read afterwards, by the service worker. */
    settledBytes,
    later,
  };
}

/** Runs in the page before its own scripts. */
function recordFirstResult(): void {
  let firstMs: number | undefined;
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.results li')) return;
    firstMs ??= performance.now();
    if (!document.querySelector('#filters .count') || !document.querySelector('#results[aria-busy="false"]')) return;
    Object.assign(window, { firstSearch: { firstMs, completeMs: performance.now() } });
    observer.disconnect();
  }).observe(document, { attributes: true, childList: true, subtree: true });
}

/** Returns the milliseconds from a query to its results. */
function measureSearch(page: Page, query: string): Promise<number> {
  return page.evaluate(async (words) => {
    const input = document.querySelector<HTMLInputElement>('#q');
    const results = document.querySelector<HTMLElement>('#results');
    const startedAt = performance.now();
    if (input) input.value = words;
    input?.form?.requestSubmit();
    while (results?.ariaBusy !== 'false') await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - startedAt;
  }, query);
}

/** Returns the URL of the search page of a site. */
export function searchPageUrl(site: string): string {
  return pathToFileURL(join(site, 'search.html')).href;
}

/** Counts each file that the page requests once. Firefox reports none of them. */
export function createFileMeter(): Meter {
  const counted = new Set<string>();
  let bytes = 0;
  return {
    onRequest(url) {
      const file = url.replace(/[?#].*$/, '');
      if (!url.startsWith('file:') || counted.has(file)) return;
      counted.add(file);
      bytes += statSync(fileURLToPath(file)).size;
    },
    take() {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}
