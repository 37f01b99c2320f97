/** Creates search documents from records, not from pages, so that text that is only for search appears on no page. */

import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import { titleOf } from '../catalogue/object-entries.ts';
import { articlePath, authorPath, objectPath } from '../catalogue/urls.ts';
import { toSearchable } from '../client/searchable-text.ts';
import { allYears, dateSortKey } from '../model/dates/coverage.ts';
import { readRecordDates } from '../model/dates/record-dates.ts';
import { readArticle, readAuthor } from '../model/guide.ts';
import { toLegible } from '../model/legible.ts';
import { MAX_LABEL_LENGTH, MAX_TITLE_LENGTH } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { naturalSortKey } from '../model/sort-key.ts';
import { cleanTitle, toPlainText, truncateWords } from '../model/text.ts';
import { FIELDS } from '../site/fields.ts';
import type { SiteImage } from '../site/images.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';

/** The data of one page in the search index, in the form of Pagefind's `addCustomRecord`. */
export interface SearchDocument {
  /** Path of the page in the site. */
  url: string;
  /** The text that queries are compared with. */
  content: string;
  language: 'en';
  /** The texts that a result shows, and the text of transcripts (`spoken`) for excerpts. */
  meta: Record<string, string>;
  /** Models, genres, formats and languages are codes; the search page has their labels. */
  filters: Record<string, string[]>;
  /** Sort keys: `title`, and `date` for records. */
  sort: Record<string, string>;
}

const FILTER_FACETS: Readonly<Record<string, Facet>> = {
  genre: 'genre',
  format: 'format',
  topic: 'topic',
  facility: 'facility',
  language: 'language',
};
/** Most text of fields comes from the archive. Text that the program adds is indexed in English. */
const [ENGLISH] = createLocales(['en']) as [Locale];
/** Maximum characters of the description in a result. */
const MAX_DESCRIPTION_LENGTH = 600;
const MAX_YEARS = 100;
/** Sort key after all titles and dates. */
const SORTS_LAST = '\uffff';

/** Returns the search document of a record. `collection` is the title of its collection. */
export function objectDocument(
  entry: ObjectEntry,
  record: ArchivalRecord,
  image: SiteImage,
  collection: string | undefined,
  /** Transcripts and glossaries, as plain text. */
  spokenTexts: string[],
): SearchDocument {
  const description = toPlainText(record.description);
  const fields = FIELDS.filter((field) => field.isSearched).flatMap((field) =>
    field.readParts(record, entry.facets, ENGLISH).map((part) => toPlainText(part.html ?? part.text)),
  );
  const filters: Record<string, string[]> = { model: [entry.model] };
  if (collection) filters['collection'] = [collection];
  for (const [name, facet] of Object.entries(FILTER_FACETS)) {
    const values = (entry.facets[facet] ?? []).map((value) => value.label);
    if (values.length > 0) filters[name] = values;
  }
  const { reading } = readRecordDates(record);
  if (reading) filters['year'] = allYears(reading, MAX_YEARS).map(String);
  return {
    url: objectPath(entry.id),
    content: toSearchable(
      [titleOf(record), description, ...fields, ...spokenTexts, toPlainText(record.search_hidden)].filter(Boolean).join('. '),
    ),
    language: 'en',
    meta: {
      ...meta(entry.title, entry.model, description, image, entry.date),
      ...(spokenTexts.length > 0 ? { spoken: spokenTexts.join(' … ') } : {}),
    },
    filters,
    sort: { title: sortKey(entry.title), date: reading ? dateSortKey(reading) : SORTS_LAST },
  };
}

/** Maximum characters of a document. Pagefind’s process fails at some megabytes. */
const MAX_CONTENT_LENGTH = 2_000_000;

/** Returns a document that Pagefind accepts: truncated to its limits, and without lone surrogates, which would end Pagefind’s process. */
export function toIndexable({ content, meta: own, filters, sort, ...rest }: SearchDocument): SearchDocument {
  return {
    ...rest,
    content: toLegible(content.slice(0, MAX_CONTENT_LENGTH)),
    meta: mapValues(own, (text) => toLegible(text.slice(0, MAX_CONTENT_LENGTH))),
    filters: mapValues(filters, (values) => values.map((text) => cleanTitle(text.slice(0, MAX_LABEL_LENGTH)))),
    sort: mapValues(sort, (key) => (key === SORTS_LAST ? key : toLegible(key.slice(0, MAX_TITLE_LENGTH)))),
  };
}

function mapValues<T, U>(values: Record<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));
}

/** Returns the search document of an author. `payload` is the author's parsed body. */
export function authorDocument(entry: AuthorEntry, payload: unknown, image: SiteImage): SearchDocument {
  const body = toPlainText(readAuthor(payload)?.body);
  return {
    url: authorPath(entry.slug),
    content: toSearchable(`${cleanTitle(entry.name)}. ${body}`),
    language: 'en',
    meta: meta(entry.title, 'author', body, image),
    filters: { model: ['author'] },
    sort: { title: sortKey(entry.titleSort), date: SORTS_LAST },
  };
}

/** Returns the search document of a guide page. `payload` is its parsed body, and `authors` has the names of its authors. */
export function articleDocument(entry: ArticleEntry, payload: unknown, authors: string[], image: SiteImage): SearchDocument {
  const article = readArticle(payload);
  const body = toPlainText(article?.body);
  return {
    url: articlePath(entry.slug),
    content: toSearchable(
      [entry.title, toPlainText(article?.description), body, ...authors, ...(article?.topics ?? [])].filter(Boolean).join('. '),
    ),
    language: 'en',
    meta: meta(entry.title, 'article', toPlainText(article?.description) || body, image),
    filters: { model: ['article'] },
    sort: { title: sortKey(entry.titleSort), date: SORTS_LAST },
  };
}

function meta(title: string, kind: string, description: string, image: SiteImage, date?: string): Record<string, string> {
  return {
    title,
    kind,
    description: truncateWords(description, MAX_DESCRIPTION_LENGTH),
    image: image.path,
    ...(date ? { date } : {}),
  };
}

function sortKey(title: string): string {
  return naturalSortKey(title) || SORTS_LAST;
}
