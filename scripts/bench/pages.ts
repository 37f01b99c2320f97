/** The page benchmark: measures record pages and builds of generated records. Prints a table. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readInteger } from '../../src/snapshot/rows.ts';
import { formatMemory, tableRow } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { type Measurement, median } from './measure.ts';
import { ROOT, renderOwnPages, runBuild, versionOf } from './program.ts';

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

  const pages: Measurement[] = [];
  // Each run has its own directory, since deleting many files slows the next run.
  for (let run = 0; run < flags.runs; run++) pages.push(await renderOwnPages(snapshot, join(BENCH_DIRECTORY, `pages-${run}`)));

  const clean: Measurement[] = [];
  for (let run = 0; run < flags.runs; run++) clean.push(await runBuild(snapshot, dist, ['--clean']));
  const unchanged = [await runBuild(snapshot, dist, [])];
  changeOneTitle(snapshot);
  const changed = [await runBuild(snapshot, dist, [])];

  console.log(`
| what | seconds | peak memory | pages/s |
| --- | ---: | ---: | ---: |
${row(`${objects} record pages (Astro ${versionOf('astro')})`, pages, objects)}
${row('the entire site, full build: pages, lists, facets, search index, publishing', clean)}
${row('incremental build, nothing changed', unchanged)}
${row('incremental build, one title changed', changed)}`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

function row(what: string, measured: Measurement[], pages?: number): string {
  const seconds = median(measured.map((run) => run.seconds));
  return tableRow(what, seconds.toFixed(1), formatMemory(measured), pages ? `${Math.round(pages / seconds)}` : '');
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
