/** The harvest bench: a whole archive over loopback, as fast as it comes and with latency, each time against curl on the same addresses. Prints a table. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readText } from '../../src/snapshot/rows.ts';
import { programFile } from '../setup/programs.ts';
import { type Measured, measure, median, startUpstream } from './measure.ts';
import type { BenchOptions } from './pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/microfiche-bench-harvest');
const CONCURRENCY = 64;
/** Milliseconds. */
const LATENCY = 50;

export async function benchHarvest({ records, runs }: BenchOptions): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  // Latency makes a run as long as its addresses are many, whoever asks for them: fewer say the same. The shorter the run, the more its start counts.
  const parts = [
    await against(records, 0, runs),
    await against(Math.ceil(records * 0.4), LATENCY, runs),
    await against(Math.ceil(records * 0.12), LATENCY, runs),
  ];
  console.log(`
| what (concurrency ${CONCURRENCY}, medians of ${runs}) | seconds | peak memory | records/s | requests/s | |
| --- | ---: | ---: | ---: | ---: | --- |
${parts.flat().join('\n')}
`);
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Rows for one upstream: ours and curl in turn, so that a slow minute of the machine falls on both. */
async function against(records: number, latency: number, runs: number): Promise<string[]> {
  const listing = join(FOLDER, 'addresses.txt');
  const upstream = await startUpstream('upstream.ts', String(records), String(latency), listing);
  const addresses = readFileSync(listing, 'utf8').trim().split('\n');
  const config = join(FOLDER, 'curl.txt');
  writeFileSync(config, addresses.map((url) => `url="${url}"\noutput=/dev/null\n`).join(''));
  const ours: Measured[] = [];
  const curl: Measured[] = [];
  const again: Measured[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      const snapshot = join(FOLDER, `snapshot-${records}-${latency}-${run}`);
      const args = ['harvest', '--authors-url', upstream.url, '--catalog-url', upstream.url, '--root', 'lica'];
      const options = ['--snapshot', snapshot, '--concurrency', String(CONCURRENCY), '--json'];
      const harvest = () => measure(process.execPath, [join(ROOT, 'scripts/microfiche.ts'), ...args, ...options]);
      ours.push(await harvest());
      const report = JSON.parse(lastReport(snapshot)) as { counts: Record<string, number> };
      const had = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
      if (had < records) throw new Error(`The harvest has ${had} of ${records} records`);
      curl.push(
        await measure(programFile('curl'), ['--silent', '--parallel', '--parallel-max', String(CONCURRENCY), '--config', config]),
      );
      if (latency === 0) again.push(await harvest());
    }
  } finally {
    upstream.process.kill();
  }
  const where = latency === 0 ? 'loopback' : `loopback, ${latency} ms ± 10 % before each answer`;
  /** Requests a second that so many at once can make at most. */
  const most = CONCURRENCY / (latency / 1000);
  const rateOf = (runs: Measured[]) => addresses.length / median(runs.map((run) => run.seconds));
  const ratios = ours.map((run, i) => run.seconds / (curl[i] as Measured).seconds);
  const ideal = latency === 0 ? '' : `; **${percent(rateOf(ours) / most)}** of concurrency ÷ latency`;
  const spread = `ours ÷ curl **${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  return [
    row(`harvest of ${records} records, ${where}`, ours, addresses.length, `${spread}${ideal}`, records),
    row(
      'the same addresses, curl --parallel to /dev/null',
      curl,
      addresses.length,
      latency === 0 ? '' : percent(rateOf(curl) / most),
    ),
    ...(again.length > 0
      ? [row('harvested again, nothing changed', again, undefined, 'asks for lists, and for what they give no date of')]
      : []),
  ];
}

function row(what: string, runs: Measured[], requests: number | undefined, note: string, records?: number): string {
  const time = median(runs.map((run) => run.seconds));
  const memory = runs.flatMap(({ megabytes }) => megabytes ?? []);
  const perSecond = (count: number | undefined) => (count === undefined ? '' : Math.round(count / time));
  return `| ${what} | ${time.toFixed(1)} | ${memory.length > 0 ? `${Math.round(median(memory))} MB` : 'not told'} | ${perSecond(records)} | ${perSecond(requests)} | ${note} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function lastReport(snapshot: string): string {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  try {
    return readText(db.prepare('SELECT report FROM run ORDER BY id DESC LIMIT 1').get(), 'report');
  } finally {
    db.close();
  }
}
