/**
 * What is known of the documents in one part of the search index, in a database file beside that part: enough to make the tables
 * of all parts together, and to find the documents that a change concerns.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bytesOf } from '../catalogue/catalogue-schema.ts';
import { findConcerned, type Reads } from '../catalogue/dependencies/stored-reads.ts';
import type { StoredResult } from '../formats/search/result-blocks.ts';
import { isDamagedDatabase } from '../platform/sqlite-errors.ts';
import { runTransaction } from '../snapshot/store.ts';
import type { SearchDocument } from './documents.ts';

/** What the tables of the search page need of a document. */
export type FacetRow = Pick<SearchDocument, 'filters' | 'sort'>;

/** A document in a part. */
export interface PartDocument extends FacetRow {
  /** Path of its page in the site. */
  page: string;
  /** Hash of everything that search has of it. */
  hash: string;
  reads: Reads;
  /** The words that texts which pages show have, each once. None of them has a space. */
  words: readonly string[];
  /** The codes of its ID, title and names as a whole. */
  keys: readonly string[];
  /** What its result shows: `ResultData` as JSON. */
  shown: string | undefined;
  /** Why it is not in the index. */
  problem: string | undefined;
}

/** A document that search can find. */
export interface FoundRow extends FacetRow {
  /** Its number in the part. */
  number: number;
}

/** What an index has of a document beside its words; the number is that in the part. */
export interface FoundResult extends StoredResult {
  /** The codes of its ID, title and names as a whole. */
  keys: string[];
  /** The bytes of what its result shows in gzip. */
  bytes: number;
}

/** The documents of a part. */
export type PartFile = ReturnType<typeof readPartFile>;

const VERSION = 3;
const SCHEMA = `
  CREATE TABLE document (
    number   INTEGER PRIMARY KEY,
    page     TEXT UNIQUE,                  -- NULL: erased
    hash     TEXT NOT NULL,
    reads    BLOB NOT NULL,                -- src/catalogue/dependencies/stored-reads.ts
    shown    BLOB,                         -- ResultData as JSON in gzip; NULL: not in the index
    facets   TEXT NOT NULL,                -- FacetRow
    words    TEXT NOT NULL,                -- separated by spaces
    keys     TEXT NOT NULL,                -- separated by spaces
    problem  TEXT
  ) STRICT;
  CREATE TABLE word (
    word      TEXT PRIMARY KEY,
    documents INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};`;

const ERASE = `UPDATE document SET page = NULL, hash = '', reads = x'', shown = NULL, facets = '', words = '', keys = '', problem = NULL
  WHERE page = ?`;

/** Creates the file of a part. */
export function createPartFile(path: string) {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  db.exec('BEGIN');
  db.exec(SCHEMA);
  const counts = new Map<string, number>();
  const insert = db.prepare(
    'INSERT INTO document (number, page, hash, reads, shown, facets, words, keys, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  let number = 0;
  return {
    /** Adds the next document. */
    add({ page, hash, reads, filters, sort, words, keys, shown, problem }: PartDocument) {
      const data = shown && problem === undefined ? gzipSync(shown, { level: 1 }) : null;
      const facets = JSON.stringify({ filters, sort });
      insert.run(number++, page, hash, bytesOf(reads), data, facets, words.join(' '), keys.join(' '), problem ?? null);
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    },
    /** Writes what is left. Without it, the file is not complete. */
    finish() {
      const insertWord = db.prepare('INSERT INTO word (word, documents) VALUES (?, ?)');
      for (const word of [...counts.keys()].sort()) insertWord.run(word, counts.get(word) ?? 0);
      db.exec('COMMIT');
    },
    [Symbol.dispose]: () => db.close(),
  };
}

/** Opens the file of a part. Undefined if there is none, or if another version wrote it, or it is damaged. */
export function openPartFile(path: string): PartFile | undefined {
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path);
  try {
    if (db.prepare('PRAGMA user_version').get()?.['user_version'] === VERSION) return readPartFile(db);
  } catch (error) {
    db.close();
    if (isDamagedDatabase(error)) return undefined;
    throw error;
  }
  db.close();
  return undefined;
}

function readPartFile(db: DatabaseSync) {
  const selectWords = db.prepare('SELECT words FROM document WHERE page = ?');
  const updateReads = db.prepare('UPDATE document SET reads = ? WHERE page = ?');
  const split = (words: unknown) =>
    String(words ?? '')
      .split(' ')
      .filter((word) => word !== '');
  const wordsOf = (page: string) => split(selectWords.get(page)?.['words']);
  return {
    /** The documents in their order, with the hash and the number of each. */
    list() {
      const rows = db.prepare('SELECT page, hash, number FROM document WHERE page IS NOT NULL ORDER BY number').all();
      return rows.map(({ page, hash, number }) => ({ page: String(page), hash: String(hash), number: Number(number) }));
    },
    /** The number of documents that it was made with: their numbers are below it. */
    size: () => Number(db.prepare('SELECT count(*) AS count FROM document').get()?.['count']),
    /** Erases the documents of some pages; the others keep their numbers. */
    erase(pages: Iterable<string>) {
      db.exec('PRAGMA secure_delete = ON');
      runTransaction(db, () => {
        const lower = db.prepare('UPDATE word SET documents = documents - 1 WHERE word = ?');
        const empty = db.prepare(ERASE);
        for (const page of pages) {
          for (const word of wordsOf(page)) lower.run(word);
          empty.run(page);
        }
        db.exec('DELETE FROM word WHERE documents = 0');
      });
    },
    /** The number of documents that are in the index. */
    count: () => Number(db.prepare('SELECT count(shown) AS count FROM document').get()?.['count']),
    /** Returns the pages of the documents with a dependency that changed. */
    findConcerned: (changedKeys: ReadonlySet<string>) =>
      findConcerned(db.prepare('SELECT page, reads FROM document WHERE page IS NOT NULL'), changedKeys),
    /** Stores the dependencies of documents that are the same as before, by their pages. */
    setReads(changed: ReadonlyMap<string, Reads>) {
      runTransaction(db, () => {
        for (const [page, reads] of changed) updateReads.run(bytesOf(reads), page);
      });
    },
    /** Returns the documents that are in the index, in their order, with the pages that they are of. */
    *rows(): Generator<readonly [page: string, row: FoundRow]> {
      const all = db.prepare('SELECT page, number, facets FROM document WHERE shown IS NOT NULL ORDER BY number');
      for (const { page, number, facets } of all.iterate())
        yield [String(page), { number: Number(number), ...(JSON.parse(String(facets)) as FacetRow) }];
    },
    /** Returns what results show of the documents that are in the index, as JSON, with their numbers and keys. */
    *results(): Generator<FoundResult> {
      const all = db.prepare('SELECT number, page, keys, shown FROM document WHERE shown IS NOT NULL ORDER BY number');
      for (const { number, page, keys, shown } of all.iterate()) {
        const data = shown as Uint8Array;
        const json = gunzipSync(data).toString();
        yield { number: Number(number), page: String(page), keys: split(keys), shown: json, bytes: data.length };
      }
    },
    /** Returns the vocabulary of all documents. */
    *words() {
      for (const { word, documents } of db.prepare('SELECT word, documents FROM word').iterate())
        yield { word: String(word), documents: Number(documents) };
    },
    /** Returns what is not in the index, and why. */
    problems() {
      const rows = db.prepare('SELECT page, problem FROM document WHERE problem IS NOT NULL ORDER BY number').all();
      return rows.map(({ page, problem }) => ({ page: String(page), cause: String(problem) }));
    },
    close: () => db.close(),
  };
}
