/** Machine-readable metadata of a page: schema.org as JSON-LD, Dublin Core, and the URL of the live page. */

import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../../catalogue/entries.ts';
import { isSingleDate, toIso } from '../../model/dates/coverage.ts';
import { readRecordDates } from '../../model/dates/record-dates.ts';
import { languageTag } from '../../model/language-tag.ts';
import { recordingDuration } from '../../model/media.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { toPlainText, truncateWords } from '../../model/text.ts';
import { rightsTermsUrl } from '../rights-terms.ts';
import { safeExternalUrl } from '../sanitize.ts';
import type { Site } from '../site.ts';

/** The metadata of one page. */
export interface Metadata {
  jsonLd: Record<string, unknown>;
  /** Elements of Dublin Core, `DC.title` and so on. */
  dublinCore: Array<[name: string, content: string]>;
  /** URL of the page in the live archive. */
  liveUrl: string | undefined;
  /** Open Graph's type of the page. */
  type: 'article' | 'profile' | 'website';
}

/** Characters of one text. */
const MAX_LENGTH = 500;
/** schema.org's types by model. An item is an ArchiveComponent and has another type by its genre, format or media. */
const SCHEMA_TYPES: Readonly<Record<string, string[]>> = {
  repository: ['ArchiveOrganization'],
  organization: ['ArchiveOrganization'],
  collection: ['Collection', 'ArchiveComponent'],
  file: ['MediaObject'],
};

/** Returns the metadata of a record's page. */
export function createObjectMetadata(record: ArchivalRecord, entry: ObjectEntry, { relations }: Site): Metadata {
  const liveUrl = safeLiveUrl(record.links['html']);
  const description = truncateWords(toPlainText(record.description), MAX_LENGTH) || undefined;
  const collection = entry.ancestors.map((id) => relations.object(id)).find((above) => above?.model === 'collection');
  const creators = record.creators.map(({ namepart }) => textOf(namepart));
  const subjects = [...record.topics, ...record.facility].map(({ term }) => textOf(term));
  const places = record.geography.map(({ term }) => textOf(term));
  const languages = record.language.flatMap((code) => languageTag(code) ?? []);
  const text = (name: string) => textOf(typeof record.raw[name] === 'string' ? record.raw[name] : undefined) || undefined;
  const terms = rightsTermsUrl(record.raw);
  const { reading } = readRecordDates(record);
  const seconds = record.ia_meta && recordingDuration(record);
  const recording = record.ia_meta && !record.ia_meta.streamOnly;
  const type = SCHEMA_TYPES[entry.model] ?? ['ArchiveComponent', ...itemTypes(record)];
  const work = {
    '@context': 'https://schema.org',
    '@type': type,
    ...withoutEmpty({
      '@id': liveUrl,
      url: liveUrl,
      identifier: entry.id,
      name: entry.title,
      description,
      dateCreated: reading && isSingleDate(reading) ? toIso(reading) : undefined,
      temporalCoverage: reading && !isSingleDate(reading) ? toIso(reading) : undefined,
      dateModified: entry.lastmod,
      creator: creators.map((name) => ({ '@type': 'Person', name })),
      about: subjects.map((name) => ({ '@type': 'DefinedTerm', name })),
      contentLocation: record.geography.map(({ term, geo_lat, geo_lng }) => ({
        '@type': 'Place',
        name: textOf(term),
        ...(geo_lat === undefined || geo_lng === undefined
          ? {}
          : { geo: { '@type': 'GeoCoordinates', latitude: geo_lat, longitude: geo_lng } }),
      })),
      inLanguage: languages,
      license: terms,
      creditText: text('credit'),
      holdingArchive: type.includes('ArchiveComponent') &&
        text('contributor') && { '@type': 'ArchiveOrganization', name: text('contributor') },
      isPartOf: collection &&
        collection.id !== entry.id && { '@type': 'Collection', '@id': collection.id, name: collection.title },
      duration: seconds === undefined ? undefined : `PT${Math.round(seconds)}S`,
      contentUrl: recording ? record.ia_meta?.files.flatMap(({ url }) => (url && safeExternalUrl(url)) || [])[0] : undefined,
      encodingFormat: text('mimetype') ?? textOf(record.ia_meta?.mimetype),
      sha256: entry.model === 'file' ? text('sha256') : undefined,
    }),
  };
  const dublinCore = dublinCoreLines({
    title: [entry.title],
    identifier: [entry.id, liveUrl],
    creator: creators,
    contributor: [text('contributor')],
    subject: subjects,
    description: [description],
    date: [reading && toIso(reading)],
    type: [text('genre') ?? entry.model],
    format: [text('extent') ?? text('mimetype')],
    language: languages,
    coverage: [...places, text('location')],
    rights: [text('credit'), terms],
    relation: [collection && collection.id !== entry.id ? collection.title : undefined],
  });
  return { jsonLd: work, dublinCore, liveUrl, type: 'article' };
}

/** Returns the metadata of an author's page. */
export function createAuthorMetadata(entry: AuthorEntry, description: string, { baseUrls }: Site): Metadata {
  const person = { '@context': 'https://schema.org', '@type': 'Person', ...withoutEmpty({ name: entry.title, description }) };
  return {
    jsonLd: person,
    dublinCore: dublinCoreLines({ title: [entry.title], type: ['author'], date: [entry.modified], source: [baseUrls.authors] }),
    liveUrl: undefined,
    type: 'profile',
  };
}

/** Returns the metadata of a guide page. */
export function createArticleMetadata(
  entry: ArticleEntry,
  authors: string[],
  topics: string[],
  modified: string | undefined,
): Metadata {
  const liveUrl = safeLiveUrl(entry.liveUrl);
  const page = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    ...withoutEmpty({
      '@id': liveUrl,
      url: liveUrl,
      headline: entry.title,
      description: entry.excerpt,
      author: authors.map((name) => ({ '@type': 'Person', name })),
      about: topics.map((name) => ({ '@type': 'DefinedTerm', name })),
      dateModified: modified,
    }),
  };
  const dublinCore = dublinCoreLines({
    title: [entry.title],
    identifier: [liveUrl],
    creator: authors,
    subject: topics,
    description: [entry.excerpt],
    date: [modified],
    type: ['article'],
  });
  return { jsonLd: page, dublinCore, liveUrl, type: 'article' };
}

/** Returns plain text, shortened. */
function textOf(text: string | undefined): string {
  return truncateWords(toPlainText(text), MAX_LENGTH);
}

/** Returns the further schema.org types of an item. */
function itemTypes({ genre, ia_meta: media, format }: ArchivalRecord): string[] {
  if (media) return [media.mimetype?.startsWith('audio/') ? 'AudioObject' : 'VideoObject'];
  if (genre === 'photograph' || genre === 'portrait') return ['Photograph'];
  if (format === 'img') return ['ImageObject'];
  if (format === 'doc') return ['DigitalDocument'];
  return [];
}

function safeLiveUrl(href: string | undefined): string | undefined {
  return href === undefined ? undefined : safeExternalUrl(href);
}

/** Leaves out empty values. */
function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function dublinCoreLines(elements: Record<string, Array<string | undefined>>): Metadata['dublinCore'] {
  return Object.entries(elements).flatMap(([name, values]) =>
    [...new Set(values)].flatMap((value): Metadata['dublinCore'] => (value ? [[`DC.${name}`, value]] : [])),
  );
}
