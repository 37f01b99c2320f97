/** An object's page: first what stands around the record (and decides whether the page must be rendered again), then what is read from the record. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import { titleOf } from '../../catalogue/object-entries.ts';
import type { Relations } from '../../catalogue/relations.ts';
import { articlePath, COLLECTIONS, facetValuePath, objectPath, relative } from '../../catalogue/urls.ts';
import { languageTag } from '../../model/language-tag.ts';
import { legibleJson } from '../../model/legible.ts';
import { LONGEST_LABEL, LONGEST_TEXT } from '../../model/limits.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { objectIdInUrl } from '../../model/resources.ts';
import { clean, plainText, shorten } from '../../model/text.ts';
import { text } from '../../model/values.ts';
import { citationsOf } from '../citation/citation.ts';
import { type FieldPart, fieldsOf, SECTIONS, type Section } from '../fields.ts';
import { type Edition, label } from '../language/edition.ts';
import { escapeHtml, externalUrl, type LinkTarget, link, type ResolveLink, sanitize } from '../sanitize.ts';
import type { Site } from '../site.ts';
import type { Card } from './card.ts';
import { cardFor } from './collections.ts';
import { type Download, downloadOf, fixityOf, mirroredAt, type Shot, shotOf } from './files.ts';
import { type Metadata, objectMetadata } from './metadata.ts';
import { type Crumb, crumbsAbove, goneNotices, type Page, pageCount, slice } from './page.ts';
import { filesBelow, filesWith, type Leaf, leavesOn, type Playlist, playlistOf } from './parts.ts';
import {
  isEmptyRecording,
  type Player,
  playerOf,
  type Reading,
  type ReadingView,
  type RecordingFacts,
  readingsOf,
  readingViews,
  recordingFacts,
  videoSize,
} from './recording.ts';

/** All that a page shows beside its own record. Two equal contexts over the same body make the same page. */
export interface ObjectContext {
  entry: ObjectEntry;
  page: number;
  pages: number;
  trail: Crumb[];
  picture: Shot | undefined;
  /** The pages of a document, this page's share of them. */
  leaves: Leaf[];
  leafCount: number;
  /** The segments of an interview: below it, or around a segment. */
  playlist: Playlist | undefined;
  player: Player | undefined;
  /** Whether what should play has not a single byte, in the living archive too. */
  hasEmptyRecording: boolean;
  readings: Reading[];
  /** What else can be downloaded. */
  downloads: Download[];
  /** Of a file: what is known of the bytes of this copy. */
  fixity: string | undefined;
  /** The parts that are no segments. */
  children: Card[];
  childCount: number;
  files: Card[];
  fileCount: number;
  /** The other files of what a file belongs to. */
  siblings: Card[];
  /** Other interviews with who speaks in this one. */
  interviews: Card[];
  previous: Crumb | undefined;
  next: Crumb | undefined;
  guide: Crumb[];
  /** Other objects that have something in common with this one. */
  related: Card[];
  /** Those of the ids that the record mentions which have a page. */
  known: string[];
}

export function objectContext(entry: ObjectEntry, page: number, site: Site): ObjectContext {
  const { relations } = site;
  const first = page === 1;
  const parts = relations.children(entry.id).filter(({ model }) => model !== 'segment');
  const { leaves, others } = filesBelow(entry, site);
  const picture = leaves.length > 0 ? undefined : shotOf(entry, site);
  const link = (other: ObjectEntry | undefined): Crumb | undefined => other && { label: other.title, path: objectPath(other.id) };
  const { previous, next } = relations.neighbours(entry);
  const cards = (entries: ObjectEntry[]) => entries.map((other) => cardFor(other, site));
  return {
    entry,
    page,
    pages: pagesOf(entry, site),
    trail: trailOf(entry, relations, site.edition),
    picture,
    leaves: leavesOn(page, leaves, site),
    leafCount: leaves.length,
    playlist: playlistFor(entry, page, site),
    player: first ? playerOf(entry, site) : undefined,
    hasEmptyRecording: first && isEmptyRecording(entry, site),
    readings: first ? readingsOf(entry, site) : [],
    downloads: first ? downloadsOf(entry, picture, site) : [],
    fixity: first ? fixityFor(entry, site) : undefined,
    children: cards(slice(parts, page)),
    childCount: parts.length,
    files: cards(slice(others, page)),
    fileCount: others.length,
    siblings: first ? filesWith(entry, site) : [],
    interviews: first ? cards(relations.otherInterviews(entry).slice(0, MOST_INTERVIEWS)) : [],
    previous: link(previous),
    next: link(next),
    related: first && CITED.has(entry.model) ? cards(relations.related(entry)) : [],
    guide: relations.articlesOn(entry.id).map((article) => ({ label: article.title, path: articlePath(article.slug) })),
    known: entry.mentions.filter((id) => relations.object(id)),
  };
}

const MOST_INTERVIEWS = 24;

/** How many pages an object has: as many as the longest of its lists. */
export function pagesOf(entry: ObjectEntry, site: Pick<Site, 'relations' | 'pictures'>): number {
  const children = site.relations.children(entry.id);
  const segments = children.filter(({ model }) => model === 'segment').length;
  const { leaves, others } = filesBelow(entry, site);
  return Math.max(...[segments, children.length - segments, leaves.length, others.length].map(pageCount));
}

function playlistFor(entry: ObjectEntry, page: number, site: Site): Playlist | undefined {
  if (entry.model !== 'segment') return playlistOf(entry.id, page, undefined, site);
  return entry.parent === undefined || page > 1 ? undefined : playlistOf(entry.parent, 1, entry.id, site);
}

/** Files of the record that are in this copy: its picture as it was received, its recordings, its text, its original. */
function downloadsOf(entry: ObjectEntry, picture: Shot | undefined, site: Site): Download[] {
  const files = entry.media.flatMap(({ url }) => mirroredAt(url, site) ?? []).flatMap((file) => downloadOf(file, site) ?? []);
  return picture?.download ? [picture.download, ...files] : files;
}

function fixityFor({ model, images }: ObjectEntry, site: Site): string | undefined {
  const file = model === 'file' ? images.flatMap((url) => mirroredAt(url, site) ?? [])[0] : undefined;
  return file && fixityOf(file, site);
}

function trailOf(entry: ObjectEntry, relations: Relations, { t }: Edition): Crumb[] {
  return [
    { label: t.sections.collections, path: COLLECTIONS },
    ...crumbsAbove(entry, relations),
    { label: entry.title, path: undefined },
  ];
}

export interface ObjectView extends Omit<Page, 'description'> {
  id: string;
  /** The whole title; `title` may be its beginning. */
  heading: string;
  kind: string;
  lang: string | undefined;
  /** What the picture is, such as “Photograph: The quay”. */
  caption: string;
  /** Sanitised HTML. */
  description: string | undefined;
  notices: string[];
  /** `html` is the lines of a description list, safe HTML: a record has some fifty lines, and its page is little else. */
  sections: Array<{ name: Section; title: string; html: string }>;
  recording: RecordingFacts | undefined;
  /** Pixels of the picture that moves. */
  videoSize: { width: number; height: number } | undefined;
  readings: ReadingView[];
  context: ObjectContext;
  metadata: Metadata;
  /** How to cite it, by style; none for what is no item of the archive. */
  citations: Array<{ style: string; text: string }>;
  /** The payload as it came, as indented JSON; text that is for search alone is left out. */
  json: string | undefined;
  /** A sentence that says when this copy of the record was received. */
  received: string | undefined;
  liveUrl: string | undefined;
}

export function objectView(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  context: ObjectContext,
  site: Site,
): ObjectView {
  const { bases, edition } = site;
  const { t } = edition;
  const { entry, page, trail } = context;
  const path = objectPath(entry.id, page);
  const known = new Set(context.known);
  const resolve = (href: string): LinkTarget | undefined => {
    const id = objectIdInUrl(href, bases);
    if (id !== undefined && known.has(id)) return { href: relative(path, objectPath(id)), external: false };
    const outside = externalUrl(href);
    return outside === undefined ? undefined : { href: outside, external: true };
  };
  const kind = label(t.codes.model, entry.model);
  const metadata = objectMetadata(record, entry, site);
  return {
    path,
    title: entry.title,
    heading: titleOf(record),
    description: record.description && sanitize(record.description, resolve),
    trail,
    id: entry.id,
    kind,
    lang: record.language[0] && languageTag(record.language[0]),
    caption: t.object.pictureOf(record.genre === 'photograph' ? t.object.photograph : kind, entry.title),
    notices: noticesFor(record, context, edition),
    sections: sectionsOf(record, entry.facets, path, known, resolve, edition),
    recording: page === 1 ? recordingFacts(record, site) : undefined,
    videoSize: videoSize(record),
    readings: readingViews(context.readings, resolve, site),
    context,
    metadata,
    citations: citationsFor(record, receivedAt, metadata.live, context, site),
    json: receivedAt === undefined || site.kiosk || page > 1 ? undefined : jsonOf(record),
    received: receivedAt && t.object.receivedOn(edition.date(receivedAt)),
    liveUrl: metadata.live,
  };
}

/** Characters of a record's JSON that its page shows at most. */
const LONGEST_JSON = 2 * LONGEST_TEXT;

/** The payload as JSON for people and programs; undefined where it is too long for a page. What could pass for markup is written in JSON's own escapes, so that nobody who looks at the page takes it for any. */
function jsonOf({ raw }: ArchivalRecord): string | undefined {
  const json = JSON.stringify({ ...raw, search_hidden: undefined }, undefined, 1);
  if (json.length > LONGEST_JSON) return undefined;
  return legibleJson(json).replace(/[<>&=]|(?<=script):/gi, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** Models that are items of the archive: a file is cited as the item that it belongs to. */
const CITED: ReadonlySet<string> = new Set(['collection', 'entity', 'segment']);

/** Characters of a title in a citation. */
const LONGEST_CITED = 500;

function citationsFor(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  url: string | undefined,
  { entry, trail }: ObjectContext,
  { facts, edition }: Site,
): ObjectView['citations'] {
  if (!CITED.has(entry.model)) return [];
  const preferred = plainText(text(record.raw['prefercite'])) || plainText(text(record.raw['credit']));
  const cited = citationsOf({
    record,
    title: shorten(titleOf(record), LONGEST_CITED),
    archive: facts.title,
    collection: entry.model === 'collection' ? undefined : trail[1]?.label,
    url,
    accessed: receivedAt,
  });
  return [
    ...(preferred ? [{ style: edition.t.object.preferred, text: preferred }] : []),
    ...cited.map(([style, text]) => ({ style, text })),
  ];
}

function noticesFor(
  record: ArchivalRecord,
  { entry, player, downloads, hasEmptyRecording }: ObjectContext,
  edition: Edition,
): string[] {
  const { object, recording, unshown } = edition.t;
  const isHere = downloads.some(({ recorded }) => recorded);
  const sizes = record.ia_meta?.files.map(({ size }) => size) ?? [];
  const isEmpty = hasEmptyRecording || (sizes.length > 0 && sizes.every((size) => size === 0));
  const absent = isHere ? recording.unplayable : record.ia_meta ? recording.absent : recording.none;
  return [
    ...goneNotices(entry.goneAt, edition),
    ...(entry.origin === 'breadcrumbs' ? [object.fromBreadcrumbs] : []),
    ...(entry.origin === 'summary' ? [object.fromList] : []),
    ...(record.cut.length > 0 ? [unshown.cut(namesOf(record.cut, edition))] : []),
    ...(record.status === 'inprocess' ? [object.inProcess] : []),
    ...(record.ia_meta?.streamOnly ? [object.streamOnly] : []),
    ...(isTimed(record) && !player && !record.ia_meta?.streamOnly ? [isEmpty ? recording.empty : absent] : []),
  ];
}

/** What fields are called, in a line. */
function namesOf(fields: string[], { t }: Edition): string {
  return shorten(clean(fields.map((name) => label(t.fields, name)).join(', ')), LONGEST_LABEL);
}

/** Whether something is to be heard or seen on the page of this record itself. */
function isTimed({ model, format, ia_meta: media }: ArchivalRecord): boolean {
  return media !== undefined || (model === 'segment' && (format === 'vh' || format === 'av'));
}

function sectionsOf(
  record: ArchivalRecord,
  facets: ObjectEntry['facets'],
  path: string,
  known: ReadonlySet<string>,
  resolve: ResolveLink,
  edition: Edition,
): ObjectView['sections'] {
  const lines = fieldsOf(record, facets, edition).map(({ field, label: name, parts }) => {
    const values = parts.map((part) => `<dd>${valueHtml(part, path, known, resolve)}</dd>`);
    const html = `<div data-field="${escapeHtml(field.name)}"><dt>${escapeHtml(name)}</dt>${values.join('')}</div>`;
    return { section: field.section, html };
  });
  return SECTIONS.flatMap((section) => {
    const own = lines.filter((line) => line.section === section);
    return own.length > 0
      ? [{ name: section, title: edition.t.fieldSections[section], html: own.map(({ html }) => html).join('') }]
      : [];
  });
}

/** One thing that a field says: sanitised prose, a link, or escaped text. */
function valueHtml(
  { text: words, html, facet, object, url }: FieldPart,
  path: string,
  known: ReadonlySet<string>,
  resolve: ResolveLink,
): string {
  if (html !== undefined) return `<div class="prose">${sanitize(html, resolve)}</div>`;
  if (facet) return link(words, relative(path, facetValuePath(facet.facet, facet.slug)));
  if (object !== undefined && known.has(object)) return link(words, relative(path, objectPath(object)));
  const outside = url === undefined ? undefined : externalUrl(url);
  return outside === undefined ? escapeHtml(words) : link(words, outside, ' rel="external noreferrer"');
}
