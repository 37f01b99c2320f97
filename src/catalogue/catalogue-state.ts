/** What a catalogue file has in addition to entries and relations, so that the next catalogue can be made of it. */
import { DatabaseSync } from 'node:sqlite';
import { isDamagedDatabase } from '../platform/sqlite-errors.ts';
import { runTransaction } from '../snapshot/store.ts';
import type { Catalogue, ReadCatalogue } from './catalogue.ts';
import type { RecordChanges } from './catalogue-file.ts';
import { CATALOGUE_VERSION } from './catalogue-schema.ts';
import type { ObjectEntry } from './entries.ts';
import type { EarlierCatalogue, EarlierEntry, KnownBody } from './read-facts.ts';

/** What a catalogue was made of. */
export interface CatalogueOrigin {
  /** Hash of the program and the settings. Under another one, nothing of the catalogue can be used. */
  key: string;
  /** Stamp of the snapshot before it was read; empty if it has none. */
  stamp: string;
}

/** The values in the table `state`. */
interface State extends CatalogueOrigin {
  /** JSON of the catalogue without records. */
  catalogue: string;
  /** Hash of what is known of media files. */
  media: string;
}

/** Writes a value to the table `state`. */
export function writeState(db: DatabaseSync, state: Partial<State>): void {
  const put = db.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)');
  for (const [name, value] of Object.entries(state)) put.run(name, value);
}

/** Returns a value of the table `state`; undefined if there is none. */
export function readState(db: DatabaseSync, name: keyof State): string | undefined {
  const value = db.prepare('SELECT value FROM state WHERE name = ?').get(name)?.['value'];
  return typeof value === 'string' ? value : undefined;
}

/** Writes what a catalogue was read from, and what it has in addition to records. */
export function writeReading(db: DatabaseSync, { catalogue, bodies }: ReadCatalogue, origin: CatalogueOrigin): void {
  const { objects: _, facts, ...rest } = catalogue;
  const json = JSON.stringify({ facts: { ...facts, emptyFiles: [...facts.emptyFiles] }, ...rest });
  const put = db.prepare('INSERT OR REPLACE INTO body (key, kind, version, facts) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM body WHERE key = ?');
  runTransaction(db, () => {
    for (const key of bodies.removed) remove.run(key);
    for (const { key, kind, version, facts } of bodies.put) put.run(key, kind, version, facts);
    writeState(db, { ...origin, catalogue: json });
  });
}

/** Opens the catalogue file of an earlier build for reading; undefined if it was written by another version, is damaged, or does not exist. */
export function openEarlierFile(path: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version === CATALOGUE_VERSION && db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok') return db;
  } catch (error) {
    if (!isUnusable(error)) throw error;
  }
  db?.close();
  return undefined;
}

/** SQLITE_CANTOPEN: the file does not exist, or is a directory. */
const CANNOT_OPEN = 14;

/** Whether an error says that a file is damaged or missing: it is part of a cache, so it is made again. */
export function isUnusable(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return isDamagedDatabase(error) || errcode === CANNOT_OPEN || error instanceof SyntaxError;
}

/** Returns what a new catalogue can take from the catalogue in a file. */
export function earlierCatalogueIn(db: DatabaseSync): EarlierCatalogue {
  let bodies: Map<string, Map<string, KnownBody>> | undefined;
  let entries: Map<string, EarlierEntry> | undefined;
  return {
    bodies: (kind) => {
      bodies ??= readKnownBodies(db);
      return bodies.get(kind) ?? new Map();
    },
    entries: () => {
      entries ??= new Map(
        Array.from(db.prepare('SELECT id, people, json FROM record').iterate(), ({ id, people, json }) => [
          String(id),
          { entry: JSON.parse(String(json)) as ObjectEntry, people: people as string | null },
        ]),
      );
      return entries;
    },
  };
}

function readKnownBodies(db: DatabaseSync): Map<string, Map<string, KnownBody>> {
  const byKind = new Map<string, Map<string, KnownBody>>();
  for (const { key, kind, version, facts } of db.prepare('SELECT key, kind, version, facts FROM body').iterate()) {
    const known = byKind.get(String(kind)) ?? new Map<string, KnownBody>();
    byKind.set(String(kind), known);
    known.set(String(key), { version: String(version), facts: String(facts) });
  }
  return byKind;
}

/** Returns the catalogue in a file, as it was read. */
export function readStoredCatalogue(db: DatabaseSync): Catalogue {
  const stored = JSON.parse(readState(db, 'catalogue') ?? '') as Omit<Catalogue, 'objects'>;
  const rows = db.prepare('SELECT json FROM record ORDER BY id').iterate();
  const objects = Array.from(rows, ({ json }) => JSON.parse(String(json)) as ObjectEntry);
  const { facts, ...rest } = stored;
  return {
    facts: { ...facts, emptyFiles: new Set(facts.emptyFiles) },
    objects: [...objects.filter(({ origin }) => origin === 'record'), ...objects.filter(({ origin }) => origin !== 'record')],
    ...rest,
  };
}

/** Compares records with those in a file of an earlier catalogue. */
export function countChangedRecords(db: DatabaseSync, objects: readonly ObjectEntry[]): RecordChanges {
  const now = new Map(objects.map((entry) => [entry.id, entry]));
  const changes: RecordChanges = { added: 0, changed: 0, removed: 0 };
  for (const { id, json } of db.prepare('SELECT id, json FROM record').iterate()) {
    const entry = now.get(String(id));
    if (!entry) changes.removed++;
    else if (JSON.stringify(entry) !== json) changes.changed++;
    now.delete(String(id));
  }
  return { ...changes, added: now.size };
}
