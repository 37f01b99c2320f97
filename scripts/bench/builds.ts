/** The benchmark of builds: from scratch, with a fifth of the records too, with nothing changed, and with ten records changed. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { readPayload } from '../../src/snapshot/read.ts';
import { createSnapshot } from '../../src/snapshot/store.ts';
import { openWriter } from '../../src/snapshot/write.ts';
import { formatMemory, formatNumber, formatRatio, formatSeconds, median, printStep, tableRow } from './format.ts';
import { generateSnapshot, itemId, putRecords } from './generate-snapshot.ts';
import { measureAll } from './measure.ts';
import { type BenchSize, type Run, runBuild, runCleanBuild, withDirectory } from './program.ts';
import type { Json } from './records.ts';

/** A build keeps nothing for the next one to recognize if the snapshot may still be written. */
export const SNAPSHOT_SETTLES_MS = 3_100;

type Runs = Array<Run<BuildReport>>;

/** Runs the benchmark, in a directory of its own in `dir`. Prints tables. */
export const benchBuilds = ({ records: many, runs, dir }: BenchSize) =>
  withDirectory('builds', dir, async (directory) => {
    const few = Math.max(100, Math.round(many / 5));
    const path = (name: string) => join(directory, name);
    const options = { env: { MICROFICHE_CACHE: path('cache') }, cache: path('cache'), old: path('old') };
    const [small, large, dist] = [path('small'), path('large'), path('dist')];
    printStep(`generating ${formatNumber(few)} and ${formatNumber(many)} records`);
    generateSnapshot(small, few);
    generateSnapshot(large, many);
    const [ofFew, ofMany] = [`${formatNumber(few)} records, from scratch`, `${formatNumber(many)} records, from scratch`];
    const [unchanged, changed] = ['nothing changed', 'ten records changed'];
    const clean = await measureAll(runs, {
      [ofFew]: () => runCleanBuild(small, path('small-dist'), options),
      [ofMany]: () => runCleanBuild(large, dist, options),
    });
    const updates = await measureAll(runs, {
      [unchanged]: () => runBuild(large, dist, [], options),
      async [changed](run: number) {
        changeTitles(large, many, CHANGED, run + 1);
        await setTimeout(SNAPSHOT_SETTLES_MS);
        return runBuild(large, dist, [], options);
      },
    });
    const measured: Record<string, Runs> = { ...clean, ...updates };
    const kinds = Object.entries(measured);
    const ratioOf = (ours: string, theirs: string, of: 'seconds' | 'megabytes') => {
      const values = (title: string) => (measured[title] ?? []).map((run) => run[of] ?? Number.NaN);
      return formatRatio(values(ours), values(theirs));
    };
    console.log(`
| build with search index and packs (medians of ${runs}) | seconds | peak memory | rendered pages | files | bytes |
| --- | ---: | ---: | ---: | ---: | ---: |
${kinds.map(([title, all]) => row(title, all)).join('\n')}

Peak memory of ${formatNumber(many)} records ÷ of ${formatNumber(few)}: ${ratioOf(ofMany, ofFew, 'megabytes')}.
Seconds of ${formatNumber(many)} records ÷ of ${formatNumber(few)}: ${ratioOf(ofMany, ofFew, 'seconds')}.
Seconds with ten records changed ÷ from scratch: ${ratioOf(changed, ofMany, 'seconds')}.

${stepTable(kinds)}

${kinds.map(([title, all]) => `${title}: \`rebuilt\` is \`${JSON.stringify(all.at(-1)?.report.rebuilt)}\``).join('\n\n')}
`);
  });

function row(title: string, runs: Runs): string {
  const { rebuilt, files, bytes } = (runs.at(-1) as Run<BuildReport>).report;
  return tableRow(title, formatSeconds(runs), formatMemory(runs), ...[rebuilt.pages, files, bytes].map(formatNumber));
}

/** Returns a table of the seconds of each step, one column per kind of build. */
function stepTable(columns: ReadonlyArray<readonly [title: string, runs: Runs]>): string {
  const steps = [...new Set(columns.flatMap(([, runs]) => runs.flatMap(({ report }) => Object.keys(report.seconds))))];
  const secondsOf = (step: string, runs: Runs) => {
    const values = runs.flatMap(({ report }) => report.seconds[step] ?? []);
    return values.length === 0 ? '' : median(values).toFixed(1);
  };
  return [
    tableRow('seconds of each step', ...columns.map(([title]) => title)),
    tableRow('---', ...columns.map(() => '---:')),
    ...steps.map((step) => tableRow(`\`${step}\``, ...columns.map(([, runs]) => secondsOf(step, runs)))),
  ].join('\n');
}

const CHANGED = 10;

/**
 * Gives so many records, which are distributed over the snapshot of `count` items, another title and date of change, in a run of
 * their own. `run` is in the title and the date, so that each call changes the same records again.
 */
export function changeTitles(snapshot: string, count: number, changed: number, run: number): void {
  using store = createSnapshot(snapshot);
  const changedAt = new Date(Date.UTC(2026, 1, 1 + run, 9)).toISOString();
  const writer = openWriter(store, () => changedAt, { start: 'restart' });
  const records = Array.from({ length: changed }, (_, n) => {
    const record = readPayload(store, 'object', itemId(Math.floor(((n + 0.5) * count) / changed))) as Json;
    const title = String(record['title']).replace(/^(?:Changed \d+: )?/, `Changed ${run}: `);
    return { ...record, title, record_lastmod: changedAt.slice(0, 19) };
  });
  putRecords(writer, records, changedAt);
  writer.finish({ complete: true });
}
