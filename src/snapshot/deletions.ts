/**
 * Deletes what is marked for deletion: files that no URL has any more, and what a purge leaves in the report and in unused parts
 * of the database. A mark stays until its work is done, so that the next command ends what was interrupted.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import type { DatabaseSync } from 'node:sqlite';
import { describeError, isExpected, UserError } from '../model/errors.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { formatCount, lineIf, listNames } from '../platform/text-lines.ts';
import { MEDIA_DIRECTORIES } from './file-names.ts';
import { deleteMediaFile } from './media-files.ts';
import { isWithdrawnUrl, purgedIds } from './purged.ts';
import { readMeta } from './read.ts';
import { deleteFromReport } from './report-file.ts';
import { readInteger, selectTexts, text } from './rows.ts';
import { prepareStatement, runTransaction, type Store } from './store.ts';
import { deleteObsoleteWebFiles } from './web-files.ts';

/** In the table `meta`: when rows were purged, until the report and the database have nothing of them any more. */
export const UNFINISHED_PURGE_META_KEY = 'unfinished_purge';

/** Reads what is marked for deletion. */
export function readPendingDeletions(store: Store) {
  return {
    /** Paths of files, sorted. Rows are untrusted, and may have any text. */
    files: selectTexts(store.db, `SELECT ${text('path')} FROM orphan_file ORDER BY 1`),
    /** When the purge began that is not finished: ISO 8601 in UTC. */
    purge: readMeta(store, UNFINISHED_PURGE_META_KEY),
  };
}

/** Returns whether anything is marked for deletion. */
export function hasPendingDeletions(store: Store): boolean {
  const { files, purge } = readPendingDeletions(store);
  return files.length > 0 || purge !== undefined;
}

/** Returns the paths in media directories that no row names: a killed run of `media` may have left them. */
export function findOrphanFiles(store: Store): string[] {
  const known = new Set(selectTexts(store.db, `SELECT ${text('path')} FROM blob UNION SELECT ${text('path')} FROM download`));
  return Object.values(MEDIA_DIRECTORIES)
    .flatMap((directory) => toSafeDirectory(store.dir).listEntries(directory))
    .flatMap(({ path, isFile }) => (isFile && !known.has(path) ? [path] : []));
}

/** Marks files for deletion. */
export function markForDeletion(db: DatabaseSync, paths: Iterable<string>): void {
  const mark = db.prepare('INSERT OR IGNORE INTO orphan_file (path) VALUES (?)');
  for (const path of paths) mark.run(path);
}

/**
 * Deletes all that is marked for deletion. `store` must be open for writing. Returns what could not be deleted and what to do, as
 * sentences; it stays marked.
 */
export function finishDeletions(store: Store): string[] {
  const failed = deleteMarkedFiles(store);
  const files = failed.map(({ path, cause }) => `${path} (${cause})`);
  const problems = lineIf(
    failed.length,
    `${formatCount(failed.length, 'file')} could not be deleted: ${listNames(files, MAX_NAMES)}. Change the permissions, then run the purge again.`,
  );
  if (readPendingDeletions(store).purge === undefined) return problems;
  try {
    deleteFromReport(store.dir, new Set(purgedIds(store).map(({ id }) => id)), isWithdrawnUrl(store));
    deleteEmptyDirectories(store);
    compact(store);
  } catch (error) {
    if (!isExpected(error)) throw error;
    problems.push(`The report or unused parts of the database may still have what was purged. ${describeError(error)}`);
  }
  return problems;
}

const MAX_NAMES = 3;

/** Deletes the marked files. Returns those that could not be, with the system’s code for the cause; they stay marked. */
export function deleteMarkedFiles(store: Store): Array<{ path: string; cause: string }> {
  const { files } = readPendingDeletions(store);
  if (files.length === 0) return [];
  const safeDir = toSafeDirectory(store.dir);
  const findUse = prepareStatement(store, 'SELECT 1 FROM media WHERE path = ?');
  const failed = new Map<string, string>();
  const changed = new Set<string>();
  for (const path of files) {
    try {
      // Rows are untrusted: a file that a URL has is not deleted.
      if (findUse.get(path) === undefined && deleteMediaFile(safeDir, path)) changed.add(dirname(path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      failed.set(path, code);
    }
  }
  if (changed.size > 0) deleteObsoleteWebFiles(store);
  // a power cut must not bring back what is no longer marked
  for (const directory of changed) syncDirectory(safeDir.resolve(directory));
  const unmark = prepareStatement(store, 'DELETE FROM orphan_file WHERE path = ?');
  runTransaction(store.db, () => {
    for (const path of files) if (!failed.has(path)) unmark.run(path);
  });
  return [...failed].map(([path, cause]) => ({ path, cause }));
}

function deleteEmptyDirectories({ dir }: Store): void {
  const safeDir = toSafeDirectory(dir);
  for (const top of Object.values(MEDIA_DIRECTORIES)) {
    const directory = safeDir.resolve(top);
    for (const entry of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [])
      if (entry.isDirectory()) safeDir.deleteEmptyDirectories(`${top}/${entry.name}`);
    safeDir.deleteEmptyDirectories(top);
  }
}

/**
 * Rewrites the database without unused parts, which may have former content, and empties its write-ahead log.
 * @throws {UserError} if another program reads the database: then the log cannot be emptied
 */
function compact({ db }: Store): void {
  db.exec('VACUUM');
  if (readInteger(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get(), 'busy') !== 0)
    throw new UserError('Another program is reading the snapshot. Wait until it has finished, then run the purge again.');
  db.prepare('DELETE FROM meta WHERE key = ?').run(UNFINISHED_PURGE_META_KEY);
}
