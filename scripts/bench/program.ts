/** Runs Microfiche in benchmarks, and reads the report that it prints, or renders record pages. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import type { Measurement } from './format.ts';
import { type CommandOptions, measureCommand } from './measure.ts';

/** The directory of this repository. */
export const ROOT = join(import.meta.dirname, '../..');
/** Contains the directories of the benchmarks. */
export const BENCH_DIRECTORY = join(ROOT, '.microfiche/bench');
/** The program, which Node runs. */
export const SCRIPT = join(ROOT, 'scripts/bin.mjs');

/** Size of a benchmark. */
export interface BenchSize {
  records: number;
  /** Runs per measurement. The median is printed. */
  runs: number;
  /** Has a directory for the files of each benchmark. */
  dir: string;
}

/** What a command of Microfiche took, and its report. */
export interface Run<Report> extends Measurement {
  report: Report;
}

/** Calls `run` with the path of an empty directory in `parent`, which is deleted at the end. */
export async function withDirectory(name: string, parent: string, run: (directory: string) => Promise<void>) {
  const directory = join(parent, `microfiche-bench-${name}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  using closing = new DisposableStack();
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  await run(directory);
}

/** Runs a command of Microfiche with `--json`. Rejects if it fails. */
export async function runProgram<Report>(args: readonly string[], options?: CommandOptions): Promise<Run<Report>> {
  const { output, ...measured } = await measureCommand(process.execPath, [SCRIPT, ...args, '--json'], options);
  return { ...measured, report: JSON.parse(output) as Report };
}

/** Harvests all records of an upstream of the benchmarks. */
export function runHarvest(url: string, snapshot: string, concurrency: number): Promise<Run<HarvestReport>> {
  const upstream = ['--authors-url', url, '--catalog-url', url, '--root', 'lica'];
  return runProgram(['harvest', ...upstream, '--snapshot', snapshot, '--concurrency', String(concurrency)]);
}

/** Builds the site of a snapshot in the directory `out`. */
export function runBuild(snapshot: string, out: string, args: readonly string[], options?: CommandOptions) {
  return runProgram<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...args], options);
}

/**
 * Moves what is at a path into the directory `old`. It is only deleted at the end of the benchmark: on ext4, creating a file can
 * take a millisecond for some minutes after many were deleted, which would be measured too.
 */
export function setAside(path: string, { old }: { old: string }): void {
  if (!existsSync(path)) return;
  mkdirSync(old, { recursive: true });
  renameSync(path, join(old, String(readdirSync(old).length)));
}

/** Builds the site of a snapshot in `out` from scratch. What is there is set aside, and what the directory `cache` has of it. */
export function runCleanBuild(snapshot: string, out: string, options: CommandOptions & { cache: string; old: string }) {
  for (const path of [out, siteCacheDirectory(options.cache, out)]) setAside(path, options);
  return runBuild(snapshot, out, ['--clean'], options);
}

/** Returns the number and the bytes of all files in a directory. */
export function sizeOf(directory: string): { files: number; bytes: number } {
  const files = listFiles(directory);
  return { files: files.length, bytes: files.reduce((total, [, file]) => total + statSync(file).size, 0) };
}
