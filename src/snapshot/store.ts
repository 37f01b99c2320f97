/** Opens, creates and locks snapshots: one SQLite database with all responses, and a directory of media files next to it. */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LockedError, UserError } from '../model/errors.ts';
import type { ResourceKind } from '../model/resources.ts';
import { createDirectories } from '../platform/create-directory.ts';
import { attempt } from '../platform/expected-errors.ts';
import { createLock, type Lock, tryLock } from '../platform/lock.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { SQLITE_BUSY, SQLITE_FULL, sqliteCode } from '../platform/sqlite-errors.ts';
import { withWriteAheadLog } from '../platform/write-ahead-log.ts';
import { DATABASE_FILE, LOCK_FILE, SAMPLE_DIRECTORY } from './file-names.ts';
import { assertMayBeSnapshot } from './new-directory.ts';
import { readCount, readInteger } from './rows.ts';
import { APPLICATION_ID, readSchema, SCHEMA_VERSION, tablesProblem } from './schema.ts';

/** An open snapshot. */
export interface Store extends Disposable {
  /** Snapshot directory, to which media paths are relative. Absolute, so that it does not depend on the working directory. */
  dir: string;
  db: DatabaseSync;
  /** Limits what the readers of this layer return. Without it, they return everything. */
  filter?: VisibilityFilter;
  close(): void;
}

/**
 * Opens a snapshot for reading.
 * @throws {UserError} if it does not exist, is not valid, or has another format version
 */
export function openSnapshot(dir: string): Store {
  const file = join(dir, DATABASE_FILE);
  if (!existsSync(file)) {
    throw new UserError(
      resolve(dir) === SAMPLE_DIRECTORY
        ? 'The sample archive has no database, because npm ran no scripts. Run "npm run prepare" in the project directory.'
        : `No snapshot found in ${dir}. First run "microfiche harvest", or name the snapshot directory with --snapshot.`,
    );
  }
  using opening = new DisposableStack();
  const db = opening.use(open(file, { readOnly: true }));
  checkDatabase(db, file);
  opening.move();
  return toStore(dir, db, () => db.close());
}

/** Returns whether a directory has a snapshot database with tables. */
export function hasSnapshot(dir: string): boolean {
  const file = join(dir, DATABASE_FILE);
  return existsSync(file) && !isUninitialized(file);
}

/**
 * Opens a snapshot for writing, or creates it. Only one process at a time can have it open for writing.
 * @throws {UserError} if another process has the lock, or the database is not a valid snapshot
 */
export function createSnapshot(dir: string, lock: SnapshotLock = lockSnapshot(dir)): Store {
  const file = join(dir, DATABASE_FILE);
  using opening = new DisposableStack();
  opening.use(lock);
  if (hasSnapshot(dir)) openSnapshot(dir).close(); // never touch what another version wrote
  const db = opening.use(withWriteAheadLog(() => open(file, {})));
  prepareDatabase(db, file);
  opening.move();
  return toStore(dir, db, () => {
    using _lock = lock;
    db.close(); // also rolls back a transaction that an error left open
    consolidateDatabase(file);
  });
}

const toStore = (dir: string, db: DatabaseSync, close: () => void): Store => ({
  ...{ dir: resolve(dir), db, close },
  [Symbol.dispose]: close,
});

/**
 * Turns a database with a write-ahead log into a single file, so that it can be read from read-only media. If another program
 * reads it, or the disk is full, the log remains until the next process that writes.
 */
function consolidateDatabase(file: string): void {
  using db = open(file, {});
  try {
    db.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== SQLITE_BUSY && code !== SQLITE_FULL) throw error;
  }
}

/** Creates a snapshot in memory. Its media paths are relative to `dir`. */
export function createMemorySnapshot(dir: string): Store {
  const db = new DatabaseSync(':memory:');
  prepareDatabase(db, ':memory:');
  return toStore(dir, db, () => db.close());
}

const preparedStatements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** Returns a prepared statement. Each is prepared only once per database, since pages run the same queries thousands of times. */
export function prepareStatement({ db }: Store, sql: string): StatementSync {
  const statements = preparedStatements.get(db) ?? new Map<string, StatementSync>();
  preparedStatements.set(db, statements);
  const prepared = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, prepared);
  return prepared;
}

/** Runs `action` in one transaction, which is rolled back if it throws. Returns its result. */
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

/** Writes a value of the table `meta`. */
export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

function open(file: string, options: { readOnly?: boolean }): DatabaseSync {
  try {
    assertRegularFiles(file);
    const db = new DatabaseSync(file, { ...options, timeout: 10_000, defensive: true });
    db.exec('PRAGMA trusted_schema = OFF');
    return db;
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${file} cannot be opened: ${(cause as Error).message}.`, { cause });
  }
}

/**
 * Checks that the database and SQLite's files next to it are regular files. SQLite would write through a symbolic link, and wait
 * at a FIFO.
 * @throws {UserError} if one is not
 */
function assertRegularFiles(file: string): void {
  for (const one of ['', '-journal', '-wal', '-shm'].map((suffix) => `${file}${suffix}`)) {
    const found = lstatSync(one, { throwIfNoEntry: false });
    if (found?.isSymbolicLink())
      throw new UserError(`${one} is a symbolic link; symbolic links are not followed. Replace it with the file itself.`);
    if (found?.isFile() === false)
      throw new UserError(`${one} is not a regular file and is not opened. Move it to another directory.`);
  }
}

function prepareDatabase(db: DatabaseSync, file: string): void {
  db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  if (schemaVersionOf(db) === 0)
    runTransaction(db, () =>
      db.exec(`${readSchema()} PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID}`),
    );
  checkDatabase(db, file);
}

/** Checks that a database is a snapshot, before anything in it is read. */
function checkDatabase(db: DatabaseSync, file: string): void {
  let version: number;
  try {
    version = schemaVersionOf(db);
  } catch (cause) {
    throw new UserError(`${file} is not a snapshot: it cannot be read as a SQLite database.`, { cause });
  }
  if (version > SCHEMA_VERSION)
    throw new UserError(
      `${file} was written by a newer Microfiche (format version ${version}; this one supports up to ${SCHEMA_VERSION}). Update Microfiche.`,
    );
  if (version === 0) throw new UserError(`${file} is not a snapshot: it has no Microfiche tables.`);
  if (version < SCHEMA_VERSION)
    throw new UserError(
      `${file} has format version ${version}, from before the first release, which this Microfiche cannot read. ${dirname(file) === SAMPLE_DIRECTORY ? 'Run "npm run prepare"' : 'Harvest into a new directory'}.`,
    );
  const problem = tablesProblem(db);
  if (problem !== undefined)
    throw new UserError(
      `${file} is not a valid snapshot: ${problem}. Another program changed it. Restore it from a backup, or harvest into a new directory.`,
    );
}

/** Returns whether a database has no tables yet, because the process that created it was stopped at once. */
function isUninitialized(file: string): boolean {
  using db = open(file, { readOnly: true });
  // What is no database has no count: checkDatabase reports it.
  return attempt(() => readCount(db.prepare('SELECT count(*) AS count FROM sqlite_schema').get())) === 0;
}

const schemaVersionOf = (db: DatabaseSync): number => readInteger(db.prepare('PRAGMA user_version').get(), 'user_version');

/** The lock of a snapshot that this process holds. */
export type SnapshotLock = Lock;

/** Returns a lock for one step of its holder: closing it releases nothing. */
export const lend = <L extends SnapshotLock>(held: L): L => ({ ...held, ...createLock(() => undefined) });

/**
 * Acquires the lock of a snapshot. The system releases it when the process ends, however it ends.
 * @throws {LockedError} if another process holds it
 * @throws {UserError} if the directory has no snapshot, and files of anything else
 */
export function lockSnapshot(dir: string): SnapshotLock {
  assertMayBeSnapshot(dir);
  createDirectories(dir);
  const lock = tryLock(toSafeDirectory(dir), LOCK_FILE, { keepsFile: true });
  if (!lock)
    throw new LockedError(`Another Microfiche process is writing to the snapshot in ${dir}. Wait until it has finished.`);
  return lock;
}

/** Decides what the readers of a snapshot leave out. */
export interface VisibilityFilter {
  /** Whether what is shown of a resource may depend on other resources than itself. */
  readsOthers: boolean;
  /** Returns whether a resource is withheld: a record with its lists, an author, a guide page or a source. */
  hides(kind: ResourceKind, name: string): boolean;
  /** Returns whether a resource may need redaction, judging by its text. If false, parsing it is not necessary. */
  mayConcern(kind: ResourceKind, name: string, text: string): boolean;
  /** Returns a payload without its withheld contents; the same object if nothing in it is withheld. */
  redact(kind: ResourceKind, name: string, payload: unknown): unknown;
  hidesMedia(row: { url: string; owner: string }): boolean;
  /** Returns the text of a file without the names of withheld persons. Undefined if no person is withheld. */
  redactText?: (text: string) => string;
}
