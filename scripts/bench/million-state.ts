/** The steps of the benchmark of a million records that are done, in a file, so that the benchmark can be interrupted. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { hashOfProgram } from '../../src/pipeline/build-key.ts';
import { printStep } from './format.ts';
import type { Measurement } from './measure.ts';

/** In the directory of the benchmark. */
export const STATE_FILE = 'state.json';
/** The directory of the generated snapshot in it. */
export const SNAPSHOT_DIRECTORY = 'snapshot';

/** What a step took, and what it has written. */
export interface Step extends Measurement {
  files: number;
  bytes: number;
  note?: string;
}

/** The steps that are done. */
export interface State {
  get(name: string): Step | undefined;
  put(name: string, step: Step): void;
  /** In the order in which they were done. */
  list(): Array<[name: string, step: Step]>;
  count(): number;
}

/** What is in the file. */
interface Stored {
  size: { records: number; shards: number };
  /** Checksum of the program. Shards of different versions cannot be merged. */
  program: string;
  steps: Record<string, Step>;
}

/**
 * Reads the state in a directory. If the program has changed since, its shards and its site are to be made again.
 * @throws {Error} if the directory is that of a benchmark of another size
 */
export function openState(directory: string, size: Stored['size']): State {
  const file = join(directory, STATE_FILE);
  const program = hashOfProgram();
  const empty: Stored = { size, program, steps: {} };
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : empty;
  if (stored.size.records !== size.records || stored.size.shards !== size.shards)
    throw new Error(
      `${directory} is of ${stored.size.records} records in ${stored.size.shards} shards. Delete it, or choose another directory with --dir.`,
    );
  const { steps } = stored;
  if (stored.program !== program) {
    printStep('The program has changed: what depends on it is made again');
    const hasSnapshot = existsSync(join(directory, SNAPSHOT_DIRECTORY));
    for (const name of Object.keys(steps)) if (!hasSnapshot || /^(?:shard|merge)\b/.test(name)) delete steps[name];
  }
  return {
    get: (name) => steps[name],
    put(name, step) {
      steps[name] = step;
      writeFileAtomic(file, `${JSON.stringify({ size, program, steps } satisfies Stored, undefined, 1)}\n`);
    },
    list: () => Object.entries(steps),
    count: () => Object.keys(steps).length,
  };
}
