/** What the parts of a finding aid in EAD3 need. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { openRelations } from '../../catalogue/lists/relations.ts';
import { readEntryRecord } from '../../catalogue/read/object-entries.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { jsonParts } from '../../site/fields/field-values.ts';
import { createLocales, type Locale } from '../../site/language/locale.ts';
import { pathOfLiveUrl } from '../../site/text/links.ts';
import type { ResolveLink } from '../../site/text/sanitize.ts';
import { readBaseUrls } from '../../snapshot/read.ts';
import type { ExportContext } from '../export-context.ts';
import { createWithheldFinder } from '../withheld-words.ts';
import { toEadBlocks } from './ead-text.ts';

/** The archive of a finding aid. */
export type FindingAidContext = ReturnType<typeof createFindingAidContext>;

/** A record and its entry in the catalogue. */
export type Described = ReturnType<typeof describe>;

/** Prepares an archive for its finding aids. */
export function createFindingAidContext(context: ExportContext, mediaBase: string | undefined) {
  const { publicStore, catalogue, siteUrl } = context;
  const relations = openRelations(catalogue.db, catalogue);
  const baseUrls = readBaseUrls(publicStore);
  const [locale] = createLocales(['en']) as [Locale];
  const resolve: ResolveLink = (href) => {
    const inside = siteUrl === undefined ? undefined : pathOfLiveUrl(href, { relations, baseUrls });
    const url =
      inside === undefined ? safeExternalUrl(URL.parse(href, `${baseUrls.catalog}/`)?.href ?? '') : `${siteUrl}/${inside}`;
    return url === undefined ? undefined : { href: url, external: true };
  };
  return {
    ...context,
    relations,
    baseUrls,
    /** The language of labels. */
    locale,
    resolve,
    /** Finds what is withheld in the paths of media files. */
    isWithheld: createWithheldFinder(publicStore),
    /** Path from a finding aid to the snapshot's media files, with a slash at its end; undefined if the package lacks them. */
    mediaBase,
  };
}

/** Returns a record with its entry. */
export function describe(entry: ListedEntry, { publicStore }: FindingAidContext) {
  return { entry, ...readEntryRecord(entry, publicStore) };
}

/** Returns the URL of a record's page: in the site if its URL is known, or in the live archive. */
export function pageUrl(record: ArchivalRecord, { siteUrl }: FindingAidContext): string | undefined {
  return siteUrl === undefined ? safeExternalUrl(record.links['html'] ?? '') : `${siteUrl}/${objectPath(record.id)}`;
}

/** Returns a field of any form as blocks of EAD3. */
export function fieldBlocks(value: unknown, { resolve }: FindingAidContext): string {
  return jsonParts(value)
    .map(({ text }) => toEadBlocks(text, resolve))
    .join('');
}
