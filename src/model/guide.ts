/** The guide's side: author entries, author details, articles and sources (docs/upstream-api.md, “Guide API”). */
import { entryName } from './lists.ts';
import { nameInUrl } from './resources.ts';
import { fields, isObject, list, type Reader, text, verbatim } from './values.ts';

/** A mention of another author, article or source. `name` is the identity that its JSON address carries, `title` what people read. */
export interface Reference {
  name: string;
  title: string;
}

const referenceFields = fields({ title: verbatim, id: verbatim, json: verbatim });
const reference: Reader<Reference | undefined> = (value) => {
  const read = referenceFields(value) ?? { title: verbatim(value), id: undefined, json: undefined };
  const title = read.title ?? read.id;
  return title === undefined ? undefined : { title: text(title) ?? '', name: nameInUrl(read.json) ?? read.id ?? title };
};
/** Never cut: what they name is harvested too. */
const references = list(reference, Number.POSITIVE_INFINITY);
const titles = list((value) => reference(value)?.title || undefined);

const authorFields = fields({
  id: verbatim,
  title: verbatim,
  url_title: verbatim,
  title_sort: text,
  modified: text,
  published: text,
  body: text,
  articles: references,
});
const articleFields = fields({
  id: text,
  links: fields({ html: verbatim }),
  title: text,
  url_title: text,
  title_sort: text,
  description: text,
  body: text,
  modified: text,
  categories: titles,
  topics: titles,
  authors: references,
  sources: references,
});
const sourceFields = fields({ id: verbatim, caption: text, caption_extended: text, courtesy: text });

/** An author, from a list entry or the detail record. `name` is the identity (id, title and url_title are equal: docs/upstream-api.md, “Author entries”). */
export interface Author {
  name: string;
  titleSort: string;
  modified: string | undefined;
  /** False only where upstream says so; such an author is never shown. */
  published: boolean;
  /** HTML, untrusted. */
  body: string | undefined;
  articles: Reference[];
}

export interface Article {
  title: string;
  /** The address of its page in the living guide. */
  html: string | undefined;
  titleSort: string;
  description: string | undefined;
  /** HTML, untrusted. */
  body: string | undefined;
  modified: string | undefined;
  categories: string[];
  topics: string[];
  authors: Reference[];
  sources: Reference[];
}

export interface Source {
  id: string;
  caption: string | undefined;
  courtesy: string | undefined;
}

export function readAuthor(raw: unknown): Author | undefined {
  const read = authorFields(raw);
  const name = read && (read.id ?? read.title ?? read.url_title);
  if (name === undefined) return undefined;
  const { title_sort, modified, published, body, articles } = read as NonNullable<typeof read>;
  return {
    name,
    titleSort: title_sort ?? name.toLowerCase(),
    modified,
    published: published !== 'false' && published !== '0',
    body,
    articles,
  };
}

/** The name under which the author of a line in the authors list is asked for: the one in its JSON address, else its id (docs/upstream-api.md, “Author entries”). */
export function authorNameIn(line: Record<string, unknown>): string | undefined {
  const json = isObject(line['links']) ? verbatim(line['links']['json']) : undefined;
  return nameInUrl(json) ?? entryName(line);
}

export function readArticle(raw: unknown): Article | undefined {
  const read = articleFields(raw);
  const title = read && (read.title ?? read.url_title ?? read.id);
  if (title === undefined) return undefined;
  const { links, title_sort, description, body, modified, categories, topics, authors, sources } = read as NonNullable<
    typeof read
  >;
  return {
    title,
    html: links?.html,
    titleSort: title_sort ?? title.toLowerCase(),
    description,
    body,
    modified,
    categories,
    topics,
    authors,
    sources,
  };
}

export function readSource(raw: unknown): Source | undefined {
  const read = sourceFields(raw);
  if (read?.id === undefined) return undefined;
  return { id: read.id, caption: read.caption_extended ?? read.caption, courtesy: read.courtesy };
}
