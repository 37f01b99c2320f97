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
import { createCard } from '../../parts/cards/card.ts';
import { findPreview, imageRecordsOf, thumbnailsAmong } from '../../parts/cards/record-thumbnail.ts';
import { createArticleMetadata } from '../../parts/frame/metadata.ts';
import { addressOfPage, type Crumb, pageCount, pageSlice, removedNotices } from '../../parts/frame/page-parts.ts';
import { createPointMap } from '../../parts/map/map.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfAuthor, pathOfLiveUrl } from '../../text/links.ts';
import { safeLink } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { createSourceViews } from './article-sources.ts';
import { addContents, createArticleTexts, createFactRows, isRepeated } from './article-text.ts';

/** A guide page. */
export type ArticleView = ReturnType<typeof createArticleView>;

/** Returns the view model of a guide page. */
export function createArticleView(
  entry: ArticleEntry,
  { article, sources: bodies, land }: ArticleContent,
  page: number,
  site: Site,
) {
  const { relations, locale } = site;
  const path = articlePath(entry.slug, page);
  const isFirst = page === 1;
  const resolve = createLinkResolver(path, (href) => pathOfLiveUrl(href, site));
  const summary = toPlainText(article?.description);
  const authors = entry.authors.flatMap((slug) => relations.author(slug) ?? []);
  const names = authors.map(({ title }) => title);
  const shown = findShownEntries(entry.objects, site);
  const topics = article?.topics.map((name) => toPlainText(name)) ?? [];
  const liveUrl = article?.liveUrl && safeExternalUrl(article.liveUrl);
  const sources = createSourceViews(pageSlice(article?.sources ?? [], page), bodies, resolve, site, path);
  const [picture] = sources.flatMap(({ embed }) => (embed.kind === 'figure' ? [embed] : []));
  return {
    path,
    notices: removedNotices(entry.removedAt, locale),
    title: entry.title,
    description: entry.excerpt || entry.title,
    metadata: createArticleMetadata(entry, names, topics, article?.modified, site),
    trail: [
      { label: locale.t.sections.guide, path: GUIDE_PATH },
      { label: entry.title, path: undefined, lang: textLang(entry.title, site) },
    ],
    /** The language of the title, if it is not the page's: a BCP 47 tag. */
    titleLang: textLang(entry.title, site),
    summary: summary === '' || isRepeated(summary, textOfSections(article?.sections ?? [])) ? undefined : summary,
    summaryLang: textLang(article?.description, site),
    ...addContents(isFirst ? createArticleTexts(article?.sections ?? [], entry, names, site) : []),
    facts: isFirst && article ? createFactRows(article, resolve, locale) : [],
    map: isFirst && article?.position ? createPointMap(article.position, entry.title, site, land) : undefined,
    /** Links to the authors, safe HTML; empty if there are none. */
    byline: authors.map((author) => safeLink(author.title, relativeUrl(path, pathOfAuthor(author.slug, relations)))).join(', '),
    /** Its categories and topics; each has a path if the records of the archive have that topic. */
    categories: linkTopics(article?.categories.map((name) => toPlainText(name)) ?? [], site),
    topics: linkTopics(topics, site),
    /** The image of a record that the page mentions, with the record, or else that of a source; only on its first page. */
    lead: isFirst ? (findLead(entry, site) ?? (picture && leadOf(picture, path, site))) : undefined,
    citations: createArticleCitations(entry, names, article?.modified, liveUrl, site),
    /** The name of the page in the names of files, without an extension. */
    fileName: entry.slug,
    sourceCount: entry.sourceCount,
    /** The sources on this page. */
    sources,
    /** The records that the page mentions, as far as they are on this page. */
    records: pageSlice(shown, page).map((record) => createCard(record, site)),
    recordCount: shown.length,
    paging: { number: page, count: countArticlePages(entry, site), pathOf: (n: number) => articlePath(entry.slug, n) },
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
export function findLead(article: ArticleEntry, site: Site) {
  const [first] = thumbnailsAmong(imageRecordsOf(article, site), site);
  const image = first && findPreview(first.shows, site)?.page;
  return image && { image, card: createCard(first.shows, site) };
}

/** Returns the image of a source as that of a guide page, with a link to the sources. */
function leadOf({ image, caption }: { image: SiteImage; caption: string }, path: string, site: Site) {
  const card = { path: `${path}#sources`, title: caption, lang: textLang(caption, site), labels: undefined };
  return { image, card };
}

/** Returns topics as links to the pages of those that records have. The guide names them by their words, without IDs. */
function linkTopics(names: readonly string[], { relations }: Pick<Site, 'relations'>): Crumb[] {
  if (names.length === 0) return [];
  const comparable = (name: string) => stepsOfTerm(name).normalize('NFKC').toLowerCase();
  const wanted = new Set(names.map(comparable));
  const terms = relations.terms('topic').filter(({ label, count }) => count > 0 && wanted.has(comparable(label)));
  const slugs = new Map(terms.map(({ label, slug }) => [comparable(label), slug]));
  return names.map((name) => {
    const slug = slugs.get(comparable(name));
    return { label: stepsOfTerm(name), path: slug === undefined ? undefined : facetValuePath('topic', slug) };
  });
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
