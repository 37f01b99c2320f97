/** Measures free disk space, and checks before a run that its files fit. */
import { statfsSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { formatBytes } from './quantities.ts';

/** Disk space that is not used for media: it remains for the database and for other programs. */
const RESERVED_BYTES = 16 * 1024 * 1024;

/** Returns how many bytes may still be written to the disk of a directory. */
export function freeDiskSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return Math.max(0, bavail * bsize - RESERVED_BYTES);
}

/**
 * Checks that a run's planned files fit on the disk of the snapshot.
 * @throws {UserError} if they do not
 */
export function assertDiskSpace(bytes: number, dir: string): void {
  const freeBytes = freeDiskSpace(dir);
  if (bytes > freeBytes)
    throw new UserError(
      `Not enough disk space for ${dir}: ${formatBytes(bytes)} required, ${formatBytes(freeBytes)} available. Select fewer files (--kinds, --collection, --max-file, --budget), or move the snapshot to another disk.`,
    );
}
