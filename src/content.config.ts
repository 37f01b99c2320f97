/** The collections: what lists need, some hundred bytes an entry. A page reads its record from the snapshot when it renders. */

import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import type { ArticleEntry, AuthorEntry, Catalogue, Facts, ObjectEntry } from './site/catalogue.ts';
import { catalogue } from './site/source.ts';

/** Fills a collection from the catalogue, from nothing each time: the store can then never hold what the snapshot does not. */
function from<Entry extends object>(name: string, entries: (read: Catalogue) => Entry[], idOf: (entry: Entry) => string): Loader {
  return {
    name: `microfiche-${name}`,
    async load({ store }) {
      store.clear();
      for (const entry of entries(catalogue())) store.set({ id: idOf(entry), data: entry as unknown as Record<string, unknown> });
    },
  };
}

export const collections = {
  objects: defineCollection({
    loader: from<ObjectEntry>(
      'objects',
      (read) => read.objects,
      (entry) => entry.id,
    ),
  }),
  authors: defineCollection({
    loader: from<AuthorEntry>(
      'authors',
      (read) => read.authors,
      (entry) => entry.slug,
    ),
  }),
  facts: defineCollection({
    loader: from<Facts>(
      'facts',
      (read) => [read.facts],
      () => 'mirror',
    ),
  }),
  articles: defineCollection({
    loader: from<ArticleEntry>(
      'articles',
      (read) => read.articles,
      (entry) => entry.slug,
    ),
  }),
};
