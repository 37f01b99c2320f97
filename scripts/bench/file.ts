/** The bench of a mirror on a stick: how large it is there, and how fast it answers from file:// in both browsers. Prints a table. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';
import type { BuildReport } from '../../src/pipeline/build.ts';
import { formatBytes } from '../../src/platform/durations.ts';
import { filesBelow } from '../../src/snapshot/files.ts';
import { programFile } from '../setup/programs.ts';
import { generateSnapshot } from './generate.ts';
import { median, run } from './measure.ts';
import { addThumbnails } from './thumbnails.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/microfiche-bench-file');
/** Words of the generated records: frequent and rare ones, alone and together. */
const QUESTIONS = [
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

export interface BenchOptions {
  records: number;
  runs: number;
}

export async function benchFile({ records, runs }: BenchOptions): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  const snapshot = join(FOLDER, 'snapshot');
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
      join(FOLDER, out),
      '--json',
      ...more,
    ];
    const begun = performance.now();
    const report = JSON.parse(await run(process.execPath, args)) as BuildReport;
    return { ...report, took: (performance.now() - begun) / 1000 };
  };
  const whole = await build('whole', '--only-packs');
  const compact = await build('compact', '--compact');
  const dist = join(FOLDER, 'compact');
  const packs = filesBelow(join(dist, 'packs')).map(([, file]) => statSync(file).size);
  const sum = (sizes: number[]) => sizes.reduce((total, one) => total + one, 0);
  const size = ({ files, bytes, onStick, took }: typeof whole) =>
    `${files.toLocaleString('en')} | ${formatBytes(bytes)} | ${formatBytes(onStick)} | ${took.toFixed(0)} s`;
  console.log(`
| ${records.toLocaleString('en')} records, a thumbnail each | files | bytes | at clusters of 128 KB | built in |
| --- | ---: | ---: | ---: | ---: |
| \`build --only-packs\` | ${size(whole)} |
| \`build --compact\` | ${size(compact)} |
| of these the search packs | ${packs.length} | ${formatBytes(sum(packs))} | | |
`);

  console.log(
    `| search from file://, medians of ${runs} | first result, from the opening of the page | bytes read for it | a later search |`,
  );
  console.log('| --- | ---: | ---: | ---: |');
  for (const [title, browser, program, args] of BROWSERS) {
    const cold: number[] = [];
    const later: number[] = [];
    const read: number[] = [];
    for (let i = 0; i < runs; i++) {
      const [first = '', ...others] = [...QUESTIONS.slice(i), ...QUESTIONS.slice(0, i)];
      const started = await puppeteer.launch({ browser, executablePath: programFile(program), headless: true, args: [...args] });
      try {
        const page = await started.newPage();
        const asked = new Set<string>();
        page.on('request', (request) => asked.add(request.url()));
        await page.evaluateOnNewDocument(noteFirstResult);
        await page.goto(`${pathToFileURL(dist).href}/search.html?q=${encodeURIComponent(first)}`);
        await page.waitForFunction('window.firstResult !== undefined');
        cold.push((await page.evaluate('window.firstResult')) as number);
        read.push(bytesOf(asked));
        for (const question of others) later.push(await timed(page, question));
      } finally {
        await started.close();
      }
    }
    const ms = (times: number[]) =>
      `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
    const bytes = median(read) > 0 ? formatBytes(median(read)) : 'not told';
    console.log(`| ${title} | ${ms(cold)} | ${bytes} | ${ms(later)} |`);
  }
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Runs in the page before its own scripts. */
function noteFirstResult(): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.results li')) return;
    Object.assign(window, { firstResult: performance.now() });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

/** Milliseconds from the question to the results that belong to it. */
function timed(page: Page, question: string): Promise<number> {
  return page.evaluate(async (words) => {
    const input = document.querySelector<HTMLInputElement>('#q');
    const results = document.querySelector<HTMLElement>('#results');
    const begun = performance.now();
    if (input) input.value = words;
    input?.form?.requestSubmit();
    while (results?.ariaBusy !== 'false') await new Promise((resolve) => setTimeout(resolve, 1));
    return performance.now() - begun;
  }, question);
}

function bytesOf(addresses: ReadonlySet<string>): number {
  const files = new Set([...addresses].filter((one) => one.startsWith('file:')).map((one) => one.replace(/[?#].*$/, '')));
  return [...files].reduce((total, file) => total + statSync(fileURLToPath(file)).size, 0);
}
