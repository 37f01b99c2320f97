/**
 * The catalogue as a database file, which any number of threads can read. It has each record's entry, and the relations between
 * records as lists of numbers. In an existing file, the records that differ are written, and the lists if they may differ.
 */
import { DatabaseSync } from 'node:sqlite';
import { replaceLookup } from '../platform/lookup-table.ts';
import { runTransaction } from '../snapshot/store.ts';
import { SCHEMA } from './catalogue-schema.ts';
import { openRecordUpdate, type RecordUpdate } from './lists/record-update.ts';
import { type OtherEntries, writeLists } from './lists/write-lists.ts';

/** Opens a catalogue file that no other thread has opened yet. If it is not written completely, it is of no use. */
export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  // What is not shown any more is not to stay in the file.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
  return db;
}

/** Updates the catalogue in a file. `updateRecords` writes all records, and returns the other entries, as this function does. */
export function updateCatalogueFile<Read extends OtherEntries>(db: DatabaseSync, updateRecords: (update: RecordUpdate) => Read) {
  return runTransaction(db, () => {
    if (db.prepare('PRAGMA user_version').get()?.['user_version'] === 0) db.exec(SCHEMA);
    const update = openRecordUpdate(db);
    const read = updateRecords(update);
    const bySlug = (all: ReadonlyArray<{ slug: string }>) => Object.fromEntries(all.map((entry) => [entry.slug, entry]));
    const { authors, articles, narrators = [], hosts = [] } = read;
    const differ = [
      replaceLookup(db, 'author', bySlug(authors)),
      replaceLookup(db, 'article', bySlug(articles)),
      replaceLookup(db, 'narrator', Object.fromEntries(narrators.map((narrator) => [narrator.id, narrator]))),
      replaceLookup(db, 'host', Object.fromEntries(hosts.map((host) => [host, true]))),
    ];
    if (update.areListsOutdated() || differ.includes(true)) writeLists(db, read);
    return read;
  });
}
