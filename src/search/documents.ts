/** What the search engine is given of each page: never the page itself, so that text for search alone stays out of it. */

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

/** A record as Pagefind's `addCustomRecord` takes it. */
export interface SearchDocument {
  url: string;
  content: string;
  language: 'en';
  meta: Record<string, string>;
  /** Kinds, genres, formats and languages as codes: the reader's page has the labels. */
  filters: Record<string, string[]>;
  sort: Record<string, string>;
}

const FILTERS: Readonly<Record<string, Facet>> = {
  genre: 'genre',
  format: 'format',
  topic: 'topic',
  facility: 'facility',
  language: 'language',
};
/** What is searched is the archive's words; ours, where a field has some beside them, are English. */
const [PLAIN] = createEditions(['en']) as [Edition];
/** Characters of the description that a result shows; the excerpt is cut from them. */
const DESCRIPTION = 600;
const MOST_YEARS = 100;
/** Sorts behind every title and date. */
const LAST = '\uffff';

export function objectDocument(
  entry: ObjectEntry,
  record: ArchivalRecord,
  picture: Picture,
  collection: string | undefined,
  /** Its transcripts and glossaries as plain text. */
  spoken: string[],
): SearchDocument {
  const description = plainText(record.description);
  const fields = FIELDS.filter((field) => field.searched).flatMap((field) =>
    field.parts(record, entry.facets, PLAIN).map((part) => plainText(part.html ?? part.text)),
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
      ...meta(entry.title, entry.model, description, picture, entry.date),
      ...(spoken.length > 0 ? { spoken: spoken.join(' … ') } : {}),
    },
    filters,
    sort: { title: sortKey(entry.title), date: range?.start ?? LAST },
  };
}

/** Characters of one document that are searched; beyond some megabytes Pagefind’s process gives out. */
const LONGEST = 2_000_000;

/** A document as Pagefind takes it: half a surrogate pair in it would end Pagefind’s process. */
export function indexable({ content, meta: own, filters, sort, ...rest }: SearchDocument): SearchDocument {
  return {
    ...rest,
    content: legible(content.slice(0, LONGEST)),
    meta: mapped(own, (text) => legible(text.slice(0, LONGEST))),
    filters: mapped(filters, (values) => values.map((text) => clean(text.slice(0, LONGEST_LABEL)))),
    sort: mapped(sort, (key) => (key === LAST ? key : legible(key.slice(0, LONGEST_TITLE)))),
  };
}

function mapped<T, U>(values: Record<string, T>, as: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, as(value)]));
}

/** Every year of a range, so that a span of years finds it; of a very long one, the first. */
function yearsIn({ start, end }: DateRange): string[] {
  const first = Number(start.slice(0, 4));
  const length = Math.min(MOST_YEARS, Number(end.slice(0, 4)) - first + 1);
  return Array.from({ length }, (_, i) => String(first + i));
}

export function authorDocument(entry: AuthorEntry, payload: unknown, picture: Picture): SearchDocument {
  const body = plainText(readAuthor(payload)?.body);
  return {
    url: authorPath(entry.slug),
    content: searchable(`${clean(entry.name)}. ${body}`),
    language: 'en',
    meta: meta(entry.title, 'author', body, picture),
    filters: { model: ['author'] },
    sort: { title: entry.titleSort, date: LAST },
  };
}

export function articleDocument(entry: ArticleEntry, payload: unknown, authors: string[], picture: Picture): SearchDocument {
  const article = readArticle(payload);
  const body = plainText(article?.body);
  return {
    url: articlePath(entry.slug),
    content: searchable(
      [entry.title, plainText(article?.description), body, ...authors, ...(article?.topics ?? [])].filter(Boolean).join('. '),
    ),
    language: 'en',
    meta: meta(entry.title, 'article', plainText(article?.description) || body, picture),
    filters: { model: ['article'] },
    sort: { title: entry.titleSort, date: LAST },
  };
}

function meta(title: string, kind: string, description: string, picture: Picture, date?: string): Record<string, string> {
  return { title, kind, description: shorten(description, DESCRIPTION), image: picture.path, ...(date ? { date } : {}) };
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
