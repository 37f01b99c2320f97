/** Renders record pages in benchmarks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, measureCommand } from './measure.ts';
import { ROOT } from './program.ts';

/** Renders the record pages of a snapshot to `out`/site with Microfiche. */
export function renderOwnPages(snapshot: string, out: string): Promise<Measurement> {
  return measureCommand(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, out]);
}

/** Returns the version of an npm package. */
export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}
