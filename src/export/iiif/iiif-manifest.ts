/** Describes a record with images or recordings as a IIIF manifest. Source: https://iiif.io/api/presentation/3.0/ */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { titleOf } from '../../catalogue/read/object-entries.ts';
import { IIIF_COLLECTION_PATH, iiifPath, objectPath } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { rightsTermsUrl } from '../../model/rights-terms.ts';
import { toPlainText } from '../../model/text/text.ts';
import type { RecordNotices } from '../../site/notices/notices.ts';
import { listAccompanyingFiles, listCanvases } from '../../site/parts/media/iiif-canvases.ts';
import { findScannedPages } from '../../site/parts/media/recording-texts.ts';
import { createCanvas } from './iiif-canvas.ts';
import * as parts from './iiif-parts.ts';

/** Returns the IIIF manifest of a record. */
export function createManifest(entry: ListedEntry, source: parts.IiifSource): parts.Json {
  const { site, content } = source;
  const { record, texts } = content.object(entry, 1);
  const sources = listCanvases(entry, site);
  const scans = Map.groupBy(findScannedPages(entry, texts, site), ({ leaf }) => leaf && `${leaf.id} ${leaf.at}`);
  const files = listAccompanyingFiles(entry, site);
  const canvases = sources.map((canvas) => ({
    part: canvas.entry,
    ...createCanvas(canvas, canvas.entry !== entry, source, scans.get(`${canvas.entry.id} ${canvas.at}`)),
  }));
  return {
    '@context': parts.IIIF_CONTEXT,
    id: parts.urlOf(iiifPath(entry.id, 'manifest.json'), site),
    type: 'Manifest',
    ...describeRecord(record, entry, source, noticesOf([entry, ...sources.map((canvas) => canvas.entry)], site)),
    ...parts.optionalRenderings(files, source),
    ...parts.optionalList('thumbnail', parts.thumbnailsOf(entry, sources, site)),
    partOf: [collectionOf(entry, source)],
    items: canvases.map(({ canvas }) => canvas),
    ...parts.optionalList('structures', createRanges(entry, canvases, source)),
  };
}

/** Returns the notices on any of these records, such as an interview and its segments, each once. */
function noticesOf(entries: readonly ListedEntry[], { notices }: parts.IiifSource['site']): RecordNotices {
  const all = entries.map((each) => notices.of(each));
  return {
    warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
    labels: [...new Set(all.flatMap(({ labels }) => labels))],
  };
}

/** Returns what IIIF manifests and Collections share: texts, rights, and links to the pages and the JSON of a record. */
export function describeRecord(
  record: ArchivalRecord,
  entry: ListedEntry,
  { site, texts }: parts.IiifSource,
  notices = site.notices.of(entry),
): parts.Json {
  const summary = toPlainText(record.description);
  const liveUrl = record.links['html'] === undefined ? undefined : safeExternalUrl(record.links['html']);
  const label = texts.text(titleOf(record), entry);
  const pages = site.locale.alternatives.map(({ pathPrefix, language }) =>
    parts.webPage(parts.urlOf(`${pathPrefix}${objectPath(entry.id)}`, site), label, language),
  );
  const livePage = texts.label((t) => t.object.livePage);
  const json = {
    id: parts.urlOf(iiifPath(entry.id, 'record.json'), site),
    type: 'Dataset',
    label: texts.label((t) => t.object.json),
    format: 'application/json',
  };
  const statement = texts.requiredStatement(record, entry, notices);
  const rights = iiifRights(record);
  return {
    label,
    ...(summary === '' ? {} : { summary: texts.text(summary, entry) }),
    metadata: texts.metadata(record, entry),
    ...(statement ? { requiredStatement: statement } : {}),
    ...(rights === undefined ? {} : { rights }),
    ...createProvider({ site, texts }),
    homepage: liveUrl === undefined ? pages : [...pages, parts.webPage(liveUrl, livePage)],
    ...parts.optionalList('seeAlso', entry.origin === 'record' ? [json] : []),
  };
}

/** Returns the archive as the provider. */
export function createProvider({ site: { facts }, texts }: Pick<parts.IiifSource, 'site' | 'texts'>): parts.Json {
  const url = safeExternalUrl(facts.catalogUrl);
  if (url === undefined) return {};
  const label = texts.text(facts.title);
  return { provider: [{ id: url, type: 'Agent', label, homepage: [parts.webPage(url, label)] }] };
}

/** Returns one range for each segment of an interview, below one for the interview; below these, one for each index point. */
function createRanges(
  entry: ListedEntry,
  canvases: ReadonlyArray<{ part: ListedEntry; canvas: parts.Json; points: parts.Json[] }>,
  { site, texts }: parts.IiifSource,
): parts.Json[] {
  const rangeOf = (part: ListedEntry, items: readonly parts.Json[]) => {
    const id = parts.urlOf(iiifPath(part.id, 'canvas'), site).replace(/canvas$/, 'range');
    return { id, type: 'Range', label: texts.text(part.title, part), items };
  };
  const items = canvases.flatMap(({ part, canvas, points }) => {
    if (part === entry || part.model !== 'segment') return points;
    return [rangeOf(part, points.length > 0 ? points : [{ id: canvas['id'], type: 'Canvas' }])];
  });
  return items.length === 0 ? [] : [rangeOf(entry, items)];
}

/** Returns a reference to the collection that lists a record; for a segment, to that of its interview. */
function collectionOf(entry: ListedEntry, { site, texts }: parts.IiifSource): parts.Json {
  const parent = entry.parent === undefined ? undefined : site.relations.object(entry.parent);
  const label = texts.text(parent?.title ?? '', parent);
  if (parent && entry.model === 'segment')
    return { id: parts.urlOf(iiifPath(parent.id, 'manifest.json'), site), type: 'Manifest', label };
  return parent?.model === 'collection'
    ? { id: parts.urlOf(iiifPath(parent.id, 'collection.json'), site), type: 'Collection', label }
    : { id: parts.urlOf(IIIF_COLLECTION_PATH, site), type: 'Collection', label: texts.text(site.facts.title) };
}

const LICENSE =
  /\/\/(?:www\.)?creativecommons\.org\/licenses\/((?:by|by-sa|by-nc|by-nd|by-nc-sa|by-nc-nd)\/[1-4]\.[05](?:\/[a-z]{2,8})?)(?:\/|$)/;
const DEDICATION = /\/\/(?:www\.)?creativecommons\.org\/publicdomain\/((?:zero|mark)\/1\.0)(?:\/|$)/;
const STATEMENT =
  /\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/((?:InC|InC-OW-EU|InC-EDU|InC-NC|InC-RUU|NoC-CR|NoC-NC|NoC-OKLR|NoC-US|CNE|UND|NKC)\/1\.0)(?:\/|$)/;
/** The page of a license, which is not part of its URI. */
const PAGE = /\/deed$/;

/** Returns a record's rights URI, or undefined if not a permitted one. Source: https://iiif.io/api/presentation/3.0/#rights */
export function iiifRights(record: Pick<ArchivalRecord, 'raw'>): string | undefined {
  const url = rightsTermsUrl(record) ?? '';
  const license = LICENSE.exec(url)?.[1]?.replace(PAGE, '');
  if (license !== undefined) return `http://creativecommons.org/licenses/${license}/`;
  const dedication = DEDICATION.exec(url)?.[1];
  if (dedication !== undefined) return `http://creativecommons.org/publicdomain/${dedication}/`;
  const statement = STATEMENT.exec(url)?.[1];
  return statement && `http://rightsstatements.org/vocab/${statement}/`;
}
