/** The benchmark of a site on a USB drive: its size there, and the time of a search from file:// in two browsers. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatBytes } from '../../src/platform/quantities.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { formatSpread, tableRow } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { median } from './measure.ts';
import type { BenchOptions } from './pages.ts';
import { ROOT, runBuild } from './program.ts';
import { BROWSERS, createFileMeter, measureSearches, type Searches, searchPageUrl } from './search-in-browser.ts';
import { addThumbnails } from './thumbnails.ts';

const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench-file');

/** Runs the benchmark. */
export async function benchFile({ records, runs }: BenchOptions): Promise<void> {
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  const snapshot = join(BENCH_DIRECTORY, 'snapshot');
  console.log(`Generating ${records} records with a thumbnail each …`);
  generateSnapshot(snapshot, records, true);
  await addThumbnails(snapshot);

  const build = async (out: string, ...more: string[]) => {
    const { report, seconds } = await runBuild(snapshot, join(BENCH_DIRECTORY, out), more);
    return { ...report, seconds };
  };
  const normal = await build('normal', '--only-packs');
  const compact = await build('compact', '--compact');
  const dist = join(BENCH_DIRECTORY, 'compact');
  const packs = listFiles(join(dist, 'packs')).map(([, file]) => statSync(file).size);
  const packBytes = packs.reduce((total, bytes) => total + bytes, 0);
  const row = ({ files, bytes, bytesOnUsbDrive, seconds }: typeof normal) =>
    `${files.toLocaleString('en')} | ${formatBytes(bytes)} | ${formatBytes(bytesOnUsbDrive)} | ${seconds.toFixed(0)} s`;
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
  for (const browser of BROWSERS) {
    const measured: Searches[] = [];
    for (let run = 0; run < runs; run++)
      measured.push(await measureSearches(browser, searchPageUrl(dist), run, createFileMeter()));
    const ms = (times: number[]) => formatSpread(times, (time) => `${time.toFixed(0)} ms`);
    const read = median(measured.map(({ complete }) => complete.bytes));
    const later = measured.flatMap((one) => one.later.map((search) => search.ms));
    const first = ms(measured.map(({ firstMs }) => firstMs));
    console.log(tableRow(browser[0], first, read > 0 ? formatBytes(read) : 'unknown', ms(later)));
  }
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}
