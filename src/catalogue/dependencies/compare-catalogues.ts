/** Compares catalogue files: which records differ, and which reads (src/catalogue/dependencies/read-keys.ts) do. */
import type { DatabaseSync } from 'node:sqlite';
import { type Facet, RELATING_FACETS } from '../../model/facets.ts';
import { numbersIn } from '../catalogue-schema.ts';
import type { ArticleEntry } from '../entries.ts';
import type { FacetValue } from '../lists/facets.ts';
import { PLACE_LOOKUP } from '../lists/places.ts';
import { CANDIDATES_PER_SIDE, weightOf } from '../lists/relatedness.ts';
import { bareNameKey, nameKey } from '../lists/term-summaries.ts';
import type { PersonEntry } from '../people/person-entries.ts';
import { listAtAndBelow } from '../records.ts';
import { BLOCK_LENGTH, LISTS, READS } from './read-keys.ts';

/** Numbers of records that a site newly shows, that it shows differently, and that it no longer shows. */
export type RecordChanges = Record<'added' | 'changed' | 'removed', number>;

/**
 * Compares the catalogue in a file with that in the file `earlier`, of which the first is a copy (`isCopy`) that was brought up
 * to date. Of another file, only the records are compared, because their numbers differ. `keys` are those of all reads whose
 * results differ, and sometimes of reads whose results do not.
 */
export function compareCatalogues(db: DatabaseSync, earlier: string, isCopy = true) {
  db.prepare('ATTACH ? AS earlier').run(earlier);
  using attached = new DisposableStack();
  attached.defer(() => db.exec('DETACH earlier'));
  const keys = new Set<string>();
  const places = compareLookups(db, keys);
  const records = compareRecords(db, places, keys);
  if (!isCopy) return { records, keys };
  const numbering = openNumbering(db);
  compareSiblings(db, numbering, keys);
  compareTerms(db, numbering, keys);
  comparePeople(db, keys);
  for (const { key } of differing(db, 'narrator', ['key', 'number'])) keys.add(READS.narrator(String(key)));
  for (const { url } of differing(db, 'live_page', ['url'], ['kind', 'name'])) keys.add(READS.live(String(url)));
  return { records, keys };
}

/** The kind of the lookup of notices, by the ID of the record that they name. */
export const NOTICE_LOOKUP = 'notice';

/**
 * Returns the rows of a table of which the other catalogue has none with the same key and values: the columns of the key, and
 * each other one as it is now and, with the prefix `was_`, as it was; null without a row. With `where`, also the rows for which
 * that is true.
 */
function differing(db: DatabaseSync, table: string, key: string[], values: string[] = [], where = 'FALSE') {
  const columns = values.map((name) => `now.${name}, was.${name} AS was_${name}`);
  const isDifferent = [...key, ...values].map((name) => `now.${name} IS NOT was.${name}`).join(' OR ');
  return db
    .prepare(
      `SELECT ${[...key, ...columns].join(', ')} FROM main.${table} AS now FULL JOIN earlier.${table} AS was USING (${key.join(', ')})
        WHERE ${isDifferent} OR ${where}`,
    )
    .all();
}

/** Compares the lookups. Returns the slugs of the places that are on other pages than before. */
function compareLookups(db: DatabaseSync, keys: Set<string>): Set<string> {
  const [places, noticed] = [new Set<string>(), new Set<string>()];
  for (const { kind, name, json, was_json: before } of differing(db, 'lookup', ['kind', 'name'], ['json'])) {
    if (kind === PLACE_LOOKUP) places.add(String(name));
    else if (kind === NOTICE_LOOKUP) noticed.add(String(name));
    else keys.add(READS.lookup(String(kind), String(name)));
    if (kind !== 'article') continue;
    for (const version of [before, json].filter((each) => each !== null)) {
      const { title, objects } = JSON.parse(String(version)) as ArticleEntry;
      keys.add(READS.named(nameKey(title))).add(READS.named(bareNameKey(title)));
      for (const id of objects) keys.add(READS.about(id));
    }
  }
  // What a record's notices are is part of what pages show of it.
  for (const id of noticed.size === 0 ? [] : listAtAndBelow(db, noticed)) keys.add(READS.entry(id)).add(READS.listed(id));
  return places;
}

/** Compares the records. `places` are those that are on other pages than before. */
function compareRecords(db: DatabaseSync, places: ReadonlySet<string>, keys: Set<string>): RecordChanges {
  const changes: RecordChanges = { added: 0, changed: 0, removed: 0 };
  const noteExistence = (id: string, page: string) =>
    keys.add(READS.has(id)).add(READS.page(page)).add(READS.entry(id)).add(READS.listed(id));
  /** Whether a record names one of these places, given the JSON of its places. */
  const hasMoved = (json: unknown) =>
    json !== null && (JSON.parse(String(json)) as FacetValue[]).some(({ slug }) => places.has(slug));
  const now = db.prepare(
    `SELECT now.id, now.page, was.id IS NULL AS is_new, now.listed IS NOT was.listed AS is_listed,
        now.details IS NOT was.details OR now.facets IS NOT was.facets OR named.identified IS NOT was_named.identified AS is_different,
        ${places.size === 0 ? 'NULL' : `now.facets -> 'place'`} AS places
      FROM main.record AS now LEFT JOIN main.people AS named ON named.number = now.number
        LEFT JOIN earlier.record AS was ON was.id = now.id LEFT JOIN earlier.people AS was_named ON was_named.number = was.number
      WHERE is_new OR is_listed OR is_different OR places IS NOT NULL`,
  );
  for (const { id, page, is_new: isNew, is_listed: isListed, is_different: isDifferent, places: own } of now.iterate()) {
    if (isNew === 1) {
      changes.added++;
      noteExistence(String(id), String(page));
    } else if (isListed === 1 || isDifferent === 1 || hasMoved(own)) {
      changes.changed++;
      keys.add(READS.entry(String(id)));
      if (isListed === 1) keys.add(READS.listed(String(id)));
    }
  }
  for (const { id, page } of db
    .prepare('SELECT id, page FROM earlier.record WHERE id NOT IN (SELECT id FROM main.record)')
    .iterate()) {
    changes.removed++;
    noteExistence(String(id), String(page));
  }
  return changes;
}

type Numbering = ReturnType<typeof openNumbering>;

function openNumbering(db: DatabaseSync) {
  const selectId = db.prepare('SELECT id FROM main.record WHERE number = ?');
  const selected = db
    .prepare(
      `SELECT now.number FROM main.record AS now LEFT JOIN earlier.record AS was USING (id)
        WHERE now.model IS NOT was.model OR now.parent IS NOT was.parent OR now.has_media IS NOT was.has_media`,
    )
    .all();
  return {
    /** Returns the ID of a record; undefined if it was removed. */
    idOf: (number: number) => selectId.get(number)?.['id'] as string | undefined,
    /** Records by which lists of the same numbers may still differ: new ones, and those with changes by which lists select. */
    selectedDifferently: new Set(selected.map(({ number }) => Number(number))),
  };
}

function compareSiblings(db: DatabaseSync, numbering: Numbering, keys: Set<string>): void {
  for (const row of differingLists(db, 'below', ['parent', 'is_file'], ['numbers'], numbering)) {
    const { parent, is_file: isFile } = row;
    const [before, now] = [numbersIn(row['was_numbers']), numbersIn(row['numbers'])];
    const list = isFile === 1 ? LISTS.files(String(parent)) : LISTS.children(String(parent));
    if (!compareLists(list, before, now, numbering, keys)) continue;
    const earlierNeighbors = neighborsIn(before);
    for (const [number, beside] of neighborsIn(now))
      if (earlierNeighbors.get(number) !== beside) keys.add(READS.siblings(numbering.idOf(number) as string));
  }
}

const neighborsIn = (list: Uint32Array) =>
  new Map(Array.from(list, (number, i) => [number, `${list[i - 1] ?? ''} ${list[i + 1] ?? ''}`] as const));

/** Returns the rows of lists that differ; all, if records are selected differently, because any may be in any list. */
const differingLists = (db: DatabaseSync, table: string, key: string[], values: string[], { selectedDifferently }: Numbering) =>
  differing(db, table, key, values, selectedDifferently.size > 0 ? 'TRUE' : 'FALSE');

function compareTerms(db: DatabaseSync, numbering: Numbering, keys: Set<string>): void {
  const columns = ['position', 'name', 'json', 'summary', 'numbers'];
  for (const row of differingLists(db, 'term', ['facet', 'slug'], columns, numbering)) {
    const [facet, slug] = [row['facet'] as Facet, String(row['slug'])];
    const isDifferent = (name: string) => row[name] !== row[`was_${name}`];
    const names = [row['name'], row['was_name']].filter((name) => typeof name === 'string');
    if (isDifferent('json') || isDifferent('position')) keys.add(READS.terms(facet));
    if (isDifferent('json')) for (const key of [READS.term(facet, slug), ...names.map(READS.named)]) keys.add(key);
    if (isDifferent('name') && facet === 'place') for (const name of names) keys.add(READS.placeNamed(name));
    if (isDifferent('summary')) keys.add(READS.summary(facet, slug));
    const [before, now] = [numbersIn(row['was_numbers']), numbersIn(row['numbers'])];
    const isChanged = compareLists(LISTS.withValue(facet, slug), before, now, numbering, keys);
    if (!isChanged || !RELATING_FACETS.includes(facet)) continue;
    for (const number of affectedByChange(before, now, numbering)) {
      const id = numbering.idOf(number);
      if (id !== undefined) keys.add(READS.related(id));
    }
  }
}

function comparePeople(db: DatabaseSync, keys: Set<string>): void {
  for (const { slug, json, was_json: before } of differing(db, 'person', ['slug'], ['json'])) {
    keys.add(READS.people).add(READS.person(String(slug)));
    const versions = [before, json].flatMap((each) => (each === null ? [] : [JSON.parse(String(each)) as PersonEntry]));
    for (const author of versions.flatMap(({ authors }) => authors)) keys.add(READS.personOfAuthor(author));
  }
}

/** Compares two lists. Adds the keys of reads that differ. `key` is one of `LISTS`. Returns whether anything differs. */
function compareLists(key: string, before: Uint32Array, now: Uint32Array, { selectedDifferently }: Numbering, keys: Set<string>) {
  const blocks = new Set<number>();
  for (let i = 0; i < Math.max(before.length, now.length); i++)
    if (before[i] !== now[i]) blocks.add(Math.floor(i / BLOCK_LENGTH));
  if (before.length !== now.length) keys.add(READS.count(key));
  for (const block of blocks) keys.add(READS.block(key, block));
  const isChanged = blocks.size > 0 || (selectedDifferently.size > 0 && now.some((number) => selectedDifferently.has(number)));
  if (isChanged) keys.add(READS.all(key));
  return isChanged;
}

/**
 * Returns the records for which other records with the same value may be related now: those near a change, or all if the value
 * counts otherwise.
 */
function affectedByChange(before: Uint32Array, now: Uint32Array, { selectedDifferently }: Numbering): Iterable<number> {
  const isShort = Math.min(before.length, now.length) <= 2 * CANDIDATES_PER_SIDE;
  if (isShort || weightOf(before.length) !== weightOf(now.length)) return now;
  const affected = new Set<number>();
  const addNear = (list: Uint32Array, at: number) => {
    for (const number of list.subarray(Math.max(0, at - CANDIDATES_PER_SIDE), at + CANDIDATES_PER_SIDE + 1)) affected.add(number);
  };
  const [had, has] = [new Set(before), new Set(now)];
  for (const [at, number] of now.entries()) if (!had.has(number) || selectedDifferently.has(number)) addNear(now, at);
  for (const [at, number] of before.entries()) if (!has.has(number)) addNear(before, at);
  return affected;
}
