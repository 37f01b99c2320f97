/** The view models of authors' pages and guide pages. */

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

/** What both share: the records that they mention, `PAGE_SIZE` per page. */
interface WithRecords extends Page {
  /** The records on this page. */
  records: Card[];
  /** The number of all of them. */
  recordCount: number;
  paging: Paging;
}

/** The page of an author. */
export interface AuthorView extends WithRecords {
  metadata: Metadata;
  notices: string[];
  name: string;
  /** Sanitized HTML. */
  body: string | undefined;
  articles: Array<{ label: string; path: string; excerpt: string }>;
  modified: string | undefined;
}

/** A guide page. */
export interface ArticleView extends WithRecords {
  metadata: Metadata;
  notices: string[];
  summary: string | undefined;
  /** Sanitized HTML. */
  body: string | undefined;
  /** Links to the authors, safe HTML; empty if there are none. */
  byline: string;
  categories: string[];
  topics: string[];
  sourceCount: number;
  /** The sources on this page. */
  sources: Array<{ caption: string; courtesy: string | undefined; record: Card | undefined }>;
  modified: string | undefined;
  liveUrl: string | undefined;
}

/** Returns the view model of an author's page. Its records are those that the author's guide pages mention. */
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
    ...recordsOn(
      articles.flatMap((article) => article.objects),
      page,
      (n) => authorPath(entry.slug, n),
      site,
    ),
    modified: entry.modified,
  };
}

/** Returns the view model of a guide page. */
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
    ...recordsOn(entry.objects, page, (n) => articlePath(entry.slug, n), site),
    paging: { number: page, count: articlePages(entry, site), at: (n) => articlePath(entry.slug, n) },
    modified: article?.modified && shorten(article.modified, LONGEST_FACT),
    liveUrl: article?.html && externalUrl(article.html),
  };
}

function recordsOn(
  ids: string[],
  page: number,
  at: (page: number) => string,
  site: Site,
): Pick<WithRecords, 'records' | 'recordCount' | 'paging'> {
  const shown = shownOf(ids, site);
  return {
    records: slice(shown, page).map((entry) => cardOf(entry, site)),
    recordCount: shown.length,
    paging: { number: page, count: pageCount(shown.length), at },
  };
}

/** Returns the number of pages that an author's records fill. */
export function authorPages(entry: AuthorEntry, site: Pick<Site, 'relations'>): number {
  const ids = entry.articles.flatMap((slug) => site.relations.article(slug)?.objects ?? []);
  return pageCount(shownOf(ids, site).length);
}

/** Returns the number of pages that the records and sources of a guide page fill. */
export function articlePages(entry: ArticleEntry, site: Pick<Site, 'relations'>): number {
  return Math.max(pageCount(shownOf(entry.objects, site).length), pageCount(entry.sourceCount));
}

/** Returns the records that have a page, each once. */
function shownOf(ids: string[], { relations }: Pick<Site, 'relations'>): ObjectEntry[] {
  return [...new Set(ids)].flatMap((id) => relations.object(id) ?? []);
}

/** Removes a heading at the start of a body that repeats the title. */
function withoutHeading(body: string, title: string): string {
  return body.replace(/^\s*<h[12][^>]*>(.*?)<\/h[12]>/is, (heading, content: string) =>
    shorten(plainText(content), LONGEST_TITLE) === title ? '' : heading,
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
