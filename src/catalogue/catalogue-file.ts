/**
 * The catalogue as a database file, which any number of threads can read. It has each record's entry, and the relations between records as lists
 * of numbers. The file of an earlier catalogue is brought up to date; a new file is one
 * that had no records.
 */
import { DatabaseSync } from 'node:sqlite';
import { replaceLookup } from '../platform/lookup-table.ts';
import { runTransaction } from '../snapshot/store.ts';
import { SCHEMA } from './catalogue-schema.ts';
import type { ArticleEntry, Guide } from './entries.ts';
import type { NarratorEntry } from './narrators.ts';
import { updatePeople } from './person-entries.ts';
import { READS } from './read-keys.ts';
import type { RecordChanges } from './record-differences.ts';
import { openRecordUpdate, type RecordUpdate } from './record-update.ts';
import { nameKey } from './term-summaries.ts';
import { prepareLists, updateLivePages, updateNarrators, updateSiblings, updateTerms } from './write-lists.ts';

/** What differs between a catalogue and the earlier one in the same file. */
export interface CatalogueChanges {
  records: RecordChanges;
  /** The keys of all reads whose results differ, and sometimes of reads whose results do not (src/catalogue/read-keys.ts). */
  keys: Set<string>;
}

/** Opens a catalogue file that no other thread has opened yet. If it is not written completely, it is of no use. */
export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  // What is not shown any more is not to stay in the file.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
  return db;
}

/** Brings the catalogue in a file up to date. `updateRecords` writes all records, and returns the other entries. */
export function updateCatalogueFile<Read extends Guide & { hosts?: readonly string[]; narrators?: readonly NarratorEntry[] }>(
  db: DatabaseSync,
  updateRecords: (update: RecordUpdate) => Read,
): CatalogueChanges & { read: Read } {
  return runTransaction(db, () => {
    const isNew = db.prepare('PRAGMA user_version').get()?.['user_version'] === 0;
    if (isNew) db.exec(SCHEMA);
    const update = openRecordUpdate(db, isNew);
    const read = updateRecords(update);
    const lists = prepareLists(update, update.rank());
    const { changed, changes } = update.differences;
    const isGuideChanged = updateGuide(db, read, changed);
    updateSiblings(lists);
    updateTerms(lists);
    const { narrators = [] } = read;
    const areNarratorsChanged = updateNarratorFacts(db, narrators, changed);
    if (isGuideChanged || areNarratorsChanged || lists.differs('creator') || lists.differs('person'))
      updatePeople(db, { authors: read.authors, narrators }, changed);
    updateNarrators(lists);
    updateLivePages(lists, read, isGuideChanged);
    return { read, records: changes(), keys: changed };
  });
}

/** Writes what is known of narrators. Returns whether anything differs. */
function updateNarratorFacts(db: DatabaseSync, narrators: readonly NarratorEntry[], changed: Set<string>): boolean {
  const differing = replaceLookup(db, 'narrator', Object.fromEntries(narrators.map((narrator) => [narrator.id, narrator])));
  for (const { name } of differing) changed.add(READS.lookup('narrator', name));
  return differing.length > 0;
}

/** Writes authors and guide pages. Returns whether any differs. */
function updateGuide(db: DatabaseSync, { authors, articles }: Guide, changed: Set<string>): boolean {
  const bySlug = (all: ReadonlyArray<{ slug: string }>) => Object.fromEntries(all.map((entry) => [entry.slug, entry]));
  const [ofAuthors, ofArticles] = [replaceLookup(db, 'author', bySlug(authors)), replaceLookup(db, 'article', bySlug(articles))];
  for (const { name } of ofAuthors) changed.add(READS.lookup('author', name));
  for (const { name, before, now } of ofArticles) {
    changed.add(READS.lookup('article', name));
    for (const json of [before, now])
      if (json !== undefined) {
        const { title, objects } = JSON.parse(json) as ArticleEntry;
        changed.add(READS.named(nameKey(title)));
        for (const id of objects) changed.add(READS.about(id));
      }
  }
  return ofAuthors.length > 0 || ofArticles.length > 0;
}
