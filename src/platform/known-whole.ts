/** Remembers that files in a cache are whole, so that they need not be read again as long as no process writes to them. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, undefinedIf } from './expected-errors.ts';

/** Beside a file: how it was when it was whole. */
const STAMP_SUFFIX = '.whole';

/** Whether a file is as it was when `noteIntact` was called. */
export function isKnownIntact(file: string): boolean {
  const stamp = stampOf(file);
  return stamp !== undefined && undefinedIf(isMissing, () => readFileSync(`${file}${STAMP_SUFFIX}`, 'utf8')) === stamp;
}

/**
 * Notes that a file, if there is one, is whole. Called when no process writes to it any more. If the note cannot be written,
 * because the disk is full for example, the file is checked the next time.
 */
export function noteIntact(file: string): void {
  const stamp = stampOf(file);
  if (stamp === undefined) return;
  try {
    writeFileSync(`${file}${STAMP_SUFFIX}.part`, stamp);
    renameSync(`${file}${STAMP_SUFFIX}.part`, `${file}${STAMP_SUFFIX}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    rmSync(`${file}${STAMP_SUFFIX}`, { force: true });
  }
}

/** Forgets of all files below a directory that they are whole. */
export function forgetWhole(directory: string): void {
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith(STAMP_SUFFIX)) rmSync(join(directory, path), { force: true });
}

function stampOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join(' ');
}
