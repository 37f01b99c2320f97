/** Parses the guide API: author entries, authors, guide pages and sources (docs/upstream-api.md, “Guide API”). */
import { entryIdentity } from './lists.ts';
import { nameInUrl } from './resources.ts';
import { fields, isObject, list, type Reader, text, verbatim } from './values.ts';

/** A mention of an author, guide page or source. `name` is the one in its JSON URL, `title` is for display. */
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
/** Without a maximum: what they name is harvested too. */
const references = list(reference, Number.POSITIVE_INFINITY);
const referenceTitles = list((value) => reference(value)?.title || undefined);

const authorFields = fields({
  id: verbatim,
  title: verbatim,
  url_title: verbatim,
  title_sort: text,
  modified: text,
  published: text,
  body: text,
  links: fields({ html: verbatim }),
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
  categories: referenceTitles,
  topics: referenceTitles,
  authors: references,
  sources: references,
});
const sourceFields = fields({ id: verbatim, caption: text, caption_extended: text, courtesy: text });

/**
 * An author, from a list entry or the author's own resource. `name` identifies the author: upstream gives the same value as `id`, `title`
 * and `url_title` (docs/upstream-api.md, “Author entries”).
 */
export interface Author {
  name: string;
  /** Sort key: surname first, in lower case. */
  titleSort: string;
  modified: string | undefined;
  /** False only if upstream declares it. Such an author is never shown. */
  published: boolean;
  /** Biography as untrusted HTML. */
  body: string | undefined;
  /** URL of the author's page in the live archive. */
  liveUrl: string | undefined;
  articles: Reference[];
}

/** A guide page. */
export interface Article {
  title: string;
  /** URL of the page in the live archive. */
  liveUrl: string | undefined;
  titleSort: string;
  description: string | undefined;
  /** Text of the page as untrusted HTML. */
  body: string | undefined;
  modified: string | undefined;
  categories: string[];
  topics: string[];
  authors: Reference[];
  sources: Reference[];
}

/** A source: ties a guide page to a record. */
export interface Source {
  id: string;
  caption: string | undefined;
  courtesy: string | undefined;
}

/** Parses an author or author entry; undefined if it has no name. */
export function readAuthor(raw: unknown): Author | undefined {
  const read = authorFields(raw);
  const name = read && (read.id ?? read.title ?? read.url_title);
  if (name === undefined) return undefined;
  const { title_sort, modified, published, body, links, articles } = read as NonNullable<typeof read>;
  return {
    name,
    titleSort: title_sort ?? name.toLowerCase(),
    modified,
    published: published !== 'false' && published !== '0',
    body,
    liveUrl: links?.html,
    articles,
  };
}

/**
 * Returns the name with which to fetch the author of a list entry: the one in its JSON URL, else its ID (docs/upstream-api.md, “Author
 * entries”).
 */
export function authorNameInEntry(entry: Record<string, unknown>): string | undefined {
  const json = isObject(entry['links']) ? verbatim(entry['links']['json']) : undefined;
  return nameInUrl(json) ?? entryIdentity(entry);
}

/** Parses a guide page; undefined if it has no title. */
export function readArticle(raw: unknown): Article | undefined {
  const read = articleFields(raw);
  const title = read && (read.title ?? read.url_title ?? read.id);
  if (title === undefined) return undefined;
  const { links, title_sort, description, body, modified, categories, topics, authors, sources } = read as NonNullable<
    typeof read
  >;
  return {
    title,
    liveUrl: links?.html,
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

/** Parses a source; undefined if it has no ID. */
export function readSource(raw: unknown): Source | undefined {
  const read = sourceFields(raw);
  if (read?.id === undefined) return undefined;
  return { id: read.id, caption: read.caption_extended ?? read.caption, courtesy: read.courtesy };
}
