/** Opens databases that are parts of a cache: one that cannot be used is made again. */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isKnownIntact } from './known-whole.ts';
import { isDamagedDatabase } from './sqlite-errors.ts';
import { withWriteAheadLog } from './write-ahead-log.ts';

/** How long a connection waits for another one, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Opens the database in a file. One that does not exist, is damaged, or was written by another version of `schema`, is empty,
 * with the tables of `schema`. It is only checked for damage if it may have been written to since `noteIntact`.
 */
export function openCacheDatabase(file: string, version: number, schema: string): DatabaseSync {
  const db = openIfUsable(file, version, connect);
  if (db) return db;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const created = connect(file);
  created.exec(`BEGIN; ${schema}; PRAGMA user_version = ${version}; COMMIT`);
  return created;
}

/**
 * Opens a database; undefined if another version wrote it, it may have been written to since `noteIntact` and is damaged, or an
 * error is one of those that say that it cannot be used. `isIntact` finds damage that SQLite does not notice.
 */
export function openIfUsable(
  file: string,
  version: number,
  open: (file: string) => DatabaseSync,
  { isUnusable = isDamagedDatabase, isIntact = (_: DatabaseSync): boolean => true } = {},
) {
  let db: DatabaseSync | undefined;
  try {
    db = open(file);
    const isCurrent = db.prepare('PRAGMA user_version').get()?.['user_version'] === version;
    const isWhole = () => db?.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok' && isIntact(db);
    if (isCurrent && (isKnownIntact(file) || isWhole())) return db;
  } catch (error) {
    if (!isUnusable(error)) throw error;
  }
  db?.close();
  return undefined;
}

function connect(file: string): DatabaseSync {
  const db = withWriteAheadLog(() => new DatabaseSync(file, { timeout: TIMEOUT_MS }));
  db.exec('PRAGMA synchronous = NORMAL');
  return db;
}
