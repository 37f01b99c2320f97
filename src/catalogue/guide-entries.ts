/** Creates the catalogue entries of authors and guide pages. */
import { type Article, type Author, authorNameIn, readArticle, readAuthor } from '../model/guide.ts';
import { LONGEST_FACT, LONGEST_TITLE, MOST_MEMBERS } from '../model/limits.ts';
import { idsInHtml, idsInSource } from '../model/mentions.ts';
import type { Bases } from '../model/resources.ts';
import { slugOf } from '../model/slug.ts';
import { clean, plainText, shorten } from '../model/text.ts';
import { isObject } from '../model/values.ts';
import { listItems } from '../snapshot/lists.ts';
import { bodiesOf, parseBody, type StoredBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { ArticleEntry, AuthorEntry } from './entries.ts';
import { messageOf, type PageProblem } from './page-problems.ts';
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
export function readGuide(store: Store, bases: Bases): GuideEntries {
  const entries = listItems(store, 'authors', '').flatMap((entry) => {
    const author = readAuthor(entry);
    return author ? { ...author, name: authorNameIn(entry) ?? author.name } : [];
  });
  const listed = new Map(entries.map((author) => [author.name, author]));
  const authors = new Map<string, { author: Author; sha256: string; goneAt: string | undefined }>();
  for (const author of entries) authors.set(author.name, { author, sha256: '', goneAt: undefined });
  for (const stored of bodiesOf(store, 'author')) {
    const author = readAuthor(parseBody(stored));
    if (author)
      authors.set(stored.name, {
        author: { ...author, name: stored.name, published: author.published && listed.get(stored.name)?.published !== false },
        sha256: stored.sha256,
        goneAt: stored.goneAt ?? undefined,
      });
  }
  const published = [...authors.values()].filter(({ author }) => author.published);
  const shownNames = new Set(published.map(({ author }) => author.name));
  const sources = sourceObjects(store, bases);
  const problems: PageProblem[] = [];
  const articles = [...bodiesOf(store, 'article')].flatMap((stored) => {
    try {
      return articleEntry(stored, shownNames, sources, bases);
    } catch (error) {
      problems.push({ page: articlePath(slugOf(stored.name)), cause: `it could not be read: ${messageOf(error)}` });
      return [];
    }
  });
  const slugs = new Set(articles.map(({ slug }) => slug));
  const bySlug = Map.groupBy(
    articles.flatMap((article) => article.authors.map((slug) => ({ slug, article: article.slug }))),
    ({ slug }) => slug,
  );
  return {
    authors: published
      .map(({ author, ...body }) => ({
        ...authorEntry(author, slugs, bySlug.get(slugOf(author.name))?.map(({ article }) => article) ?? []),
        ...body,
      }))
      .sort(bySortKey),
    articles: articles.sort(bySortKey),
    unpublished: new Set([...authors.values()].filter(({ author }) => !author.published).map(({ author }) => author.name)),
    problems,
  };
}

function authorEntry(author: Author, knownSlugs: ReadonlySet<string>, namedBy: string[]): Omit<AuthorEntry, 'sha256' | 'goneAt'> {
  const own = author.articles.map(({ name }) => slugOf(name)).filter((slug) => knownSlugs.has(slug));
  return {
    name: author.name,
    title: shorten(clean(author.name), LONGEST_TITLE) || `[${slugOf(author.name)}]`,
    slug: slugOf(author.name),
    titleSort: author.titleSort.slice(0, LONGEST_TITLE),
    modified: author.modified && shorten(author.modified, LONGEST_FACT),
    articles: [...new Set([...own, ...namedBy])],
  };
}

function articleEntry(stored: StoredBody, authors: Set<string>, sources: Map<string, string[]>, bases: Bases): ArticleEntry[] {
  const article: Article | undefined = readArticle(parseBody(stored));
  if (!article) return [];
  return [
    {
      name: stored.name,
      address: article.html,
      title: shorten(plainText(article.title) || clean(stored.name), LONGEST_TITLE) || `[${slugOf(stored.name)}]`,
      slug: slugOf(stored.name),
      titleSort: article.titleSort.slice(0, LONGEST_TITLE),
      excerpt: shorten(plainText(article.description) || plainText(article.body), 200),
      authors: [...new Set(article.authors.filter(({ name }) => authors.has(name)).map(({ name }) => slugOf(name)))],
      sourceCount: Math.min(article.sources.length, MOST_MEMBERS),
      objects: [
        ...new Set([...article.sources.flatMap(({ name }) => sources.get(name) ?? []), ...idsInHtml(article.body, bases)]),
      ],
      sha256: stored.sha256,
      goneAt: stored.goneAt ?? undefined,
    },
  ];
}

/** Returns the IDs of records by source. */
function sourceObjects(store: Store, bases: Bases): Map<string, string[]> {
  return new Map(
    [...bodiesOf(store, 'source')].map((stored) => {
      const { name } = stored;
      const payload = parseBody(stored);
      return [name, isObject(payload) ? idsInSource(payload, name, bases) : []];
    }),
  );
}

function bySortKey(a: { titleSort: string; slug: string }, b: { titleSort: string; slug: string }): number {
  return a.titleSort < b.titleSort ? -1 : a.titleSort > b.titleSort ? 1 : a.slug < b.slug ? -1 : 1;
}
