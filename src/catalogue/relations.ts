/** Relations between entries: children, files, siblings, guide pages and related records. Computed from the entries alone. */
import { compareIds } from '../model/ids.ts';
import { MAX_URL_LENGTH } from '../model/limits.ts';
import { decodePercent, hostKey } from '../model/resources.ts';
import { objectFileName } from '../platform/portability.ts';
import type { Catalogue } from './catalogue.ts';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from './entries.ts';
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

/** The entry whose page in the live archive has some URL; at most one of them. */
export interface LivePage {
  object?: ObjectEntry;
  article?: ArticleEntry;
  author?: AuthorEntry;
}

/** Looks up entries by their relations. */
export interface Relations {
  /** Returns the record with an ID. */
  object(id: string): ObjectEntry | undefined;
  /** Returns the record whose page has this file name. */
  objectByFileName(fileName: string | undefined): ObjectEntry | undefined;
  /** Returns the entities and segments below a record (below an organization, the collections), sorted by `sort`, then by ID. */
  children(id: string): ObjectEntry[];
  /** Returns the file records of a record, in the same order. */
  files(id: string): ObjectEntry[];
  /** Returns the siblings before and after a record. A file record has only file records as siblings. */
  previousAndNext(entry: ObjectEntry): { previous: ObjectEntry | undefined; next: ObjectEntry | undefined };
  /** Returns the guide page with a slug. */
  article(slug: string): ArticleEntry | undefined;
  /** Returns the record, guide page or author at a URL of the live archive, in any spelling of it: see `urlKey`. */
  byLiveUrl(href: string): LivePage;
  /** Returns the author with a slug. */
  author(slug: string): AuthorEntry | undefined;
  /** Returns records that share topics, a facility or creators with a record. Those that share most, and the rarest values, come first. */
  related(entry: ObjectEntry): ObjectEntry[];
  /** Returns the interviews with a narrator of a record, except itself and its ancestors. */
  otherInterviews(entry: ObjectEntry): ObjectEntry[];
  /** Returns the guide pages that link to a record. */
  articlesAbout(id: string): ArticleEntry[];
  /** Returns the values of a facet, sorted by label. */
  terms(facet: Facet): Term[];
  /** Returns one value of a facet. */
  term(facet: Facet, slug: string): Term | undefined;
  /** Returns up to `limit` of the records with a facet value, sorted by ID, beginning with that at position `from`. */
  recordsWith(facet: Facet, slug: string, from: number, limit: number): ObjectEntry[];
}

const collator = new Intl.Collator('en', { numeric: true });

/** Creates the relations between all entries of a catalogue. */
export function createRelations({ objects, authors, articles }: Pick<Catalogue, 'objects' | 'authors' | 'articles'>): Relations {
  const ordered = [...objects].sort((a, b) => compareIds(a.id, b.id));
  /** Position of each entry in the order of IDs. Numbers compare faster than IDs. */
  const rank = new Map(ordered.map((entry, i) => [entry, i]));
  const byId = new Map(objects.map((entry) => [entry.id, entry]));
  const byFile = new Map(objects.map((entry) => [objectFileName(entry.id), entry]));
  const below = new Map<string, { children: ObjectEntry[]; files: ObjectEntry[] }>();
  const position = new Map<string, number>();
  for (const entry of [...ordered].sort((a, b) => a.sort - b.sort)) {
    if (entry.parent === undefined) continue;
    const group = below.get(entry.parent) ?? { children: [], files: [] };
    below.set(entry.parent, group);
    const siblings = entry.model === 'file' ? group.files : group.children;
    position.set(entry.id, siblings.push(entry) - 1);
  }
  const articleBySlug = new Map(articles.map((article) => [article.slug, article]));
  const byUrl = new Map<string, LivePage>();
  const addUrl = (url: string | undefined, page: LivePage) => {
    if (url && !byUrl.has(urlKey(url))) byUrl.set(urlKey(url), page);
  };
  for (const article of articles) addUrl(article.liveUrl, { article });
  for (const author of authors) addUrl(author.liveUrl, { author });
  for (const object of objects) addUrl(object.liveUrl, { object });
  const authorBySlug = new Map(authors.map((author) => [author.slug, author]));
  const mentioning = Map.groupBy(
    articles.flatMap((article) => article.objects.map((id) => ({ id, article }))),
    ({ id }) => id,
  );
  const interviews = Map.groupBy(
    ordered
      .filter(({ model }) => model === 'entity')
      .flatMap((entry) => entry.narrators.map((narrator) => ({ narrator, entry }))),
    ({ narrator }) => narrator,
  );
  const facets = new Map(FACETS.map((facet) => [facet, collectTerms(ordered, facet)]));

  const children = (id: string) => below.get(id)?.children ?? [];
  const files = (id: string) => below.get(id)?.files ?? [];
  return {
    object: (id) => byId.get(id),
    objectByFileName: (name) => byFile.get(name ?? ''),
    children,
    files,
    previousAndNext(entry) {
      const at = position.get(entry.id);
      if (entry.parent === undefined || at === undefined) return { previous: undefined, next: undefined };
      const siblings = entry.model === 'file' ? files(entry.parent) : children(entry.parent);
      return { previous: siblings[at - 1], next: siblings[at + 1] };
    },
    related({ id }) {
      const entry = byId.get(id);
      if (!entry) return [];
      const scores = new Map<ObjectEntry, number>();
      for (const facet of RELATING_FACETS) {
        for (const { slug } of entry.facets[facet] ?? []) {
          const objects = facets.get(facet)?.records.get(slug) ?? [];
          const weight = 1 / Math.log2(2 + objects.length);
          for (const other of nearest(objects, entry, rank)) scores.set(other, (scores.get(other) ?? 0) + weight);
        }
      }
      const family = new Set([entry.id, entry.parent, ...entry.ancestors]);
      return [...scores]
        .filter(([other]) => !family.has(other.id) && other.parent !== entry.id && other.model === entry.model)
        .sort(([a, x], [b, y]) => y - x || (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
        .slice(0, MAX_RELATED)
        .map(([other]) => other);
    },
    otherInterviews({ id, narrators, ancestors }) {
      const all = new Set(narrators.flatMap((narrator) => interviews.get(narrator) ?? []).map(({ entry }) => entry));
      return [...all].filter((other) => other.id !== id && !ancestors.includes(other.id));
    },
    article: (slug) => articleBySlug.get(slug),
    byLiveUrl: (href) => byUrl.get(urlKey(href)) ?? {},
    author: (slug) => authorBySlug.get(slug),
    articlesAbout: (id) => mentioning.get(id)?.map(({ article }) => article) ?? [],
    terms: (facet) => [...(facets.get(facet)?.terms.values() ?? [])],
    term: (facet, slug) => facets.get(facet)?.terms.get(slug),
    recordsWith: (facet, slug, from, limit) => facets.get(facet)?.records.get(slug)?.slice(from, from + limit) ?? [],
  };
}

/** Facets that make records related. */
const RELATING_FACETS: readonly Facet[] = ['topic', 'facility', 'creator'];
const MAX_RELATED = 6;
/** If many records share a value, only this many before and after a record, by ID, are compared. */
const MAX_CANDIDATES_PER_TERM = 50;

/** Returns the records before and after one in a list that is sorted by ID. */
function nearest(objects: ObjectEntry[], entry: ObjectEntry, rank: ReadonlyMap<ObjectEntry, number>): ObjectEntry[] {
  if (objects.length <= 2 * MAX_CANDIDATES_PER_TERM) return objects;
  const own = rank.get(entry) ?? 0;
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rank.get(objects[middle] as ObjectEntry) ?? 0) < own) low = middle + 1;
    else high = middle;
  }
  return objects.slice(Math.max(0, low - MAX_CANDIDATES_PER_TERM), low + MAX_CANDIDATES_PER_TERM);
}

/** Returns a URL without scheme, query and trailing slash. */
function urlKey(href: string): string {
  const url = href.length > MAX_URL_LENGTH ? null : URL.parse(href);
  if (url === null) return href;
  const path = decodePercent(url.pathname.replace(/\/+$/, '').replace(/\+/g, ' '));
  return `${hostKey(url)}${path.replace(/_/g, ' ').normalize('NFC').toLowerCase()}`;
}

/** The values of one facet, by slug. */
interface FacetTerms {
  /** Sorted by label. */
  terms: Map<string, Term>;
  /** The records of each value, in the order of all records. */
  records: Map<string, ObjectEntry[]>;
}

function collectTerms(objects: ObjectEntry[], facet: Facet): FacetTerms {
  const terms = new Map<string, Term>();
  const records = new Map<string, ObjectEntry[]>();
  const getTerm = (slug: string, label: string): Term => {
    const term = terms.get(slug) ?? { facet, slug, label, count: 0, people: [], names: [] };
    terms.set(slug, term);
    return term;
  };
  for (const entry of objects) {
    for (const { slug, label, ids, sharesName, names } of entry.facets[facet] ?? []) {
      const term = getTerm(slug, label);
      const own = records.get(slug) ?? [];
      records.set(slug, own);
      term.count = own.push(entry);
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
  return { terms: new Map(sorted.map((term) => [term.slug, term])), records };
}
