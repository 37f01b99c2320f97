/** Compares two catalogue files, and finds the reads whose results differ between them (src/catalogue/read-keys.ts). */
import type { DatabaseSync } from 'node:sqlite';
import { compareWithEarlier } from './catalogue-changes.ts';
import { NO_NUMBER, numbersIn } from './catalogue-file.ts';
import type { ArticleEntry } from './entries.ts';
import { FACETS, type Facet } from './facets.ts';
import { BLOCK_LENGTH, LISTS, READS } from './read-keys.ts';
import { CANDIDATES_PER_SIDE, RELATING_FACETS, weightOf } from './relatedness.ts';

/**
 * Returns the keys of all reads whose results differ between an earlier catalogue, in a file, and this one; sometimes also of reads whose results
 * do not. Undefined if the file was written by another version, or is damaged.
 */
export function findChangedKeys(db: DatabaseSync, earlier: string): Set<string> | undefined {
  return compareWithEarlier(db, earlier, () => {
    const changed = new Set<string>();
    compareEntries(db, changed);
    const numbering = createNumbering(db);
    compareSiblings(db, numbering, changed);
    for (const facet of FACETS) compareTerms(db, facet, numbering, changed);
    const narrators = (schema: string) => `SELECT key, id FROM ${schema}.narrator JOIN ${schema}.entry USING (number)`;
    for (const { key } of differingRows(db, narrators)) changed.add(READS.narrator(String(key)));
    for (const { url } of differingRows(db, (schema) => `SELECT url, kind, name FROM ${schema}.live_page`))
      changed.add(READS.live(String(url)));
    compareLookups(db, changed);
    return changed;
  });
}

function compareEntries(db: DatabaseSync, changed: Set<string>): void {
  const rows = db
    .prepare(
      `SELECT id, page, earlier_page, is_listed_equal FROM (
        SELECT n.id, n.page, e.page AS earlier_page, e.listed IS n.listed AS is_listed_equal, e.json IS n.json AS is_equal
          FROM main.entry n LEFT JOIN earlier.entry e ON e.id = n.id
        UNION ALL
        SELECT e.id, NULL, e.page, 0, 0 FROM earlier.entry e WHERE e.id NOT IN (SELECT id FROM main.entry)
      ) WHERE NOT is_equal OR page IS NOT earlier_page`,
    )
    .all() as Array<{ id: string; page: string | null; earlier_page: string | null; is_listed_equal: number }>;
  for (const { id, page, earlier_page: earlierPage, is_listed_equal: isListedEqual } of rows) {
    changed.add(READS.entry(id));
    if (!isListedEqual) changed.add(READS.listed(id));
    if (page === null || earlierPage === null) changed.add(READS.has(id));
    if (page !== earlierPage) for (const name of [page, earlierPage]) if (name !== null) changed.add(READS.page(name));
  }
}

/** How the numbers of records in the two catalogues correspond. */
interface Numbering {
  /** IDs by number. */
  ids: readonly string[];
  /** Earlier numbers → numbers; `NO_NUMBER` for removed records. */
  toNow(earlier: Uint32Array): Uint32Array;
  /** Whether a record is new, or has another model or parent than before. */
  isMoved(number: number): boolean;
}

function createNumbering(db: DatabaseSync): Numbering {
  const ids = db
    .prepare('SELECT id FROM main.entry ORDER BY number')
    .all()
    .map(({ id }) => String(id));
  const pairs = db
    .prepare('SELECT e.number AS earlier, n.number AS now FROM earlier.entry e LEFT JOIN main.entry n ON n.id = e.id ORDER BY 1')
    .all();
  const now = Uint32Array.from(pairs, (pair) => (typeof pair['now'] === 'number' ? pair['now'] : NO_NUMBER));
  const attribute = (schema: string, name: string) =>
    db.prepare(`SELECT numbers FROM ${schema}.attribute WHERE name = ?`).get(name)?.['numbers'];
  const [models, parents] = [attribute('main', 'models') as Uint8Array, numbersIn(attribute('main', 'parents'))];
  const earlierModels = attribute('earlier', 'models') as Uint8Array;
  const earlierParents = numbersIn(attribute('earlier', 'parents'));
  const nowOf = (earlier: number) => (earlier === NO_NUMBER ? NO_NUMBER : (now[earlier] as number));
  const moved = new Uint8Array(ids.length).fill(1);
  for (const [earlier, number] of now.entries())
    if (number !== NO_NUMBER)
      moved[number] = Number(
        models[number] !== earlierModels[earlier] || parents[number] !== nowOf(earlierParents[earlier] as number),
      );
  return { ids, toNow: (earlier) => earlier.map(nowOf), isMoved: (number) => moved[number] === 1 };
}

function compareSiblings(db: DatabaseSync, numbering: Numbering, changed: Set<string>): void {
  const lists = pairsOf(db, 'below', ['parent', 'is_file']);
  for (const { parent, is_file: isFile, numbers, earlier } of lists) {
    const [now, before] = [numbersIn(numbers), numbering.toNow(numbersIn(earlier))];
    const key = isFile === 1 ? LISTS.files(String(parent)) : LISTS.children(String(parent));
    if (!compareLists(key, before, now, numbering, changed)) continue;
    const neighbors = (list: Uint32Array) =>
      new Map(Array.from(list, (number, i) => [number, `${list[i - 1] ?? ''} ${list[i + 1] ?? ''}`] as const));
    const earlierNeighbors = neighbors(before);
    for (const [number, beside] of neighbors(now))
      if (earlierNeighbors.get(number) !== beside) changed.add(READS.siblings(numbering.ids[number] as string));
  }
}

function compareTerms(db: DatabaseSync, facet: Facet, numbering: Numbering, changed: Set<string>): void {
  const terms = (schema: string) => `SELECT slug, position, json FROM ${schema}.term WHERE facet = '${facet}'`;
  for (const { slug } of differingRows(db, terms)) {
    changed.add(READS.term(facet, String(slug)));
    changed.add(READS.terms(facet));
  }
  for (const { slug, numbers, earlier } of pairsOf(db, 'term', ['slug'], `facet = '${facet}'`)) {
    const [now, before] = [numbersIn(numbers), numbering.toNow(numbersIn(earlier))];
    const isChanged = compareLists(LISTS.withValue(facet, String(slug)), before, now, numbering, changed);
    if (isChanged && RELATING_FACETS.includes(facet))
      for (const number of affectedByChange(before, now, numbering)) changed.add(READS.related(numbering.ids[number] as string));
  }
}

/** Compares two lists, with the numbers of this catalogue. Adds the keys of reads that differ. Returns whether anything differs. */
function compareLists(
  key: string,
  before: Uint32Array,
  now: Uint32Array,
  { isMoved }: Pick<Numbering, 'isMoved'>,
  changed: Set<string>,
): boolean {
  const isSame = (i: number) => before[i] === now[i];
  const blocks = new Set<number>();
  for (let i = 0; i < Math.max(before.length, now.length); i++) if (!isSame(i)) blocks.add(Math.floor(i / BLOCK_LENGTH));
  if (before.length !== now.length) changed.add(READS.count(key));
  for (const block of blocks) changed.add(READS.block(key, block));
  const isChanged = blocks.size > 0 || now.some(isMoved);
  if (isChanged) changed.add(READS.all(key));
  return isChanged;
}

/** Returns the records for which other records with the same value may be related now: those near a change, or all if the value counts otherwise. */
function affectedByChange(before: Uint32Array, now: Uint32Array, { isMoved }: Pick<Numbering, 'isMoved'>): Iterable<number> {
  const isShort = Math.min(before.length, now.length) <= 2 * CANDIDATES_PER_SIDE;
  if (isShort || weightOf(before.length) !== weightOf(now.length)) return now;
  const affected = new Set<number>();
  const addNear = (list: Uint32Array, at: number) => {
    for (const number of list.subarray(Math.max(0, at - CANDIDATES_PER_SIDE), at + CANDIDATES_PER_SIDE + 1)) affected.add(number);
  };
  const [had, has] = [new Set(before), new Set(now)];
  for (const [at, number] of now.entries()) if (!had.has(number) || isMoved(number)) addNear(now, at);
  for (const [at, number] of before.entries()) if (!has.has(number)) addNear(before, at);
  affected.delete(NO_NUMBER);
  return affected;
}

interface Pair extends Record<string, unknown> {
  numbers: unknown;
  earlier: unknown;
}

/** Returns the lists of both catalogues, in pairs. */
function pairsOf(db: DatabaseSync, table: string, keys: readonly string[], condition = 'true'): Iterable<Pair> {
  const columns = (from: string) => keys.map((key) => `${from}.${key}`).join(', ');
  const isSame = keys.map((key) => `e.${key} = n.${key}`).join(' AND ');
  const where = condition.replace('facet', 'n.facet');
  const facets = condition === 'true' ? '' : ' AND e.facet = n.facet';
  return db
    .prepare(
      `SELECT ${columns('n')}, n.numbers, e.numbers AS earlier FROM main.${table} n LEFT JOIN earlier.${table} e ON ${isSame}${facets} WHERE ${where}
       UNION ALL
       SELECT ${columns('n')}, NULL, n.numbers FROM earlier.${table} n LEFT JOIN main.${table} e ON ${isSame}${facets} WHERE ${where} AND e.numbers IS NULL`,
    )
    .iterate() as Iterable<Pair>;
}

/** Returns the rows that only one of the two catalogues has. `select` is a query of a schema. */
function differingRows(db: DatabaseSync, select: (schema: string) => string): Array<Record<string, unknown>> {
  const [now, earlier] = [select('main'), select('earlier')];
  return db.prepare(`SELECT * FROM (${now} EXCEPT ${earlier}) UNION ALL SELECT * FROM (${earlier} EXCEPT ${now})`).all();
}

/** Compares authors, guide pages, and what was added to the catalogue file, such as media. */
function compareLookups(db: DatabaseSync, changed: Set<string>): void {
  for (const { kind, name, json } of differingRows(db, (schema) => `SELECT kind, name, json FROM ${schema}.lookup`)) {
    changed.add(READS.lookup(String(kind), String(name)));
    if (kind === 'article') for (const id of (JSON.parse(String(json)) as ArticleEntry).objects) changed.add(READS.about(id));
  }
}
