/** The tables of a catalogue file. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Facet } from '../model/facets.ts';
import { hostKey } from '../model/resources.ts';
import { MAX_URL_LENGTH } from '../model/text/limits.ts';
import { decodePercent } from '../model/text/percent.ts';
import { LOOKUP_SCHEMA } from '../platform/lookup-table.ts';
import type { LabeledValue } from './lists/facets.ts';

/** A facet value, and how many records have it. */
export interface Term extends LabeledValue {
  facet: Facet;
  /** The number of records with this value. None if it is a name whose records all belong to `people`. */
  count: number;
  /** Slugs of the people who have this name and a page of their own. */
  people: string[];
  /** Slugs of the pages of a person's names. */
  names: string[];
}

/** Instead of a number that does not exist. */
export const NO_NUMBER = 0xffffffff;

/**
 * The tables. Each record has a number, which it keeps in later catalogues. Its rank, the position in the order of IDs,
 * changes when others are added.
 */
const TABLES = `
  CREATE TABLE record (
    number             INTEGER PRIMARY KEY,
    id                 TEXT NOT NULL UNIQUE,
    is_partial         INTEGER NOT NULL,  -- 1: it was not made from a body of its own
    model              INTEGER NOT NULL,  -- position in MODELS
    parent             TEXT,              -- ID, of which there may be no entry
    sort               REAL NOT NULL,
    has_media          INTEGER NOT NULL,  -- 1: it names media files
    page               TEXT NOT NULL,     -- name of the page's file, without extension
    live_url           TEXT,
    lastmod            TEXT,
    unread_date        TEXT,
    day_order          TEXT,              -- month-first, day-first, open; null for most
    positions          TEXT,              -- JSON; null if there are none
    unusable_positions TEXT,              -- JSON; null if there are none
    facets             TEXT NOT NULL,     -- JSON, without people
    listed             TEXT NOT NULL,     -- ListedEntry
    details            TEXT NOT NULL      -- JSON: the other fields of ObjectEntry, without people
  ) STRICT;
  CREATE INDEX record_by_page ON record (page);
  CREATE INDEX record_in_order ON record (is_partial, id, model);
  CREATE INDEX record_with_media ON record (is_partial, id) WHERE has_media = 1;
  CREATE INDEX record_without_date ON record (is_partial, id, unread_date) WHERE unread_date IS NOT NULL;
  CREATE INDEX record_by_day_order ON record (day_order, id) WHERE day_order IS NOT NULL;
  CREATE INDEX record_off_map ON record (is_partial, id, unusable_positions) WHERE unusable_positions IS NOT NULL;
  CREATE INDEX record_by_change ON record (is_partial, id, model, lastmod) WHERE lastmod IS NOT NULL;
  CREATE INDEX record_on_map ON record (is_partial, id, positions) WHERE positions IS NOT NULL;
  CREATE TABLE people (                   -- of records that name any: JSON, see named-people.ts
    number     INTEGER PRIMARY KEY,
    named      TEXT NOT NULL,             -- as the record's own body names them
    identified TEXT NOT NULL              -- as pages show them
  ) STRICT;
  CREATE TABLE below (
    parent   TEXT NOT NULL,               -- ID, of which there may be no entry
    is_file  INTEGER NOT NULL,            -- 1: file records; 0: all others
    numbers  BLOB NOT NULL,               -- by position among siblings, then by ID
    PRIMARY KEY (parent, is_file)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE term (
    facet    TEXT NOT NULL,
    slug     TEXT NOT NULL,
    position INTEGER NOT NULL,            -- in the order of labels
    name     TEXT,                        -- nameKey of its label; null if others are not found by it
    json     TEXT NOT NULL,               -- Term
    summary  TEXT NOT NULL,               -- TermSummary
    numbers  BLOB NOT NULL,               -- by rank
    PRIMARY KEY (facet, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX term_by_name ON term (name) WHERE name IS NOT NULL;
  CREATE TABLE person (
    slug TEXT PRIMARY KEY,
    json TEXT NOT NULL                    -- PersonEntry
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE narrator (
    key    TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (key, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE live_page (
    url  TEXT PRIMARY KEY,                -- urlKey of its page in the live archive
    kind TEXT NOT NULL,                   -- object, article, author; host: the archive has pages there
    name TEXT NOT NULL                    -- ID, slug or host
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE attribute (
    name    TEXT PRIMARY KEY,             -- models, media: one byte a record; parents, ranks: a number a record, or ${NO_NUMBER}
    numbers BLOB NOT NULL                 -- by number of the record
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE body (
    key     TEXT PRIMARY KEY,             -- of the resource
    kind    TEXT NOT NULL,
    version TEXT NOT NULL,                -- of the body that was read
    facts   TEXT NOT NULL                 -- what was read of it, in addition to the entry: JSON
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE state (
    name  TEXT PRIMARY KEY,               -- see catalogue-state.ts
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  ${LOOKUP_SCHEMA}`;

/** Says which tables a file has: another number if they change. */
export const CATALOGUE_VERSION = Number.parseInt(hash('sha256', TABLES).slice(0, 7), 16);

/** Creates the tables. */
export const SCHEMA = `${TABLES}
  PRAGMA user_version = ${CATALOGUE_VERSION};`;

/** Returns a URL without scheme, query and trailing slash. */
export function urlKey(href: string): string {
  const url = href.length > MAX_URL_LENGTH ? null : URL.parse(href);
  if (url === null) return href;
  const path = decodePercent(url.pathname.replace(/\/+$/, '').replace(/\+/g, ' '));
  return `${hostKey(url)}${path.replace(/_/g, ' ').normalize('NFC').toLowerCase()}`;
}

/** Returns numbers as the bytes of a column. */
export function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Returns the numbers in a column; empty without a row. */
export function numbersIn(blob: unknown): Uint32Array {
  if (!(blob instanceof Uint8Array)) return new Uint32Array(0);
  const copy = blob.slice(); // at the beginning of its memory, as numbers have to be
  return new Uint32Array(copy.buffer, 0, copy.length / Uint32Array.BYTES_PER_ELEMENT);
}

/** Reads the order of the records by ID: numbers by rank, and ranks by number, or `NO_NUMBER`; empty without records. */
export function readOrder(db: DatabaseSync) {
  const ranks = numbersIn(db.prepare("SELECT numbers FROM attribute WHERE name = 'ranks'").get()?.['numbers']);
  const ordered = new Uint32Array(ranks.reduce((count, rank) => (rank === NO_NUMBER ? count : count + 1), 0));
  for (const [number, rank] of ranks.entries()) if (rank !== NO_NUMBER) ordered[rank] = number;
  return { ranks, ordered };
}

/** Reads the values of a facet from a catalogue file, sorted by label. */
export function readTerms(db: DatabaseSync, facet: Facet): Term[] {
  const rows = db.prepare('SELECT json FROM term WHERE facet = ? ORDER BY position').all(facet);
  return rows.map(({ json }) => JSON.parse(String(json)) as Term);
}
