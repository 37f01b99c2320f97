/** Creates the catalogue entries of authors and guide pages. */
import { type Article, type Author, authorNameInEntry, readArticle, readAuthor } from '../model/guide.ts';
import { MAX_FACT_LENGTH, MAX_LIST_MEMBERS, MAX_TITLE_LENGTH } from '../model/limits.ts';
import { extractIdsFromHtml, extractIdsFromSource } from '../model/mentions.ts';
import type { BaseUrls } from '../model/resources.ts';
import { slugOf } from '../model/slug.ts';
import { naturalSortKey } from '../model/sort-key.ts';
import { cleanTitle, toPlainText, truncateWords } from '../model/text.ts';
import { isObject } from '../model/values.ts';
import { listItems } from '../snapshot/lists.ts';
import { parseBody, readBodies } from '../snapshot/read.ts';
import type { StoredBody } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import type { ArticleEntry, AuthorEntry } from './entries.ts';
import { errorMessage, type PageProblem } from './page-problems.ts';
import { articlePath } from './urls.ts';

/** The entries of the guide. */
export interface GuideEntries {
  authors: AuthorEntry[];
  articles: ArticleEntry[];
  /** Names of unpublished authors. */
  unpublished: ReadonlySet<string>;
  /** Guide pages that cannot be shown. */
  problems: PageProblem[];
}

/** Reads all authors and guide pages that may be shown, sorted. */
export function readGuideEntries(store: Store, baseUrls: BaseUrls): GuideEntries {
  const entries = listItems(store, 'authors', '').flatMap((entry) => {
    const author = readAuthor(entry);
    return author ? { ...author, name: authorNameInEntry(entry) ?? author.name } : [];
  });
  const listed = new Map(entries.map((author) => [author.name, author]));
  const authors = new Map<string, { author: Author; sha256: string; removedAt: string | undefined }>();
  for (const author of entries) authors.set(author.name, { author, sha256: '', removedAt: undefined });
  for (const stored of readBodies(store, 'author')) {
    const author = readAuthor(parseBody(stored));
    if (author)
      authors.set(stored.name, {
        author: { ...author, name: stored.name, published: author.published && listed.get(stored.name)?.published !== false },
        sha256: stored.sha256,
        removedAt: stored.goneAt ?? undefined,
      });
  }
  const published = [...authors.values()].filter(({ author }) => author.published);
  const shownNames = new Set(published.map(({ author }) => author.name));
  const sources = readObjectsBySource(store, baseUrls);
  const problems: PageProblem[] = [];
  const articles = [...readBodies(store, 'article')].flatMap((stored) => {
    try {
      return articleEntry(stored, shownNames, sources, baseUrls);
    } catch (error) {
      problems.push({ page: articlePath(slugOf(stored.name)), cause: `it could not be read: ${errorMessage(error)}` });
      return [];
    }
  });
  const slugs = new Set(articles.map(({ slug }) => slug));
  const bySlug = Map.groupBy(
    articles.flatMap((article) => article.authors.map((slug) => ({ slug, article: article.slug }))),
    ({ slug }) => slug,
  );
  return {
    authors: sortByTitle(
      published.map(({ author, ...body }) => ({
        ...authorEntry(author, slugs, bySlug.get(slugOf(author.name))?.map(({ article }) => article) ?? []),
        ...body,
      })),
    ),
    articles: sortByTitle(articles),
    unpublished: new Set([...authors.values()].filter(({ author }) => !author.published).map(({ author }) => author.name)),
    problems,
  };
}

function authorEntry(
  author: Author,
  knownSlugs: ReadonlySet<string>,
  namedBy: string[],
): Omit<AuthorEntry, 'sha256' | 'removedAt'> {
  const own = author.articles.map(({ name }) => slugOf(name)).filter((slug) => knownSlugs.has(slug));
  return {
    name: author.name,
    title: truncateWords(cleanTitle(author.name), MAX_TITLE_LENGTH) || `[${slugOf(author.name)}]`,
    slug: slugOf(author.name),
    liveUrl: author.liveUrl,
    titleSort: author.titleSort.slice(0, MAX_TITLE_LENGTH),
    modified: author.modified && truncateWords(author.modified, MAX_FACT_LENGTH),
    articles: [...new Set([...own, ...namedBy])],
  };
}

function articleEntry(
  stored: StoredBody,
  authors: Set<string>,
  sources: Map<string, string[]>,
  baseUrls: BaseUrls,
): ArticleEntry[] {
  const article: Article | undefined = readArticle(parseBody(stored));
  if (!article) return [];
  return [
    {
      name: stored.name,
      liveUrl: article.liveUrl,
      title: truncateWords(toPlainText(article.title) || cleanTitle(stored.name), MAX_TITLE_LENGTH) || `[${slugOf(stored.name)}]`,
      slug: slugOf(stored.name),
      titleSort: article.titleSort.slice(0, MAX_TITLE_LENGTH),
      excerpt: truncateWords(toPlainText(article.description) || toPlainText(article.body), 200),
      authors: [...new Set(article.authors.filter(({ name }) => authors.has(name)).map(({ name }) => slugOf(name)))],
      sourceCount: Math.min(article.sources.length, MAX_LIST_MEMBERS),
      objects: [
        ...new Set([
          ...article.sources.flatMap(({ name }) => sources.get(name) ?? []),
          ...extractIdsFromHtml(article.body, baseUrls),
        ]),
      ],
      sha256: stored.sha256,
      removedAt: stored.goneAt ?? undefined,
    },
  ];
}

/** Returns the IDs of records by source. */
function readObjectsBySource(store: Store, baseUrls: BaseUrls): Map<string, string[]> {
  return new Map(
    [...readBodies(store, 'source')].map((stored) => {
      const { name } = stored;
      const payload = parseBody(stored);
      return [name, isObject(payload) ? extractIdsFromSource(payload, name, baseUrls) : []];
    }),
  );
}

/** Sorts by upstream's sort keys, with numbers by value. */
function sortByTitle<T extends { titleSort: string; slug: string }>(entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, key: naturalSortKey(entry.titleSort) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.slug < b.entry.slug ? -1 : 1))
    .map(({ entry }) => entry);
}
