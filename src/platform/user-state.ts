/** Stores what commands remember between runs for one operator, outside any directory that is given to others. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { stateDirectory } from './user-directories.ts';

/** Returns a remembered value; undefined if there is none or it cannot be read. */
export function readState(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(stateDirectory(), name), 'utf8'));
  } catch {
    return undefined; // a remembered value only grants a permission; without it, the operator is prompted again
  }
}

/**
 * Remembers a value under a name such as `snapshots/x.json`. The file is written atomically.
 * @throws {Error} of the file system.
 */
export function writeState(name: string, value: unknown): void {
  const file = join(stateDirectory(), name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}
