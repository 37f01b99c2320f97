/** Parses the guide API: author entries, authors, guide pages and sources (docs/upstream-api.md, “Guide API”). */
import { isObjectId } from '../ids.ts';
import { entryIdentity } from '../lists.ts';
import { readDeclaration } from '../media/fixity.ts';
import type { RecordFile } from '../media/media.ts';
import { readMediaUrl } from '../media/media-url.ts';
import { nameInUrl } from '../resources.ts';
import { fields, isObject, list, type Reader, stated, text, verbatim } from '../values.ts';
import { positionOfArticle, readArticleFacts, readSections } from './article-fields.ts';

/** A mention of an author, guide page or source. `name` is the one in its JSON URL, `title` is for display. */
export type Reference = Record<'name' | 'title', string>;

const referenceFields = fields({ title: verbatim, id: verbatim, json: verbatim });
const reference: Reader<Reference | undefined> = (value) => {
  const read = referenceFields(value) ?? { title: verbatim(value), id: undefined, json: undefined };
  const title = read.title ?? read.id;
  return title === undefined ? undefined : { title: stated(title) ?? '', name: nameInUrl(read.json) ?? read.id ?? title };
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
  title: stated,
  url_title: stated,
  title_sort: stated,
  description: text,
  modified: text,
  categories: referenceTitles,
  topics: referenceTitles,
  authors: references,
  sources: references,
});
const sourceFields = fields({
  id: verbatim,
  caption: text,
  caption_extended: text,
  courtesy: text,
  transcript: text,
  collection_name: text,
  institution_id: text,
  creative_commons: text,
  densho_id: text,
  media_format: text,
  external_url: verbatim,
  streaming_url: verbatim,
  links: fields({ img: verbatim, encyc: verbatim, html: verbatim, json: verbatim }),
});

/** An author, from a list entry or the author's own resource. */
export type Author = NonNullable<ReturnType<typeof readAuthor>>;
/** A guide page. */
export type Article = NonNullable<ReturnType<typeof readArticle>>;
/** A source: ties a guide page to a record. */
export type Source = NonNullable<ReturnType<typeof readSource>>;

/** Parses an author or author entry; undefined if it has no name. */
export function readAuthor(raw: unknown) {
  const read = authorFields(raw);
  const name = read && (read.id ?? read.title ?? read.url_title);
  if (name === undefined) return undefined;
  const { title_sort, modified, published, body, links, articles } = read as NonNullable<typeof read>;
  return {
    /** Identifies the author: upstream has the same in all three fields (docs/upstream-api.md, “Author entries”). */
    name,
    /** Sort key: surname first, in lower case. */
    titleSort: title_sort ?? name.toLowerCase(),
    modified,
    /** False only if upstream declares it. Such an author is never shown. */
    published: published !== 'false' && published !== '0',
    /** Biography as untrusted HTML. */
    body,
    liveUrl: links?.html,
    articles,
  };
}

/**
 * Returns the name with which to fetch the author of a list entry: the one in its JSON URL, else its ID (docs/upstream-api.md,
 * “Author entries”).
 */
export function authorNameInEntry(entry: Record<string, unknown>): string | undefined {
  const json = isObject(entry['links']) ? verbatim(entry['links']['json']) : undefined;
  return nameInUrl(json) ?? entryIdentity(entry);
}

/** Parses a guide page; undefined if it has no title. */
export function readArticle(raw: unknown) {
  const read = articleFields(raw);
  const title = read && (read.title ?? read.url_title ?? read.id);
  if (title === undefined) return undefined;
  const { links, title_sort, description, modified, categories, topics, authors, sources } = read as NonNullable<typeof read>;
  const payload = raw as Record<string, unknown>;
  const facts = readArticleFacts(payload);
  return {
    title,
    liveUrl: links?.html,
    titleSort: title_sort ?? title.toLowerCase(),
    // Its notes are in the text that it is taken from.
    description: description?.replace(/\s*\[\d+\](?=[\s<]|$)/g, ''),
    /** Its text, in the order of the page; the first is its body, if it has one. */
    sections: readSections(payload),
    facts,
    position: positionOfArticle(payload, facts),
    modified,
    categories,
    topics,
    authors,
    sources,
  };
}

/** Parses a source; undefined if it has no ID. */
export function readSource(raw: unknown) {
  const read = sourceFields(raw);
  if (read?.id === undefined) return undefined;
  const { caption, caption_extended: extended, media_format: format, streaming_url: stream, links } = read;
  const fileUrl = (url: string | undefined) => url && readMediaUrl(url, links?.json ?? links?.html);
  return {
    id: read.id,
    caption: extended ?? caption,
    courtesy: read.courtesy,
    /** What is said in it, as untrusted HTML or plain text. */
    transcript: read.transcript,
    collection: read.collection_name,
    /** ID of the institution that has it, in the archive or elsewhere. */
    institution: read.institution_id,
    rights: read.creative_commons,
    /** What identifies the original: not always a record of the archive. */
    original: read.densho_id,
    /** Whether it is a recording, of which `imageUrl` may be a still. */
    isRecording: stream !== undefined || format === 'video' || format === 'audio',
    isAudio: format === 'audio',
    externalUrl: read.external_url,
    imageUrl: fileUrl(links?.img),
    // Without a scheme or a leading slash, it is a path on a streaming server.
    recordingUrl: stream && /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(stream) ? fileUrl(stream) : stream,
    liveUrl: links?.encyc ?? links?.html,
  };
}

/** Returns the media files of a source, which has `id` in the snapshot. None if that cannot be part of a file name. */
export function filesOfSource(id: string, source: Source | undefined): RecordFile[] {
  if (!source || !isObjectId(id)) return [];
  const files = [
    { kind: 'image' as const, url: source.imageUrl },
    { kind: source.isAudio ? ('audio' as const) : ('video' as const), url: source.recordingUrl },
  ];
  return files.flatMap(({ kind, url }) =>
    url === undefined ? [] : [{ kind, url, declared: readDeclaration(id, {}), original: false }],
  );
}
