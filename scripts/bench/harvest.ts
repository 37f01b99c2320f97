/** The harvest benchmark: an entire archive over loopback, with and without latency, compared with curl on the same URLs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { totalOf } from '../../src/harvest/report.ts';
import { selectTexts } from '../../src/snapshot/rows.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { programFile } from '../setup/programs.ts';
import { formatMemory, formatRatio, type Measurement, median, secondsOf, tableRow } from './format.ts';
import { curlArguments, measureAll, measureCommand, startUpstream } from './measure.ts';
import { type BenchSize, runHarvest, withDirectory } from './program.ts';

const CONCURRENCY = 64;
const LATENCY_MS = 50;
const FILES_PER_ITEM = 8;

/** Runs the benchmark. */
export const benchHarvest = ({ records, runs, dir }: BenchSize) =>
  withDirectory('harvest', dir, async (directory) => {
    // With latency, the time depends only on the number of URLs, so fewer records are enough. In the shortest run, the start of
    // the program takes the largest share.
    const parts = [
      await compare(directory, records, 0, runs),
      await compare(directory, Math.ceil(records * 0.4), LATENCY_MS, runs),
      await compare(directory, Math.ceil(records * 0.12), LATENCY_MS, runs),
    ];
    console.log(`
| what (concurrency ${CONCURRENCY}, medians of ${runs}) | seconds | peak memory | records/s | requests/s | |
| --- | ---: | ---: | ---: | ---: | --- |
${parts.flat().join('\n')}
`);
  });

/** Returns the rows for one upstream. Runs of Microfiche and curl alternate. */
async function compare(directory: string, records: number, latencyMs: number, runs: number): Promise<string[]> {
  const items = Math.ceil(records / (1 + FILES_PER_ITEM));
  using upstream = await startUpstream({ items, filesPerItem: FILES_PER_ITEM, latencyMs, keepsResponses: true });
  const harvest = async (name: string): Promise<Measurement> => {
    const { report, ...measured } = await runHarvest(upstream.url, snapshotOf(name), CONCURRENCY);
    const harvested = totalOf(report.counts);
    if (harvested < records) throw new Error(`The harvest has ${harvested} of ${records} records`);
    return measured;
  };
  const snapshotOf = (name: string) => join(directory, `${records}-${latencyMs}-${name}`);
  await harvest('first'); // the upstream keeps its responses
  const urls = urlsOf(snapshotOf('first'));
  const config = join(directory, 'curl.txt');
  writeFileSync(config, urls.map((url) => `url="${url}"\noutput=/dev/null\n`).join(''));
  const { ours, curl } = await measureAll(runs, {
    ours: (run) => harvest(String(run)),
    curl: () => measureCommand(programFile('curl'), curlArguments(config, CONCURRENCY)),
  });
  const { again } = await measureAll(latencyMs === 0 ? runs : 0, { again: (run) => harvest(String(run)) });
  const network = latencyMs === 0 ? 'loopback' : `loopback, ${latencyMs} ms ± 10 % before each response`;
  /** Share of the maximum number of requests per second at this concurrency. */
  const shareOfRate = (measured: Measurement[]) =>
    `${((urls.length / median(secondsOf(measured)) / (CONCURRENCY / (latencyMs / 1000))) * 100).toFixed(1)} %`;
  const ideal = latencyMs === 0 ? '' : `; **${shareOfRate(ours)}** of concurrency ÷ latency`;
  const ratio = `ours ÷ curl ${formatRatio(secondsOf(ours), secondsOf(curl))}`;
  return [
    row(`harvest of ${records} records, ${network}`, ours, urls.length, `${ratio}${ideal}`, records),
    row('the same URLs, curl --parallel to /dev/null', curl, urls.length, latencyMs === 0 ? '' : shareOfRate(curl)),
    ...(again.length > 0
      ? [row('harvest again, nothing changed', again, undefined, 'fetches lists, and records without a date in them')]
      : []),
  ];
}

function row(what: string, runs: Measurement[], requests: number | undefined, note: string, records?: number): string {
  const time = median(secondsOf(runs));
  const perSecond = (count: number | undefined) => (count === undefined ? '' : `${Math.round(count / time)}`);
  return tableRow(what, time.toFixed(1), formatMemory(runs), perSecond(records), perSecond(requests), note);
}

function urlsOf(snapshot: string): string[] {
  using store = openSnapshot(snapshot);
  return selectTexts(store.db, 'SELECT url FROM response');
}
