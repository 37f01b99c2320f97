/** The harvest benchmark: an entire archive over loopback, with and without latency, compared with curl on the same URLs. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readText } from '../../src/snapshot/rows.ts';
import { programFile } from '../setup/programs.ts';
import { formatMemory, formatRatio, tableRow } from './format.ts';
import { curlArguments, type Measurement, measureCommand, median, startUpstream } from './measure.ts';
import type { BenchOptions } from './pages.ts';
import { ROOT } from './program.ts';

const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench-harvest');
const CONCURRENCY = 64;
const LATENCY_MS = 50;

/** Runs the benchmark. */
export async function benchHarvest({ records, runs }: BenchOptions): Promise<void> {
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  // With latency, the time depends only on the number of URLs, so fewer records are enough. In the shortest run, the start of the
  // program takes the largest share.
  const parts = [
    await compare(records, 0, runs),
    await compare(Math.ceil(records * 0.4), LATENCY_MS, runs),
    await compare(Math.ceil(records * 0.12), LATENCY_MS, runs),
  ];
  console.log(`
| what (concurrency ${CONCURRENCY}, medians of ${runs}) | seconds | peak memory | records/s | requests/s | |
| --- | ---: | ---: | ---: | ---: | --- |
${parts.flat().join('\n')}
`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

/** Returns the rows for one upstream. Runs of Microfiche and curl alternate, so that other load on the machine affects both. */
async function compare(records: number, latency: number, runs: number): Promise<string[]> {
  const listing = join(BENCH_DIRECTORY, 'urls.txt');
  using upstream = await startUpstream('upstream.ts', String(records), String(latency), listing);
  const urls = readFileSync(listing, 'utf8').trim().split('\n');
  const config = join(BENCH_DIRECTORY, 'curl.txt');
  writeFileSync(config, urls.map((url) => `url="${url}"\noutput=/dev/null\n`).join(''));
  const ours: Measurement[] = [];
  const curl: Measurement[] = [];
  const again: Measurement[] = [];
  for (let run = 0; run < runs; run++) {
    const snapshot = join(BENCH_DIRECTORY, `snapshot-${records}-${latency}-${run}`);
    const args = ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--root', 'lica'];
    const options = ['--snapshot', snapshot, '--concurrency', String(CONCURRENCY), '--json'];
    const harvest = () => measureCommand(process.execPath, [join(ROOT, 'scripts/bin.mjs'), ...args, ...options]);
    ours.push(await harvest());
    const report = JSON.parse(lastReport(snapshot)) as { counts: Record<string, number> };
    const harvested = Object.values(report.counts).reduce((total, count) => total + count, 0);
    if (harvested < records) throw new Error(`The harvest has ${harvested} of ${records} records`);
    curl.push(await measureCommand(programFile('curl'), curlArguments(config, CONCURRENCY)));
    if (latency === 0) again.push(await harvest());
  }
  const network = latency === 0 ? 'loopback' : `loopback, ${latency} ms ± 10 % before each response`;
  /** Maximum requests per second at this concurrency. */
  const maxRate = CONCURRENCY / (latency / 1000);
  const secondsOf = (runs: Measurement[]) => runs.map(({ seconds }) => seconds);
  const rateOf = (runs: Measurement[]) => urls.length / median(secondsOf(runs));
  const ideal = latency === 0 ? '' : `; **${percent(rateOf(ours) / maxRate)}** of concurrency ÷ latency`;
  const spread = `ours ÷ curl ${formatRatio(secondsOf(ours), secondsOf(curl))}`;
  return [
    row(`harvest of ${records} records, ${network}`, ours, urls.length, `${spread}${ideal}`, records),
    row('the same URLs, curl --parallel to /dev/null', curl, urls.length, latency === 0 ? '' : percent(rateOf(curl) / maxRate)),
    ...(again.length > 0
      ? [row('harvest again, nothing changed', again, undefined, 'fetches lists, and records without a date in them')]
      : []),
  ];
}

function row(what: string, runs: Measurement[], requests: number | undefined, note: string, records?: number): string {
  const time = median(runs.map((run) => run.seconds));
  const perSecond = (count: number | undefined) => (count === undefined ? '' : `${Math.round(count / time)}`);
  return tableRow(what, time.toFixed(1), formatMemory(runs), perSecond(records), perSecond(requests), note);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function lastReport(snapshot: string): string {
  using db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  return readText(db.prepare('SELECT report FROM run ORDER BY id DESC LIMIT 1').get(), 'report');
}
