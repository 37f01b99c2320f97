/** The benchmark of a site on a USB drive: its size there, and the time of a search from file:// in two browsers. Prints a table. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';
import type { BuildReport } from '../../src/pipeline/build.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { programFile } from '../setup/programs.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { median, readOutput } from './measure.ts';
import { addThumbnails } from './thumbnails.ts';

const ROOT = join(import.meta.dirname, '../..');
const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench-file');
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
const BROWSERS = [
  ['Chromium', 'chrome', 'chromium', ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']],
  ['Firefox', 'firefox', 'firefox-esr', []],
] as const;

/** Size of the benchmark. */
export interface BenchOptions {
  records: number;
  runs: number;
}

/** Runs the benchmark. */
export async function benchFile({ records, runs }: BenchOptions): Promise<void> {
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  const snapshot = join(BENCH_DIRECTORY, 'snapshot');
  console.log(`Generating ${records} records with a thumbnail each …`);
  generateSnapshot(snapshot, records, true);
  await addThumbnails(snapshot);

  const build = async (out: string, ...more: string[]) => {
    const args = [
      join(ROOT, 'scripts/microfiche.ts'),
      'build',
      '--snapshot',
      snapshot,
      '--out',
      join(BENCH_DIRECTORY, out),
      '--json',
      ...more,
    ];
    const startedAt = performance.now();
    const report = JSON.parse(await readOutput(process.execPath, args)) as BuildReport;
    return { ...report, seconds: (performance.now() - startedAt) / 1000 };
  };
  const normal = await build('normal', '--only-packs');
  const compact = await build('compact', '--compact');
  const dist = join(BENCH_DIRECTORY, 'compact');
  const packs = listFiles(join(dist, 'packs')).map(([, file]) => statSync(file).size);
  const packBytes = packs.reduce((total, bytes) => total + bytes, 0);
  const row = ({ files, bytes, onStick, seconds }: typeof normal) =>
    `${files.toLocaleString('en')} | ${formatBytes(bytes)} | ${formatBytes(onStick)} | ${seconds.toFixed(0)} s`;
  console.log(`
| ${records.toLocaleString('en')} records, each with a thumbnail | files | bytes | with clusters of 128 KB | build time |
| --- | ---: | ---: | ---: | ---: |
| \`build --only-packs\` | ${row(normal)} |
| \`build --compact\` | ${row(compact)} |
| search packs of the latter | ${packs.length} | ${formatBytes(packBytes)} | | |
`);

  console.log(
    `| search from file://, medians of ${runs} | first result after opening the page | bytes read for it | a later search |`,
  );
  console.log('| --- | ---: | ---: | ---: |');
  for (const [title, browser, program, args] of BROWSERS) {
    const cold: number[] = [];
    const later: number[] = [];
    const read: number[] = [];
    for (let i = 0; i < runs; i++) {
      const [first = '', ...others] = [...QUERIES.slice(i), ...QUERIES.slice(0, i)];
      const started = await puppeteer.launch({ browser, executablePath: programFile(program), headless: true, args: [...args] });
      try {
        const page = await started.newPage();
        const requested = new Set<string>();
        page.on('request', (request) => requested.add(request.url()));
        await page.evaluateOnNewDocument(recordFirstResult);
        await page.goto(`${pathToFileURL(dist).href}/search.html?q=${encodeURIComponent(first)}`);
        await page.waitForFunction('window.firstResult !== undefined');
        cold.push((await page.evaluate('window.firstResult')) as number);
        read.push(bytesOf(requested));
        for (const query of others) later.push(await measureSearch(page, query));
      } finally {
        await started.close();
      }
    }
    const ms = (times: number[]) =>
      `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
    const bytes = median(read) > 0 ? formatBytes(median(read)) : 'unknown';
    console.log(`| ${title} | ${ms(cold)} | ${bytes} | ${ms(later)} |`);
  }
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

/** Runs in the page before its own scripts. */
function recordFirstResult(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.results li')) return;
    Object.assign(window, { firstResult: performance.now() });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
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

function bytesOf(urls: ReadonlySet<string>): number {
  const files = new Set([...urls].filter((url) => url.startsWith('file:')).map((url) => url.replace(/[?#].*$/, '')));
  return [...files].reduce((total, file) => total + statSync(fileURLToPath(file)).size, 0);
}
