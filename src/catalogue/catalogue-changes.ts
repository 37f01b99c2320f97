/** Counts the records that changed between two catalogue files. */
import type { DatabaseSync } from 'node:sqlite';
import { isDamagedDatabase } from '../platform/sqlite-errors.ts';
import { CATALOGUE_VERSION } from './catalogue-file.ts';

/** Numbers of records that a site shows now and did not show before, that it shows otherwise, and that it does not show any more. */
export interface RecordChanges {
  added: number;
  changed: number;
  removed: number;
}

/**
 * Calls `compare` while an earlier catalogue, in a file, is the schema `earlier`. Undefined if that was written by another version, or is
 * damaged.
 */
export function compareWithEarlier<T>(db: DatabaseSync, earlier: string, compare: () => T): T | undefined {
  try {
    db.prepare('ATTACH ? AS earlier').run(earlier);
    if (db.prepare('PRAGMA earlier.user_version').get()?.['user_version'] !== CATALOGUE_VERSION) return undefined;
    return compare();
  } catch (error) {
    if (isDamagedDatabase(error)) return undefined;
    throw error;
  } finally {
    const isAttached = db.prepare("SELECT 1 FROM pragma_database_list WHERE name = 'earlier'").get();
    if (isAttached) db.exec('DETACH earlier');
  }
}

/** Compares a catalogue with an earlier one, in a file. Undefined as of `compareWithEarlier`. */
export function countChangedRecords(db: DatabaseSync, earlier: string): RecordChanges | undefined {
  const count = (sql: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${sql}`).get()?.['count']);
  return compareWithEarlier(db, earlier, () => ({
    added: count('main.entry WHERE id NOT IN (SELECT id FROM earlier.entry)'),
    changed: count('main.entry n JOIN earlier.entry e USING (id) WHERE n.json <> e.json'),
    removed: count('earlier.entry WHERE id NOT IN (SELECT id FROM main.entry)'),
  }));
}
