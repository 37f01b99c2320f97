/** The tables of the guide: authors, guide pages, and how these and the records belong together. */
import type { ArticleEntry, AuthorEntry } from '../../catalogue/entries.ts';
import { articlePath, authorPath } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import { textOfSections } from '../../model/guide/article-fields.ts';
import type { Article, Author } from '../../model/guide/guide.ts';
import { cleanTitle, toPlainText } from '../../model/text/text.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { toRecord } from './records.ts';
import { type ColumnsOf, defineTable, joinValues, type Table } from './table.ts';

/** An author with all that a row is read from. */
export interface AuthorItem {
  entry: AuthorEntry;
  /** Undefined if the author's body cannot be read. */
  author: Author | undefined;
}

/** A guide page with all that its rows are read from. */
export interface ArticleItem {
  entry: ArticleEntry;
  /** Undefined if the body cannot be read. */
  article: Article | undefined;
  /** Authors that the tables have, by ID. */
  authors: readonly string[];
  /** Records that the tables have, by ID. */
  records: readonly string[];
}

const liveUrl = (url: string | undefined) => (url === undefined ? undefined : safeExternalUrl(url));

const AUTHORS: Table<AuthorItem> = defineTable<AuthorItem, AuthorItem>({
  name: 'authors',
  title: 'Authors',
  description: 'One row per author of guide pages.',
  primaryKey: ['id'],
  foreignKeys: [],
  searched: ['name', 'biography'],
  lines: (item) => [item],
  columns: {
    id: ['What identifies the author in these tables: the name as in the path of the page.', ({ entry }) => entry.slug],
    name: ['Name.', ({ entry }) => cleanTitle(entry.name)],
    sort_key: ['Sort key of the archive: family name first.', ({ entry }) => entry.titleSort],
    biography: ['Biography, as plain text.', ({ author }) => toPlainText(author?.body)],
    modified: [
      'When the archive last changed the author: ISO 8601, with a time zone only if the archive states one.',
      ({ entry }) => readTimestamp(entry.modified),
    ],
    removed_at: [
      'When the author was found to be removed from the live archive: ISO 8601 in UTC. Empty if not.',
      ({ entry }) => entry.removedAt,
    ],
    live_url: ['URL of the page in the live archive.', ({ entry }) => liveUrl(entry.liveUrl)],
    page: ['Path of the page in the offline copy.', ({ entry }) => authorPath(entry.slug)],
  },
});

const ARTICLES: Table<ArticleItem> = defineTable<ArticleItem, ArticleItem>({
  name: 'articles',
  title: 'Guide pages',
  description: 'One row per guide page (article).',
  primaryKey: ['id'],
  foreignKeys: [],
  searched: ['title', 'description', 'text'],
  lines: (item) => [item],
  columns: {
    id: ['What identifies the guide page in these tables: its name as in the path of the page.', ({ entry }) => entry.slug],
    name: ['Name in the archive’s API.', ({ entry }) => entry.name],
    title: ['Title.', ({ entry, article }) => toPlainText(article?.title) || entry.title],
    sort_key: ['Sort key of the archive.', ({ entry }) => entry.titleSort],
    description: ['Description, as plain text.', ({ article }) => toPlainText(article?.description)],
    text: ['All texts of the page with its notes, as plain text.', ({ article }) => textOfSections(article?.sections ?? [])],
    categories: ['Categories, separated by “; ”.', ({ article }) => joinValues((article?.categories ?? []).map(toPlainText))],
    topics: ['Topics, separated by “; ”.', ({ article }) => joinValues((article?.topics ?? []).map(toPlainText))],
    modified: [
      'When the archive last changed the page: ISO 8601, with a time zone only if the archive states one.',
      ({ article }) => readTimestamp(article?.modified),
    ],
    removed_at: [
      'When the page was found to be removed from the live archive: ISO 8601 in UTC. Empty if not.',
      ({ entry }) => entry.removedAt,
    ],
    live_url: ['URL of the page in the live archive.', ({ entry }) => liveUrl(entry.liveUrl)],
    page: ['Path of the page in the offline copy.', ({ entry }) => articlePath(entry.slug)],
  },
});

interface Link {
  article: string;
  position: number;
  target: string;
}

const linksTo = ({ entry }: ArticleItem, targets: readonly string[]): Link[] =>
  targets.map((target, i) => ({ article: entry.slug, position: i + 1, target }));
const LINK: ColumnsOf<Link> = {
  article_id: ['Guide page.', ({ article }) => article],
  position: ['Position among those of the guide page, from 1.', ({ position }) => position, 'integer'],
};
const toArticle = { column: 'article_id', table: 'articles', key: 'id' };

/** One row per author of a guide page. */
const ARTICLE_AUTHORS: Table<ArticleItem> = defineTable<ArticleItem, Link>({
  name: 'article_authors',
  title: 'Authors of guide pages',
  description: 'One row per author of a guide page.',
  primaryKey: ['article_id', 'position'],
  foreignKeys: [toArticle, { column: 'author_id', table: 'authors', key: 'id' }],
  indexed: ['author_id'],
  lines: (item) => linksTo(item, item.authors),
  columns: { ...LINK, author_id: ['Author.', ({ target }) => target] },
});

/** One row per record that a guide page names. */
const ARTICLE_RECORDS: Table<ArticleItem> = defineTable<ArticleItem, Link>({
  name: 'article_records',
  title: 'Records in guide pages',
  description: 'One row per record that the sources or the text of a guide page name.',
  primaryKey: ['article_id', 'position'],
  foreignKeys: [toArticle, toRecord('record_id')],
  indexed: ['record_id'],
  lines: (item) => linksTo(item, item.records),
  columns: { ...LINK, record_id: ['Record.', ({ target }) => target] },
});

/** All tables with rows of authors. */
export const AUTHOR_TABLES: ReadonlyArray<Table<AuthorItem>> = [AUTHORS];
/** All tables with rows of guide pages. */
export const ARTICLE_TABLES: ReadonlyArray<Table<ArticleItem>> = [ARTICLES, ARTICLE_AUTHORS, ARTICLE_RECORDS];
