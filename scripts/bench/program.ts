/** Runs Microfiche in benchmarks, and reads the report that it prints, or renders record pages. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { MergeReport } from '../../src/build/shards/merge.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import { type CommandOptions, type Measurement, measureCommand, measureOutput } from './measure.ts';

/** The directory of this repository. */
export const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/bin.mjs');

/** What a command of Microfiche took, and its report. */
export interface Run<Report> extends Measurement {
  report: Report;
}

/** What differs from an ordinary run. */
export interface RunOptions extends CommandOptions {
  /** The number of the only core that all threads and processes may use. */
  core?: number;
}

/** Runs a command of Microfiche with `--json`. Rejects if it fails. */
export async function runProgram<Report>(args: readonly string[], { core, ...options }: RunOptions = {}): Promise<Run<Report>> {
  const command = [process.execPath, SCRIPT, ...args, '--json'];
  const pinned = core === undefined ? command : ['taskset', '--cpu-list', String(core), ...command];
  const { output, ...measured } = await measureOutput(pinned[0] as string, pinned.slice(1), options);
  return { ...measured, report: JSON.parse(output) as Report };
}

/** Builds the site of a snapshot in the directory `out`. */
export function runBuild(
  snapshot: string,
  out: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<Run<BuildReport>> {
  return runProgram(['build', '--snapshot', snapshot, '--out', out, ...args], options);
}

/** Where clean builds write, and where they set aside what was there. */
export interface BenchOptions extends RunOptions {
  /** Directory of the caches. */
  cache: string;
  /** Directory of what is set aside. It is deleted at the end of the benchmark. */
  old: string;
}

/**
 * Moves what is at a path out of the way. It is not deleted at once: on ext4, creating a file can take a millisecond for some
 * minutes after many were deleted, which would be measured too.
 */
export function setAside(path: string, { old }: Pick<BenchOptions, 'old'>): void {
  if (!existsSync(path)) return;
  mkdirSync(old, { recursive: true });
  renameSync(path, join(old, String(readdirSync(old).length)));
}

/** Builds the site of a snapshot in `out` from scratch. What is there is set aside, and its cache. */
export function runCleanBuild(snapshot: string, out: string, options: BenchOptions): Promise<Run<BuildReport>> {
  for (const path of [out, siteCacheDirectory(options.cache, out)]) setAside(path, options);
  return runBuild(snapshot, out, ['--clean'], options);
}

/** Merges shards to a site in the directory `out`. */
export function runMerge(out: string, shards: readonly string[], options?: RunOptions): Promise<Run<MergeReport>> {
  return runProgram(['merge', '--out', out, ...shards], options);
}

/** Renders the record pages of a snapshot to `out`/site with Microfiche. */
export function renderOwnPages(snapshot: string, out: string): Promise<Measurement> {
  return measureCommand(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, out]);
}

/** Returns the version of an npm package. */
export function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}
