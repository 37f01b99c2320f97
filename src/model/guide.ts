/** The guide's side: author entries (api.md §2.2), author details, articles and sources (upstream-facts, “Authors and the guide”). */
import { z } from 'zod';
import { nameInUrl } from './resources.ts';
import { fields, list, object, text } from './values.ts';

/** A mention of another author, article or source. `name` is the identity that its JSON address carries, `title` what people read. */
export interface Reference {
  name: string;
  title: string;
}

const reference = z
  .union([
    z.string().transform((title) => ({ title: text.parse(title), id: undefined, json: undefined })),
    fields({ title: text, id: text, json: text }),
  ])
  .transform((read): Reference | undefined => {
    const title = read.title ?? read.id;
    return title ? { title, name: nameInUrl(read.json) ?? read.id ?? title } : undefined;
  });

const author = fields({
  id: text,
  title: text,
  url_title: text,
  title_sort: text,
  modified: text,
  body: text,
  articles: list(reference),
});
const article = fields({
  links: object,
  id: text,
  title: text,
  url_title: text,
  title_sort: text,
  description: text,
  body: text,
  modified: text,
  categories: list(reference),
  topics: list(reference),
  authors: list(reference),
  sources: list(reference),
});
const source = fields({
  id: text,
  caption: text,
  caption_extended: text,
  courtesy: text,
  media_url: text,
  img_url: text,
  object_id: text,
});

/** An author, from a list entry or the detail record. `name` is the identity (id, title and url_title are equal, api.md §2.2). */
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
  objectId: string | undefined;
}

export function readAuthor(raw: unknown): Author | undefined {
  const read = author.safeParse(raw);
  const name = read.data && (read.data.id ?? read.data.title ?? read.data.url_title);
  if (!read.data || !name) return undefined;
  const flag = (raw as Record<string, unknown>)['published'];
  return {
    name,
    titleSort: read.data.title_sort ?? name.toLowerCase(),
    modified: read.data.modified,
    published: flag !== false && flag !== 'false' && flag !== '0' && flag !== 0,
    body: read.data.body,
    articles: read.data.articles ?? [],
  };
}

export function readArticle(raw: unknown): Article | undefined {
  const read = article.safeParse(raw);
  const title = read.data && (read.data.title ?? read.data.url_title ?? read.data.id);
  if (!read.data || !title) return undefined;
  const names = (references: Reference[] | undefined) => (references ?? []).map((one) => one.title);
  return {
    title,
    html: text.parse(read.data.links['html']),
    titleSort: read.data.title_sort ?? title.toLowerCase(),
    description: read.data.description,
    body: read.data.body,
    modified: read.data.modified,
    categories: names(read.data.categories),
    topics: names(read.data.topics),
    authors: read.data.authors ?? [],
    sources: read.data.sources ?? [],
  };
}

export function readSource(raw: unknown): Source | undefined {
  const read = source.safeParse(raw);
  if (!read.data?.id) return undefined;
  return {
    id: read.data.id,
    caption: read.data.caption_extended ?? read.data.caption,
    courtesy: read.data.courtesy,
    objectId: read.data.object_id,
  };
}
