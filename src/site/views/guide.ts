/** The view model of guide pages. */

import type { ArticleEntry, AuthorEntry, ListedEntry } from '../../catalogue/entries.ts';
import { articlePath, facetValuePath, GUIDE_PATH, relativeUrl } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import { readSource } from '../../model/guide.ts';
import { MAX_FACT_LENGTH, MAX_TITLE_LENGTH } from '../../model/limits.ts';
import { extractIdsFromSource } from '../../model/mentions.ts';
import { stepsOfTerm } from '../../model/term-steps.ts';
import { toPlainText, truncateWords } from '../../model/text.ts';
import { isObject } from '../../model/values.ts';
import { createPageCitations } from '../citation/citation.ts';
import { wordingOf } from '../citation/wording.ts';
import type { ArticleContent } from '../content.ts';
import type { SiteImage } from '../images.ts';
import { createLinkResolver, pathOfAuthor, pathOfLiveUrl } from '../links.ts';
import { findPreview, imageRecordsOf, thumbnailsAmong } from '../record-thumbnail.ts';
import { safeLink, toSafeHtml } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { textLang } from '../text-lang.ts';
import { type Card, createCard } from './card.ts';
import { createArticleMetadata, type Metadata } from './metadata.ts';
import { type PageCitation, toPageCitations } from './object-citations.ts';
import { addressOfPage, type Crumb, type PageHead, type Paging, pageCount, pageSlice, removedNotices } from './page-parts.ts';

/** The fields of both view models: the records that the page mentions, `PAGE_SIZE` per page. */
interface WithRecords extends PageHead {
  /** The records on this page. */
  records: Card[];
  /** The number of all of them. */
  recordCount: number;
  paging: Paging;
}

/** A guide page. */
export interface ArticleView extends WithRecords {
  metadata: Metadata;
  notices: string[];
  /** The language of the title, if it is not the page's: a BCP 47 tag. */
  titleLang: string | undefined;
  summary: string | undefined;
  /** Like `titleLang`. */
  summaryLang: string | undefined;
  /** Sanitized HTML. */
  body: string | undefined;
  /** Like `titleLang`. */
  bodyLang: string | undefined;
  /** Links to the authors, safe HTML; empty if there are none. */
  byline: string;
  /** Its categories and topics; each has a path if the records of the archive have that topic. */
  categories: Crumb[];
  topics: Crumb[];
  /** The image of a record that the page mentions, with the record; only on its first page. */
  lead: { image: SiteImage; card: Card } | undefined;
  citations: PageCitation[];
  /** The name of the page in the names of files, without an extension. */
  fileName: string;
  sourceCount: number;
  /** The sources on this page. */
  sources: Array<{ caption: string; courtesy: string | undefined; record: Card | undefined }>;
  modified: string | undefined;
  liveUrl: string | undefined;
}

/** Returns the view model of a guide page. */
export function createArticleView(
  entry: ArticleEntry,
  { article, sources: bodies }: ArticleContent,
  page: number,
  site: Site,
): ArticleView {
  const { relations, locale } = site;
  const path = articlePath(entry.slug, page);
  const authors = entry.authors.flatMap((slug) => relations.author(slug) ?? []);
  const topics = article?.topics.map((name) => toPlainText(name)) ?? [];
  const liveUrl = article?.liveUrl && safeExternalUrl(article.liveUrl);
  return {
    path,
    notices: removedNotices(entry.removedAt, locale),
    title: entry.title,
    description: entry.excerpt || entry.title,
    metadata: createArticleMetadata(
      entry,
      authors.map(({ title }) => title),
      topics,
      article?.modified,
      site,
    ),
    trail: [
      { label: locale.t.sections.guide, path: GUIDE_PATH },
      { label: entry.title, path: undefined, lang: textLang(entry.title, site) },
    ],
    titleLang: textLang(entry.title, site),
    summary: toPlainText(article?.description) || undefined,
    summaryLang: textLang(article?.description, site),
    bodyLang: textLang(article?.body, site),
    body:
      article?.body &&
      toSafeHtml(
        stripRepeatedHeading(article.body, entry.title),
        createLinkResolver(path, (href) => pathOfLiveUrl(href, site)),
      ),
    byline: authors.map((author) => safeLink(author.title, relativeUrl(path, pathOfAuthor(author.slug, relations)))).join(', '),
    categories: linkTopics(article?.categories.map((name) => toPlainText(name)) ?? [], site),
    topics: linkTopics(topics, site),
    lead: page === 1 ? findLead(entry, site) : undefined,
    citations: createArticleCitations(entry, liveUrl, site),
    fileName: entry.slug,
    sourceCount: entry.sourceCount,
    sources: createSources(pageSlice(article?.sources ?? [], page), bodies, site),
    ...recordsOn(entry.objects, page, (n) => articlePath(entry.slug, n), site),
    paging: { number: page, count: countArticlePages(entry, site), pathOf: (n) => articlePath(entry.slug, n) },
    modified: article?.modified && truncateWords(article.modified, MAX_FACT_LENGTH),
    liveUrl,
  };
}

function createSources(
  listed: ReadonlyArray<{ name: string }>,
  bodies: ArticleContent['sources'],
  site: Site,
): ArticleView['sources'] {
  return listed.flatMap(({ name }) => {
    const raw = bodies.get(name);
    const source = readSource(raw);
    if (!source || !isObject(raw)) return [];
    const record = findShownEntries(extractIdsFromSource(raw, name, site.baseUrls), site)[0];
    const courtesy = toPlainText(source.courtesy) || undefined;
    return [{ caption: toPlainText(source.caption) || source.id, courtesy, record: record && createCard(record, site) }];
  });
}

function createArticleCitations({ title, slug }: ArticleEntry, liveUrl: string | undefined, site: Site): PageCitation[] {
  const url = liveUrl ?? addressOfPage(articlePath(slug), site);
  return toPageCitations(createPageCitations({ title, key: slug, archive: site.facts.title, url }, wordingOf(site.locale)));
}

/** Returns the first image among the records of a guide page: if possible one without a label, and that of a photograph. */
function findLead(article: ArticleEntry, site: Site): ArticleView['lead'] {
  const [first] = thumbnailsAmong(imageRecordsOf(article, site), site);
  const image = first && findPreview(first.shows, site)?.page;
  return image && { image, card: createCard(first.shows, site) };
}

/** Returns topics as links to the pages of those that records have. The guide names them by their words, without IDs. */
function linkTopics(names: readonly string[], { relations }: Pick<Site, 'relations'>): Crumb[] {
  if (names.length === 0) return [];
  const comparable = (name: string) => stepsOfTerm(name).normalize('NFKC').toLowerCase();
  const wanted = new Set(names.map(comparable));
  const slugs = new Map(
    relations
      .terms('topic')
      .filter(({ label, count }) => count > 0 && wanted.has(comparable(label)))
      .map(({ label, slug }) => [comparable(label), slug]),
  );
  return names.map((name) => {
    const slug = slugs.get(comparable(name));
    return { label: stepsOfTerm(name), path: slug === undefined ? undefined : facetValuePath('topic', slug) };
  });
}

function recordsOn(
  ids: string[],
  page: number,
  pathOf: (page: number) => string,
  site: Site,
): Pick<WithRecords, 'records' | 'recordCount' | 'paging'> {
  const shown = findShownEntries(ids, site);
  return {
    records: pageSlice(shown, page).map((entry) => createCard(entry, site)),
    recordCount: shown.length,
    paging: { number: page, count: pageCount(shown.length), pathOf },
  };
}

/** Returns the number of addresses that an author has: the records that guide pages mention were on several pages once. */
export function countAuthorPages(entry: AuthorEntry, site: Pick<Site, 'relations'>): number {
  const ids = entry.articles.flatMap((slug) => site.relations.article(slug)?.objects ?? []);
  return pageCount(findShownEntries(ids, site).length);
}

/** Returns the number of pages that the records and sources of a guide page fill. */
export function countArticlePages(entry: ArticleEntry, site: Pick<Site, 'relations'>): number {
  return Math.max(pageCount(findShownEntries(entry.objects, site).length), pageCount(entry.sourceCount));
}

/** Returns the records that have a page, each once. */
function findShownEntries(ids: string[], { relations }: Pick<Site, 'relations'>): ListedEntry[] {
  return [...new Set(ids)].flatMap((id) => relations.object(id) ?? []);
}

/** Removes a heading at the start of a body that repeats the title. */
function stripRepeatedHeading(body: string, title: string): string {
  return body.replace(/^\s*<h[12][^>]*>(.*?)<\/h[12]>/is, (heading, content: string) =>
    truncateWords(toPlainText(content), MAX_TITLE_LENGTH) === title ? '' : heading,
  );
}
