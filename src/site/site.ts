/** The site while it is built: the collections' entries, put in relation once for all pages. */

import { getCollection } from 'astro:content';
import { createHash } from 'node:crypto';
import type { ArticleEntry, AuthorEntry, Facts, ObjectEntry } from './catalogue.ts';
import { createRelations, type Relations } from './relations.ts';
import { buildSettings } from './settings.ts';

export interface Site {
  facts: Facts;
  objects: ObjectEntry[];
  authors: AuthorEntry[];
  articles: ArticleEntry[];
  relations: Relations;
}

let loading: Promise<Site> | undefined;

export function site(): Promise<Site> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Site> {
  const [objects, authors, articles, facts] = await Promise.all([
    entries<ObjectEntry>('objects'),
    entries<AuthorEntry>('authors'),
    entries<ArticleEntry>('articles'),
    entries<Facts>('facts'),
  ]);
  const order = (a: { titleSort: string; slug: string }, b: { titleSort: string; slug: string }) =>
    a.titleSort < b.titleSort ? -1 : a.titleSort > b.titleSort ? 1 : a.slug < b.slug ? -1 : 1;
  authors.sort(order);
  articles.sort(order);
  return { facts: facts[0] as Facts, objects, authors, articles, relations: createRelations(objects, authors, articles) };
}

async function entries<Entry>(collection: 'objects' | 'authors' | 'articles' | 'facts'): Promise<Entry[]> {
  return (await getCollection(collection)).map(({ data }) => data as Entry);
}

/** The key under which Astro may keep a page: a hash of the settings and of all that the page shows. */
export function cacheKey(facts: Facts, ...shown: unknown[]): string {
  const { site: address } = buildSettings();
  return createHash('sha256')
    .update(JSON.stringify([address, facts.title, facts.authorsUrl, facts.catalogUrl, ...shown]))
    .digest('base64url');
}
