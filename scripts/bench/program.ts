/** Runs Microfiche in benchmarks, and reads the report that it prints. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildReport } from '../../src/pipeline/build-report.ts';
import type { MergeReport } from '../../src/pipeline/merge.ts';
import { type CommandOptions, type Measurement, measureOutput } from './measure.ts';

/** The directory of this repository. */
export const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'scripts/microfiche.ts');

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

/** Builds the site of a snapshot in `out` from scratch, after what is there was deleted. */
export function runCleanBuild(snapshot: string, out: string, options?: RunOptions): Promise<Run<BuildReport>> {
  rmSync(out, { recursive: true, force: true });
  return runBuild(snapshot, out, ['--clean'], options);
}

/** Merges shards to a site in the directory `out`. */
export function runMerge(out: string, shards: readonly string[], options?: RunOptions): Promise<Run<MergeReport>> {
  return runProgram(['merge', '--out', out, ...shards], options);
}
