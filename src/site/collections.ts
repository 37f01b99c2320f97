/** The content collections' loaders: Astro's `getLiveCollection` and `getLiveEntry` read the catalogue handed over. */
import type { LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { Entries } from '../catalogue/catalogue.ts';
import { type ListedEntry, listedEntry, type ObjectEntry } from '../catalogue/entries.ts';
import type { Relations } from '../catalogue/lists/relations.ts';
import type { Facet } from '../model/facets.ts';
import type { Model } from '../model/ids.ts';
import type { ArticleContent, AuthorContent, ContentReader, ObjectContent } from './content.ts';
import { buildContext } from './hand-over.ts';
import { recordsOfTerm } from './pages/term/term.ts';

/** A record. `record`, which only its own pages need, is read only if the lookup has a page. */
export type ObjectData = ListedEntry & { record?: { entry: ObjectEntry; content: ObjectContent } };

/** The key by which `getLiveEntry` finds an entry. */
export type Lookup = {
  /** A record's ID or the name of its page; the slug of an author or guide page. */
  id: string;
  /** The page, from 1, whose content is read as well. */
  page?: number;
};

/** Which records `getLiveCollection` lists; all if empty. */
export type ObjectFilter = {
  model?: Model;
  /** One page of the records with a facet value. */
  term?: { facet: Facet; slug: string; page: number };
};

const entry = <Data extends object>(id: string, data: Data): LiveDataEntry<Data> => ({ id, data });

/** Returns the loader of the collection `objects`: all records. */
export function objectsLoader(): LiveLoader<ObjectData, Lookup, ObjectFilter> {
  return {
    name: 'microfiche-objects',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = buildContext();
      const relations = sites[0]?.relations;
      const found = relations?.entry(relations.idOfPage(id) ?? id);
      if (!found) return undefined;
      const record = page === undefined ? {} : { record: { entry: found, content: content.object(found, page) } };
      return entry(found.id, { ...listedEntry(found), ...record });
    },
    async loadCollection({ filter = {} }) {
      const [site] = buildContext().sites;
      const { model, term } = filter;
      const listed = term && site ? recordsOfTerm(term, term.page, site) : [...buildContext().entries.objects.allListed(model)];
      const selected = model === undefined ? listed : listed.filter((object) => object.model === model);
      return { entries: selected.map((object) => entry(object.id, object)) };
    },
  };
}

/**
 * Returns the loader of a collection of the guide: `all` and `find` return its entries, and `read` the content of a page of one.
 * The content is read from the snapshot only if the lookup has a page.
 */
function guideLoader<Entry extends { slug: string }, Content>(
  name: string,
  all: (entries: Entries) => readonly Entry[],
  find: (relations: Relations, slug: string) => Entry | undefined,
  read: (content: ContentReader, found: Entry, page: number) => Content,
): LiveLoader<Entry & { content?: Content }, Lookup> {
  return {
    name: `microfiche-${name}`,
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = buildContext();
      const found = sites[0] && find(sites[0].relations, id);
      return found && entry(found.slug, page === undefined ? found : { ...found, content: read(content, found, page) });
    },
    async loadCollection() {
      return { entries: all(buildContext().entries).map((each) => entry(each.slug, each)) };
    },
  };
}

/** Returns the loader of the collection `authors`. */
export const authorsLoader = () =>
  guideLoader(
    'authors',
    ({ authors }) => authors,
    ({ author }, slug) => author(slug),
    (content, author): AuthorContent => content.author(author),
  );

/** Returns the loader of the collection `articles`: all guide pages. */
export const articlesLoader = () =>
  guideLoader(
    'articles',
    ({ articles }) => articles,
    ({ article }, slug) => article(slug),
    (content, article, page): ArticleContent => content.article(article, page),
  );

/**
 * Returns the data of an entry.
 * @throws {Error} if the loader failed, or if the entry does not exist.
 */
export function dataOf<Data>({ entry, error }: { entry?: { data: Data }; error?: Error }): Data {
  if (!entry) throw error?.cause ?? error;
  return entry.data;
}

/**
 * Returns the data of all entries.
 * @throws {Error} if the loader failed.
 */
export function allDataOf<Data>({ entries, error }: { entries?: Array<{ data: Data }>; error?: Error }): Data[] {
  if (!entries) throw error?.cause ?? error;
  return entries.map(({ data }) => data);
}
