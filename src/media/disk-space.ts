/** Looks ahead whether files fit on the disk. */
import { statfsSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { formatBytes } from '../platform/durations.ts';

/** What is left alone, for the database and for others. */
const RESERVED_BYTES = 16 * 1024 * 1024;

/** Bytes that may still be written to the disk that a folder is on. */
export function freeDiskSpace(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return Math.max(0, bavail * bsize - RESERVED_BYTES);
}

/** @throws UserError where a plan of so many bytes does not fit. */
export function assertDiskSpace(bytes: number, dir: string): void {
  const room = freeDiskSpace(dir);
  if (bytes > room)
    throw new UserError(
      `There is not enough room on the disk of ${dir}: ${formatBytes(bytes)} are to be fetched and ${formatBytes(room)} can be used. Choose fewer files (--kinds, --collection, --max-file, --budget), or put the snapshot on another disk.`,
    );
}
