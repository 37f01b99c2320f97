/** Opens SQLite databases with a write-ahead log, so that others can read while one writes. */
import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** SQLITE_IOERR_SHMOPEN, SHMSIZE, SHMLOCK and SHMMAP: there is no shared memory, as on FAT through FUSE and some shares. */
const NO_SHARED_MEMORY: ReadonlySet<unknown> = new Set([4618, 4874, 5130, 5386]);

/** Returns a connection with a write-ahead log; without one where the file system lacks the shared memory that it needs. */
export function withWriteAheadLog(connect: () => DatabaseSync): DatabaseSync {
  const db = connect();
  const file = db.location();
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA user_version'); // the second needs the shared memory
    return db;
  } catch (error) {
    db.close();
    if (!(error instanceof Error && 'errcode' in error && NO_SHARED_MEMORY.has(error.errcode))) throw error;
  }
  rmSync(`${file}-shm`, { force: true }); // SQLite has created it, empty
  const alone = connect();
  // The database now says that it has a log. Only a connection that locks it needs no shared memory to change that.
  alone.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; PRAGMA user_version');
  return alone;
}
