/** Creates the catalogue entries of authors and guide pages. */
import * as guide from '../../model/guide/guide.ts';
import type { NamedFile } from '../../model/media/media.ts';
import { extractIdsFromSource, extractIdsFromTexts } from '../../model/mentions.ts';
import { type BaseUrls, hostKey } from '../../model/resources.ts';
import { MAX_FACT_LENGTH, MAX_LIST_MEMBERS, MAX_TITLE_LENGTH } from '../../model/text/limits.ts';
import { slugOf } from '../../model/text/slug.ts';
import { filedSortKey, naturalSortKey } from '../../model/text/sort-key.ts';
import { cleanTitle, toPlainText, truncateWords } from '../../model/text/text.ts';
import { isObject, text } from '../../model/values.ts';
import { listItems } from '../../snapshot/lists.ts';
import { parseBody } from '../../snapshot/read.ts';
import type { StoredBody } from '../../snapshot/row-types.ts';
import type { Store } from '../../snapshot/store.ts';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../entries.ts';
import { errorMessage, type PageProblem } from '../page-problems.ts';
import { articlePath } from '../urls.ts';
import { type Reading, readFacts } from './read-facts.ts';

/** The entries of the guide. */
export type GuideEntries = ReturnType<typeof readGuideEntries>;

/** The media files of a source. */
export type SourceFiles = Pick<ObjectEntry, 'id' | 'model' | 'mediaUrls' | 'media' | 'streamOnlyUrls'>;

type AuthorFacts = Pick<AuthorEntry, 'sha256' | 'removedAt'> & { author: Omit<guide.Author, 'body'> };

/** Reads all authors and guide pages that may be shown, sorted. */
export function readGuideEntries(reading: Reading, baseUrls: BaseUrls) {
  const authors = readAuthors(reading.store, reading);
  const published = [...authors.values()].filter(({ author }) => author.published);
  const shownNames = new Set(published.map(({ author }) => author.name));
  const sources = readSources(reading, baseUrls);
  const problems: PageProblem[] = [];
  const articles: ArticleEntry[] = [];
  for (const { facts } of readFacts(reading, 'article', (stored) => ({ facts: readArticleBody(stored, baseUrls) }))) {
    if (facts && 'problem' in facts) problems.push(facts.problem);
    else if (facts) articles.push(articleEntry(facts, shownNames, sources));
  }
  const shown = withoutOtherForms(articles);
  for (const { name, slug } of new Set(articles).difference(new Set(shown)))
    problems.push({ page: articlePath(slug), cause: `the guide also has it as “${name}”, which is not shown` });
  const slugs = new Set(shown.map(({ slug }) => slug));
  const bySlug = Map.groupBy(
    shown.flatMap((article) => article.authors.map((slug) => ({ slug, article: article.slug }))),
    ({ slug }) => slug,
  );
  return {
    authors: sortByKey(
      withoutOtherForms(
        published.map(({ author, ...body }) => ({
          ...authorEntry(author, slugs, bySlug.get(slugOf(author.name))?.map(({ article }) => article) ?? []),
          ...body,
        })),
      ),
      ({ titleSort }) => titleSort,
    ),
    articles: sortByKey(shown, ({ title, titleSort }) => filedSortKey(title, titleSort)),
    /** Names of unpublished authors. */
    unpublished: new Set([...authors.values()].filter(({ author }) => !author.published).map(({ author }) => author.name)),
    /** Guide pages that cannot be shown. */
    problems,
    /** The SHA-256 of the body of each source, by name. */
    sourceVersions: Object.fromEntries([...sources].map(([name, { sha256 }]) => [name, sha256])),
    /** The media files of sources, as records name theirs. */
    sourceFiles: [...sources].flatMap(([id, { files }]): SourceFiles[] => {
      const media = files.filter(({ kind }) => kind !== 'image');
      const mediaUrls = files.map(({ url }) => url);
      return files.length === 0 ? [] : [{ id, model: 'entity', mediaUrls, media, streamOnlyUrls: [] }];
    }),
    /** The hosts of the pages that sources say they have in the live archive. */
    hosts: [...new Set([...sources.values()].flatMap(({ hosts }) => hosts))].sort(),
  };
}

/** Returns entries without those whose name is that of an earlier one, in another Unicode form or with other spaces. */
function withoutOtherForms<T extends { slug: string }>(entries: readonly T[]): T[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.slug, entry])).values()].reverse();
}

/** Returns all authors by name: from their list, and from their own bodies. */
function readAuthors(store: Store, reading: Reading): Map<string, AuthorFacts> {
  const entries = listItems(store, 'authors', '').flatMap((entry) => {
    const author = guide.readAuthor(entry);
    return author ? { ...author, name: guide.authorNameInEntry(entry) ?? author.name } : [];
  });
  const listed = new Map(entries.map((author) => [author.name, author]));
  const authors = new Map<string, AuthorFacts>();
  for (const author of entries) authors.set(author.name, { author, sha256: '', removedAt: undefined });
  for (const { name, facts } of readFacts(reading, 'author', (stored) => ({ facts: readAuthorBody(stored) }))) {
    if (!facts) continue;
    const { author, sha256, removedAt } = facts;
    const published = author.published && listed.get(name)?.published !== false;
    authors.set(name, { author: { ...author, name, published }, sha256, removedAt });
  }
  return authors;
}

function readAuthorBody(stored: StoredBody): AuthorFacts | null {
  const author = guide.readAuthor(parseBody(stored));
  if (!author) return null;
  const { body: _, ...shown } = author;
  const { name, published } = author;
  const unpublished = { name, published, titleSort: '', modified: undefined, liveUrl: undefined, articles: [] };
  return { author: published ? shown : unpublished, sha256: stored.sha256, removedAt: stored.removedAt ?? undefined };
}

function authorEntry(author: Omit<guide.Author, 'body'>, knownSlugs: ReadonlySet<string>, namedBy: string[]) {
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

/** What is read of a guide page. */
type ArticleFacts = ReturnType<typeof factsOfArticle>;

function readArticleBody(stored: StoredBody, baseUrls: BaseUrls): ArticleFacts | { problem: PageProblem } | null {
  try {
    const article = guide.readArticle(parseBody(stored));
    return article ? factsOfArticle(article, stored, baseUrls) : null;
  } catch (error) {
    return { problem: { page: articlePath(slugOf(stored.name)), cause: `it could not be read: ${errorMessage(error)}` } };
  }
}

function factsOfArticle(article: guide.Article, { name, sha256, removedAt }: StoredBody, baseUrls: BaseUrls) {
  return {
    entry: {
      name,
      liveUrl: article.liveUrl,
      title: truncateWords(toPlainText(article.title) || cleanTitle(name), MAX_TITLE_LENGTH) || `[${slugOf(name)}]`,
      slug: slugOf(name),
      titleSort: article.titleSort.slice(0, MAX_TITLE_LENGTH),
      excerpt: truncateWords(toPlainText(article.description) || toPlainText(article.sections[0]?.html), 200),
      sourceCount: Math.min(article.sources.length, MAX_LIST_MEMBERS),
      position: article.position,
      sha256,
      removedAt: removedAt ?? undefined,
    } satisfies Omit<ArticleEntry, 'authors' | 'objects' | 'images'>,
    authors: article.authors.map((author) => author.name),
    sources: article.sources.map((source) => source.name),
    /** IDs of the records that its texts link to. */
    mentions: extractIdsFromTexts(article.sections, baseUrls),
  };
}

function articleEntry(
  { entry, authors, sources, mentions }: ArticleFacts,
  shownAuthors: ReadonlySet<string>,
  known: Sources,
): ArticleEntry {
  return {
    ...entry,
    authors: [...new Set(authors.filter((name) => shownAuthors.has(name)).map(slugOf))],
    objects: [...new Set([...sources.flatMap((name) => known.get(name)?.ids ?? []), ...mentions])],
    images: sources.flatMap((name) => imagesOf(known.get(name))).slice(0, MAX_IMAGES),
  };
}

/** Images of a guide page among which lists find one. */
const MAX_IMAGES = 20;

function imagesOf(source: ReturnType<Sources['get']>): ArticleEntry['images'] {
  const images = source?.files.filter(({ kind }) => kind === 'image') ?? [];
  return images.map(({ url }) => ({ url, objects: source?.ids ?? [] }));
}

/** What is read of all sources, by name: the IDs of the records that each names, and its files and hosts. */
type Sources = ReturnType<typeof readSources>;

/** Returns the hosts of the pages that a source says it has. */
function hostsOf(payload: unknown): string[] {
  const links = isObject(payload) && isObject(payload['links']) ? payload['links'] : {};
  const urls = Object.entries(links).flatMap(([name, url]) => (name === 'img' ? [] : (URL.parse(text(url) ?? '') ?? [])));
  return [...new Set(urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(hostKey))];
}

function readSources(reading: Reading, baseUrls: BaseUrls) {
  const bodies = readFacts(reading, 'source', (stored) => {
    const payload = parseBody(stored);
    const ids = isObject(payload) ? extractIdsFromSource(payload, stored.name, baseUrls) : [];
    const files = guide.filesOfSource(stored.name, guide.readSource(payload)).map(({ kind, url }): NamedFile => ({ kind, url }));
    return { facts: { ids, files, hosts: hostsOf(payload), sha256: stored.sha256 } };
  });
  return new Map(Array.from(bodies, ({ name, facts }) => [name, facts]));
}

/** Sorts by the keys that `keyOf` returns, with numbers by value. */
function sortByKey<T extends { slug: string }>(entries: readonly T[], keyOf: (entry: T) => string): T[] {
  return entries
    .map((entry) => ({ entry, key: naturalSortKey(keyOf(entry)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.slug < b.entry.slug ? -1 : 1))
    .map(({ entry }) => entry);
}
