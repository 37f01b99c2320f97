/** What a catalogue file has in addition to entries and relations, so that the next catalogue can be made of it. */
import { DatabaseSync } from 'node:sqlite';
import { openIfUsable } from '../../platform/cache-database.ts';
import { isDamagedDatabase } from '../../platform/sqlite-errors.ts';
import { runTransaction } from '../../snapshot/store.ts';
import type { Catalogue } from '../catalogue.ts';
import { CATALOGUE_VERSION } from '../catalogue-schema.ts';
import { openRecords } from '../records.ts';

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
export function writeOrigin(db: DatabaseSync, catalogue: Catalogue, origin: CatalogueOrigin): void {
  const { objects: _, facts, ...rest } = catalogue;
  const json = JSON.stringify({ facts: { ...facts, emptyFiles: [...facts.emptyFiles] }, ...rest });
  runTransaction(db, () => writeState(db, { ...origin, catalogue: json }));
}

/**
 * Opens the catalogue file of an earlier build for reading; undefined if it was written by another version, is damaged, or does
 * not exist. It is only checked for damage if a process may have written to it since it was noted to be whole.
 */
export function openEarlierFile(path: string): DatabaseSync | undefined {
  return openIfUsable(path, CATALOGUE_VERSION, () => new DatabaseSync(path, { readOnly: true }), { isUnusable, isIntact });
}

/** Whether entries can be parsed: SQLite does not notice a damaged text. */
function isIntact(db: DatabaseSync): boolean {
  const damaged = [
    'SELECT 1 FROM record WHERE NOT (json_valid(facets) AND json_valid(listed) AND json_valid(details)) LIMIT 1',
    'SELECT 1 FROM people WHERE NOT (json_valid(named) AND json_valid(identified)) LIMIT 1',
  ];
  return damaged.every((sql) => db.prepare(sql).get() === undefined);
}

/** SQLITE_CANTOPEN: the file does not exist, or is a directory. */
const CANNOT_OPEN = 14;

/** Whether an error says that a file is damaged or missing: it is part of a cache, so it is made again. */
export function isUnusable(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return isDamagedDatabase(error) || errcode === CANNOT_OPEN || error instanceof SyntaxError;
}

/** Returns the catalogue in a file, as it was read. */
export function readStoredCatalogue(db: DatabaseSync): Catalogue {
  const { facts, ...rest } = JSON.parse(readState(db, 'catalogue') ?? '') as Omit<Catalogue, 'objects'>;
  return { facts: { ...facts, emptyFiles: new Set(facts.emptyFiles) }, objects: openRecords(db), ...rest };
}
