/** Reads a snapshot once and decides what the site shows of it: a slim entry a record, author and guide page, and who stands next to whom. */
import { type Article, type Author, readArticle, readAuthor } from '../model/guide.ts';
import { isObjectId, type Model, parseId } from '../model/ids.ts';
import { idsInHtml, idsInSource } from '../model/mentions.ts';
import { type ArchivalRecord, ancestry, parentOf, readRecord } from '../model/records.ts';
import type { Bases } from '../model/resources.ts';
import { slugOf } from '../model/slug.ts';
import { plainText, shorten } from '../model/text.ts';
import { isObject } from '../model/values.ts';
import {
  bodiesOf,
  type Failure,
  failures,
  lastRun,
  listItems,
  meta,
  namesOf,
  parseBody,
  type StoredBody,
} from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { FACETS, type Facet, type FacetValue, facetValues } from './facets.ts';

/** Where the text of an object's page comes from: its record, a line in a list, or no more than others' breadcrumbs. */
export type Origin = 'record' | 'summary' | 'breadcrumbs';

export interface ObjectEntry {
  id: string;
  model: Model;
  /** Plain text, never empty. */
  title: string;
  /** Plain text, some 200 characters. */
  excerpt: string;
  /** From the collection down, without the object itself. */
  ancestors: string[];
  parent: string | undefined;
  sort: number;
  /** `creation` as it was written. */
  date: string | undefined;
  genre: string | undefined;
  format: string | undefined;
  /** The addresses of its pictures, best first. */
  images: string[];
  facets: Partial<Record<Facet, FacetValue[]>>;
  /** Ids that the record's fields and texts name: links, where they have a page. */
  mentions: string[];
  origin: Origin;
  /** SHA-256 of the body that the page is made from; empty where there is none. */
  sha256: string;
  lastmod: string | undefined;
}

export interface AuthorEntry {
  name: string;
  slug: string;
  titleSort: string;
  modified: string | undefined;
  /** Slugs of guide pages. */
  articles: string[];
  sha256: string;
}

export interface ArticleEntry {
  name: string;
  /** The address of its page in the living guide. */
  address: string | undefined;
  title: string;
  slug: string;
  titleSort: string;
  excerpt: string;
  /** Slugs of published authors. */
  authors: string[];
  /** Ids of archival records that its sources and text lead to. */
  objects: string[];
  sha256: string;
}

/** What is known but not shown, and why. */
export interface Withheld {
  what: string;
  reason: string;
}

/** The mirror as a whole: what it is a copy of, when it was taken, what is missing. */
export interface Facts {
  title: string;
  /** Plain text of the repository's own description. */
  description: string;
  authorsUrl: string;
  catalogUrl: string;
  /** When the last harvest ended (or began, where it was cut short): ISO 8601 in UTC. */
  takenAt: string | undefined;
  /** False where the last harvest was cut short. */
  complete: boolean;
  withheld: Withheld[];
  failures: Failure[];
}

export interface Catalogue {
  facts: Facts;
  objects: ObjectEntry[];
  authors: AuthorEntry[];
  articles: ArticleEntry[];
}

export function readCatalogue(store: Store): Catalogue {
  const bases: Bases = { authors: meta(store, 'authors_url') ?? '', catalog: meta(store, 'catalog_url') ?? '' };
  const objects = readObjects(store, bases);
  const guide = readGuide(store, bases);
  const top =
    objects.shown.find((entry) => entry.model === 'repository') ?? objects.shown.find((entry) => entry.model === 'organization');
  const run = lastRun(store);
  return {
    facts: {
      title: top?.title ?? (URL.canParse(bases.catalog) ? new URL(bases.catalog).host : 'An archive'),
      description: top?.excerpt ?? '',
      authorsUrl: bases.authors,
      catalogUrl: bases.catalog,
      takenAt: run?.finished_at ?? run?.started_at,
      complete: run?.finished_at !== null,
      withheld: [...objects.withheld, ...guide.withheld],
      failures: failures(store),
    },
    objects: objects.shown,
    ...guide.shown,
  };
}

/** One visible thing's title: what stands in the record, or else words that say what it is. */
export function titleOf(record: Pick<ArchivalRecord, 'id' | 'title' | 'label' | 'raw'>): string {
  const title = plainText(record.title) || plainText(record.label) || plainText(String(record.raw['basename_orig'] ?? ''));
  return title === '' ? `Untitled (${record.id})` : title;
}

function readObjects(store: Store, bases: Bases): { shown: ObjectEntry[]; withheld: Withheld[] } {
  const entries = new Map<string, ObjectEntry>();
  const hidden = new Set<string>();
  const named = new Map<string, ArchivalRecord['breadcrumbs'][number]>();
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored.body));
    if (!record) continue;
    for (const crumb of record.breadcrumbs) named.set(crumb.id, crumb);
    if (record.public) entries.set(record.id, entryOf(record, bases, 'record', stored.sha256));
    else hidden.add(record.id);
  }
  for (const [id, crumb] of named) {
    if (!entries.has(id) && !hidden.has(id)) entries.set(id, summaryOf(store, bases, id) ?? stubOf(bases, id, crumb));
  }
  for (const id of namesOf(store, 'object')) {
    if (entries.has(id) || hidden.has(id)) continue;
    const summary = summaryOf(store, bases, id);
    if (summary) entries.set(id, summary);
  }
  const withheld: Withheld[] = [...hidden].map((what) => ({ what, reason: 'its record is not public' }));
  for (const entry of entries.values()) {
    const above = [...entry.ancestors, ...(entry.parent ? [entry.parent] : [])].find((id) => hidden.has(id));
    if (!above) continue;
    entries.delete(entry.id);
    withheld.push({ what: entry.id, reason: `it belongs to ${above}, which is not public` });
  }
  return { shown: [...entries.values()], withheld };
}

function entryOf(record: ArchivalRecord, bases: Bases, origin: Origin, sha256: string): ObjectEntry {
  const facets: ObjectEntry['facets'] = {};
  for (const facet of FACETS) {
    const values = facetValues(facet, record);
    if (values.length > 0) facets[facet] = values;
  }
  return {
    id: record.id,
    model: record.model,
    title: titleOf(record),
    excerpt: shorten(plainText(record.description), 200),
    ancestors: ancestry(record).slice(0, -1),
    parent: parentOf(record),
    sort: record.sort ?? 0,
    date: plainText(record.creation) || undefined,
    genre: record.genre,
    format: record.format,
    images: [record.links['img'], record.links['thumb']].filter((url) => url !== undefined),
    facets,
    mentions: mentionsIn(record, bases),
    origin,
    sha256,
    lastmod: record.record_lastmod,
  };
}

function mentionsIn(record: ArchivalRecord, bases: Bases): string[] {
  const named = [record.parent_id, record.collection_id, record.organization_id, record.signature_id].filter(isObjectId);
  const linked = Object.values(record.raw).flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? idsInHtml(value, bases) : [],
  );
  return [...new Set([...named, ...linked])];
}

/** A record of which only a line in its parent's list could be had. */
function summaryOf(store: Store, bases: Bases, id: string): ObjectEntry | undefined {
  const { parent, model } = parseId(id);
  const item = parent && listItems(store, model === 'file' ? 'files' : 'children', parent).find((one) => one['id'] === id);
  const record = item ? readRecord({ parent_id: parent, ...item }) : undefined;
  return record?.public ? entryOf(record, bases, 'summary', '') : undefined;
}

/** A record that is known from others' breadcrumbs alone. */
function stubOf(bases: Bases, id: string, crumb: ArchivalRecord['breadcrumbs'][number]): ObjectEntry {
  const record = readRecord({ id, model: crumb.model, title: crumb.label && !/^\d+$/.test(crumb.label) ? crumb.label : id });
  return entryOf(record as ArchivalRecord, bases, 'breadcrumbs', '');
}

function readGuide(
  store: Store,
  bases: Bases,
): { shown: { authors: AuthorEntry[]; articles: ArticleEntry[] }; withheld: Withheld[] } {
  const entries = listItems(store, 'authors', '').flatMap((raw) => readAuthor(raw) ?? []);
  const listed = new Map(entries.map((author) => [author.name, author]));
  const authors = new Map<string, { author: Author; sha256: string }>();
  for (const author of entries) authors.set(author.name, { author, sha256: '' });
  for (const stored of bodiesOf(store, 'author')) {
    const author = readAuthor(parseBody(stored.body));
    if (author)
      authors.set(stored.name, {
        author: { ...author, name: stored.name, published: author.published && listed.get(stored.name)?.published !== false },
        sha256: stored.sha256,
      });
  }
  const published = [...authors.values()].filter(({ author }) => author.published);
  const shownNames = new Set(published.map(({ author }) => author.name));
  const sources = sourceObjects(store, bases);
  const articles = [...bodiesOf(store, 'article')].flatMap((stored) => articleEntry(stored, shownNames, sources, bases));
  const slugs = new Set(articles.map(({ slug }) => slug));
  return {
    shown: {
      authors: published.map(({ author, sha256 }) => authorEntry(author, sha256, slugs, articles)).sort(bySortKey),
      articles: articles.sort(bySortKey),
    },
    withheld: [...authors.values()]
      .filter(({ author }) => !author.published)
      .map(() => ({ what: 'an author', reason: 'the entry is not published' })),
  };
}

function authorEntry(author: Author, sha256: string, known: Set<string>, articles: ArticleEntry[]): AuthorEntry {
  const slug = slugOf(author.name);
  const own = author.articles.map(({ name }) => slugOf(name)).filter((one) => known.has(one));
  const naming = articles.filter((article) => article.authors.includes(slug)).map((article) => article.slug);
  return {
    name: author.name,
    slug,
    titleSort: author.titleSort,
    modified: author.modified,
    articles: [...new Set([...own, ...naming])],
    sha256,
  };
}

function articleEntry(stored: StoredBody, authors: Set<string>, sources: Map<string, string[]>, bases: Bases): ArticleEntry[] {
  const article: Article | undefined = readArticle(parseBody(stored.body));
  if (!article) return [];
  return [
    {
      name: stored.name,
      address: article.html,
      title: plainText(article.title) || stored.name,
      slug: slugOf(stored.name),
      titleSort: article.titleSort,
      excerpt: shorten(plainText(article.description) || plainText(article.body), 200),
      authors: article.authors.filter(({ name }) => authors.has(name)).map(({ name }) => slugOf(name)),
      objects: [
        ...new Set([...article.sources.flatMap(({ name }) => sources.get(name) ?? []), ...idsInHtml(article.body, bases)]),
      ],
      sha256: stored.sha256,
    },
  ];
}

/** The archival records of each source. */
function sourceObjects(store: Store, bases: Bases): Map<string, string[]> {
  return new Map(
    [...bodiesOf(store, 'source')].map(({ name, body }) => {
      const payload = parseBody(body);
      return [name, isObject(payload) ? idsInSource(payload, name, bases) : []];
    }),
  );
}

function bySortKey(a: { titleSort: string; slug: string }, b: { titleSort: string; slug: string }): number {
  return a.titleSort < b.titleSort ? -1 : a.titleSort > b.titleSort ? 1 : a.slug < b.slug ? -1 : 1;
}
