/** Writes the lists of a catalogue file: siblings, facet values, people, narrators, and pages in the live archive. */
import type { DatabaseSync } from 'node:sqlite';
import { FACETS, type Facet, NAMED_FACETS } from '../../model/facets.ts';
import { compareIds, MODELS, type Model } from '../../model/ids.ts';
import { bytesOf, NO_NUMBER, readOrder, type Term, urlKey } from '../catalogue-schema.ts';
import type { Guide, ObjectEntry } from '../entries.ts';
import { parsePeople } from '../people/named-people.ts';
import type { NarratorEntry } from '../people/narrators.ts';
import { writePeople } from '../people/person-entries.ts';
import { openPlaceAliases, type PlaceAliases, positionsOfPlaces, withPlaces, writePlaces } from './places.ts';
import { parseFacets, withPeople } from './record-rows.ts';
import { type Counted, createSummaryCounter, nameKey } from './term-summaries.ts';

/** What lists are made of, in addition to the records in a catalogue file. */
export interface OtherEntries extends Guide {
  narrators?: readonly NarratorEntry[];
  /** The hosts on which the live archive has pages. */
  hosts?: readonly string[];
}

/** Writes all lists of a catalogue file, whose records are complete. */
export function writeLists(db: DatabaseSync, others: OtherEntries): void {
  const { ordered, ranks } = writeOrder(db);
  db.exec('DELETE FROM below; DELETE FROM term; DELETE FROM person; DELETE FROM narrator; DELETE FROM live_page');
  writeSiblings(db, ranks);
  writePlaces(db);
  for (const [facet, terms] of collectTerms(db, ordered)) writeTerms(db, facet, terms);
  writePeople(db, others);
  writeNarrators(db);
  writeLivePages(db, others);
}

/** Orders records by ID. Writes what is known of each by its number. */
function writeOrder(db: DatabaseSync) {
  const { ranks: before } = readOrder(db);
  const rows = db.prepare('SELECT number, id, model, parent, has_media AS hasMedia FROM record').all();
  const records = rows as Array<{ number: number; id: string; model: number; parent: string | null; hasMedia: number }>;
  const rankBefore = ({ number }: { number: number }) => before[number] ?? NO_NUMBER;
  // Most are in the order of before already, which makes sorting fast.
  records.sort((a, b) => rankBefore(a) - rankBefore(b)).sort((a, b) => compareIds(a.id, b.id));
  const length = records.reduce((max, { number }) => Math.max(max, number + 1), 0);
  const numbers = new Map(records.map(({ id, number }) => [id, number]));
  const [models, media] = [new Uint8Array(length), new Uint8Array(length)];
  const [parents, ranks] = [new Uint32Array(length).fill(NO_NUMBER), new Uint32Array(length).fill(NO_NUMBER)];
  for (const [rank, { number, model, parent, hasMedia }] of records.entries()) {
    models[number] = model;
    media[number] = hasMedia;
    ranks[number] = rank;
    if (parent !== null) parents[number] = numbers.get(parent) ?? NO_NUMBER;
  }
  const put = db.prepare('INSERT OR REPLACE INTO attribute (name, numbers) VALUES (?, ?)');
  put.run('models', models);
  put.run('media', media);
  put.run('parents', bytesOf(parents));
  put.run('ranks', bytesOf(ranks));
  return { ranks, ordered: Uint32Array.from(records, ({ number }) => number) };
}

/** Writes the lists of children and files: by position, then by rank. */
function writeSiblings(db: DatabaseSync, ranks: Uint32Array): void {
  const rows = db.prepare('SELECT number, parent, sort, model FROM record WHERE parent IS NOT NULL').all();
  const siblings = Map.groupBy(
    rows as Array<{ number: number; parent: string; sort: number; model: number }>,
    ({ parent, model }) => JSON.stringify([parent, MODELS[model] === 'file' ? 1 : 0]),
  );
  const put = db.prepare('INSERT INTO below (parent, is_file, numbers) VALUES (?, ?, ?)');
  for (const [key, list] of siblings) {
    const [parent, isFile] = JSON.parse(key) as [string, number];
    list.sort((a, b) => a.sort - b.sort || (ranks[a.number] as number) - (ranks[b.number] as number));
    put.run(parent, isFile, bytesOf(Uint32Array.from(list, ({ number }) => number)));
  }
}

/** The values of a facet, and the numbers of the records that have them, by slug. */
type Terms = Map<string, { term: Term; records: number[]; summary: ReturnType<typeof createSummaryCounter> }>;

/**
 * Returns the values of all facets, from all records. A file does not count for the values that its record has too, so that lists
 * have as many entries as a search has results.
 */
function collectTerms(db: DatabaseSync, ordered: Uint32Array): Map<Facet, Terms> {
  const collected = new Map(FACETS.map((facet) => [facet, new Map() as Terms]));
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

/** Writes the values of a facet, sorted by label. */
function writeTerms(db: DatabaseSync, facet: Facet, terms: Terms): void {
  const sorted = [...terms.values()].sort(
    ({ term: a }, { term: b }) => collator.compare(a.label, b.label) || (a.slug < b.slug ? -1 : 1),
  );
  const put = db.prepare('INSERT INTO term (facet, slug, position, name, json, summary, numbers) VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const [position, { term, records, summary }] of sorted.entries()) {
    const name = NAMED_FACETS.some((named) => named === facet) ? nameKey(term.label) : null;
    const [json, summaryJson] = [JSON.stringify(term), JSON.stringify(summary.summary())];
    put.run(facet, term.slug, position, name, json, summaryJson, bytesOf(Uint32Array.from(records)));
  }
}

/** Writes the interviews of narrators. */
function writeNarrators(db: DatabaseSync): void {
  const insert = db.prepare('INSERT OR IGNORE INTO narrator (key, number) VALUES (?, ?)');
  const people = db.prepare('SELECT number, identified FROM people JOIN record USING (number) WHERE model = ?');
  for (const { number, identified } of people.all(MODELS.indexOf('entity')))
    for (const key of parsePeople(String(identified)).narrators) insert.run(key, Number(number));
}

/** Writes which pages of the live archive belong to which record, author or guide page, and on which hosts it has pages. */
function writeLivePages(db: DatabaseSync, { authors, articles, hosts = [] }: OtherEntries): void {
  // Of several with one URL, the first counts; partial records come last.
  const insert = db.prepare('INSERT OR IGNORE INTO live_page (url, kind, name) VALUES (?, ?, ?)');
  const add = (url: string | undefined, kind: string, name: string) => {
    if (url) insert.run(urlKey(url), kind, name);
  };
  for (const { liveUrl, slug } of articles) add(liveUrl, 'article', slug);
  for (const { liveUrl, slug } of authors) add(liveUrl, 'author', slug);
  const records = db.prepare('SELECT id, live_url FROM record WHERE live_url IS NOT NULL ORDER BY is_partial, id').all();
  for (const { id, live_url: liveUrl } of records) add(String(liveUrl), 'object', String(id));
  for (const host of hosts) add(`http://${host}/`, 'host', host);
}
