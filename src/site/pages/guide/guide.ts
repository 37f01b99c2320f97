/** The view model of guide pages. */
import type { ArticleEntry, AuthorEntry, ListedEntry } from '../../../catalogue/entries.ts';
import { articlePath, facetValuePath, GUIDE_PATH, relativeUrl } from '../../../catalogue/urls.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { textOfSections } from '../../../model/guide/article-fields.ts';
import { stepsOfTerm } from '../../../model/term-steps.ts';
import { MAX_FACT_LENGTH } from '../../../model/text/limits.ts';
import { toPlainText, truncateWords } from '../../../model/text/text.ts';
import { createPageCitations } from '../../citation/citation.ts';
import { wordingOf } from '../../citation/wording.ts';
import type { ArticleContent } from '../../content.ts';
import type { SiteImage } from '../../images.ts';
import { type PageCitation, toPageCitations } from '../../parts/actions/object-citations.ts';
import { type Card, createCard } from '../../parts/cards/card.ts';
import { findPreview, imageRecordsOf, thumbnailsAmong } from '../../parts/cards/record-thumbnail.ts';
import { createArticleMetadata, type Metadata } from '../../parts/frame/metadata.ts';
import {
  addressOfPage,
  type Crumb,
  type PageHead,
  type Paging,
  pageCount,
  pageSlice,
  removedNotices,
} from '../../parts/frame/page-parts.ts';
import { createPointMap, type MapView } from '../../parts/map/map.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfAuthor, pathOfLiveUrl } from '../../text/links.ts';
import { safeLink } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { createSourceViews, type SourceView } from './article-sources.ts';
import {
  type ArticleText,
  addContents,
  type ContentsEntry,
  createArticleTexts,
  createFactRows,
  type FactRow,
  isRepeated,
} from './article-text.ts';

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
  /** Its texts; only on its first page, like the facts and the map. */
  texts: ArticleText[];
  /** The headings in them, if there are several. */
  contents: ContentsEntry[];
  facts: FactRow[];
  map: MapView | undefined;
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
  sources: SourceView[];
  modified: string | undefined;
  liveUrl: string | undefined;
}

/** Returns the view model of a guide page. */
export function createArticleView(
  entry: ArticleEntry,
  { article, sources: bodies, land }: ArticleContent,
  page: number,
  site: Site,
): ArticleView {
  const { relations, locale } = site;
  const path = articlePath(entry.slug, page);
  const isFirst = page === 1;
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  const summary = toPlainText(article?.description);
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
    summary: summary === '' || isRepeated(summary, textOfSections(article?.sections ?? [])) ? undefined : summary,
    summaryLang: textLang(article?.description, site),
    ...addContents(
      isFirst
        ? createArticleTexts(
            article?.sections ?? [],
            entry,
            authors.map(({ title }) => title),
            site,
          )
        : [],
    ),
    facts: isFirst && article ? createFactRows(article, resolve, locale) : [],
    map: isFirst && article?.position ? createPointMap(article.position, entry.title, site, land) : undefined,
    byline: authors.map((author) => safeLink(author.title, relativeUrl(path, pathOfAuthor(author.slug, relations)))).join(', '),
    categories: linkTopics(article?.categories.map((name) => toPlainText(name)) ?? [], site),
    topics: linkTopics(topics, site),
    lead: isFirst ? findLead(entry, site) : undefined,
    citations: createArticleCitations(
      entry,
      authors.map(({ title }) => title),
      article?.modified,
      liveUrl,
      site,
    ),
    fileName: entry.slug,
    sourceCount: entry.sourceCount,
    sources: createSourceViews(pageSlice(article?.sources ?? [], page), bodies, resolve, site, path),
    ...recordsOn(entry.objects, page, (n) => articlePath(entry.slug, n), site),
    paging: { number: page, count: countArticlePages(entry, site), pathOf: (n) => articlePath(entry.slug, n) },
    modified: article?.modified && truncateWords(article.modified, MAX_FACT_LENGTH),
    liveUrl,
  };
}

function createArticleCitations(
  { title, slug }: ArticleEntry,
  authors: string[],
  modified: string | undefined,
  liveUrl: string | undefined,
  site: Site,
): PageCitation[] {
  const url = liveUrl ?? addressOfPage(articlePath(slug), site);
  const page = { title, key: slug, archive: site.facts.title, url, authors, modified };
  return toPageCitations(createPageCitations(page, wordingOf(site.locale)));
}

/** Returns the first image among the records of a guide page: if possible one without a label, and that of a photograph. */
export function findLead(article: ArticleEntry, site: Site): ArticleView['lead'] {
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

function recordsOn(ids: string[], page: number, pathOf: (page: number) => string, site: Site) {
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
