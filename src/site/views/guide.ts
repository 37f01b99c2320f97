/** The pages of authors and of the guide. */

import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../../catalogue/entries.ts';
import { AUTHORS, articlePath, authorPath, GUIDE, objectPath, relative } from '../../catalogue/urls.ts';
import { readSource } from '../../model/guide.ts';
import { LONGEST_FACT, LONGEST_TITLE } from '../../model/limits.ts';
import { idsInSource } from '../../model/mentions.ts';
import { objectIdInUrl } from '../../model/resources.ts';
import { clean, plainText, shorten } from '../../model/text.ts';
import { isObject } from '../../model/values.ts';
import type { ArticleContent, AuthorContent } from '../content.ts';
import { externalUrl, type LinkTarget, link, sanitize } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { type Card, cardOf } from './card.ts';
import { articleMetadata, authorMetadata, type Metadata } from './metadata.ts';
import { goneNotices, type Page, type Paging, pageCount, slice } from './page.ts';

/** What the pages of an author and of the guide share: the archival records that they lead to, 50 a page. */
interface Leading extends Page {
  /** This page's share of the records. */
  records: Card[];
  recordCount: number;
  paging: Paging;
}

export interface AuthorView extends Leading {
  metadata: Metadata;
  notices: string[];
  name: string;
  /** Sanitised HTML. */
  body: string | undefined;
  articles: Array<{ label: string; path: string; excerpt: string }>;
  modified: string | undefined;
}

export interface ArticleView extends Leading {
  metadata: Metadata;
  notices: string[];
  summary: string | undefined;
  /** Sanitised HTML. */
  body: string | undefined;
  /** Links to the authors, safe HTML; empty where there is none. */
  byline: string;
  categories: string[];
  topics: string[];
  sourceCount: number;
  /** This page's share of the sources. */
  sources: Array<{ caption: string; courtesy: string | undefined; record: Card | undefined }>;
  modified: string | undefined;
  liveUrl: string | undefined;
}

/** The records are those that the author's guide pages lead to. */
export function authorView(entry: AuthorEntry, { author }: AuthorContent, page: number, site: Site): AuthorView {
  const { relations, edition: locale } = site;
  const { t } = locale;
  const path = authorPath(entry.slug, page);
  const articles = entry.articles.flatMap((slug) => relations.article(slug) ?? []);
  const description = shorten(plainText(author?.body), 160) || t.guide.describesAuthor(entry.title);
  return {
    path,
    title: entry.title,
    description,
    metadata: authorMetadata(entry, description, site),
    trail: [
      { label: t.sections.authors, path: AUTHORS },
      { label: entry.title, path: undefined },
    ],
    notices: goneNotices(entry.goneAt, locale),
    name: clean(entry.name),
    body: author?.body && sanitize(author.body, linksOf(path, site)),
    articles: articles.map((article) => ({ label: article.title, path: articlePath(article.slug), excerpt: article.excerpt })),
    ...leading(
      articles.flatMap((article) => article.objects),
      page,
      (n) => authorPath(entry.slug, n),
      site,
    ),
    modified: entry.modified,
  };
}

export function articleView(
  entry: ArticleEntry,
  { article, sources: bodies }: ArticleContent,
  page: number,
  site: Site,
): ArticleView {
  const { relations, bases, edition: locale } = site;
  const path = articlePath(entry.slug, page);
  const authors = entry.authors.flatMap((slug) => relations.author(slug) ?? []);
  const topics = article?.topics.map((name) => plainText(name)) ?? [];
  return {
    path,
    notices: goneNotices(entry.goneAt, locale),
    title: entry.title,
    description: entry.excerpt || entry.title,
    metadata: articleMetadata(
      entry,
      authors.map(({ title }) => title),
      topics,
      article?.modified && shorten(article.modified, LONGEST_FACT),
    ),
    trail: [
      { label: locale.t.sections.guide, path: GUIDE },
      { label: entry.title, path: undefined },
    ],
    summary: plainText(article?.description) || undefined,
    body: article?.body && sanitize(withoutHeading(article.body, entry.title), linksOf(path, site)),
    byline: authors.map((author) => link(author.title, relative(path, authorPath(author.slug)))).join(', '),
    categories: article?.categories.map((name) => plainText(name)) ?? [],
    topics,
    sourceCount: entry.sourceCount,
    sources: slice(article?.sources ?? [], page).flatMap(({ name }) => {
      const raw = bodies.get(name);
      const source = readSource(raw);
      if (!source || !isObject(raw)) return [];
      const record = shownOf(idsInSource(raw, name, bases), site)[0];
      const courtesy = plainText(source.courtesy) || undefined;
      return [{ caption: plainText(source.caption) || source.id, courtesy, record: record && cardOf(record, site) }];
    }),
    ...leading(entry.objects, page, (n) => articlePath(entry.slug, n), site),
    paging: { number: page, count: articlePages(entry, site), at: (n) => articlePath(entry.slug, n) },
    modified: article?.modified && shorten(article.modified, LONGEST_FACT),
    liveUrl: article?.html && externalUrl(article.html),
  };
}

function leading(
  ids: string[],
  page: number,
  at: (page: number) => string,
  site: Site,
): Pick<Leading, 'records' | 'recordCount' | 'paging'> {
  const shown = shownOf(ids, site);
  return {
    records: slice(shown, page).map((entry) => cardOf(entry, site)),
    recordCount: shown.length,
    paging: { number: page, count: pageCount(shown.length), at },
  };
}

/** How many pages the records of an author take. */
export function authorPages(entry: AuthorEntry, site: Pick<Site, 'relations'>): number {
  const ids = entry.articles.flatMap((slug) => site.relations.article(slug)?.objects ?? []);
  return pageCount(shownOf(ids, site).length);
}

/** How many pages the records and sources of a guide page take. */
export function articlePages(entry: ArticleEntry, site: Pick<Site, 'relations'>): number {
  return Math.max(pageCount(shownOf(entry.objects, site).length), pageCount(entry.sourceCount));
}

/** Those of the records that have a page, each once. */
function shownOf(ids: string[], { relations }: Pick<Site, 'relations'>): ObjectEntry[] {
  return [...new Set(ids)].flatMap((id) => relations.object(id) ?? []);
}

/** A body that begins with its own title would say it twice. */
function withoutHeading(body: string, title: string): string {
  return body.replace(/^\s*<h[12][^>]*>(.*?)<\/h[12]>/is, (heading, words: string) =>
    shorten(plainText(words), LONGEST_TITLE) === title ? '' : heading,
  );
}

function linksOf(path: string, { relations, bases }: Site) {
  return (href: string): LinkTarget | undefined => {
    const id = objectIdInUrl(href, bases);
    if (id !== undefined && relations.object(id)) return { href: relative(path, objectPath(id)), external: false };
    const article = relations.articleAt(href);
    if (article) return { href: relative(path, articlePath(article.slug)), external: false };
    const outside = externalUrl(href);
    return outside === undefined ? undefined : { href: outside, external: true };
  };
}
