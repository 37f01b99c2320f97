/**
 * The catalogue as a database file, which any number of threads can read. It has each record's entry, and the relations between records as lists
 * of numbers: a record's number is its position in the order of IDs.
 */
import { DatabaseSync } from 'node:sqlite';
import { compareIds, MODELS } from '../model/ids.ts';
import { MAX_URL_LENGTH } from '../model/limits.ts';
import { decodePercent, hostKey } from '../model/resources.ts';
import { LOOKUP_SCHEMA, writeLookup } from '../platform/lookup-table.ts';
import { objectFileName } from '../platform/portability.ts';
import { runTransaction } from '../snapshot/store.ts';
import type { Entries } from './catalogue.ts';
import { listedEntry, type ObjectEntry } from './entries.ts';
import { FACETS, type Facet, type FacetValue } from './facets.ts';

/** A facet value, and how many records have it. */
export interface Term extends Pick<FacetValue, 'slug' | 'label' | 'ids' | 'sharesName'> {
  facet: Facet;
  /** The number of records with this value. None if it is a name whose records all belong to `people`. */
  count: number;
  /** Slugs of the people who have this name and a page of their own. */
  people: string[];
  /** Slugs of the pages of a person's names. */
  names: string[];
}

const SCHEMA = `
  CREATE TABLE entry (
    number INTEGER PRIMARY KEY,           -- position in the order of IDs, from 0
    id     TEXT NOT NULL UNIQUE,
    page   TEXT NOT NULL,                 -- name of the page's file, without extension
    listed TEXT NOT NULL,                 -- ListedEntry
    json   TEXT NOT NULL                  -- ObjectEntry
  ) STRICT;
  CREATE INDEX entry_by_page ON entry (page);
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
    json     TEXT NOT NULL,               -- Term
    numbers  BLOB NOT NULL,               -- ascending
    PRIMARY KEY (facet, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE narrator (
    key    TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (key, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE live_page (
    url  TEXT PRIMARY KEY,                -- urlKey of its page in the live archive
    kind TEXT NOT NULL,                   -- object, article, author
    name TEXT NOT NULL                    -- ID or slug
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE attribute (
    name    TEXT PRIMARY KEY,             -- models: one byte a record; parents: number of the parent, or ${0xffffffff}
    numbers BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  ${LOOKUP_SCHEMA}`;

/** Increased when the tables change. */
export const CATALOGUE_VERSION = 2;

/** Instead of the number of a record that is not in the catalogue. */
export const NO_NUMBER = 0xffffffff;

/** Creates a catalogue file. Without a path, it is in memory. */
export function createCatalogueFile(entries: Entries, path = ':memory:'): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  runTransaction(db, () => {
    db.exec(`${SCHEMA} PRAGMA user_version = ${CATALOGUE_VERSION}`);
    writeEntries(db, entries);
  });
  return db;
}

function writeEntries(db: DatabaseSync, { objects, authors, articles }: Entries): void {
  const ordered = [...objects].sort((a, b) => compareIds(a.id, b.id));
  const numbers = new Map(ordered.map(({ id }, number) => [id, number]));
  const insertEntry = db.prepare('INSERT INTO entry (number, id, page, listed, json) VALUES (?, ?, ?, ?, ?)');
  const insertNarrator = db.prepare('INSERT OR IGNORE INTO narrator (key, number) VALUES (?, ?)');
  const insertUrl = db.prepare('INSERT OR IGNORE INTO live_page (url, kind, name) VALUES (?, ?, ?)');
  for (const article of articles) if (article.liveUrl) insertUrl.run(urlKey(article.liveUrl), 'article', article.slug);
  for (const author of authors) if (author.liveUrl) insertUrl.run(urlKey(author.liveUrl), 'author', author.slug);
  for (const { id, liveUrl } of objects) if (liveUrl) insertUrl.run(urlKey(liveUrl), 'object', id);
  const models = new Uint8Array(ordered.length);
  const parents = new Uint32Array(ordered.length).fill(NO_NUMBER);
  for (const [number, entry] of ordered.entries()) {
    const { id, model, parent, narrators } = entry;
    insertEntry.run(number, id, objectFileName(id), JSON.stringify(listedEntry(entry)), JSON.stringify(entry));
    models[number] = MODELS.indexOf(model);
    if (parent !== undefined) parents[number] = numbers.get(parent) ?? NO_NUMBER;
    if (model === 'entity') for (const narrator of narrators) insertNarrator.run(narrator, number);
  }
  const insertAttribute = db.prepare('INSERT INTO attribute (name, numbers) VALUES (?, ?)');
  insertAttribute.run('models', models);
  insertAttribute.run('parents', bytesOf(parents));
  writeSiblings(db, ordered, numbers);
  for (const facet of FACETS) writeTerms(db, ordered, facet);
  writeLookup(db, 'author', bySlug(authors));
  writeLookup(db, 'article', bySlug(articles));
}

function bySlug<Entry extends { slug: string }>(entries: readonly Entry[]): Record<string, Entry> {
  return Object.fromEntries(entries.map((entry) => [entry.slug, entry]));
}

function writeSiblings(db: DatabaseSync, ordered: readonly ObjectEntry[], numbers: ReadonlyMap<string, number>): void {
  const insert = db.prepare('INSERT INTO below (parent, is_file, numbers) VALUES (?, ?, ?)');
  const below = Map.groupBy(
    ordered.filter(({ parent }) => parent !== undefined).sort((a, b) => a.sort - b.sort),
    ({ parent, model }) => `${model === 'file' ? 1 : 0}${parent}`,
  );
  for (const [key, siblings] of below)
    insert.run(key.slice(1), Number(key[0]), bytesOf(Uint32Array.from(siblings, ({ id }) => numbers.get(id) as number)));
}

const collator = new Intl.Collator('en', { numeric: true });

/** Writes the values of a facet, sorted by label. */
function writeTerms(db: DatabaseSync, ordered: readonly ObjectEntry[], facet: Facet): void {
  const terms = new Map<string, Term>();
  const records = new Map<string, number[]>();
  const getTerm = (slug: string, label: string): Term => {
    const term = terms.get(slug) ?? { facet, slug, label, count: 0, people: [], names: [] };
    terms.set(slug, term);
    return term;
  };
  for (const [number, { facets }] of ordered.entries()) {
    for (const { slug, label, ids, sharesName, names } of facets[facet] ?? []) {
      const term = getTerm(slug, label);
      const own = records.get(slug) ?? [];
      records.set(slug, own);
      term.count = own.push(number);
      if (ids) term.ids = ids;
      if (sharesName) term.sharesName = sharesName;
      for (const name of names ?? []) {
        if (!term.names.includes(name.slug)) term.names.push(name.slug);
        const { people } = getTerm(name.slug, name.label);
        if (!people.includes(slug)) people.push(slug);
      }
    }
  }
  const sorted = [...terms.values()].sort((a, b) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : 1));
  const insert = db.prepare('INSERT INTO term (facet, slug, position, json, numbers) VALUES (?, ?, ?, ?, ?)');
  for (const [position, term] of sorted.entries())
    insert.run(facet, term.slug, position, JSON.stringify(term), bytesOf(Uint32Array.from(records.get(term.slug) ?? [])));
}

/** Returns a URL without scheme, query and trailing slash. */
export function urlKey(href: string): string {
  const url = href.length > MAX_URL_LENGTH ? null : URL.parse(href);
  if (url === null) return href;
  const path = decodePercent(url.pathname.replace(/\/+$/, '').replace(/\+/g, ' '));
  return `${hostKey(url)}${path.replace(/_/g, ' ').normalize('NFC').toLowerCase()}`;
}

function bytesOf(numbers: Uint32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Returns the numbers in a column; empty without a row. */
export function numbersIn(blob: unknown): Uint32Array {
  if (!(blob instanceof Uint8Array)) return new Uint32Array(0);
  const copy = blob.slice(); // at the beginning of its memory, as numbers have to be
  return new Uint32Array(copy.buffer, 0, copy.length / Uint32Array.BYTES_PER_ELEMENT);
}
