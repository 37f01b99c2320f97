/** The content collections' loaders: Astro's `getLiveCollection` and `getLiveEntry` read the catalogue handed over. */
import type { LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import { type ArticleEntry, type AuthorEntry, type ListedEntry, listedEntry, type ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../model/facets.ts';
import type { Model } from '../model/ids.ts';
import type { ArticleContent, AuthorContent, ObjectContent } from './content.ts';
import { buildContext } from './hand-over.ts';
import { recordsOfTerm } from './pages/term/term.ts';

/** A record. `record`, which only its own pages need, is read only if the lookup has a page. */
export type ObjectData = ListedEntry & { record?: { entry: ObjectEntry; content: ObjectContent } };
/** An author. `content` is read from the snapshot only if the lookup has a page. */
export type AuthorData = AuthorEntry & { content?: AuthorContent };
/** A guide page. `content` is read from the snapshot only if the lookup has a page. */
export type ArticleData = ArticleEntry & { content?: ArticleContent };

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

/** Returns the loader of the collection `authors`. */
export function authorsLoader(): LiveLoader<AuthorData, Lookup> {
  return {
    name: 'microfiche-authors',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = buildContext();
      const found = sites[0]?.relations.author(id);
      if (!found) return undefined;
      return entry(found.slug, page === undefined ? found : { ...found, content: content.author(found) });
    },
    async loadCollection() {
      return { entries: buildContext().entries.authors.map((author) => entry(author.slug, author)) };
    },
  };
}

/** Returns the loader of the collection `articles`: all guide pages. */
export function articlesLoader(): LiveLoader<ArticleData, Lookup> {
  return {
    name: 'microfiche-articles',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = buildContext();
      const found = sites[0]?.relations.article(id);
      if (!found) return undefined;
      return entry(found.slug, page === undefined ? found : { ...found, content: content.article(found, page) });
    },
    async loadCollection() {
      return { entries: buildContext().entries.articles.map((article) => entry(article.slug, article)) };
    },
  };
}

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
