/** Creates the catalogue entry of one record from its fields. */
import { fileRoleAbove, idsFromCollection, parentOf } from '../../model/ancestors.ts';
import type { DayOrder } from '../../model/dates/day-order.ts';
import { FACETS } from '../../model/facets.ts';
import { isObjectId } from '../../model/ids.ts';
import { filesOfRecord, recordingDuration, streamOnlyUrls } from '../../model/media/media.ts';
import { extractIdsFromTexts, extractLinkTargets } from '../../model/mentions.ts';
import { readRecordDates } from '../../model/record-dates.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { type BaseUrls, isSameHost } from '../../model/resources.ts';
import * as limits from '../../model/text/limits.ts';
import { termSlug } from '../../model/text/slug.ts';
import { cleanTitle, firstSentence, toPlainText, truncateWords } from '../../model/text/text.ts';
import { readTimestamp } from '../../model/timestamps.ts';
import { readTranslations } from '../../model/translations.ts';
import type { ObjectEntry, Origin } from '../entries.ts';
import { facetValues } from '../lists/facets.ts';
import { narratorKeys } from '../people/people.ts';

/** Returns the title of a record, or its ID in brackets, as catalogers write a title that they supply. */
export function titleOf(record: Pick<ArchivalRecord, 'id' | 'title' | 'label' | 'basename_orig'>): string {
  const title = toPlainText(record.title) || toPlainText(record.label) || toPlainText(record.basename_orig);
  return title === '' ? `[${record.id}]` : title;
}

/** Characters. */
const MAX_CITATION_LENGTH = 1_000;

/** Creates the entry of a record. `bodyVersion`, `removedAt` and `dayOrder` are those of the entry. */
export function createObjectEntry(
  record: ArchivalRecord,
  baseUrls: BaseUrls,
  origin: Origin,
  bodyVersion: string,
  removedAt?: string,
  dayOrder?: DayOrder,
): ObjectEntry {
  const facets: ObjectEntry['facets'] = {};
  for (const facet of FACETS) {
    const values = facetValues(facet, record);
    if (values.length > 0) facets[facet] = values;
  }
  const titles = readTranslations(record.raw).flatMap(({ language, title }) =>
    title === undefined ? [] : [[language, truncateWords(title, limits.MAX_TITLE_LENGTH)] as const],
  );
  const { words, isUnread, isAmbiguous } = readRecordDates(record);
  const media = filesOfRecord(record).flatMap(({ kind, url, charset }) =>
    kind === 'image' || kind === 'thumb' ? [] : [{ kind, url, ...(charset && { charset }) }],
  );
  return {
    id: record.id,
    model: record.model,
    title: truncateWords(titleOf(record), limits.MAX_TITLE_LENGTH),
    ...(titles.length === 0 ? {} : { titles: Object.fromEntries(titles) }),
    excerpt: truncateWords(toPlainText(record.description), 200),
    ancestors: idsFromCollection(record).slice(0, -1),
    fileRoleAbove: fileRoleAbove(record),
    parent: parentOf(record),
    sort: record.sort ?? 0,
    date: words === undefined ? undefined : truncateWords(words, limits.MAX_FACT_LENGTH),
    unreadDate: (isUnread || isAmbiguous) && words !== undefined ? truncateWords(words, limits.MAX_FACT_LENGTH) : undefined,
    ...(record.statedDayOrder === undefined ? {} : { statedDayOrder: record.statedDayOrder }),
    ...(record.statedDayOrder === 'open' && dayOrder !== undefined ? { dayOrder } : {}),
    genre: readCode(record.genre),
    format: readCode(record.format),
    mediaUrls: [record.links['img'], record.links['thumb'], ...media.map(({ url }) => url)].filter((url) => url !== undefined),
    media,
    streamOnlyUrls: streamOnlyUrls(record),
    durationSeconds: recordingDuration(record),
    subject: readSubject(record),
    role: record.model === 'file' ? readCode(record.role) : undefined,
    narrators: narratorKeys(record),
    positions: record.geography.flatMap(({ id, term, geo_lat: lat, geo_lng: lng }) =>
      lat === undefined || lng === undefined ? [] : [{ place: termSlug({ id, term }), lat, lng }],
    ),
    unusablePositions: readUnusablePositions(record),
    facets,
    mentions: findMentions(record, baseUrls),
    linkTargets: findLinkTargets(record),
    preferredCitation: truncateWords(toPlainText(record.prefercite), MAX_CITATION_LENGTH) || undefined,
    liveUrl: findForeignUrl(record, baseUrls),
    origin,
    bodyVersion,
    removedAt,
    lastmod: readTimestamp(record.record_lastmod),
  };
}

/** Topics or places that say what a segment is about; more would be a list. */
const MAX_SUBJECTS = 2;

/** Returns what a segment is about: the first sentence of its description, the last steps of its first topics, or its places. */
function readSubject({ model, description, topics, geography }: ArchivalRecord): string | undefined {
  if (model !== 'segment') return undefined;
  const paragraphs = (description ?? '').split(/\n|<(?:br|div|p)\b[^<>]*>/i).map(toPlainText);
  const paragraph = paragraphs.find((text) => text !== '') ?? '';
  const terms = topics.length > 0 ? topics : geography;
  const steps = terms.slice(0, MAX_SUBJECTS).map(({ term }) => term.replace(/^.*\s--\s+/, ''));
  return truncateWords(firstSentence(paragraph) || steps.join(' · '), limits.MAX_FACT_LENGTH) || undefined;
}

/** Returns a code, shortened for lists: an unknown code may be any text. */
const readCode = (code: string | undefined): string | undefined =>
  code && truncateWords(cleanTitle(code), limits.MAX_FACT_LENGTH);

/** Returns the places of a record whose position is stated but cannot be used. */
function readUnusablePositions({ geography }: ArchivalRecord): ObjectEntry['unusablePositions'] {
  const label = (text: string) => truncateWords(cleanTitle(text), limits.MAX_LABEL_LENGTH);
  return geography.flatMap(({ term, unusablePosition: position }) =>
    position === undefined ? [] : [{ place: label(term), position: label(position) }],
  );
}

function findMentions(record: ArchivalRecord, baseUrls: BaseUrls): string[] {
  const ids = [record.parent_id, record.collection_id, record.organization_id, record.signature_id].filter(isObjectId);
  return [...new Set([...ids, ...extractIdsFromTexts(Object.values(record.raw), baseUrls)])];
}

/** Returns the targets of the links in the texts of a record, each once. */
function findLinkTargets({ raw, external_urls: external }: ArchivalRecord): string[] {
  const texts = Object.values(raw).flatMap((value) => (Array.isArray(value) ? value.slice(0, limits.MAX_LIST_MEMBERS) : [value]));
  const targets = texts.flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? extractLinkTargets(value.slice(0, limits.MAX_TEXT_LENGTH)) : [],
  );
  return [...new Set([...targets, ...external.map(({ url }) => url).filter((url) => url.length <= limits.MAX_URL_LENGTH)])];
}

function findForeignUrl({ links: { html } }: ArchivalRecord, baseUrls: BaseUrls): string | undefined {
  const url = html === undefined ? null : URL.parse(html);
  return url === null || isSameHost(url, new URL(baseUrls.catalog)) ? undefined : html;
}

/** Creates the entry of a record that only breadcrumbs of other records or its own lists name. */
export function partialEntryOf(baseUrls: BaseUrls, id: string, crumb: ArchivalRecord['breadcrumbs'][number] | undefined) {
  const record = parseRecord({ id, model: crumb?.model, title: crumb?.label && !/^\d+$/.test(crumb.label) ? crumb.label : id });
  return createObjectEntry(record as ArchivalRecord, baseUrls, 'breadcrumbs', '');
}
