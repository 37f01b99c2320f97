/** The content collections' loaders: what Astro's `getLiveCollection` and `getLiveEntry` read, from the catalogue that was handed over. */
import type { LiveDataEntry } from 'astro';
import type { LiveLoader } from 'astro/loaders';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import type { Model } from '../model/ids.ts';
import type { ArticleContent, AuthorContent, ObjectContent } from './content.ts';
import { handedOver } from './hand-over.ts';
import { slice } from './views/page.ts';

/** One entry. Its `content` is read from the snapshot only if the lookup names a page. */
export type ObjectData = ObjectEntry & { content?: ObjectContent };
export type AuthorData = AuthorEntry & { content?: AuthorContent };
export type ArticleData = ArticleEntry & { content?: ArticleContent };

/** What to look an entry up by. */
export type Lookup = {
  /** An object's ID or the name of its page; an author's or article's slug. */
  id: string;
  /** The page, from 1, whose content is wanted; without it, the entry alone. */
  page?: number;
};

/** Which objects to list; all if empty. */
export type ObjectFilter = {
  model?: Model;
  /** Objects with a value of a facet, one page of them. */
  term?: { facet: Facet; slug: string; page: number };
};

const entry = <Data extends object>(id: string, data: Data): LiveDataEntry<Data> => ({ id, data });

export function objectsLoader(): LiveLoader<ObjectData, Lookup, ObjectFilter> {
  return {
    name: 'microfiche-objects',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = handedOver();
      const found = sites[0]?.relations.objectAt(id) ?? sites[0]?.relations.object(id);
      if (!found) return undefined;
      return entry(found.id, page === undefined ? found : { ...found, content: content.object(found, page) });
    },
    async loadCollection({ filter = {} }) {
      const { sites, catalogue } = handedOver();
      const { model, term } = filter;
      const named = term ? sites[0]?.relations.term(term.facet, term.slug) : undefined;
      const listed = term ? slice(named?.objects ?? [], term.page) : catalogue.objects;
      const wanted = model === undefined ? listed : listed.filter((one) => one.model === model);
      return { entries: wanted.map((one) => entry(one.id, one)) };
    },
  };
}

export function authorsLoader(): LiveLoader<AuthorData, Lookup> {
  return {
    name: 'microfiche-authors',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = handedOver();
      const found = sites[0]?.relations.author(id);
      if (!found) return undefined;
      return entry(found.slug, page === undefined ? found : { ...found, content: content.author(found) });
    },
    async loadCollection() {
      return { entries: handedOver().catalogue.authors.map((one) => entry(one.slug, one)) };
    },
  };
}

export function articlesLoader(): LiveLoader<ArticleData, Lookup> {
  return {
    name: 'microfiche-articles',
    async loadEntry({ filter: { id, page } }) {
      const { sites, content } = handedOver();
      const found = sites[0]?.relations.article(id);
      if (!found) return undefined;
      return entry(found.slug, page === undefined ? found : { ...found, content: content.article(found, page) });
    },
    async loadCollection() {
      return { entries: handedOver().catalogue.articles.map((one) => entry(one.slug, one)) };
    },
  };
}

/** Returns the data of an entry. @throws the loader's error, or that there is no such entry. */
export function dataOf<Data>({ entry, error }: { entry?: { data: Data }; error?: Error }): Data {
  if (!entry) throw error?.cause ?? error;
  return entry.data;
}

/** Returns the data of all entries. @throws the loader's error. */
export function allDataOf<Data>({ entries, error }: { entries?: Array<{ data: Data }>; error?: Error }): Data[] {
  if (!entries) throw error?.cause ?? error;
  return entries.map(({ data }) => data);
}
