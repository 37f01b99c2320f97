/** Records as schema.org describes them, in JSON-LD. A test holds each property against the types that schema.org gives it. */
import type { ListedEntry, ObjectEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { datesCovered, datesOfCreation, isoPeriod, type MachineDates } from '../../../model/dublin-core.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { recordingDuration } from '../../../model/media/media.ts';
import { creatorsByProperty, describeAgent, institutionOf, mentionedNames } from '../../../model/people/agents.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { isLicenseUrl, rightsTermsUrl } from '../../../model/rights-terms.ts';
import { languageTag } from '../../../model/text/language-tag.ts';
import { toPlainText, truncateWords } from '../../../model/text/text.ts';
import { text as readText } from '../../../model/values.ts';
import { withoutEmpty } from '../../citation/csl-json.ts';
import type { Site } from '../../site.ts';
import { addressOfPage } from './page-parts.ts';

/** An object of JSON-LD. */
export type JsonLd = Record<string, unknown>;

/** Characters of one text. */
const MAX_LENGTH = 500;

/** Returns an object of schema.org with its properties, of which empty ones are left out. */
export function describeAs(type: unknown, properties: JsonLd): JsonLd {
  return { '@context': 'https://schema.org', '@type': type, ...withoutEmpty(properties) };
}

/** Returns the description of a record. `liveUrl` is the URL of its page in the live archive. */
export function createObjectJsonLd(record: ArchivalRecord, entry: ObjectEntry, liveUrl: string | undefined, site: Site): JsonLd {
  const isOrganization = entry.model === 'repository' || entry.model === 'organization';
  const parent = isOrganization ? site.relations.object(entry.parent ?? '') : undefined;
  return describeAs(isOrganization ? ['ArchiveOrganization'] : workTypes(record, entry), {
    ...createAddresses(objectPath(entry.id), liveUrl, site, entry.removedAt !== undefined),
    identifier: entry.id,
    name: entry.title,
    description: shorten(record.description),
    ...(isOrganization
      ? { parentOrganization: parent && referTo(parent, 'ArchiveOrganization', entry.id, liveUrl, site) }
      : describeWork(record, entry, liveUrl, site)),
  });
}

/**
 * Returns the addresses of what a page is about: its identifier and URL in the live archive, and this page, if its URL is known.
 * What was removed there is only here.
 */
export function createAddresses(path: string, liveUrl: string | undefined, site: Site, isRemoved: boolean): JsonLd {
  const own = addressOfPage(path, site);
  return { '@id': liveUrl ?? own, url: isRemoved ? own : (liveUrl ?? own), mainEntityOfPage: own };
}

/** Returns the types of an item, collection or file: an item is an ArchiveComponent, and by genre, format or media another. */
function workTypes({ genre, ia_meta: media, format }: ArchivalRecord, { model }: ListedEntry): string[] {
  if (model === 'collection') return ['Collection', 'ArchiveComponent'];
  if (model === 'file') return ['MediaObject'];
  if (media) {
    const types = [media.mimetype, ...media.files.map(({ mimetype }) => mimetype)];
    const isSound = types.find((type) => /^(?:audio|video)\//.test(type ?? ''))?.startsWith('audio/');
    return ['ArchiveComponent', isSound ? 'AudioObject' : 'VideoObject'];
  }
  if (genre === 'photograph' || genre === 'portrait') return ['ArchiveComponent', 'Photograph'];
  if (format === 'img') return ['ArchiveComponent', 'ImageObject'];
  return format === 'doc' ? ['ArchiveComponent', 'DigitalDocument'] : ['ArchiveComponent'];
}

function describeWork(record: ArchivalRecord, entry: ObjectEntry, liveUrl: string | undefined, site: Site): JsonLd {
  const text = (name: string) => shorten(readText(record.raw[name]));
  const created = datesOfCreation(record);
  const terms = rightsTermsUrl(record);
  const subjects = [...record.topics, ...record.facility].map(({ term }) => shorten(term)).filter((name) => name !== '');
  const collection = entry.ancestors.map((id) => site.relations.object(id)).find((above) => above?.model === 'collection');
  const isFile = entry.model === 'file';
  const institution = isFile ? undefined : institutionOf(record);
  return {
    // A Date of schema.org is not a period.
    dateCreated: oneOrAll(created.dates),
    temporalCoverage: oneOrAll(coverageOf(record, entry, created)),
    dateModified: entry.lastmod,
    ...creatorsByProperty(record),
    mentions: mentionedNames(record).map((name) => describeAgent(name)),
    about: subjects.map((name) => ({ '@type': 'DefinedTerm', name })),
    contentLocation: record.geography.flatMap((place) => describePlace(place) ?? []),
    inLanguage: record.language.flatMap((code) => languageTag(code) ?? []),
    [terms !== undefined && isLicenseUrl(terms) ? 'license' : 'usageInfo']: terms,
    creditText: text('credit'),
    holdingArchive: institution && { '@type': 'ArchiveOrganization', name: institution },
    isPartOf: collection && collection.id !== entry.id ? referTo(collection, 'Collection', entry.id, liveUrl, site) : undefined,
    ...describeMedia(record, entry, text('mimetype')),
  };
}

/** An item's subject is dated by its chronology, not its making; but a collection's dates are those of its contents. */
function coverageOf(record: ArchivalRecord, { model }: ListedEntry, { periods }: MachineDates): string[] {
  const covered = datesCovered(record);
  const own = covered.periods.map(isoPeriod);
  const single = covered.dates.filter((date) => !own.some((period) => period.startsWith(date)));
  return [...new Set([...own, ...single, ...(model === 'collection' ? periods.map(isoPeriod) : [])])];
}

const oneOrAll = (values: string[]): string | string[] | undefined => (values.length > 1 ? values : values[0]);

/** Returns the properties of a recording or file. */
function describeMedia(record: ArchivalRecord, { model }: ListedEntry, mimetype: string): JsonLd {
  const media = record.ia_meta;
  const seconds = media && recordingDuration(record);
  return {
    duration: seconds === undefined ? undefined : `PT${Math.round(seconds)}S`,
    contentUrl: media?.streamOnly ? undefined : media?.files.flatMap(({ url }) => (url && safeExternalUrl(url)) || [])[0],
    encodingFormat: mimetype || shorten(media?.mimetype),
    sha256: model === 'file' ? record.sha256 : undefined,
  };
}

function describePlace({ term, geo_lat, geo_lng }: ArchivalRecord['geography'][number]): JsonLd | undefined {
  const name = shorten(term);
  if (name === '') return undefined;
  const isLocated = geo_lat !== undefined && geo_lng !== undefined;
  return {
    '@type': 'Place',
    name,
    ...(isLocated ? { geo: { '@type': 'GeoCoordinates', latitude: geo_lat, longitude: geo_lng } } : {}),
  };
}

/** Returns a reference to another record, by its address in the live archive, which has the form of this record's own. */
function referTo(
  { id, title }: ListedEntry,
  type: 'Collection' | 'ArchiveOrganization',
  ownId: string,
  liveUrl: string | undefined,
  { baseUrls }: Site,
): JsonLd {
  const own = liveUrl === undefined ? null : /^(.*\/)([^/]+)(\/?)$/.exec(liveUrl);
  const url = own && own[2] === ownId ? `${own[1]}${id}${own[3]}` : safeExternalUrl(`${baseUrls.catalog}/${id}/`);
  return { '@type': type, ...withoutEmpty({ '@id': url, url }), identifier: id, name: title };
}

/** Returns plain text, shortened. */
const shorten = (text: string | undefined): string => truncateWords(toPlainText(text), MAX_LENGTH);
