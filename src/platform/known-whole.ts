/** Remembers of files in a cache that they are whole, so that they need not be read to be checked as long as no process writes to them. */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** Beside a file: how it was when it was whole. */
const STAMP_SUFFIX = '.whole';

/** Whether a file is as it was when `noteWhole` was called. */
export function isKnownWhole(file: string): boolean {
  const stamp = stampOf(file);
  try {
    return stamp !== undefined && readFileSync(`${file}${STAMP_SUFFIX}`, 'utf8') === stamp;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Notes that a file, if there is one, is whole. Called when no process writes to it any more. */
export function noteWhole(file: string): void {
  const stamp = stampOf(file);
  if (stamp === undefined) return;
  writeFileSync(`${file}${STAMP_SUFFIX}.part`, stamp);
  renameSync(`${file}${STAMP_SUFFIX}.part`, `${file}${STAMP_SUFFIX}`);
}

function stampOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].join(' ');
}
