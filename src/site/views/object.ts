/** The view model of a record's page, computed from the record and its context. */

import type { ObjectEntry } from '../../catalogue/entries.ts';
import { titleOf } from '../../catalogue/object-entries.ts';
import { facetValuePath, objectPath, relative } from '../../catalogue/urls.ts';
import { languageTag } from '../../model/language-tag.ts';
import { legibleJson } from '../../model/legible.ts';
import { LONGEST_LABEL, LONGEST_TEXT } from '../../model/limits.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { objectIdInUrl } from '../../model/resources.ts';
import { clean, plainText, shorten } from '../../model/text.ts';
import { text } from '../../model/values.ts';
import { citationsOf } from '../citation/citation.ts';
import type { ObjectContent } from '../content.ts';
import { type FieldPart, fieldsOf, SECTIONS, type Section } from '../fields.ts';
import { type Edition, label } from '../language/edition.ts';
import { escapeHtml, externalUrl, type LinkTarget, link, type ResolveLink, sanitize } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { type Metadata, objectMetadata } from './metadata.ts';
import { CITED, type ObjectContext } from './object-context.ts';
import { goneNotices, type Page } from './page.ts';
import { type ReadingView, type RecordingFacts, readingViews, recordingFacts, videoSize } from './recording.ts';

/** One page of a record. */
export interface ObjectView extends Omit<Page, 'description'> {
  id: string;
  /** The complete title; `title` may be shortened. */
  heading: string;
  /** Label of the model, such as “Item”. */
  kind: string;
  /** The record's language: a BCP 47 tag. */
  lang: string | undefined;
  /** Alternative text of the image, such as “Photograph: The quay”. */
  caption: string;
  /** Sanitized HTML. */
  description: string | undefined;
  notices: string[];
  /** `html` is the rows of a description list, safe HTML: rendering about fifty rows per page as components would be slow. */
  sections: Array<{ name: Section; title: string; html: string }>;
  recording: RecordingFacts | undefined;
  /** Size of the video in pixels. */
  videoSize: { width: number; height: number } | undefined;
  readings: ReadingView[];
  context: ObjectContext;
  metadata: Metadata;
  /** Citations by style; none for models without citations. */
  citations: Array<{ style: string; text: string }>;
  /** The record as indented JSON, without the text that is only for search. */
  json: string | undefined;
  /** A sentence that says when the record was harvested. */
  received: string | undefined;
  /** URL of the page in the live archive. */
  liveUrl: string | undefined;
}

/** Returns the view model of one page of a record. */
export function objectView({ record, receivedAt, texts }: ObjectContent, context: ObjectContext, site: Site): ObjectView {
  const { bases, edition: locale } = site;
  const { t } = locale;
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
    caption: t.object.imageOf(record.genre === 'photograph' ? t.object.photograph : kind, entry.title),
    notices: noticesFor(record, context, locale),
    sections: sectionsOf(record, entry.facets, path, known, resolve, locale),
    recording: page === 1 ? recordingFacts(record, site) : undefined,
    videoSize: videoSize(record),
    readings: readingViews(context.readings, texts, resolve, site),
    context,
    metadata,
    citations: citationsFor(record, receivedAt, metadata.live, context, site),
    json: receivedAt === undefined || site.kiosk || page > 1 ? undefined : jsonOf(record),
    received: receivedAt && t.object.harvestedOn(locale.date(receivedAt)),
    liveUrl: metadata.live,
  };
}

/** Characters. */
const MAX_JSON_LENGTH = 2 * LONGEST_TEXT;

/**
 * Returns the record as JSON; undefined if it is too long for a page. Characters that could be taken for markup are written as JSON escapes, so
 * that no program that scans the page mistakes them.
 */
function jsonOf({ raw }: ArchivalRecord): string | undefined {
  const json = JSON.stringify({ ...raw, search_hidden: undefined }, undefined, 1);
  if (json.length > MAX_JSON_LENGTH) return undefined;
  return legibleJson(json).replace(/[<>&=]|(?<=script):/gi, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** Characters of a title in a citation. */
const MAX_CITED_TITLE = 500;

function citationsFor(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  url: string | undefined,
  { entry, trail }: ObjectContext,
  { facts, edition: locale }: Site,
): ObjectView['citations'] {
  if (!CITED.has(entry.model)) return [];
  const preferred = plainText(text(record.raw['prefercite'])) || plainText(text(record.raw['credit']));
  const cited = citationsOf({
    record,
    title: shorten(titleOf(record), MAX_CITED_TITLE),
    archive: facts.title,
    collection: entry.model === 'collection' ? undefined : trail[1]?.label,
    url,
    accessed: receivedAt,
  });
  return [
    ...(preferred ? [{ style: locale.t.object.preferred, text: preferred }] : []),
    ...cited.map(([style, text]) => ({ style, text })),
  ];
}

function noticesFor(
  record: ArchivalRecord,
  { entry, player, downloads, hasEmptyRecording }: ObjectContext,
  locale: Edition,
): string[] {
  const { object, recording } = locale.t;
  const isAvailable = downloads.some(({ recorded }) => recorded);
  const sizes = record.ia_meta?.files.map(({ size }) => size) ?? [];
  const isEmpty = hasEmptyRecording || (sizes.length > 0 && sizes.every((size) => size === 0));
  const absent = isAvailable ? recording.unplayable : record.ia_meta ? recording.absent : recording.none;
  return [
    ...goneNotices(entry.goneAt, locale),
    ...(entry.origin === 'breadcrumbs' ? [object.fromBreadcrumbs] : []),
    ...(entry.origin === 'summary' ? [object.fromList] : []),
    ...(record.cut.length > 0 ? [object.truncated(namesOf(record.cut, locale))] : []),
    ...(record.status === 'inprocess' ? [object.inProcess] : []),
    ...(record.ia_meta?.streamOnly ? [object.streamOnly] : []),
    ...(expectsRecording(record) && !player && !record.ia_meta?.streamOnly ? [isEmpty ? recording.empty : absent] : []),
  ];
}

/** Returns the labels of fields in one line. */
function namesOf(fields: string[], { t }: Edition): string {
  return shorten(clean(fields.map((name) => label(t.fields, name)).join(', ')), LONGEST_LABEL);
}

/** Whether the page of this record is expected to have a player. */
function expectsRecording({ model, format, ia_meta: media }: ArchivalRecord): boolean {
  return media !== undefined || (model === 'segment' && (format === 'vh' || format === 'av'));
}

function sectionsOf(
  record: ArchivalRecord,
  facets: ObjectEntry['facets'],
  path: string,
  known: ReadonlySet<string>,
  resolve: ResolveLink,
  locale: Edition,
): ObjectView['sections'] {
  const lines = fieldsOf(record, facets, locale).map(({ field, label: name, parts }) => {
    const values = parts.map((part) => `<dd>${valueHtml(part, path, known, resolve)}</dd>`);
    const html = `<div data-field="${escapeHtml(field.name)}"><dt>${escapeHtml(name)}</dt>${values.join('')}</div>`;
    return { section: field.section, html };
  });
  return SECTIONS.flatMap((section) => {
    const own = lines.filter((line) => line.section === section);
    return own.length > 0
      ? [{ name: section, title: locale.t.fieldSections[section], html: own.map(({ html }) => html).join('') }]
      : [];
  });
}

/** Returns one value of a field as safe HTML: sanitized prose, a link, or escaped text. */
function valueHtml(
  { text: value, html, facet, object, url }: FieldPart,
  path: string,
  known: ReadonlySet<string>,
  resolve: ResolveLink,
): string {
  if (html !== undefined) return `<div class="prose">${sanitize(html, resolve)}</div>`;
  if (facet) return link(value, relative(path, facetValuePath(facet.facet, facet.slug)));
  if (object !== undefined && known.has(object)) return link(value, relative(path, objectPath(object)));
  const outside = url === undefined ? undefined : externalUrl(url);
  return outside === undefined ? escapeHtml(value) : link(value, outside, ' rel="external noreferrer"');
}
