/** Measures searches in a browser, over HTTP or from file://: the first one, with all that it loads, and later ones. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { formatBytes } from '../../src/platform/quantities.ts';
import { programFile } from '../setup/programs.ts';
import { formatSpread, secondsOf, tableRow } from './format.ts';
import { measureAll } from './measure.ts';
import words from './vocabulary.json' with { type: 'json' };

/** Words of the generated records: frequent and rare ones, single and combined. */
const QUERIES = words.queries;
const TIMEOUT_MS = 300_000;

/** In pixels. In a narrow window, the filters are closed, and their counts are not loaded. */
const WINDOW = { width: 1280, height: 900 };

/** A slow line, in bytes per second and milliseconds before each response. */
const SLOW_LINE = { download: 10_000_000 / 8, upload: 10_000_000 / 8, latency: 100 };

/** The browsers: title, name, program and options. Only Chromium counts bytes, and has a slow line. */
const BROWSERS = [
  ['Chromium', 'chrome', 'chromium', ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']],
  ['Firefox', 'firefox', 'firefox-esr', []],
] as const;

/** Starts a browser with a new profile. */
export function launch([, browser, program, args]: (typeof BROWSERS)[number] = BROWSERS[0]): Promise<Browser> {
  const executablePath = programFile(program);
  return puppeteer.launch({ browser, executablePath, headless: true, args: [...args], defaultViewport: WINDOW });
}

/** Opens a search page in a new browser, and types the other queries. `run` says with which query it begins. */
async function measureSearches(browser: (typeof BROWSERS)[number], site: string, run: number) {
  const at = run % QUERIES.length;
  const [first = '', ...others] = [...QUERIES.slice(at), ...QUERIES.slice(0, at)];
  await using started = await launch(browser);
  const page = await started.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const takeBytes = browser === BROWSERS[0] ? await countBytes(page) : () => 0;
  if (isSlow(site)) await page.emulateNetworkConditions(SLOW_LINE);
  await page.evaluateOnNewDocument(recordFirstResult);
  await page.goto(`${site}/search.html?q=${encodeURIComponent(first)}`);
  await page.waitForFunction('window.firstSearch !== undefined');
  const bytes = takeBytes();
  const { firstMs, completeMs } = (await page.evaluate('window.firstSearch')) as { firstMs: number; completeMs: number };
  await page.waitForNetworkIdle();
  takeBytes(); // images of the first results
  const later: Array<{ ms: number; bytes: number }> = [];
  for (const query of others) {
    const { milliseconds } = await typeQuery(page, query);
    await page.waitForNetworkIdle();
    later.push({ ms: milliseconds, bytes: takeBytes() });
  }
  return {
    /** From opening the page until the first result is shown. */
    seconds: firstMs / 1000,
    megabytes: undefined,
    /** From opening the page until the first results and facet counts are shown, and the bytes that were read until then. */
    complete: { ms: completeMs, bytes },
    later,
  };
}

/** Counts the bytes that a page of Chromium reads, without its service worker. Returns a function that takes the count. */
async function countBytes(page: Page): Promise<() => number> {
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => {
    const taken = bytes;
    bytes = 0;
    return taken;
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

/** What the search page shows for a query. */
export type ShownResults = Awaited<ReturnType<typeof typeQuery>>;

/** Types a query into the search page. */
export function typeQuery(page: Page, query: string) {
  return page.evaluate(async (words) => {
    const input = document.querySelector<HTMLInputElement>('#q');
    const results = document.querySelector<HTMLElement>('#results');
    if (!input || !results) throw new Error('This is not a search page');
    const startedAt = performance.now();
    input.value = words;
    input.form?.requestSubmit();
    while (results.ariaBusy !== 'false') await new Promise((resolve) => setTimeout(resolve, 1));
    const milliseconds = performance.now() - startedAt;
    const items = [...results.querySelectorAll('li')];
    const count = document.querySelector('#count')?.textContent ?? '';
    return {
      /** Number of results. */
      total: items.length === 0 ? 0 : Number(count.replace(/\D/g, '')),
      /** Paths of the first twenty, in their order. */
      first: items.map((item) => item.querySelector('a')?.getAttribute('href')?.replace(/#.*/, '') ?? ''),
      /** How many of these show why they were found. */
      explained: items.filter((item) => item.querySelector('mark, .reason')).length,
      /** What the page says of similar words: that it shows their results, or suggests them. */
      suggestion: document.querySelector('.suggestion')?.textContent ?? undefined,
      milliseconds,
    };
  }, query);
}

/** A site at a URL of HTTP is opened over a slow line, and in Chromium only. */
const isSlow = (site: string) => site.startsWith('http');

/** Measures searches of the site at a URL in each browser. Returns a row for each, of cells as in the table of `file.ts`. */
export async function measureInBrowsers(site: string, runs: number): Promise<string[]> {
  const slow = `HTTP with ${(SLOW_LINE.download * 8) / 1e6} Mbit/s and ${SLOW_LINE.latency} ms`;
  const browsers = BROWSERS.slice(0, isSlow(site) ? 1 : undefined).map((browser) => [
    `${browser[0]}, ${isSlow(site) ? slow : '`file://`'}`,
    (run: number) => measureSearches(browser, site, run),
  ]);
  const measured: Record<string, Searches[]> = await measureAll(runs, Object.fromEntries(browsers));
  return Object.entries(measured).map(([title, searches]) => row(title, searches));
}

/** Searches in one browser, which had nothing cached; how long the first result took. Other times are in milliseconds. */
type Searches = Awaited<ReturnType<typeof measureSearches>>;

function row(title: string, measured: readonly Searches[]): string {
  const later = measured.flatMap((one) => one.later);
  const ms = (values: number[]) => formatSpread(values, (value) => `${value.toFixed(0)} ms`);
  const isReported = measured.some(({ complete }) => complete.bytes > 0);
  const bytes = (values: number[]) => (isReported ? formatSpread(values, (value) => formatBytes(value)) : 'not reported');
  return tableRow(
    title,
    ms(secondsOf(measured).map((seconds) => seconds * 1000)),
    ms(measured.map(({ complete }) => complete.ms)),
    bytes(measured.map(({ complete }) => complete.bytes)),
    ms(later.map((one) => one.ms)),
    bytes(later.map((one) => one.bytes)),
  );
}
