/** Looks up records of a catalogue file and their relations: children, files, siblings, guide pages, and related records. */
import type { DatabaseSync } from 'node:sqlite';
import type { Facet } from '../../model/facets.ts';
import { MODELS } from '../../model/ids.ts';
import { memoized } from '../../platform/lazy.ts';
import { createRecent } from '../../platform/recent.ts';
import { numbersIn, readTerms, type Term, urlKey } from '../catalogue-schema.ts';
import type { ArticleEntry, AuthorEntry, Guide, ListedEntry, ObjectEntry } from '../entries.ts';
import { openPeople } from '../people/person-entries.ts';
import { openRecords } from '../records.ts';
import { createEntryList, type NumberedEntries } from './entry-list.ts';
import { parseListed } from './record-rows.ts';
import { findRelated } from './relatedness.ts';
import { bareNameKey, nameKey, type TermSummary } from './term-summaries.ts';

export type { Term } from '../catalogue-schema.ts';

/** The entry whose page in the live archive has some URL; at most one of them. */
export interface LivePage {
  /** Whether it is the URL of a host on which the archive has pages, and that of no entry. */
  isHost?: true;
  object?: ListedEntry;
  article?: ArticleEntry;
  author?: AuthorEntry;
}

/** Looks up entries by their relations. */
export type Relations = ReturnType<typeof openRelations>;

/** Entries that are kept in memory: those of neighbors are read again and again. */
const MAX_ENTRIES = 20_000;
/** Facet values that are kept in memory. */
const MAX_TERMS = 4_000;
/** Numbers in lists that are kept in memory. */
const MAX_NUMBERS = 16_000_000;

/** Returns the relations of a catalogue file. Authors and guide pages, of which there are fewer, are in memory. */
export function openRelations(db: DatabaseSync, guide: Guide) {
  const { entries, idOf } = openEntries(db);
  const list = (numbers: Uint32Array) => createEntryList(numbers, entries);
  const { below, withValue } = openLists(db);
  const attributes = createAttributes(db);
  const { idOfPage, interviewsWith } = openRanked(db, attributes);

  function object(id: string): ListedEntry | undefined {
    const number = entries.numberOf(id);
    return number === undefined ? undefined : entries.entry(number);
  }

  return {
    /** Returns the record with an ID, as other records list it. */
    object,
    /** Returns the complete entry of a record, for its own page. */
    entry: openRecords(db).entry,
    has: (id: string) => entries.numberOf(id) !== undefined,
    /** Returns the ID of the record whose page has this file name. */
    idOfPage,
    /** Returns the entities and segments below a record (of an organization, the collections), sorted by `sort`, then by ID. */
    children: (id: string) => list(below(id, 0)),
    /** Returns the file records of a record, in the same order. */
    files: (id: string) => list(below(id, 1)),
    /** Returns the siblings before and after a record. A file record has only file records as siblings. */
    previousAndNext({ id, parent, model }: ListedEntry) {
      const number = entries.numberOf(id);
      if (parent === undefined || number === undefined) return { previous: undefined, next: undefined };
      const siblings = below(parent, model === 'file' ? 1 : 0);
      const at = siblings.indexOf(number);
      const sibling = (position: number) => {
        const other = siblings[position];
        return at === -1 || other === undefined ? undefined : entries.entry(other);
      };
      return { previous: sibling(at - 1), next: sibling(at + 1) };
    },
    /** Returns records that share topics, a facility or creators; first those with most, and the rarest, in common (`shared`). */
    related(entry: ObjectEntry) {
      const number = entries.numberOf(entry.id);
      if (number === undefined) return [];
      const found = findRelated(number, entry, { numberOf: entries.numberOf, withValue, ...attributes });
      return found.map(({ number: other, shared }) => ({ entry: entries.entry(other), shared }));
    },
    /** Returns up to `limit` interviews with a narrator of a record, except itself and its ancestors. */
    otherInterviews({ id, narrators, ancestors }: ObjectEntry, limit: number) {
      return [...new Set(narrators.flatMap(interviewsWith))]
        .filter((number) => idOf(number) !== id && !ancestors.includes(idOf(number)))
        .slice(0, limit)
        .map(entries.entry);
    },
    /** Returns the interviews with a person, sorted by ID. */
    interviewsWith: (person: string) => interviewsWith(person).map(entries.entry),
    ...openPeople(db),
    ...openGuide(db, guide, object),
    ...openTerms(db),
    named: openNames(db, guide),
    placeNamed: openPlaceNames(db),
    /** Returns the number of records with at least one of some values of a facet. */
    countWithAny(facet: Facet, slugs: readonly string[]) {
      const numbers = new Set<number>();
      for (const slug of slugs) for (const number of withValue(facet, slug)) numbers.add(number);
      return numbers.size;
    },
    /** Returns the records with a facet value, sorted by ID. */
    recordsWith: (facet: Facet, slug: string) => list(withValue(facet, slug)),
  };
}

/** Returns the queries of which the result is in the order of IDs. */
function openRanked(db: DatabaseSync, { ranks }: Pick<ReturnType<typeof createAttributes>, 'ranks'>) {
  const selectPage = db.prepare('SELECT number, id FROM record WHERE page = ?');
  const selectInterviews = db.prepare('SELECT number FROM narrator WHERE key = ?');
  const rankOf = ({ number }: Record<string, unknown>) => ranks[number as number] as number;
  const byRank = (a: Record<string, unknown>, b: Record<string, unknown>) => rankOf(a) - rankOf(b);
  return {
    idOfPage: (name: string) => selectPage.all(name).sort(byRank).at(-1)?.['id'] as string | undefined,
    interviewsWith: (narrator: string) =>
      selectInterviews
        .all(narrator)
        .sort(byRank)
        .map(({ number }) => Number(number)),
  };
}

const NO_NUMBERS = new Uint32Array(0);

/** Returns access to the lists of numbers of a catalogue file. */
function openLists(db: DatabaseSync) {
  const lists = createRecent<string, Uint32Array>(MAX_NUMBERS, ({ length }) => length + 1);
  const selectBelow = db.prepare('SELECT numbers FROM below WHERE parent = ? AND is_file = ?');
  const selectNumbers = db.prepare('SELECT numbers FROM term WHERE facet = ? AND slug = ?');
  const selectParents = db.prepare('SELECT parent FROM below WHERE is_file = ?');
  /** The records that have children, and those that have files. Most have neither. */
  const parents = ([0, 1] as const).map((isFile) => new Set(selectParents.all(isFile).map(({ parent }) => parent)));
  return {
    below: (id: string, isFile: 0 | 1) =>
      parents[isFile]?.has(id)
        ? lists.get(`${isFile}${id}`, () => numbersIn(selectBelow.get(id, isFile)?.['numbers']))
        : NO_NUMBERS,
    withValue: (facet: Facet, slug: string) =>
      lists.get(`${facet} ${slug}`, () => numbersIn(selectNumbers.get(facet, slug)?.['numbers'])),
  };
}

/** Returns the relations of authors and guide pages, and of pages in the live archive. */
function openGuide(db: DatabaseSync, { authors, articles }: Guide, object: (id: string) => ListedEntry | undefined) {
  const selectLivePage = db.prepare('SELECT kind, name FROM live_page WHERE url = ?');
  const bySlug = <Entry extends { slug: string }>(all: readonly Entry[]) => new Map(all.map((each) => [each.slug, each]));
  const [articleBySlug, authorBySlug] = [bySlug(articles), bySlug(authors)];
  const mentioning = Map.groupBy(
    articles.flatMap((article) => article.objects.map((id) => ({ id, article }))),
    ({ id }) => id,
  );
  return {
    article: (slug: string) => articleBySlug.get(slug),
    author: (slug: string) => authorBySlug.get(slug),
    articlesAbout: (id: string) => mentioning.get(id)?.map(({ article }) => article) ?? [],
    /** Returns the record, guide page or author at a URL of the live archive, in any spelling of it: see `urlKey`. */
    byLiveUrl(href: string): LivePage {
      const { kind, name } = (selectLivePage.get(urlKey(href)) ?? {}) as { kind?: string; name?: string };
      if (name === undefined) return {};
      if (kind === 'host') return { isHost: true };
      const found = { object: object(name), article: articleBySlug.get(name), author: authorBySlug.get(name) };
      const entry = found[kind as keyof typeof found];
      return entry ? ({ [kind as string]: entry } as LivePage) : {};
    },
  };
}

/**
 * Returns a function that returns the topics, facilities and places of a name, and the guide pages with it as their title. `name`
 * is a `nameKey`; if no title is the same, one is that has something in brackets after it.
 */
function openNames(db: DatabaseSync, { articles }: Guide) {
  const selectTerms = db.prepare('SELECT json FROM term WHERE name = ? ORDER BY facet, slug');
  const byTitle = Map.groupBy(articles, ({ title }) => nameKey(title));
  const byBareTitle = Map.groupBy(articles, ({ title }) => bareNameKey(title));
  return (name: string) => {
    const bare = byBareTitle.get(name) ?? [];
    return {
      terms: selectTerms.all(name).map(({ json }) => JSON.parse(String(json)) as Term),
      // Of several with something else in brackets, none is meant.
      articles: byTitle.get(name) ?? (bare.length === 1 ? bare : []),
    };
  };
}

/** Returns a function that returns the slug of the only place of a name, which is a `nameKey`. */
function openPlaceNames(db: DatabaseSync) {
  const select = db.prepare("SELECT slug FROM term WHERE name = ? AND facet = 'place' LIMIT 2");
  return (name: string) => {
    const [place, other] = select.all(name);
    return place === undefined || other !== undefined ? undefined : String(place['slug']);
  };
}

function openTerms(db: DatabaseSync) {
  const selectSummary = db.prepare('SELECT summary FROM term WHERE facet = ? AND slug = ?');
  const selectTerm = db.prepare('SELECT json FROM term WHERE facet = ? AND slug = ?');
  const recentTerms = createRecent<string, Term | undefined>(MAX_TERMS);
  return {
    /** Returns the values of a facet, sorted by label. */
    terms: memoized((facet) => readTerms(db, facet as Facet)) as (facet: Facet) => readonly Term[],
    term: (facet: Facet, slug: string) =>
      recentTerms.get(`${facet} ${slug}`, () => {
        const json = selectTerm.get(facet, slug)?.['json'];
        return typeof json === 'string' ? (JSON.parse(json) as Term) : undefined;
      }),
    /** Returns what the records with a facet value are. */
    summary(facet: Facet, slug: string) {
      const json = selectSummary.get(facet, slug)?.['summary'];
      return typeof json === 'string' ? (JSON.parse(json) as TermSummary) : undefined;
    },
  };
}

function openEntries(db: DatabaseSync): { entries: NumberedEntries; idOf: (number: number) => string } {
  const selectEntry = db.prepare('SELECT listed FROM record WHERE number = ?');
  const selectNumber = db.prepare('SELECT number FROM record WHERE id = ?');
  const known = createRecent<number, ListedEntry>(MAX_ENTRIES);
  const numbers = createRecent<string, number | undefined>(MAX_ENTRIES);
  const { models, media } = createAttributes(db);
  const readEntry = (number: number) => parseListed(selectEntry.get(number)?.['listed']);
  const readNumber = (id: string) => selectNumber.get(id)?.['number'] as number | undefined;
  const entries: NumberedEntries = {
    entry: (number) => known.get(number, readEntry),
    numberOf: (id) => numbers.get(id, readNumber),
    modelOf: (number) => MODELS[models[number] as number] as (typeof MODELS)[number],
    hasMedia: (number) => media[number] === 1,
  };
  return { entries, idOf: (number) => entries.entry(number).id };
}

/** Returns what is known of each record without its entry, by number. */
function createAttributes(db: DatabaseSync) {
  const select = db.prepare('SELECT numbers FROM attribute WHERE name = ?');
  return {
    /** Positions in `MODELS`. */
    models: select.get('models')?.['numbers'] as Uint8Array,
    /** 1 for a record that names media files. */
    media: select.get('media')?.['numbers'] as Uint8Array,
    /** Numbers of the parents. */
    parents: numbersIn(select.get('parents')?.['numbers']),
    /** Positions in the order of IDs. */
    ranks: numbersIn(select.get('ranks')?.['numbers']),
  };
}
