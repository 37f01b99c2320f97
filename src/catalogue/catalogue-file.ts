/**
 * The catalogue as a database file, which any number of threads can read. It has each record's entry, and the relations between records as lists
 * of numbers. The file of an earlier catalogue is brought up to date; a new file is one
 * that had no records.
 */
import { DatabaseSync } from 'node:sqlite';
import { compareIds, MODELS } from '../model/ids.ts';
import { replaceLookup } from '../platform/lookup-table.ts';
import { objectFileName } from '../platform/portability.ts';
import { runTransaction } from '../snapshot/store.ts';
import type { Entries } from './catalogue.ts';
import { bytesOf, NO_NUMBER, numbersIn, SCHEMA } from './catalogue-schema.ts';
import type { Numbering } from './changed-keys.ts';
import { type ArticleEntry, listedEntry, type ObjectEntry } from './entries.ts';
import { READS } from './read-keys.ts';
import { type Update, updateLivePages, updateNarrators, updateSiblings, updateTerms } from './update-lists.ts';

/** Numbers of records that a site shows now and did not show before, that it shows otherwise, and that it does not show any more. */
export interface RecordChanges {
  added: number;
  changed: number;
  removed: number;
}

/** What differs between a catalogue and the earlier one in the same file. */
export interface CatalogueChanges {
  records: RecordChanges;
  /** The keys of all reads whose results differ, and sometimes of reads whose results do not (src/catalogue/read-keys.ts). */
  keys: Set<string>;
}

/** What is known of the entries of a catalogue, compared with the earlier one. */
export interface UpdateHints {
  /** IDs of all entries that may differ, or are new. All others are as they were. */
  made: ReadonlySet<string>;
  /** See `peopleIn`: by ID. */
  people: ReadonlyMap<string, string | null>;
}

/** Creates a catalogue file. Without a path, it is in memory. */
export function createCatalogueFile(entries: Entries, path = ':memory:', people?: UpdateHints['people']): DatabaseSync {
  const db = openForWriting(path);
  runTransaction(db, () => {
    db.exec(SCHEMA);
    updateTables(db, entries, people && { people, made: new Set(people.keys()) }, true);
  });
  return db;
}

/** Opens a catalogue file that no other thread has opened yet. If it is not written completely, it is of no use. */
export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  // What is not shown any more is not to stay in the file.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON');
  return db;
}

/** Replaces the catalogue in a file, of which only what differs is written. */
export function updateCatalogueFile(db: DatabaseSync, entries: Entries, hints?: UpdateHints): CatalogueChanges {
  return runTransaction(db, () => updateTables(db, entries, hints, false));
}

function updateTables(db: DatabaseSync, entries: Entries, hints: UpdateHints | undefined, isNew: boolean): CatalogueChanges {
  const before = readRanked(db);
  const update = updateRecords(db, before, entries.objects, hints, isNew);
  const { changed } = update;
  if (isNew || update.records.added + update.records.removed > 0 || update.isAnyMoved) writeAttributes(update);
  const guide = updateGuide(db, entries, changed);
  updateSiblings(update);
  updateTerms(update);
  updateNarrators(update);
  updateLivePages(update, entries, guide);
  return { records: update.records, keys: changed };
}

/** Writes the entries that differ. */
function updateRecords(
  db: DatabaseSync,
  before: readonly string[],
  objects: readonly ObjectEntry[],
  hints: UpdateHints | undefined,
  isNew: boolean,
): Update & { records: RecordChanges } {
  const select = db.prepare('SELECT people, listed, json FROM record WHERE id = ?');
  const put = db.prepare(
    `INSERT INTO record (id, is_partial, page, people, listed, json) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET is_partial = excluded.is_partial, page = excluded.page, people = excluded.people, listed = excluded.listed, json = excluded.json`,
  );
  const remove = db.prepare('DELETE FROM record WHERE id = ?');
  const [byId, known] = [new Map(objects.map((entry) => [entry.id, entry])), new Set(before)];
  const changed = new Set<string>();
  const differing: Update['differing'] = [];
  const records: RecordChanges = { added: 0, changed: 0, removed: 0 };
  for (const [id, now] of byId) {
    if (hints && !hints.made.has(id) && known.has(id)) continue;
    const row = known.has(id) ? select.get(id) : undefined;
    const [json, people] = [JSON.stringify(now), hints?.people.get(id) ?? null];
    if (row?.['json'] === json && row['people'] === people) continue;
    const listed = JSON.stringify(listedEntry(now));
    put.run(id, now.origin === 'record' ? 0 : 1, objectFileName(id), people, listed, json);
    if (row?.['json'] === json) continue;
    records[row ? 'changed' : 'added']++;
    differing.push({ id, before: row && (JSON.parse(String(row['json'])) as ObjectEntry), now });
    changed.add(READS.entry(id));
    if (row?.['listed'] !== listed) changed.add(READS.listed(id));
    if (!row) changed.add(READS.has(id)).add(READS.page(objectFileName(id)));
  }
  // After the others, so that no new record has the number of a removed one.
  for (const id of before) {
    if (byId.has(id)) continue;
    differing.push({ id, before: JSON.parse(String(select.get(id)?.['json'])) as ObjectEntry, now: undefined });
    remove.run(id);
    records.removed++;
    changed
      .add(READS.entry(id))
      .add(READS.listed(id))
      .add(READS.has(id))
      .add(READS.page(objectFileName(id)));
  }
  return { db, changed, differing, records, ...rank(db, before, byId, differing, isNew) };
}

/** Returns the IDs of the earlier catalogue, by rank. */
function readRanked(db: DatabaseSync): string[] {
  const ranks = numbersIn(db.prepare("SELECT numbers FROM attribute WHERE name = 'ranks'").get()?.['numbers']);
  const ids: string[] = [];
  for (const { number, id } of db.prepare('SELECT number, id FROM record').iterate())
    ids[ranks[Number(number)] as number] = String(id);
  return ids;
}

/** Orders records by ID. */
function rank(
  db: DatabaseSync,
  before: readonly string[],
  byId: ReadonlyMap<string, ObjectEntry>,
  differing: Update['differing'],
  isNew: boolean,
): Pick<Update, 'ordered' | 'numbers' | 'numbering' | 'isAnyMoved'> {
  const added = differing.flatMap((one) => (one.before ? [] : [one.id]));
  const kept = before.filter((id) => byId.has(id));
  const ids = added.length > 0 ? [...kept, ...added.sort(compareIds)].sort(compareIds) : kept;
  const numbers = new Map<string, number>();
  const idByNumber: string[] = [];
  for (const { number, id } of db.prepare('SELECT number, id FROM record').iterate()) {
    numbers.set(String(id), Number(number));
    idByNumber[Number(number)] = String(id);
  }
  const moved = new Set<number>();
  for (const { id, before: earlier, now } of differing)
    if (now && (earlier?.model !== now.model || earlier.parent !== now.parent)) moved.add(numbers.get(id) as number);
  const numbering: Numbering = { isNew, idOf: (number) => idByNumber[number], isMoved: (number) => moved.has(number) };
  return { ordered: ids.map((id) => byId.get(id) as ObjectEntry), numbers, numbering, isAnyMoved: moved.size > 0 };
}

function writeAttributes({ db, ordered, numbers }: Update): void {
  const length = numbers.values().reduce((max, number) => Math.max(max, number + 1), 0);
  const models = new Uint8Array(length);
  const [parents, ranks] = [new Uint32Array(length).fill(NO_NUMBER), new Uint32Array(length).fill(NO_NUMBER)];
  for (const [position, { id, model, parent }] of ordered.entries()) {
    const number = numbers.get(id) as number;
    models[number] = MODELS.indexOf(model);
    ranks[number] = position;
    if (parent !== undefined) parents[number] = numbers.get(parent) ?? NO_NUMBER;
  }
  const put = db.prepare('INSERT OR REPLACE INTO attribute (name, numbers) VALUES (?, ?)');
  put.run('models', models);
  put.run('parents', bytesOf(parents));
  put.run('ranks', bytesOf(ranks));
}

/** Writes authors and guide pages. Returns whether any differs. */
function updateGuide(db: DatabaseSync, { authors, articles }: Entries, changed: Set<string>): boolean {
  const bySlug = (all: ReadonlyArray<{ slug: string }>) => Object.fromEntries(all.map((entry) => [entry.slug, entry]));
  const [ofAuthors, ofArticles] = [replaceLookup(db, 'author', bySlug(authors)), replaceLookup(db, 'article', bySlug(articles))];
  for (const { name } of ofAuthors) changed.add(READS.lookup('author', name));
  for (const { name, before, now } of ofArticles) {
    changed.add(READS.lookup('article', name));
    for (const json of [before, now])
      for (const id of json === undefined ? [] : (JSON.parse(json) as ArticleEntry).objects) changed.add(READS.about(id));
  }
  return ofAuthors.length > 0 || ofArticles.length > 0;
}
