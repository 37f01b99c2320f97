/** Checks that a directory may become a snapshot, so that none is written among the files of anything else. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { listNames } from '../platform/text-lines.ts';
import { DATABASE_FILE, LOCK_FILE, MEDIA_DIRECTORIES, REPORT_FILE, UPDATE_FILE, WITHHELD_FILE } from './file-names.ts';

/** What may be there without a database: a first harvest may have failed. A mounted volume has `lost+found`. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  DATABASE_FILE,
  LOCK_FILE,
  REPORT_FILE,
  UPDATE_FILE,
  WITHHELD_FILE,
  ...Object.values(MEDIA_DIRECTORIES),
  'lost+found',
]);
/** SQLite adds files to the databases that are open, also to that of the lock; `sync` makes a new database. */
const OF_SQLITE = /-(?:journal|wal|shm|new)$/;
const MAX_NAMES = 3;

/**
 * Checks that a directory does not exist, or is a snapshot, or is empty. Hidden files do not count.
 * @throws {UserError} that names what it contains
 */
export function assertMayBeSnapshot(directory: string): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory() || existsSync(join(directory, DATABASE_FILE))) return;
  const others = readdirSync(directory).filter((name) => !OWN_NAMES.has(name.replace(OF_SQLITE, '')) && !name.startsWith('.'));
  if (others.length === 0) return;
  throw new UserError(
    `${directory} is not empty, and has no snapshot: it contains ${listNames(others, MAX_NAMES)}. Name a new or empty directory with --snapshot.`,
  );
}
