/** An object's page: first what stands around the record (and decides whether the page must be rendered again), then what is read from the record. */
import { formatBytes, formatDuration, parseDuration } from '../../model/durations.ts';
import { languageTag } from '../../model/language-tag.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { objectIdInUrl } from '../../model/resources.ts';
import { plainText } from '../../model/text.ts';
import { citationsOf } from '../citation/citation.ts';
import type { ObjectEntry } from '../entries.ts';
import { type FieldPart, fieldsOf, SECTIONS } from '../fields.ts';
import { type Edition, label } from '../language/edition.ts';
import { type Picture, pictureOf } from '../pictures.ts';
import type { Relations } from '../relations.ts';
import { escapeHtml, externalUrl, type LinkTarget, link, type ResolveLink, sanitize } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { articlePath, COLLECTIONS, facetValuePath, objectPath, relative } from '../urls.ts';
import { type Card, cardOf } from './card.ts';
import { type Metadata, objectMetadata } from './metadata.ts';
import { type Crumb, goneNotices, type Page, pageCount, slice } from './page.ts';

/** All that a page shows beside its own record. Two equal contexts over the same body make the same page. */
export interface ObjectContext {
  entry: ObjectEntry;
  page: number;
  pages: number;
  trail: Crumb[];
  picture: Picture | undefined;
  children: Card[];
  childCount: number;
  files: Card[];
  previous: Crumb | undefined;
  next: Crumb | undefined;
  guide: Crumb[];
  /** Other objects that have something in common with this one. */
  related: Card[];
  /** Those of the ids that the record mentions which have a page. */
  known: string[];
}

export function objectContext(entry: ObjectEntry, page: number, site: Site): ObjectContext {
  const { relations, pictures } = site;
  const children = relations.children(entry.id);
  const link = (other: ObjectEntry | undefined): Crumb | undefined => other && { label: other.title, path: objectPath(other.id) };
  const { previous, next } = relations.neighbours(entry);
  return {
    entry,
    page,
    pages: pageCount(children.length),
    trail: trailOf(entry, relations, site.edition),
    picture: pictureOf(entry.images, pictures)?.page,
    children: slice(children, page).map((child) => cardOf(child, site)),
    childCount: children.length,
    files: page === 1 ? relations.files(entry.id).map((file) => cardOf(file, site)) : [],
    previous: link(previous),
    next: link(next),
    related: page === 1 && CITED.has(entry.model) ? relations.related(entry).map((other) => cardOf(other, site)) : [],
    guide: relations.articlesOn(entry.id).map((article) => ({ label: article.title, path: articlePath(article.slug) })),
    known: entry.mentions.filter((id) => relations.object(id)),
  };
}

function trailOf(entry: ObjectEntry, relations: Relations, { t }: Edition): Crumb[] {
  const above = entry.ancestors.map((id): Crumb => {
    const ancestor = relations.object(id);
    return { label: ancestor?.title ?? id, path: ancestor && objectPath(id) };
  });
  return [{ label: t.sections.collections, path: COLLECTIONS }, ...above, { label: entry.title, path: undefined }];
}

export interface RecordingLine {
  format: string;
  facts: string;
  checksums: Array<[name: string, value: string]>;
  name: string;
  url: string | undefined;
  source: string;
}

export interface ObjectView extends Omit<Page, 'description'> {
  id: string;
  kind: string;
  lang: string | undefined;
  picture: (Picture & { alt: string }) | undefined;
  /** Sanitised HTML. */
  description: string | undefined;
  notices: string[];
  /** `html` is the lines of a description list, safe HTML: a record has some fifty lines, and its page is little else. */
  sections: Array<{ title: string; html: string }>;
  recordings:
    | {
        original: string | undefined;
        identifier: string | undefined;
        externalId: string | undefined;
        mimetype: string | undefined;
        streamOnly: boolean;
        files: RecordingLine[];
      }
    | undefined;
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
    description: record.description && sanitize(record.description, resolve),
    trail,
    id: entry.id,
    kind,
    lang: record.language[0] && languageTag(record.language[0]),
    picture: context.picture && {
      ...context.picture,
      alt: t.object.pictureOf(record.genre === 'photograph' ? t.object.photograph : kind, entry.title),
    },
    notices: noticesFor(record, entry, edition),
    sections: sectionsOf(record, entry.facets, path, known, resolve, edition),
    recordings: recordingsOf(record, edition),
    context,
    metadata,
    citations: citationsFor(record, receivedAt, metadata.live, context, site),
    json: receivedAt === undefined ? undefined : jsonOf(record),
    received: receivedAt && t.object.receivedOn(edition.date(receivedAt)),
    liveUrl: metadata.live,
  };
}

/** The payload as JSON for people and programs. What could pass for markup is written in JSON's own escapes, so that nobody who looks at the page takes it for any. */
function jsonOf({ raw }: ArchivalRecord): string {
  return JSON.stringify({ ...raw, search_hidden: undefined }, undefined, 1).replace(
    /[<>&=]|(?<=script):/gi,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
}

/** Models that are items of the archive: a file is cited as the item that it belongs to. */
const CITED: ReadonlySet<string> = new Set(['collection', 'entity', 'segment']);

function citationsFor(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  url: string | undefined,
  { entry, trail }: ObjectContext,
  { facts, edition }: Site,
): ObjectView['citations'] {
  if (!CITED.has(entry.model)) return [];
  const preferred = plainText(String(record.raw['prefercite'] ?? '')) || plainText(String(record.raw['credit'] ?? ''));
  const cited = citationsOf({
    record,
    title: entry.title,
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

function noticesFor(record: ArchivalRecord, entry: ObjectEntry, edition: Edition): string[] {
  const { object } = edition.t;
  return [
    ...goneNotices(entry.goneAt, edition),
    ...(entry.origin === 'breadcrumbs' ? [object.fromBreadcrumbs] : []),
    ...(entry.origin === 'summary' ? [object.fromList] : []),
    ...(record.status === 'inprocess' ? [object.inProcess] : []),
    ...(record.ia_meta?.streamOnly ? [object.streamOnly] : []),
  ];
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
    return own.length > 0 ? [{ title: edition.t.fieldSections[section], html: own.map(({ html }) => html).join('') }] : [];
  });
}

/** One thing that a field says: sanitised prose, a link, or escaped text. */
function valueHtml(
  { text, html, facet, object, url }: FieldPart,
  path: string,
  known: ReadonlySet<string>,
  resolve: ResolveLink,
): string {
  if (html !== undefined) return `<div class="prose">${sanitize(html, resolve)}</div>`;
  if (facet) return link(text, relative(path, facetValuePath(facet.facet, facet.slug)));
  if (object !== undefined && known.has(object)) return link(text, relative(path, objectPath(object)));
  const outside = url === undefined ? undefined : externalUrl(url);
  return outside === undefined ? escapeHtml(text) : link(text, outside, ' rel="external noreferrer"');
}

/** Seconds since 1970 as a moment; the number itself where it is no time. */
function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

function recordingsOf({ ia_meta: media }: ArchivalRecord, edition: Edition): ObjectView['recordings'] {
  const { t } = edition;
  if (!media) return undefined;
  return {
    original: media.original,
    identifier: media.id,
    externalId: media.externalId,
    mimetype: media.mimetype,
    streamOnly: media.streamOnly,
    files: media.files.map((file) => {
      const seconds = parseDuration(file.length);
      const facts = [
        file.mimetype,
        seconds !== undefined && formatDuration(seconds),
        file.width && file.height ? `${file.width} × ${file.height} px` : undefined,
        file.size !== undefined && formatBytes(file.size),
        file.bitrate && `${file.bitrate} kbit/s`,
        file.mtime !== undefined && t.recording.changed(edition.date(dayOf(file.mtime))),
      ];
      return {
        format: file.format,
        facts: facts.filter(Boolean).join(' · '),
        checksums: (['md5', 'crc32', 'sha1'] as const).flatMap((name): Array<[string, string]> => {
          const value = file[name];
          return value ? [[name.toUpperCase(), value]] : [];
        }),
        name: file.name ?? '',
        url: file.url && externalUrl(file.url),
        source: [file.source, file.original && t.recording.madeFrom(file.original)].filter(Boolean).join(', '),
      };
    }),
  };
}
