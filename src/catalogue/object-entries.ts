/** Creates the catalogue entries of records: from the record, else from its list entry, else from breadcrumbs of other records. */

import { isFileRole, isObjectId, parseId } from '../model/ids.ts';
import { LONGEST_FACT, LONGEST_LABEL, LONGEST_TEXT, LONGEST_TITLE } from '../model/limits.ts';
import { filesOf, lengthOf, streamOnlyUrls } from '../model/media.ts';
import { idsInHtml } from '../model/mentions.ts';
import { type ArchivalRecord, ancestry, fileRoleAbove, parentOf, readRecord } from '../model/records.ts';
import type { Bases } from '../model/resources.ts';
import { slugOf, termSlug } from '../model/slug.ts';
import { clean, plainText, shorten } from '../model/text.ts';
import { text } from '../model/values.ts';
import { listItems } from '../snapshot/lists.ts';
import { bodiesOf, bodyOf, namesOf, parseBody, type StoredBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { ObjectEntry, Origin, Withheld } from './entries.ts';
import { FACETS, facetValues } from './facets.ts';
import { messageOf, type PageProblem } from './page-problems.ts';
import { objectPath } from './urls.ts';
import { lineOf, published } from './visibility.ts';

/** Returns the title of a record, or its ID in brackets, as catalogers write a title that they supply. */
export function titleOf(record: Pick<ArchivalRecord, 'id' | 'title' | 'label' | 'raw'>): string {
  const title = plainText(record.title) || plainText(record.label) || plainText(text(record.raw['basename_orig']));
  return title === '' ? `[${record.id}]` : title;
}

/** Reads all records: those that may be shown, those that may not, and the problems of those that cannot be shown completely. */
export function readObjects(store: Store, bases: Bases): { shown: ObjectEntry[]; withheld: Withheld[]; problems: PageProblem[] } {
  const entries = new Map<string, ObjectEntry>();
  const hidden = new Set<string>();
  const visible = published(store);
  const crumbsById = new Map<string, ArchivalRecord['breadcrumbs'][number]>();
  const problems: PageProblem[] = [];
  for (const stored of bodiesOf(store, 'object')) {
    const record = ownRecord(stored);
    // If the body is not a record, its visibility follows from its list entry or the form of its ID.
    const partial =
      record ?? (isObjectId(stored.name) ? readRecord(lineOf(store, stored.name) ?? bareRecord(stored.name)) : undefined);
    if (partial) visible.note(partial);
    if (!record) continue;
    if (!record.public) {
      hidden.add(record.id);
      continue;
    }
    for (const crumb of record.breadcrumbs) crumbsById.set(crumb.id, crumb);
    entries.set(record.id, shownOf(record, stored, bases, problems));
  }
  for (const id of new Set([...crumbsById.keys(), ...namesOf(store, 'object')])) {
    if (!isObjectId(id) || isFileRole(id) || entries.has(id) || hidden.has(id)) continue;
    const listEntry = lineOf(store, id);
    const summary = listEntry && readRecord(listEntry);
    if (summary?.public === false) hidden.add(id);
    else if (summary) entries.set(id, entryOf(summary, bases, 'summary', JSON.stringify(listEntry)));
    else if (crumbsById.has(id) || hasListEntries(store, id)) entries.set(id, partialEntryOf(bases, id, crumbsById.get(id)));
  }
  const hiddenPages = new Set<string>();
  const withheld: Withheld[] = [...hidden].map((what) => ({ what, reason: 'private' }));
  for (const entry of entries.values()) {
    if (visible.record(entry.id)) continue;
    entries.delete(entry.id);
    hiddenPages.add(objectPath(entry.id));
    withheld.push({ what: entry.id, reason: 'below-private' });
  }
  return { shown: [...entries.values()], withheld, problems: problems.filter(({ page }) => !hiddenPages.has(page)) };
}

/** Parses the record in a body; undefined if the body is not a record, or is another record. */
function ownRecord(stored: StoredBody): ArchivalRecord | undefined {
  const record = readRecord(parseBody(stored));
  return record?.id === stored.name ? record : undefined;
}

/** Returns the entry of a record. If its fields cannot be read, the entry has only its ID, so that it has a page with a notice. */
function shownOf(record: ArchivalRecord, stored: StoredBody, bases: Bases, problems: PageProblem[]): ObjectEntry {
  const version = `${stored.sha256} ${stored.fetchedAt}`;
  const page = objectPath(record.id);
  if (record.cut.length > 0) {
    const names = shorten(clean(record.cut.join(', ')), LONGEST_LABEL);
    problems.push({ page, cause: `shown only in part: ${names}` });
  }
  try {
    return entryOf(record, bases, 'record', version, stored.goneAt ?? undefined);
  } catch (error) {
    problems.push({ page, cause: `its lists and facets could not be read: ${messageOf(error)}` });
    const bare = readRecord({ id: record.id, model: record.model, parent_id: record.parent_id }) as ArchivalRecord;
    return entryOf(bare, bases, 'record', version, stored.goneAt ?? undefined);
  }
}

function entryOf(record: ArchivalRecord, bases: Bases, origin: Origin, version: string, goneAt?: string): ObjectEntry {
  const facets: ObjectEntry['facets'] = {};
  for (const facet of FACETS) {
    const values = facetValues(facet, record);
    if (values.length > 0) facets[facet] = values;
  }
  const media = filesOf(record).flatMap(({ kind, url }) => (kind === 'image' || kind === 'thumb' ? [] : [{ kind, url }]));
  return {
    id: record.id,
    model: record.model,
    title: shorten(titleOf(record), LONGEST_TITLE),
    excerpt: shorten(plainText(record.description), 200),
    ancestors: ancestry(record).slice(0, -1),
    fileRoleAbove: fileRoleAbove(record),
    parent: parentOf(record),
    sort: record.sort ?? 0,
    date: shorten(plainText(record.creation), LONGEST_FACT) || undefined,
    genre: codeOf(record.genre),
    format: codeOf(record.format),
    images: [...[record.links['img'], record.links['thumb']].filter((url) => url !== undefined), ...media.map(({ url }) => url)],
    media,
    heldBack: streamOnlyUrls(record),
    length: lengthOf(record),
    role: record.model === 'file' ? codeOf(text(record.raw['role'])) : undefined,
    narrators: record.creators
      .filter(({ role }) => role?.toLowerCase() === 'narrator')
      .map(({ oh_id, namepart }) => (oh_id === undefined ? slugOf(namepart) : `oh ${oh_id}`)),
    positions: positionsOf(record),
    facets,
    mentions: mentionsIn(record, bases),
    origin,
    version,
    goneAt,
    lastmod: timestampIn(record.record_lastmod),
  };
}

/** Returns a code for lists. An unknown one may be any text. */
function codeOf(code: string | undefined): string | undefined {
  return code && shorten(clean(code), LONGEST_FACT);
}

/** Returns the positions of a record's places, without those that are not on the globe. */
function positionsOf({ geography }: ArchivalRecord): ObjectEntry['positions'] {
  return geography.flatMap(({ id, term, geo_lat: lat, geo_lng: lng }) =>
    lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180
      ? []
      : [{ place: termSlug({ id, term }), lat, lng }],
  );
}

/** Returns a timestamp in upstream's form (docs/upstream-api.md, “Record fields”); undefined for anything else. */
function timestampIn(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}

function mentionsIn(record: ArchivalRecord, bases: Bases): string[] {
  const ids = [record.parent_id, record.collection_id, record.organization_id, record.signature_id].filter(isObjectId);
  const linked = Object.values(record.raw).flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? idsInHtml(value.slice(0, LONGEST_TEXT), bases) : [],
  );
  return [...new Set([...ids, ...linked])];
}

/** The record behind an entry. */
export interface RecordBehind {
  record: ArchivalRecord;
  /** Its stored body; undefined for a partial record. */
  stored: StoredBody | undefined;
}

/**
 * Returns the record behind an entry: from its body, from its list entry, or from its ID alone.
 * @throws {Error} if the body is not a record any more.
 */
export function recordBehind({ id, origin }: Pick<ObjectEntry, 'id' | 'origin'>, store: Store): RecordBehind {
  const stored = origin === 'record' ? bodyOf(store, 'object', id) : undefined;
  const listEntry = origin === 'summary' ? lineOf(store, id) : undefined;
  const record = readRecord(stored ? parseBody(stored) : { ...bareRecord(id), ...listEntry });
  if (!record) throw new Error(`The record ${id} cannot be read from the snapshot.`);
  return { record, stored };
}

/** Returns whether one of a record's own lists has entries. */
function hasListEntries(store: Store, id: string): boolean {
  return listItems(store, 'children', id).length > 0 || listItems(store, 'files', id).length > 0;
}

/** Creates the entry of a record that only breadcrumbs of other records or its own lists name. */
function partialEntryOf(bases: Bases, id: string, crumb: ArchivalRecord['breadcrumbs'][number] | undefined): ObjectEntry {
  const record = readRecord({ id, model: crumb?.model, title: crumb?.label && !/^\d+$/.test(crumb.label) ? crumb.label : id });
  return entryOf(record as ArchivalRecord, bases, 'breadcrumbs', '');
}

/** Returns the minimum of a record that its page needs, from the ID alone. */
function bareRecord(id: string): ArchivalRecord['raw'] {
  const { model, parent, collection } = parseId(id);
  return { id, model, parent_id: parent, collection_id: collection };
}
