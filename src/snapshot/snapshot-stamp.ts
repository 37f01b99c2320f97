/** The stamp of a snapshot's database: whether it is still as it was, without reading it. */
import { statSync } from 'node:fs';
import type { Store } from './store.ts';

/** A file written more recently may be written again without new times: some file systems count in two seconds. */
const MIN_AGE_MS = 3_000;

/**
 * Returns a text that is the same as long as no process writes to the database of a snapshot. Undefined if that is not certain:
 * if it is in memory, was written just now, or is being written. `now` is in milliseconds.
 */
export function snapshotStamp({ db }: Pick<Store, 'db'>, now = Date.now()): string | undefined {
  const file = db.location();
  if (!file) return undefined;
  // A transaction may be in one of these files.
  for (const suffix of ['-wal', '-journal']) {
    if ((statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  }
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
  const writtenAt = [mtimeNs, ctimeNs].map((time) => Number(time / 1_000_000n));
  if (now - Math.max(...writtenAt) < MIN_AGE_MS) return undefined;
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}
