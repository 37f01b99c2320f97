/** Measures searches in a browser, over HTTP or from file://: the first one, with all that it loads, and later ones. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { formatBytes } from '../../src/platform/quantities.ts';
import { programFile } from '../setup/programs.ts';
import { formatSpread, printStep, tableRow } from './format.ts';

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
const BROWSERS = [
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
type Searches = Awaited<ReturnType<typeof measureSearches>>;

/** Starts a browser with a new profile. */
export function launch([, browser, program, args]: (typeof BROWSERS)[number] = BROWSERS[0]): Promise<Browser> {
  const executablePath = programFile(program);
  return puppeteer.launch({ browser, executablePath, headless: true, args: [...args], defaultViewport: WINDOW });
}

/** Opens a search page in a new browser, and types the other queries. `run` says with which query it begins. */
async function measureSearches(browser: (typeof BROWSERS)[number], searchPage: string, run: number, meter: Meter) {
  const at = run % QUERIES.length;
  const [first = '', ...others] = [...QUERIES.slice(at), ...QUERIES.slice(0, at)];
  await using started = await launch(browser);
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
  meter.take(); // what the service worker has read
  const later: Array<{ ms: number; bytes: number }> = [];
  for (const query of others) {
    const { milliseconds } = await typeQuery(page, query);
    later.push({ ms: milliseconds, bytes: meter.take() });
  }
  return {
    /** From opening the page until the first result is shown. */
    firstMs,
    /** From opening the page until the first results and facet counts are shown, and the bytes that were read until then. */
    complete: { ms: completeMs, bytes },
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

/** What the search page shows for a query. */
export interface ShownResults {
  /** Number of results. */
  total: number;
  /** Paths of the first twenty, in their order. */
  first: string[];
  /** How many of these show why they were found. */
  explained: number;
  /** What the page says of similar words: that it shows their results, or suggests them. */
  suggestion: string | undefined;
  milliseconds: number;
}

/** Types a query into the search page. */
export function typeQuery(page: Page, query: string): Promise<ShownResults> {
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
      total: items.length === 0 ? 0 : Number(count.replace(/\D/g, '')),
      first: items.map((item) => item.querySelector('a')?.getAttribute('href')?.replace(/#.*/, '') ?? ''),
      explained: items.filter((item) => item.querySelector('mark, .reason')).length,
      suggestion: document.querySelector('.suggestion')?.textContent ?? undefined,
      milliseconds,
    };
  }, query);
}

/** One way to open a site. */
export interface Way {
  title: string;
  searchPage: string;
  createMeter(): Meter;
}

/** Opens a site from its directory. */
export function openFromFile(site: string): Way {
  return { title: '`file://`', searchPage: pathToFileURL(join(site, 'search.html')).href, createMeter: createFileMeter };
}

/** Measures searches in each browser. Returns a row of the table for each. Calls `afterBrowser` with the title of each row. */
export async function measureInBrowsers(way: Way, runs: number, afterBrowser?: (title: string) => void): Promise<string[]> {
  const rows: string[] = [];
  for (const browser of BROWSERS) {
    const title = `${browser[0]}, ${way.title}`;
    const measured: Searches[] = [];
    for (let run = 0; run < runs; run++) {
      const searches = await measureSearches(browser, way.searchPage, run, way.createMeter());
      measured.push(searches);
      printStep(`run ${run + 1} of ${runs}, search in ${title}: first result ${searches.firstMs.toFixed(0)} ms`);
    }
    rows.push(row(title, measured));
    afterBrowser?.(title);
  }
  return rows;
}

/** Returns the head of the table. */
export function headOfSearches(what: string): string {
  return `| ${what} | first result | with the counts of facet values | bytes read for both | later search | bytes |
| --- | ---: | ---: | ---: | ---: | ---: |`;
}

function row(title: string, measured: readonly Searches[]): string {
  const later = measured.flatMap((one) => one.later);
  const ms = (values: number[]) => formatSpread(values, (value) => `${value.toFixed(0)} ms`);
  const isReported = measured.some(({ complete }) => complete.bytes > 0);
  const bytes = (values: number[]) => (isReported ? formatSpread(values, (value) => formatBytes(value)) : 'not reported');
  return tableRow(
    title,
    ms(measured.map(({ firstMs }) => firstMs)),
    ms(measured.map(({ complete }) => complete.ms)),
    bytes(measured.map(({ complete }) => complete.bytes)),
    ms(later.map((one) => one.ms)),
    bytes(later.map((one) => one.bytes)),
  );
}

/** Counts each file that the page requests once. Firefox reports none of them. */
function createFileMeter(): Meter {
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
