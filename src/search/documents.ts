/** Creates search documents from records, not from pages, so that text for search alone appears on no page. */

import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import { titleOf } from '../catalogue/object-entries.ts';
import { articlePath, authorPath, objectPath } from '../catalogue/urls.ts';
import { searchable } from '../client/words.ts';
import { type DateRange, parseDateRange } from '../model/dates.ts';
import { readArticle, readAuthor } from '../model/guide.ts';
import { legible } from '../model/legible.ts';
import { LONGEST_LABEL, LONGEST_TITLE } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { clean, plainText, shorten } from '../model/text.ts';
import { FIELDS } from '../site/fields.ts';
import { createEditions, type Edition } from '../site/language/edition.ts';
import type { Picture } from '../site/pictures.ts';

/** What the search index holds of one page, in the form of Pagefind's `addCustomRecord`. */
export interface SearchDocument {
  /** Path of the page in the site. */
  url: string;
  /** The text that queries are compared with. */
  content: string;
  language: 'en';
  /** What a result shows, and the words of transcripts (`spoken`) for excerpts. */
  meta: Record<string, string>;
  /** Models, genres, formats and languages are codes; the search page has their labels. */
  filters: Record<string, string[]>;
  /** Sort keys: `title`, and `date` for records. */
  sort: Record<string, string>;
}

const FILTERS: Readonly<Record<string, Facet>> = {
  genre: 'genre',
  format: 'format',
  topic: 'topic',
  facility: 'facility',
  language: 'language',
};
/** The text of fields is the archive's. Where a field adds words of ours, the index has the English ones. */
const [ENGLISH] = createEditions(['en']) as [Edition];
/** Maximum characters of the description in a result. */
const MAX_DESCRIPTION_LENGTH = 600;
const MAX_YEARS = 100;
/** Sort key after all titles and dates. */
const LAST = '\uffff';

/** Returns the search document of a record. `collection` is the title of its collection. */
export function objectDocument(
  entry: ObjectEntry,
  record: ArchivalRecord,
  image: Picture,
  collection: string | undefined,
  /** Transcripts and glossaries, as plain text. */
  spoken: string[],
): SearchDocument {
  const description = plainText(record.description);
  const fields = FIELDS.filter((field) => field.searched).flatMap((field) =>
    field.parts(record, entry.facets, ENGLISH).map((part) => plainText(part.html ?? part.text)),
  );
  const filters: Record<string, string[]> = { model: [entry.model] };
  if (collection) filters['collection'] = [collection];
  for (const [name, facet] of Object.entries(FILTERS)) {
    const values = (entry.facets[facet] ?? []).map((value) => value.label);
    if (values.length > 0) filters[name] = values;
  }
  const range = parseDateRange(record.creation);
  if (range) filters['year'] = yearsIn(range);
  return {
    url: objectPath(entry.id),
    content: searchable(
      [titleOf(record), description, ...fields, ...spoken, plainText(record.search_hidden)].filter(Boolean).join('. '),
    ),
    language: 'en',
    meta: {
      ...meta(entry.title, entry.model, description, image, entry.date),
      ...(spoken.length > 0 ? { spoken: spoken.join(' … ') } : {}),
    },
    filters,
    sort: { title: sortKey(entry.title), date: range?.start ?? LAST },
  };
}

/** Maximum characters of a document. Pagefind’s process fails at some megabytes. */
const MAX_CONTENT_LENGTH = 2_000_000;

/** Returns a document that Pagefind accepts: cut to its limits, and without lone surrogates, which would end Pagefind’s process. */
export function indexable({ content, meta: own, filters, sort, ...rest }: SearchDocument): SearchDocument {
  return {
    ...rest,
    content: legible(content.slice(0, MAX_CONTENT_LENGTH)),
    meta: mapValues(own, (text) => legible(text.slice(0, MAX_CONTENT_LENGTH))),
    filters: mapValues(filters, (values) => values.map((text) => clean(text.slice(0, LONGEST_LABEL)))),
    sort: mapValues(sort, (key) => (key === LAST ? key : legible(key.slice(0, LONGEST_TITLE)))),
  };
}

function mapValues<T, U>(values: Record<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));
}

/** Returns every year of a range, so that a span of years finds it. A range longer than `MAX_YEARS` is cut. */
function yearsIn({ start, end }: DateRange): string[] {
  const first = Number(start.slice(0, 4));
  const length = Math.min(MAX_YEARS, Number(end.slice(0, 4)) - first + 1);
  return Array.from({ length }, (_, i) => String(first + i));
}

/** Returns the search document of an author. `payload` is the author's parsed body. */
export function authorDocument(entry: AuthorEntry, payload: unknown, image: Picture): SearchDocument {
  const body = plainText(readAuthor(payload)?.body);
  return {
    url: authorPath(entry.slug),
    content: searchable(`${clean(entry.name)}. ${body}`),
    language: 'en',
    meta: meta(entry.title, 'author', body, image),
    filters: { model: ['author'] },
    sort: { title: entry.titleSort, date: LAST },
  };
}

/** Returns the search document of a guide page. `payload` is its parsed body, and `authors` has the names of its authors. */
export function articleDocument(entry: ArticleEntry, payload: unknown, authors: string[], image: Picture): SearchDocument {
  const article = readArticle(payload);
  const body = plainText(article?.body);
  return {
    url: articlePath(entry.slug),
    content: searchable(
      [entry.title, plainText(article?.description), body, ...authors, ...(article?.topics ?? [])].filter(Boolean).join('. '),
    ),
    language: 'en',
    meta: meta(entry.title, 'article', plainText(article?.description) || body, image),
    filters: { model: ['article'] },
    sort: { title: entry.titleSort, date: LAST },
  };
}

function meta(title: string, kind: string, description: string, image: Picture, date?: string): Record<string, string> {
  return { title, kind, description: shorten(description, MAX_DESCRIPTION_LENGTH), image: image.path, ...(date ? { date } : {}) };
}

function sortKey(title: string): string {
  return (
    title
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}]+/u, '') || LAST
  );
}
