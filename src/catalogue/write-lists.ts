/** Brings the lists of a catalogue file up to date: siblings, facet values, narrators, and pages in the live archive. */
import type { DatabaseSync } from 'node:sqlite';
import { MODELS, type Model } from '../model/ids.ts';
import { bytesOf, numbersIn, type Order, type Term, urlKey } from './catalogue-schema.ts';
import { addRelated, compareLists, compareSiblings, type Numbering } from './compare-catalogues.ts';
import type { Guide, ObjectEntry } from './entries.ts';
import { FACETS, type Facet } from './facets.ts';
import { parsePeople } from './named-people.ts';
import { openPlaceAliases, type PlaceAliases, positionsOfPlaces, updatePlaces, withPlaces } from './places.ts';
import { LISTS, READS } from './read-keys.ts';
import type { Differences } from './record-differences.ts';
import { parseFacets, withPeople } from './record-rows.ts';
import type { RecordUpdate } from './record-update.ts';
import { RELATING_FACETS } from './relatedness.ts';
import {
  type Counted,
  createSummaryCounter,
  NAMED_FACETS,
  nameKey,
  SUMMARY_FACETS,
  type SummaryCounter,
} from './term-summaries.ts';

/** An update of a catalogue file, whose entries are already written. */
export interface ListUpdate extends Pick<Differences, 'differs' | 'changed' | 'notePlace'>, Order {
  db: DatabaseSync;
  numbering: Numbering;
}

/** Prepares the update of the lists. */
export function prepareLists({ db, isNew, differences }: RecordUpdate, { ordered, ranks }: Order): ListUpdate {
  const { differs, changed, notePlace, isListedDifferently } = differences;
  const selectId = db.prepare('SELECT id FROM record WHERE number = ?');
  const idOf = (number: number) => selectId.get(number)?.['id'] as string | undefined;
  return { db, differs, changed, notePlace, ordered, ranks, numbering: { isNew, idOf, isListedDifferently } };
}

/** Whether two lists in columns are the same. */
function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
}

/** Updates the lists of children and files. */
export function updateSiblings({ db, differs, ranks, numbering, changed }: ListUpdate): void {
  if (!differs('siblings')) return;
  const below = readSiblings(db, ranks);
  const put = db.prepare('INSERT OR REPLACE INTO below (parent, is_file, numbers) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM below WHERE parent = ? AND is_file = ?');
  const apply = (parent: string, isFile: number, before: Uint32Array, now: Uint32Array) => {
    if (now.length === 0) remove.run(parent, isFile);
    else if (!isEqual(before, now)) put.run(parent, isFile, bytesOf(now));
    const key = isFile === 1 ? LISTS.files(parent) : LISTS.children(parent);
    compareSiblings(key, before, now, numbering, changed);
  };
  const none = new Uint32Array(0);
  for (const { parent, is_file: isFile, numbers: earlier } of db.prepare('SELECT parent, is_file, numbers FROM below').all()) {
    const key = `${isFile}${parent}`;
    apply(String(parent), Number(isFile), numbersIn(earlier), below.get(key) ?? none);
    below.delete(key);
  }
  for (const [key, siblings] of below) apply(key.slice(1), Number(key[0]), none, siblings);
}

/** Returns the numbers of siblings, by position, then by rank. The keys are 1 for files, or 0, and the parent's ID. */
function readSiblings(db: DatabaseSync, ranks: Uint32Array): Map<string, Uint32Array> {
  const siblings = new Map<string, Array<{ number: number; sort: number }>>();
  const rows = db.prepare('SELECT number, parent, sort, model FROM record WHERE parent IS NOT NULL').iterate();
  for (const { number, parent, sort, model } of rows) {
    const key = `${MODELS[Number(model)] === 'file' ? 1 : 0}${parent}`;
    const others = siblings.get(key);
    const one = { number: Number(number), sort: Number(sort) };
    if (others) others.push(one);
    else siblings.set(key, [one]);
  }
  const rankOf = ({ number }: { number: number }) => ranks[number] as number;
  return new Map(
    Array.from(siblings, ([key, list]) => {
      list.sort((a, b) => a.sort - b.sort || rankOf(a) - rankOf(b));
      return [key, Uint32Array.from(list, ({ number }) => number)];
    }),
  );
}

/** Updates the values of all facets. */
export function updateTerms(update: ListUpdate): void {
  const arePlacesJoined = update.differs('place') && updatePlaces(update.db, update.notePlace);
  const isSummaryChanged = arePlacesJoined || update.differs('positions') || SUMMARY_FACETS.some(update.differs);
  const facets = isSummaryChanged ? FACETS : FACETS.filter(update.differs);
  if (facets.length === 0) return;
  for (const [facet, terms] of collectTerms(update, facets)) updateFacet(update, facet, terms);
}

/** The values of a facet, and the numbers of the records that have them, by slug. */
type Terms = Map<string, { term: Term; records: number[]; summary: SummaryCounter }>;

/**
 * Returns the values of some facets, from all records. A file does not count for the values that its record has too, so that lists have as many
 * entries as a search has results.
 */
function collectTerms({ db, ordered }: ListUpdate, facets: readonly Facet[]): Map<Facet, Terms> {
  const collected = new Map(facets.map((facet) => [facet, new Map() as Terms]));
  const places = openPlaceAliases(db);
  const columns = 'SELECT model, parent, positions, facets, identified FROM record LEFT JOIN people USING (number)';
  const [select, selectById] = [db.prepare(`${columns} WHERE number = ?`), db.prepare(`${columns} WHERE id = ?`)];
  for (const number of ordered) {
    const row = select.get(number) as Record<string, unknown>;
    const values = facetsIn(row, places);
    const model = MODELS[Number(row['model'])] as Model;
    const isFile = model === 'file';
    const record = {
      number,
      model,
      facets: values,
      positions: positionsOfPlaces(JSON.parse(String(row['positions'] ?? '[]')) as Counted['positions'], places),
    };
    const above =
      isFile && Object.keys(values).length > 0 ? facetsIn(selectById.get(row['parent'] as string | null), places) : {};
    for (const [facet, terms] of collected) {
      const ofRecord = new Set(above[facet]?.map(({ slug }) => slug));
      addTerms(terms, facet, values[facet]?.filter(({ slug }) => !ofRecord.has(slug)) ?? [], record);
    }
  }
  return collected;
}

/** Returns the facets in a row with the columns `facets` and `identified`; none without a row. */
function facetsIn(row: Record<string, unknown> | undefined, places: PlaceAliases): ObjectEntry['facets'] {
  if (!row) return {};
  return withPlaces(withPeople(parseFacets(row['facets']), parsePeople(row['identified'] as string | null)), places);
}

/** Adds the values of one record. */
function addTerms(
  terms: Terms,
  facet: Facet,
  values: NonNullable<ObjectEntry['facets'][Facet]>,
  record: Counted & { number: number },
): void {
  const getTerm = (slug: string, label: string) => {
    const found = terms.get(slug) ?? {
      term: { facet, slug, label, count: 0, people: [], names: [] },
      records: [],
      summary: createSummaryCounter(),
    };
    terms.set(slug, found);
    return found;
  };
  for (const { slug, label, ids, sharesName, interviewed, names } of values) {
    const { term, records, summary } = getTerm(slug, label);
    term.count = records.push(record.number);
    summary.add(record);
    if (ids) term.ids = ids;
    if (sharesName) term.sharesName = sharesName;
    if (interviewed) term.interviewed = interviewed;
    for (const name of names ?? []) {
      if (!term.names.includes(name.slug)) term.names.push(name.slug);
      const { people } = getTerm(name.slug, name.label).term;
      if (!people.includes(slug)) people.push(slug);
    }
  }
}

const collator = new Intl.Collator('en', { numeric: true });

function updateFacet({ db, numbering, changed }: ListUpdate, facet: Facet, terms: Terms): void {
  const rows = db
    .prepare('SELECT slug, position, name, json, summary, numbers FROM term WHERE facet = ? ORDER BY position')
    .all(facet);
  const put = db.prepare(
    'INSERT OR REPLACE INTO term (facet, slug, position, name, json, summary, numbers) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM term WHERE facet = ? AND slug = ?');
  const compare = (slug: string, before: Uint32Array, now: Uint32Array) => {
    const isChanged = compareLists(LISTS.withValue(facet, slug), before, now, numbering, changed);
    if (isChanged && RELATING_FACETS.includes(facet)) addRelated(before, now, numbering, changed);
  };
  const earlier = new Map(rows.map((row) => [String(row['slug']), row]));
  const noteTerm = (slug: string, names: unknown[]) => {
    changed.add(READS.term(facet, slug));
    for (const name of names) if (typeof name === 'string') changed.add(READS.named(name));
  };
  const notePlace = (before: unknown, now: unknown) => {
    if (facet !== 'place' || before === now) return;
    for (const name of [before, now]) if (typeof name === 'string') changed.add(READS.placeNamed(name));
  };
  // Values that were sorted before come first, which makes sorting fast.
  const known = rows.flatMap(({ slug }) => terms.get(String(slug)) ?? []);
  const added = [...terms.values()].filter(({ term }) => !earlier.has(term.slug));
  const sorted = [...known, ...added].sort(
    ({ term: a }, { term: b }) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : 1),
  );
  for (const [position, { term, records, summary: counter }] of sorted.entries()) {
    const row = earlier.get(term.slug);
    const [json, now, before] = [JSON.stringify(term), Uint32Array.from(records), numbersIn(row?.['numbers'])];
    const [name, summary] = [NAMED_FACETS.includes(facet) ? nameKey(term.label) : null, JSON.stringify(counter.summary())];
    const isSame = row?.['json'] === json && row['position'] === position;
    const isSameSummary = row?.['summary'] === summary;
    if (!isSame || !isSameSummary || !isEqual(before, now))
      put.run(facet, term.slug, position, name, json, summary, bytesOf(now));
    if (!isSame) changed.add(READS.terms(facet));
    if (row?.['json'] !== json) noteTerm(term.slug, [row?.['name'], name]);
    notePlace(row?.['name'], name);
    if (!isSameSummary) changed.add(READS.summary(facet, term.slug));
    compare(term.slug, before, now);
  }
  for (const [slug, { name, numbers: records }] of earlier) {
    if (terms.has(slug)) continue;
    remove.run(facet, slug);
    changed.add(READS.terms(facet)).add(READS.summary(facet, slug));
    noteTerm(slug, [name]);
    notePlace(name, undefined);
    compare(slug, numbersIn(records), new Uint32Array(0));
  }
}

/** Updates the interviews of narrators. */
export function updateNarrators({ db, differs, changed }: ListUpdate): void {
  if (!differs('narrators')) return;
  const now = new Map<string, Set<number>>();
  const people = db.prepare('SELECT number, identified FROM people JOIN record USING (number) WHERE model = ?');
  for (const { number, identified } of people.iterate(MODELS.indexOf('entity')))
    for (const key of parsePeople(String(identified)).narrators) now.set(key, (now.get(key) ?? new Set()).add(Number(number)));
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

/**
 * Updates which pages of the live archive belong to which record, author or guide page, and on which hosts it has pages. `isGuideChanged`: an author or
 * guide page differs.
 */
export function updateLivePages(
  { db, differs, changed }: ListUpdate,
  { authors, articles, hosts = [] }: Guide & { hosts?: readonly string[] },
  isGuideChanged: boolean,
): void {
  const before = db.prepare("SELECT name FROM live_page WHERE kind = 'host' ORDER BY name").all();
  const hasSameHosts = JSON.stringify(before.map(({ name }) => name)) === JSON.stringify(hosts);
  // Of several with one URL, the first counts; partial records come last.
  if (!isGuideChanged && !differs('livePages') && hasSameHosts) return;
  const pages = new Map<string, { kind: string; name: string }>();
  const add = (url: string | undefined, kind: string, name: string) => {
    const key = url && urlKey(url);
    if (key && !pages.has(key)) pages.set(key, { kind, name });
  };
  for (const { liveUrl, slug } of articles) add(liveUrl, 'article', slug);
  for (const { liveUrl, slug } of authors) add(liveUrl, 'author', slug);
  const records = db.prepare('SELECT id, live_url FROM record WHERE live_url IS NOT NULL ORDER BY is_partial, id').iterate();
  for (const { id, live_url: liveUrl } of records) add(String(liveUrl), 'object', String(id));
  for (const host of hosts) add(`http://${host}/`, 'host', host);
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
