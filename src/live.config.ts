/** Defines the content collections that the pages read: `getLiveEntry('objects', id)`, `getLiveCollection('authors')`. */
import { defineLiveCollection } from 'astro/content/config';
import { articlesLoader, authorsLoader, objectsLoader } from './site/collections.ts';

/** Records, authors and guide pages; the names are the API's. */
export const collections = {
  authors: defineLiveCollection({ loader: authorsLoader() }),
  articles: defineLiveCollection({ loader: articlesLoader() }),
  objects: defineLiveCollection({ loader: objectsLoader() }),
};
