/** `npm run bench`: measures on generated records and prints a table. It asserts nothing about time. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { wholeNumber } from '../options.ts';
import { generateSnapshot } from './generate.ts';
import { type Measured, measure, median } from './measure.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/microfiche-bench');
const ELEVENTY = join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs');

const flags = new Command('bench')
  .description('Measures builds on generated records, and the object pages against Eleventy.')
  .option('--records <n>', 'objects to generate', wholeNumber(100), 20_000)
  .option('--runs <n>', 'runs of each measurement; the median counts', wholeNumber(1, 20), 3)
  .parse()
  .opts<{ records: number; runs: number }>();

const snapshot = join(FOLDER, 'snapshot');
const ours = join(FOLDER, 'astro');
const theirs = join(FOLDER, 'eleventy');
const dist = join(FOLDER, 'dist');
rmSync(FOLDER, { recursive: true, force: true });
console.log(`Generating ${flags.records} records …`);
generateSnapshot(snapshot, flags.records);
const objects = countObjects();

const astro: Measured[] = [];
const eleventy: Measured[] = [];
for (let run = 0; run < flags.runs; run++) {
  rmSync(ours, { recursive: true, force: true });
  astro.push(await measure(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, ours]));
  rmSync(theirs, { recursive: true, force: true });
  eleventy.push(
    await measure(process.execPath, [ELEVENTY, '--config=eleventy.config.mjs', `--output=${theirs}`, '--quiet'], {
      cwd: join(import.meta.dirname, 'eleventy'),
      env: { BENCH_SNAPSHOT: snapshot },
    }),
  );
}
const same = comparePages();

const build = (...more: string[]) =>
  measure(process.execPath, [
    join(ROOT, 'scripts/microfiche.ts'),
    'build',
    '--snapshot',
    snapshot,
    '--out',
    dist,
    '--json',
    ...more,
  ]);
const clean: Measured[] = [];
for (let run = 0; run < flags.runs; run++) clean.push(await build('--clean'));
const unchanged = [await build()];
changeOneTitle();
const changed = [await build()];

const ratios = astro.map(({ seconds }, i) => seconds / (eleventy[i] as Measured).seconds);
console.log(`
| what | seconds | peak memory | pages/s |
| --- | ---: | ---: | ---: |
${row(`${objects} object pages, Microfiche (Astro ${versionOf('astro')}, one process)`, astro, objects)}
${row(`the same pages, Eleventy ${versionOf('@11ty/eleventy')}`, eleventy, objects)}
| ratio, pair by pair: median (least to most) | ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}) | | |
${row('the whole site, clean: pages, lists, facets, search index, publishing', clean)}
${row('again, nothing changed', unchanged)}
${row('again, one title changed', changed)}

${same}`);
rmSync(FOLDER, { recursive: true, force: true });

function row(what: string, runs: Measured[], pages?: number): string {
  const seconds = median(runs.map((run) => run.seconds));
  const memory = runs.flatMap(({ megabytes }) => megabytes ?? []);
  return `| ${what} | ${seconds.toFixed(1)} | ${memory.length > 0 ? `${Math.round(median(memory))} MB` : 'not told'} | ${pages ? Math.round(pages / seconds) : ''} |`;
}

function countObjects(): number {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  const { count } = db.prepare(`SELECT count(*) AS count FROM resource WHERE kind = 'object'`).get() as { count: number };
  db.close();
  return count;
}

/** Both sides must write the same page; white space between tags and the spelling of quotes in text may differ. */
function comparePages(): string {
  const ids = ['lica', 'lica-bench-1', ...[1, 2, 99, 100].map((n) => `lica-bench-1-${n}`)];
  const read = (folder: string, id: string) =>
    readFileSync(join(folder, `objects/${id}.html`), 'utf8')
      .replace(/\s+/g, ' ')
      .replace(/ ?([<>]) ?/g, '$1')
      .replace(/&#34;/g, '&quot;')
      .replace(/&#39;/g, "'");
  const different = ids.filter((id) => read(join(ours, 'site'), id) !== read(theirs, id));
  return different.length === 0
    ? `${ids.length} pages of both sides were compared and are the same.`
    : `NOT the same page on both sides: ${different.join(', ')}`;
}

function changeOneTitle(): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  db.exec(
    `UPDATE response SET body = CAST(replace(CAST(body AS TEXT), '"title":"', '"title":"New: ') AS BLOB), sha256 = 'changed' WHERE key = 'object:lica-bench-1-50'`,
  );
  db.close();
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}
