/** The page benchmark: measures builds of generated records, and compares record pages with Eleventy. Prints a table. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readInteger } from '../../src/snapshot/rows.ts';
import { formatRatio } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { type Measurement, median } from './measure.ts';
import { compareSomePages, renderOwnPages, renderWithEleventy, versionOf } from './page-programs.ts';
import { ROOT, runBuild } from './program.ts';

const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench');

/** Size of the benchmark. */
export interface BenchOptions {
  /** Number of records to generate. */
  records: number;
  /** Runs per measurement. The median is printed. */
  runs: number;
}

/** Runs the benchmark. */
export async function benchPages(flags: BenchOptions): Promise<void> {
  const snapshot = join(BENCH_DIRECTORY, 'snapshot');
  const dist = join(BENCH_DIRECTORY, 'dist');
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  console.log(`Generating ${flags.records} records …`);
  generateSnapshot(snapshot, flags.records);
  const objects = countObjects(snapshot);

  /** Both alternate, so that other load on the machine affects both. Each run has its own directory, since deleting many files slows the next run. */
  const runs = { astro: [] as Measurement[], eleventy: [] as Measurement[] };
  const output = (side: keyof typeof runs, run: number) => join(BENCH_DIRECTORY, `${side}-${run}`);
  for (let run = 0; run < flags.runs; run++) {
    runs.astro.push(await renderOwnPages(snapshot, output('astro', run)));
    runs.eleventy.push(await renderWithEleventy(snapshot, output('eleventy', run)));
  }
  const same = compareSomePages(join(output('astro', 0), 'site'), output('eleventy', 0));

  const clean: Measurement[] = [];
  for (let run = 0; run < flags.runs; run++) clean.push(await runBuild(snapshot, dist, ['--clean']));
  const unchanged = [await runBuild(snapshot, dist, [])];
  changeOneTitle(snapshot);
  const changed = [await runBuild(snapshot, dist, [])];

  const eleventyVersion = versionOf('@11ty/eleventy');
  const ratio = formatRatio(secondsOf(runs.astro), secondsOf(runs.eleventy));
  console.log(`
| what | seconds | peak memory | pages/s | ours ÷ theirs, run by run: median (minimum to maximum) |
| --- | ---: | ---: | ---: | --- |
${row(`${objects} record pages, Microfiche (Astro ${versionOf('astro')})`, runs.astro, objects)}
${row(`the same pages, Eleventy ${eleventyVersion}, one JavaScript function`, runs.eleventy, objects, ratio)}
${row('the entire site, full build: pages, lists, facets, search index, publishing', clean)}
${row('incremental build, nothing changed', unchanged)}
${row('incremental build, one title changed', changed)}

${same}`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

const secondsOf = (runs: readonly Measurement[]) => runs.map(({ seconds }) => seconds);

function row(what: string, measured: Measurement[], pages?: number, note = ''): string {
  const seconds = median(secondsOf(measured));
  const memory = measured.flatMap(({ megabytes }) => megabytes ?? []);
  return `| ${what} | ${seconds.toFixed(1)} | ${memory.length > 0 ? `${Math.round(median(memory))} MB` : 'unknown'} | ${pages ? Math.round(pages / seconds) : ''} | ${note} |`;
}

/** Returns the number of records in a snapshot. */
export function countObjects(snapshot: string): number {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  const count = db.prepare(`SELECT count(*) AS count FROM resource WHERE kind = 'object'`).get();
  db.close();
  return readInteger(count, 'count');
}

function changeOneTitle(snapshot: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(
    `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '"title":"', '"title":"New: ') AS BLOB), sha256 = 'changed' WHERE key = 'object:lica-bench-1-50'`,
  );
  db.close();
}
