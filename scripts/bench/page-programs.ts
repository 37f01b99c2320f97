/** The programs that render record pages in benchmarks: Microfiche, and Eleventy with its fastest kind of template, one JavaScript function. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, measureCommand } from './measure.ts';
import { ROOT } from './program.ts';

const ELEVENTY = join(ROOT, 'node_modules/@11ty/eleventy/cmd.cjs');

/** Renders the record pages of a snapshot to `out`/site with Microfiche. */
export function renderOwnPages(snapshot: string, out: string): Promise<Measurement> {
  return measureCommand(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, out]);
}

/** Renders the same pages to `out` with Eleventy. */
export function renderWithEleventy(snapshot: string, out: string): Promise<Measurement> {
  const args = [ELEVENTY, '--config=eleventy.config.mjs', `--output=${out}`, '--quiet'];
  return measureCommand(process.execPath, args, {
    cwd: join(import.meta.dirname, 'eleventy'),
    env: { BENCH_SNAPSHOT: snapshot },
  });
}

/** Compares pages in the sites of two programs, except for white space between tags and the escaping of quotes. Returns a sentence. */
export function compareSomePages(ours: string, theirs: string): string {
  const ids = ['lica', 'lica-bench-1', ...[1, 2, 99, 100].map((n) => `lica-bench-1-${n}`)];
  const read = (directory: string, id: string) =>
    readFileSync(join(directory, `objects/${id}.html`), 'utf8')
      .replace(/\s+/g, ' ')
      .replace(/ ?([<>]) ?/g, '$1')
      .replace(/&#34;/g, '&quot;')
      .replace(/&#39;/g, "'")
      .replace(/&#92;/g, '\\');
  const different = ids.filter((id) => read(ours, id) !== read(theirs, id));
  return different.length === 0
    ? `${ids.length} pages of both were compared and are equal.`
    : `NOT equal: ${different.join(', ')}`;
}

/** Returns the version of an npm package. */
export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}
