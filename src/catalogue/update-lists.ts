/** Brings the lists of a catalogue file up to date: siblings, facet values, narrators, and pages in the live archive. */
import type { DatabaseSync } from 'node:sqlite';
import type { Entries } from './catalogue.ts';
import { bytesOf, numbersIn, type Term, urlKey } from './catalogue-schema.ts';
import { addRelated, compareLists, compareSiblings, type Numbering } from './changed-keys.ts';
import type { ObjectEntry } from './entries.ts';
import { FACETS, type Facet } from './facets.ts';
import { LISTS, READS } from './read-keys.ts';
import { RELATING_FACETS } from './relatedness.ts';

/** An update of a catalogue file, whose entries are already written. */
export interface Update {
  db: DatabaseSync;
  /** Entries by rank. */
  ordered: readonly ObjectEntry[];
  /** Numbers by ID. */
  numbers: ReadonlyMap<string, number>;
  numbering: Numbering;
  /** Whether any record is new, or has another model or parent. */
  isAnyMoved: boolean;
  /** The records that differ: `before` is undefined for a new one, `now` for a removed one. */
  differing: Array<{ id: string; before: ObjectEntry | undefined; now: ObjectEntry | undefined }>;
  /** The keys of reads whose results differ are added. */
  changed: Set<string>;
}

/** Whether lists may differ: in what `read` reads of an entry, or in records that are in another place. */
function mayDiffer({ numbering, isAnyMoved, differing }: Update, read: (entry: ObjectEntry) => unknown): boolean {
  const json = (entry: ObjectEntry | undefined) => (entry ? JSON.stringify(read(entry)) : undefined);
  return numbering.isNew || isAnyMoved || differing.some(({ before, now }) => json(before) !== json(now));
}

/** Whether two lists in columns are the same. */
function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}

/** Updates the lists of children and files. */
export function updateSiblings(update: Update): void {
  if (!mayDiffer(update, ({ parent, sort, model }) => [parent, sort, model])) return;
  const { db, ordered, numbers, numbering, changed } = update;
  const below = Map.groupBy(
    ordered.filter(({ parent }) => parent !== undefined).sort((a, b) => a.sort - b.sort),
    ({ parent, model }) => `${model === 'file' ? 1 : 0}${parent}`,
  );
  const put = db.prepare('INSERT OR REPLACE INTO below (parent, is_file, numbers) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM below WHERE parent = ? AND is_file = ?');
  const apply = (parent: string, isFile: number, before: Uint32Array, now: Uint32Array) => {
    if (now.length === 0) remove.run(parent, isFile);
    else if (!isEqual(before, now)) put.run(parent, isFile, bytesOf(now));
    const key = isFile === 1 ? LISTS.files(parent) : LISTS.children(parent);
    compareSiblings(key, before, now, numbering, changed);
  };
  const numbersOf = (siblings: readonly ObjectEntry[] = []) => Uint32Array.from(siblings, ({ id }) => numbers.get(id) as number);
  for (const { parent, is_file: isFile, numbers: earlier } of db.prepare('SELECT parent, is_file, numbers FROM below').all()) {
    const key = `${isFile}${parent}`;
    apply(String(parent), Number(isFile), numbersIn(earlier), numbersOf(below.get(key)));
    below.delete(key);
  }
  for (const [key, siblings] of below) apply(key.slice(1), Number(key[0]), new Uint32Array(0), numbersOf(siblings));
}

/** Updates the values of all facets. */
export function updateTerms(update: Update): void {
  for (const facet of FACETS) if (mayDiffer(update, ({ facets }) => facets[facet])) updateFacet(update, facet);
}

/** Returns the values of a facet, and the numbers of the records that have them, by slug. */
function collectTerms(
  ordered: readonly ObjectEntry[],
  numbers: ReadonlyMap<string, number>,
  facet: Facet,
): Map<string, { term: Term; records: number[] }> {
  const terms = new Map<string, { term: Term; records: number[] }>();
  const getTerm = (slug: string, label: string) => {
    const found = terms.get(slug) ?? { term: { facet, slug, label, count: 0, people: [], names: [] }, records: [] };
    terms.set(slug, found);
    return found;
  };
  for (const { id, facets } of ordered) {
    const values = facets[facet];
    if (!values) continue;
    const number = numbers.get(id) as number;
    for (const { slug, label, ids, sharesName, names } of values) {
      const { term, records } = getTerm(slug, label);
      term.count = records.push(number);
      if (ids) term.ids = ids;
      if (sharesName) term.sharesName = sharesName;
      for (const name of names ?? []) {
        if (!term.names.includes(name.slug)) term.names.push(name.slug);
        const { people } = getTerm(name.slug, name.label).term;
        if (!people.includes(slug)) people.push(slug);
      }
    }
  }
  return terms;
}

const collator = new Intl.Collator('en', { numeric: true });

function updateFacet({ db, ordered, numbers, numbering, changed }: Update, facet: Facet): void {
  const terms = collectTerms(ordered, numbers, facet);
  const rows = db.prepare('SELECT slug, position, json, numbers FROM term WHERE facet = ? ORDER BY position').all(facet);
  const put = db.prepare('INSERT OR REPLACE INTO term (facet, slug, position, json, numbers) VALUES (?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM term WHERE facet = ? AND slug = ?');
  const compare = (slug: string, before: Uint32Array, now: Uint32Array) => {
    const isChanged = compareLists(LISTS.withValue(facet, slug), before, now, numbering, changed);
    if (isChanged && RELATING_FACETS.includes(facet)) addRelated(before, now, numbering, changed);
  };
  const earlier = new Map(rows.map((row) => [String(row['slug']), row]));
  // Values that were sorted before come first, which makes sorting fast.
  const known = rows.flatMap(({ slug }) => terms.get(String(slug)) ?? []);
  const added = [...terms.values()].filter(({ term }) => !earlier.has(term.slug));
  const sorted = [...known, ...added].sort(
    ({ term: a }, { term: b }) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : 1),
  );
  for (const [position, { term, records }] of sorted.entries()) {
    const row = earlier.get(term.slug);
    const [json, now, before] = [JSON.stringify(term), Uint32Array.from(records), numbersIn(row?.['numbers'])];
    const isSame = row?.['json'] === json && row['position'] === position;
    if (!isSame || !isEqual(before, now)) put.run(facet, term.slug, position, json, bytesOf(now));
    if (!isSame) changed.add(READS.terms(facet));
    if (row?.['json'] !== json) changed.add(READS.term(facet, term.slug));
    compare(term.slug, before, now);
  }
  for (const [slug, { numbers: records }] of earlier) {
    if (terms.has(slug)) continue;
    remove.run(facet, slug);
    changed.add(READS.terms(facet)).add(READS.term(facet, slug));
    compare(slug, numbersIn(records), new Uint32Array(0));
  }
}

/** Updates the interviews of narrators. */
export function updateNarrators(update: Update): void {
  if (!mayDiffer(update, ({ narrators, model }) => (model === 'entity' ? narrators : []))) return;
  const { db, ordered, numbers: numberOf, changed } = update;
  const now = new Map<string, Set<number>>();
  for (const { id, model, narrators } of ordered)
    for (const key of model === 'entity' ? narrators : [])
      now.set(key, (now.get(key) ?? new Set()).add(numberOf.get(id) as number));
  const rows = db.prepare('SELECT key, number FROM narrator ORDER BY key, number').all();
  const earlier = Map.groupBy(rows, ({ key }) => String(key));
  const remove = db.prepare('DELETE FROM narrator WHERE key = ?');
  const insert = db.prepare('INSERT INTO narrator (key, number) VALUES (?, ?)');
  for (const key of new Set([...earlier.keys(), ...now.keys()])) {
    const numbers = Uint32Array.from(now.get(key) ?? []).sort();
    const before = Uint32Array.from(earlier.get(key) ?? [], ({ number }) => Number(number));
    if (isEqual(before, numbers)) continue;
    changed.add(READS.narrator(key));
    remove.run(key);
    for (const number of numbers) insert.run(key, number);
  }
}

/** Updates which pages of the live archive belong to which record, author or guide page. `isGuideChanged`: an author or guide page differs. */
export function updateLivePages(
  { db, differing, changed }: Update,
  { objects, authors, articles }: Entries,
  isGuideChanged: boolean,
): void {
  // Of several with one URL, the first counts; partial records come last.
  const read = (entry: ObjectEntry | undefined) => entry?.liveUrl && `${entry.origin === 'record'} ${entry.liveUrl}`;
  if (!isGuideChanged && differing.every(({ before, now }) => read(before) === read(now))) return;
  const pages = new Map<string, { kind: string; name: string }>();
  const add = (url: string | undefined, kind: string, name: string) => {
    const key = url && urlKey(url);
    if (key && !pages.has(key)) pages.set(key, { kind, name });
  };
  for (const { liveUrl, slug } of articles) add(liveUrl, 'article', slug);
  for (const { liveUrl, slug } of authors) add(liveUrl, 'author', slug);
  for (const { liveUrl, id } of objects) add(liveUrl, 'object', id);
  const put = db.prepare('INSERT OR REPLACE INTO live_page (url, kind, name) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM live_page WHERE url = ?');
  for (const row of db.prepare('SELECT url, kind, name FROM live_page').all()) {
    const url = String(row['url']);
    const page = pages.get(url);
    const isSame = page?.kind === row['kind'] && page?.name === row['name'];
    if (isSame) pages.delete(url);
    if (isSame || page) continue;
    remove.run(url);
    changed.add(READS.live(url));
  }
  for (const [url, { kind, name }] of pages) {
    put.run(url, kind, name);
    changed.add(READS.live(url));
  }
}
