/**
 * Builds of a large archive: from scratch, with a fifth of the records too, with nothing changed, and with ten records changed;
 * and how long a thread takes to start. Prints tables.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { changeTenTitles } from './change-titles.ts';
import {
  formatMemory,
  formatNumber,
  formatRatio,
  formatSeconds,
  formatSpread,
  printMeasured,
  printStep,
  tableRow,
} from './format.ts';
import { measureOutput, median } from './measure.ts';
import { type Run, runBuild, runCleanBuild } from './program.ts';
import { type ScaleWork, siteDirectory } from './scale-work.ts';

/** A build keeps nothing for the next one to recognize if the snapshot may still be written. */
const SNAPSHOT_SETTLES_MS = 3_100;
/** How often threads are started. */
const STARTS = 5;

type Runs = Array<Run<BuildReport>>;

/** Runs this part. */
export async function benchBuilds({ many, few, runs, directory, options, snapshotOf }: ScaleWork): Promise<void> {
  const of = { few: [] as Runs, many: [] as Runs, unchanged: [] as Runs, changed: [] as Runs };
  const dist = siteDirectory(directory, many);
  const [small, large] = [snapshotOf(few), snapshotOf(many)];
  const titles = {
    few: `${formatNumber(few)} records, from scratch`,
    many: `${formatNumber(many)} records, from scratch`,
    unchanged: 'nothing changed',
    changed: 'ten records changed',
  };
  // Both sizes alternate, so that other load on the machine affects both.
  for (let run = 1; run <= runs; run++) {
    printStep(`run ${run} of ${runs}: builds from scratch`);
    of.few.push(await printMeasured(titles.few, runCleanBuild(small, siteDirectory(directory, few), options)));
    of.many.push(await printMeasured(titles.many, runCleanBuild(large, dist, options)));
  }
  for (let run = 1; run <= runs; run++) {
    printStep(`run ${run} of ${runs}: updates`);
    of.unchanged.push(await printMeasured(titles.unchanged, runBuild(large, dist, [], options)));
    changeTenTitles(large, many, run);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    of.changed.push(await printMeasured(titles.changed, runBuild(large, dist, [], options)));
  }
  printStep('starts of threads');
  const starts = [await measureStarts(small, join(directory, 'threads-few'), options)];
  starts.push(await measureStarts(large, join(directory, 'threads-many'), options));
  const kinds = Object.keys(titles) as Array<keyof typeof titles>;
  console.log(`
| build with search index and packs (medians of ${runs}) | seconds | peak memory | rendered pages | files | bytes |
| --- | ---: | ---: | ---: | ---: | ---: |
${kinds.map((kind) => row(titles[kind], of[kind])).join('\n')}

Peak memory of ${formatNumber(many)} records ÷ of ${formatNumber(few)}: ${ratioOf(of.many, of.few, 'megabytes')}.
Seconds of ${formatNumber(many)} records ÷ of ${formatNumber(few)}: ${ratioOf(of.many, of.few, 'seconds')}.
Seconds with ten records changed ÷ from scratch: ${ratioOf(of.changed, of.many, 'seconds')}.

| start of a thread that renders pages, until it can render the first | milliseconds |
| --- | ---: |
${starts.map((ms, i) => tableRow(`${formatNumber(i === 0 ? few : many)} records`, formatSpread(ms, String))).join('\n')}

${stepTable(kinds.map((kind) => [titles[kind], of[kind]]))}

${kinds.map((kind) => `${titles[kind]}: \`rebuilt\` is \`${JSON.stringify(of[kind].at(-1)?.report.rebuilt)}\``).join('\n\n')}
`);
}

/** Returns the milliseconds from the creation of threads until they could render. Starts as many at a time as there are cores. */
async function measureStarts(snapshot: string, directory: string, options: ScaleWork['options']): Promise<number[]> {
  const script = join(import.meta.dirname, 'thread-start.ts');
  const { output } = await measureOutput(process.execPath, [script, snapshot, directory, String(STARTS)], options);
  return JSON.parse(output) as number[];
}

function row(title: string, runs: Runs): string {
  const { rebuilt, files, bytes } = (runs.at(-1) as Run<BuildReport>).report;
  return tableRow(
    title,
    formatSeconds(runs),
    formatMemory(runs),
    formatNumber(rebuilt.pages),
    formatNumber(files),
    formatNumber(bytes),
  );
}

function ratioOf(ours: Runs, theirs: Runs, of: 'seconds' | 'megabytes'): string {
  return formatRatio(...([ours, theirs].map((runs) => runs.map((run) => run[of] ?? Number.NaN)) as [number[], number[]]));
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
