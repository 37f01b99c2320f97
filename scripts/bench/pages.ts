/** The page benchmark: measures builds of generated records, and compares record pages with Eleventy. Prints a table. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readInteger } from '../../src/snapshot/rows.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { type Measurement, measureCommand, median } from './measure.ts';

const ROOT = join(import.meta.dirname, '../..');
const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench');
const ELEVENTY = join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs');

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
  const objects = countObjects();

  /** The three alternate, so that other load on the machine affects all of them. Each run has its own directory, since deleting many files slows the next run. */
  const runs = { astro: [] as Measurement[], njk: [] as Measurement[], '11ty.js': [] as Measurement[] };
  const output = (side: keyof typeof runs, run: number) => join(BENCH_DIRECTORY, `${side}-${run}`);
  for (let run = 0; run < flags.runs; run++) {
    runs.astro.push(
      await measureCommand(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, output('astro', run)]),
    );
    for (const template of ['njk', '11ty.js'] as const) {
      const args = [ELEVENTY, '--config=eleventy.config.mjs', `--output=${output(template, run)}`, '--quiet'];
      runs[template].push(
        await measureCommand(process.execPath, args, {
          cwd: join(import.meta.dirname, 'eleventy'),
          env: { BENCH_SNAPSHOT: snapshot, BENCH_TEMPLATE: template },
        }),
      );
    }
  }
  const same = comparePages();

  const build = (...more: string[]) =>
    measureCommand(process.execPath, [
      join(ROOT, 'scripts/microfiche.ts'),
      'build',
      '--snapshot',
      snapshot,
      '--out',
      dist,
      '--json',
      ...more,
    ]);
  const clean: Measurement[] = [];
  for (let run = 0; run < flags.runs; run++) clean.push(await build('--clean'));
  const unchanged = [await build()];
  changeOneTitle();
  const changed = [await build()];

  const eleventyVersion = versionOf('@11ty/eleventy');
  console.log(`
| what | seconds | peak memory | pages/s | ours ÷ theirs, run by run: median (minimum to maximum) |
| --- | ---: | ---: | ---: | --- |
${row(`${objects} record pages, Microfiche (Astro ${versionOf('astro')})`, runs.astro, objects)}
${row(`the same pages, Eleventy ${eleventyVersion}, Nunjucks with includes`, runs.njk, objects, ratio('njk'))}
${row(`the same pages, Eleventy ${eleventyVersion}, one JavaScript function`, runs['11ty.js'], objects, ratio('11ty.js'))}
${row('the entire site, full build: pages, lists, facets, search index, publishing', clean)}
${row('incremental build, nothing changed', unchanged)}
${row('incremental build, one title changed', changed)}

${same}`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });

  function row(what: string, measured: Measurement[], pages?: number, note = ''): string {
    const seconds = median(measured.map((run) => run.seconds));
    const memory = measured.flatMap(({ megabytes }) => megabytes ?? []);
    return `| ${what} | ${seconds.toFixed(1)} | ${memory.length > 0 ? `${Math.round(median(memory))} MB` : 'unknown'} | ${pages ? Math.round(pages / seconds) : ''} | ${note} |`;
  }

  function ratio(side: 'njk' | '11ty.js'): string {
    const ratios = runs.astro.map(({ seconds }, i) => seconds / (runs[side][i] as Measurement).seconds);
    return `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  }

  function countObjects(): number {
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
    const count = db.prepare(`SELECT count(*) AS count FROM resource WHERE kind = 'object'`).get();
    db.close();
    return readInteger(count, 'count');
  }

  /** Checks that all three write the same page, except for white space between tags and the escaping of quotes. */
  function comparePages(): string {
    const ids = ['lica', 'lica-bench-1', ...[1, 2, 99, 100].map((n) => `lica-bench-1-${n}`)];
    const read = (directory: string, id: string) =>
      readFileSync(join(directory, `objects/${id}.html`), 'utf8')
        .replace(/\s+/g, ' ')
        .replace(/ ?([<>]) ?/g, '$1')
        .replace(/&#34;/g, '&quot;')
        .replace(/&#39;/g, "'")
        .replace(/&#92;/g, '\\');
    const ours = join(output('astro', 0), 'site');
    const different = ids.filter((id) =>
      [output('njk', 0), output('11ty.js', 0)].some((theirs) => read(ours, id) !== read(theirs, id)),
    );
    return different.length === 0
      ? `${ids.length} pages of all three were compared and are equal.`
      : `NOT equal: ${different.join(', ')}`;
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
}
