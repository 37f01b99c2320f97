/** Creates the catalogue entries of records: from the record, else from its list entry, else from breadcrumbs of other records. */

import { readRecordDates } from '../model/dates/record-dates.ts';
import { isFileRole, isObjectId, parseId } from '../model/ids.ts';
import {
  MAX_FACT_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_LIST_MEMBERS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
  MAX_URL_LENGTH,
} from '../model/limits.ts';
import { filesOfRecord, recordingDuration, streamOnlyUrls } from '../model/media.ts';
import { extractIdsFromHtml, extractLinkTargets } from '../model/mentions.ts';
import { type ArchivalRecord, fileRoleAbove, idsFromCollection, parentOf, parseRecord } from '../model/records.ts';
import { type BaseUrls, isSameHost } from '../model/resources.ts';
import { termSlug } from '../model/slug.ts';
import { cleanTitle, toPlainText, truncateWords } from '../model/text.ts';
import { readTimestamp } from '../model/timestamps.ts';
import { text } from '../model/values.ts';
import { listItems } from '../snapshot/lists.ts';
import { parseBody, readBodies, readBody, readResourceNames } from '../snapshot/read.ts';
import type { StoredBody } from '../snapshot/row-types.ts';
import type { Store } from '../snapshot/store.ts';
import type { ObjectEntry, Origin, Withheld } from './entries.ts';
import { FACETS, facetValues } from './facets.ts';
import { errorMessage, type PageProblem } from './page-problems.ts';
import { identifyPeople, narratorKeys } from './people.ts';
import { objectPath } from './urls.ts';
import { createPublicationStatus, readListEntry } from './visibility.ts';

/** Returns the title of a record, or its ID in brackets, as catalogers write a title that they supply. */
export function titleOf(record: Pick<ArchivalRecord, 'id' | 'title' | 'label' | 'raw'>): string {
  const title = toPlainText(record.title) || toPlainText(record.label) || toPlainText(text(record.raw['basename_orig']));
  return title === '' ? `[${record.id}]` : title;
}

/** Reads all records. Returns the entries that may be shown, what is withheld, and the problems of records that cannot be shown completely. */
export function readObjectEntries(
  store: Store,
  baseUrls: BaseUrls,
): { shown: ObjectEntry[]; withheld: Withheld[]; problems: PageProblem[] } {
  const entries = new Map<string, ObjectEntry>();
  const hidden = new Set<string>();
  const visible = createPublicationStatus(store);
  const crumbsById = new Map<string, ArchivalRecord['breadcrumbs'][number]>();
  const problems: PageProblem[] = [];
  for (const stored of readBodies(store, 'object')) {
    const record = recordOfBody(stored);
    // If the body is not a record, its visibility follows from its list entry or the form of its ID.
    const partial =
      record ??
      (isObjectId(stored.name) ? parseRecord(readListEntry(store, stored.name) ?? minimalPayload(stored.name)) : undefined);
    if (partial) visible.note(partial);
    if (!record) continue;
    if (!record.public) {
      hidden.add(record.id);
      continue;
    }
    for (const crumb of record.breadcrumbs) crumbsById.set(crumb.id, crumb);
    entries.set(record.id, readShownEntry(record, stored, baseUrls, problems));
  }
  for (const id of new Set([...crumbsById.keys(), ...readResourceNames(store, 'object')])) {
    if (!isObjectId(id) || isFileRole(id) || entries.has(id) || hidden.has(id)) continue;
    const listEntry = readListEntry(store, id);
    const summary = listEntry && parseRecord(listEntry);
    if (summary?.public === false) hidden.add(id);
    else if (summary) entries.set(id, createObjectEntry(summary, baseUrls, 'summary', JSON.stringify(listEntry)));
    else if (crumbsById.has(id) || hasListEntries(store, id)) entries.set(id, partialEntryOf(baseUrls, id, crumbsById.get(id)));
  }
  const hiddenPages = new Set<string>();
  const withheld: Withheld[] = [...hidden].map((what) => ({ what, reason: 'private' }));
  for (const entry of entries.values()) {
    if (visible.record(entry.id)) continue;
    entries.delete(entry.id);
    hiddenPages.add(objectPath(entry.id));
    withheld.push({ what: entry.id, reason: 'below-private' });
  }
  const shown = [...entries.values()];
  identifyPeople(shown);
  return { shown, withheld, problems: problems.filter(({ page }) => !hiddenPages.has(page)) };
}

/** Parses the record in a body; undefined if the body is not a record, or contains another record. */
function recordOfBody(stored: StoredBody): ArchivalRecord | undefined {
  const record = parseRecord(parseBody(stored));
  return record?.id === stored.name ? record : undefined;
}

/** Returns the entry of a record. If its fields cannot be read, the entry has only its ID, so that it has a page with a notice. */
function readShownEntry(record: ArchivalRecord, stored: StoredBody, baseUrls: BaseUrls, problems: PageProblem[]): ObjectEntry {
  const version = `${stored.sha256} ${stored.fetchedAt}`;
  const page = objectPath(record.id);
  if (record.truncatedFields.length > 0) {
    const names = truncateWords(cleanTitle(record.truncatedFields.join(', ')), MAX_LABEL_LENGTH);
    problems.push({ page, cause: `shown only in part: ${names}` });
  }
  try {
    return createObjectEntry(record, baseUrls, 'record', version, stored.goneAt ?? undefined);
  } catch (error) {
    problems.push({ page, cause: `its lists and facets could not be read: ${errorMessage(error)}` });
    const bare = parseRecord({ id: record.id, model: record.model, parent_id: record.parent_id }) as ArchivalRecord;
    return createObjectEntry(bare, baseUrls, 'record', version, stored.goneAt ?? undefined);
  }
}

/** Characters. */
const MAX_CITATION_LENGTH = 1_000;

function createObjectEntry(
  record: ArchivalRecord,
  baseUrls: BaseUrls,
  origin: Origin,
  bodyVersion: string,
  removedAt?: string,
): ObjectEntry {
  const facets: ObjectEntry['facets'] = {};
  for (const facet of FACETS) {
    const values = facetValues(facet, record);
    if (values.length > 0) facets[facet] = values;
  }
  const { words, isUnread } = readRecordDates(record);
  const media = filesOfRecord(record).flatMap(({ kind, url, charset }) =>
    kind === 'image' || kind === 'thumb' ? [] : [{ kind, url, ...(charset && { charset }) }],
  );
  return {
    id: record.id,
    model: record.model,
    title: truncateWords(titleOf(record), MAX_TITLE_LENGTH),
    excerpt: truncateWords(toPlainText(record.description), 200),
    ancestors: idsFromCollection(record).slice(0, -1),
    fileRoleAbove: fileRoleAbove(record),
    parent: parentOf(record),
    sort: record.sort ?? 0,
    date: truncateWords(toPlainText(record.creation), MAX_FACT_LENGTH) || undefined,
    unreadDate: isUnread && words !== undefined ? truncateWords(words, MAX_FACT_LENGTH) : undefined,
    genre: readCode(record.genre),
    format: readCode(record.format),
    imageUrls: [
      ...[record.links['img'], record.links['thumb']].filter((url) => url !== undefined),
      ...media.map(({ url }) => url),
    ],
    media,
    streamOnlyUrls: streamOnlyUrls(record),
    durationSeconds: recordingDuration(record),
    role: record.model === 'file' ? readCode(text(record.raw['role'])) : undefined,
    narrators: narratorKeys(record),
    positions: readPositions(record),
    unusablePositions: readUnusablePositions(record),
    facets,
    mentions: findMentions(record, baseUrls),
    linkTargets: findLinkTargets(record),
    preferredCitation: truncateWords(toPlainText(text(record.raw['prefercite'])), MAX_CITATION_LENGTH) || undefined,
    liveUrl: findForeignUrl(record, baseUrls),
    origin,
    bodyVersion,
    removedAt,
    lastmod: readTimestamp(record.record_lastmod),
  };
}

/** Returns a code, shortened for lists: an unknown code may be any text. */
function readCode(code: string | undefined): string | undefined {
  return code && truncateWords(cleanTitle(code), MAX_FACT_LENGTH);
}

/** Returns the positions of a record's places. */
function readPositions({ geography }: ArchivalRecord): ObjectEntry['positions'] {
  return geography.flatMap(({ id, term, geo_lat: lat, geo_lng: lng }) =>
    lat === undefined || lng === undefined ? [] : [{ place: termSlug({ id, term }), lat, lng }],
  );
}

/** Returns the places of a record whose position is stated but cannot be used. */
function readUnusablePositions({ geography }: ArchivalRecord): ObjectEntry['unusablePositions'] {
  return geography.flatMap(({ term, unusablePosition: position }) =>
    position === undefined
      ? []
      : [
          {
            place: truncateWords(cleanTitle(term), MAX_LABEL_LENGTH),
            position: truncateWords(cleanTitle(position), MAX_LABEL_LENGTH),
          },
        ],
  );
}

function findMentions(record: ArchivalRecord, baseUrls: BaseUrls): string[] {
  const ids = [record.parent_id, record.collection_id, record.organization_id, record.signature_id].filter(isObjectId);
  const linked = Object.values(record.raw).flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? extractIdsFromHtml(value.slice(0, MAX_TEXT_LENGTH), baseUrls) : [],
  );
  return [...new Set([...ids, ...linked])];
}

/** Returns the targets of the links in the texts of a record, each once. */
function findLinkTargets({ raw, external_urls: external }: ArchivalRecord): string[] {
  const texts = Object.values(raw).flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_LIST_MEMBERS) : [value]));
  const targets = texts.flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? extractLinkTargets(value.slice(0, MAX_TEXT_LENGTH)) : [],
  );
  return [...new Set([...targets, ...external.map(({ url }) => url).filter((url) => url.length <= MAX_URL_LENGTH)])];
}

function findForeignUrl({ links: { html } }: ArchivalRecord, baseUrls: BaseUrls): string | undefined {
  const url = html === undefined ? null : URL.parse(html);
  return url === null || isSameHost(url, new URL(baseUrls.catalog)) ? undefined : html;
}

/** The record behind an entry. */
export interface EntryRecord {
  record: ArchivalRecord;
  /** Its stored body; undefined for a partial record. */
  stored: StoredBody | undefined;
}

/**
 * Returns the record behind an entry: from its body, from its list entry, or from its ID alone.
 * @throws {Error} if the body is not a record any more.
 */
export function readEntryRecord({ id, origin }: Pick<ObjectEntry, 'id' | 'origin'>, store: Store): EntryRecord {
  const stored = origin === 'record' ? readBody(store, 'object', id) : undefined;
  const listEntry = origin === 'summary' ? readListEntry(store, id) : undefined;
  const record = parseRecord(stored ? parseBody(stored) : { ...minimalPayload(id), ...listEntry });
  if (!record) throw new Error(`The record ${id} cannot be read from the snapshot.`);
  return { record, stored };
}

/** Returns whether one of a record's own lists has entries. */
function hasListEntries(store: Store, id: string): boolean {
  return listItems(store, 'children', id).length > 0 || listItems(store, 'files', id).length > 0;
}

/** Creates the entry of a record that only breadcrumbs of other records or its own lists name. */
function partialEntryOf(baseUrls: BaseUrls, id: string, crumb: ArchivalRecord['breadcrumbs'][number] | undefined): ObjectEntry {
  const record = parseRecord({ id, model: crumb?.model, title: crumb?.label && !/^\d+$/.test(crumb.label) ? crumb.label : id });
  return createObjectEntry(record as ArchivalRecord, baseUrls, 'breadcrumbs', '');
}

/** Returns the minimum of a record that its page needs, from the ID alone. */
function minimalPayload(id: string): ArchivalRecord['raw'] {
  const { model, parent, collection } = parseId(id);
  return { id, model, parent_id: parent, collection_id: collection };
}
