/** Opens the snapshot: one SQLite file with everything received, and a folder of media beside it. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { UserError } from '../model/errors.ts';
import { tryLock } from '../platform/lock.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { readInteger } from './rows.ts';
import { APPLICATION_ID, migrationsFrom, SCHEMA_VERSION } from './schema.ts';
import { tablesProblem } from './tables.ts';
import type { VisibilityFilter } from './visibility-filter.ts';

const DATABASE_FILE = 'snapshot.sqlite';

/** An open snapshot. `dir` is the folder that media paths are relative to; absolute, so that it is the same wherever the program goes. */
export interface Store {
  dir: string;
  db: DatabaseSync;
  /** What may be read of it; everything where there is none. */
  filter?: VisibilityFilter;
  close(): void;
}

/** Opens a snapshot for reading. @throws UserError when there is none, or a newer Microfiche wrote it. */
export function openSnapshot(dir: string): Store {
  const file = join(dir, DATABASE_FILE);
  if (!existsSync(file)) {
    throw new UserError(`There is no snapshot in ${dir}: run “microfiche harvest” first, or name its folder with --snapshot.`);
  }
  migrateFile(file);
  const db = open(file, { readOnly: true });
  try {
    checkTables(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
  return { dir: resolve(dir), db, close: () => db.close() };
}

/** Brings a file that an older Microfiche wrote up to date, in place. @throws UserError when it is no snapshot, a newer one's, or cannot be written. */
function migrateFile(file: string): void {
  const db = open(file, { readOnly: true });
  try {
    checkDatabase(db, file);
    if (schemaVersionOf(db) === SCHEMA_VERSION) return;
  } finally {
    db.close();
  }
  const writable = open(file, {});
  try {
    writable.exec('PRAGMA foreign_keys = OFF'); // tables are replaced by others of the same name
    migrate(writable);
  } catch (cause) {
    const result = sqliteResultCode(cause);
    if (result === SQLITE_FULL) throw cause;
    if (result === SQLITE_ERROR || result === SQLITE_CONSTRAINT) {
      const what =
        result === SQLITE_ERROR ? 'its tables are of another one' : `holds what does not fit it (${(cause as Error).message})`;
      throw new UserError(
        `${file} says that it has format ${schemaVersionOf(writable)}, but ${what}: something other than Microfiche changed it. Use a copy from before that, or harvest into a new folder.`,
        { cause },
      );
    }
    throw new UserError(
      `${file} was written by an older Microfiche and cannot be brought up to date where it is (${(cause as Error).message}): copy its folder to a disk that can be written, and use it there.`,
      { cause },
    );
  } finally {
    writable.close();
  }
}

/** SQLite's result codes: what was asked for does not fit the tables; the disk is full; a value does not fit its column. */
const SQLITE_ERROR = 1;
const SQLITE_FULL = 13;
const SQLITE_CONSTRAINT = 19;

/** SQLite's result code of an error, without its extension. */
function sqliteResultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Runs the migrations that a database lacks: all of them, or none. */
function migrate(db: DatabaseSync): void {
  runTransaction(db, () => {
    for (const { to, sql } of migrationsFrom(schemaVersionOf(db))) {
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${to}`);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

/** Whether a folder holds a snapshot that something was written to. */
export function hasSnapshot(dir: string): boolean {
  const file = join(dir, DATABASE_FILE);
  return existsSync(file) && !isUninitialized(file);
}

/** Opens a snapshot for writing, and makes it where there is none. One process at a time may hold it. @throws UserError */
export function createSnapshot(dir: string, lock: SnapshotLock = lockSnapshot(dir)): Store {
  const file = join(dir, DATABASE_FILE);
  let db: DatabaseSync;
  try {
    if (hasSnapshot(dir)) migrateFile(file); // never touch what a newer version wrote
    db = open(file, {});
    try {
      prepareDatabase(db, file);
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    dir: resolve(dir),
    db,
    close() {
      try {
        db.close(); // with whatever an error left unfinished
        consolidateDatabase(file);
      } finally {
        lock.close();
      }
    },
  };
}

/** Makes one file of a database again that is open nowhere, so that it can be read from read-only media. */
function consolidateDatabase(file: string): void {
  const db = open(file, {});
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** A snapshot that lives in memory; its media paths are relative to `dir`. */
export function createMemorySnapshot(dir: string): Store {
  const db = new DatabaseSync(':memory:');
  prepareDatabase(db, ':memory:');
  return { dir: resolve(dir), db, close: () => db.close() };
}

const preparedStatements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A prepared statement, prepared once a database: pages ask the same questions thousands of times. */
export function prepareStatement({ db }: Store, sql: string): StatementSync {
  const known = preparedStatements.get(db) ?? new Map<string, StatementSync>();
  preparedStatements.set(db, known);
  const prepared = known.get(sql) ?? db.prepare(sql);
  known.set(sql, prepared);
  return prepared;
}

/** Runs `work` in one transaction: all of it is kept, or nothing. */
export function runTransaction<T>(db: DatabaseSync, action: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = action();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function open(file: string, options: { readOnly?: boolean }): DatabaseSync {
  try {
    refuseSpecialFiles(file);
    const db = new DatabaseSync(file, { ...options, timeout: 10_000, defensive: true });
    db.exec('PRAGMA trusted_schema = OFF');
    return db;
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${file} cannot be opened: ${(cause as Error).message}.`, { cause });
  }
}

/** SQLite would write through a symbolic link, and wait at a FIFO: in the place of the database, or of one of the files that it keeps beside it. */
function refuseSpecialFiles(file: string): void {
  for (const one of ['', '-journal', '-wal', '-shm'].map((ending) => `${file}${ending}`)) {
    const found = lstatSync(one, { throwIfNoEntry: false });
    if (found?.isSymbolicLink())
      throw new UserError(`${one} is a symbolic link, which is not followed: put the file itself there.`);
    if (found?.isFile() === false) throw new UserError(`${one} is no regular file, and is not opened: move it away.`);
  }
}

function prepareDatabase(db: DatabaseSync, file: string): void {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  if (schemaVersionOf(db) === 0) migrate(db);
  checkDatabase(db, file);
  checkTables(db, file);
}

/** Of a database that is up to date. */
function checkTables(db: DatabaseSync, file: string): void {
  const problem = tablesProblem(db);
  if (problem !== undefined)
    throw new UserError(
      `${file} is not a snapshot that can be used: ${problem}. Something other than Microfiche changed it: use a copy from before that, or harvest into a new folder.`,
    );
}

function checkDatabase(db: DatabaseSync, file: string): void {
  let version: number;
  try {
    version = schemaVersionOf(db);
  } catch (cause) {
    throw new UserError(`${file} is not a snapshot: it cannot be read as a SQLite database.`, { cause });
  }
  if (version > SCHEMA_VERSION) {
    throw new UserError(
      `${file} was written by a newer Microfiche (format ${version}, this one knows ${SCHEMA_VERSION}): update Microfiche to use it.`,
    );
  }
  if (version === 0) throw new UserError(`${file} is not a snapshot: it holds no Microfiche tables.`);
  const foreign = db.prepare(`SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index') LIMIT 1`).get();
  if (foreign !== undefined)
    throw new UserError(
      `${file} has a ${foreign['type']} in it, which no Microfiche makes and which could change what is read or written: do not use it.`,
    );
}

/** Whether a database is there that nothing was written to yet: its maker was stopped in its first moment. */
function isUninitialized(file: string): boolean {
  const db = open(file, { readOnly: true });
  try {
    return readInteger(db.prepare('SELECT count(*) AS count FROM sqlite_schema').get(), 'count') === 0;
  } catch {
    return false; // no database at all: the check that follows says so
  } finally {
    db.close();
  }
}

function schemaVersionOf(db: DatabaseSync): number {
  return readInteger(db.prepare('PRAGMA user_version').get(), 'user_version');
}

/** Closing it lets others write. */
export interface SnapshotLock {
  close(): void;
}

/** A lock that the system drops with the process, however it ends: an exclusive transaction on a file of its own. @throws UserError when another process holds it. */
export function lockSnapshot(dir: string): SnapshotLock {
  mkdirSync(dir, { recursive: true });
  const lock = tryLock(toSafeDirectory(dir), 'lock.sqlite', { keepsFile: true });
  if (!lock) throw new UserError(`Another Microfiche is writing to the snapshot in ${dir}: wait until it has finished.`);
  return lock;
}
