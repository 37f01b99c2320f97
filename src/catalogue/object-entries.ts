/** Makes the entries of archival records: from the record, else from its line in a list, else from others' breadcrumbs. */

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

/** One visible thing's title: what stands in the record, or else its id in brackets, as cataloguers write a title that they supply. */
export function titleOf(record: Pick<ArchivalRecord, 'id' | 'title' | 'label' | 'raw'>): string {
  const title = plainText(record.title) || plainText(record.label) || plainText(text(record.raw['basename_orig']));
  return title === '' ? `[${record.id}]` : title;
}

/** Every record that may be shown, those that may not, and what cannot be shown whole. */
export function readObjects(store: Store, bases: Bases): { shown: ObjectEntry[]; withheld: Withheld[]; problems: PageProblem[] } {
  const entries = new Map<string, ObjectEntry>();
  const hidden = new Set<string>();
  const visible = published(store);
  const named = new Map<string, ArchivalRecord['breadcrumbs'][number]>();
  const problems: PageProblem[] = [];
  for (const stored of bodiesOf(store, 'object')) {
    const record = ownRecord(stored);
    // Of what cannot be read, a list's line or the shape of its ID says what can be said.
    const known =
      record ?? (isObjectId(stored.name) ? readRecord(lineOf(store, stored.name) ?? bareRecord(stored.name)) : undefined);
    if (known) visible.note(known);
    if (!record) continue;
    if (!record.public) {
      hidden.add(record.id);
      continue;
    }
    for (const crumb of record.breadcrumbs) named.set(crumb.id, crumb);
    entries.set(record.id, shownOf(record, stored, bases, problems));
  }
  for (const id of new Set([...named.keys(), ...namesOf(store, 'object')])) {
    if (!isObjectId(id) || isFileRole(id) || entries.has(id) || hidden.has(id)) continue;
    const line = lineOf(store, id);
    const summary = line && readRecord(line);
    if (summary?.public === false) hidden.add(id);
    else if (summary) entries.set(id, entryOf(summary, bases, 'summary', JSON.stringify(line)));
    else if (named.has(id) || hasParts(store, id)) entries.set(id, stubOf(bases, id, named.get(id)));
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

/** The record in a body; undefined where the body is another record's, or none. */
function ownRecord(stored: StoredBody): ArchivalRecord | undefined {
  const record = readRecord(parseBody(stored));
  return record?.id === stored.name ? record : undefined;
}

/** The entry of a record; of one that breaks its reading, an entry by its id alone, so that it has a page that says so. */
function shownOf(record: ArchivalRecord, stored: StoredBody, bases: Bases, problems: PageProblem[]): ObjectEntry {
  const version = `${stored.sha256} ${stored.fetchedAt}`;
  const page = objectPath(record.id);
  if (record.cut.length > 0) {
    const names = shorten(clean(record.cut.join(', ')), LONGEST_LABEL);
    problems.push({ page, cause: `only the beginning is shown of: ${names}` });
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
    lastmod: momentIn(record.record_lastmod),
  };
}

/** A code as lists show it: an unknown one may be any text. */
function codeOf(code: string | undefined): string | undefined {
  return code && shorten(clean(code), LONGEST_FACT);
}

/** Where a record's places are; a position that is not on the globe is none. */
function positionsOf({ geography }: ArchivalRecord): ObjectEntry['positions'] {
  return geography.flatMap(({ id, term, geo_lat: lat, geo_lng: lng }) =>
    lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180
      ? []
      : [{ place: termSlug({ id, term }), lat, lng }],
  );
}

/** A timestamp as upstream writes them (api.md §2.3); anything else is none. */
function momentIn(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}

function mentionsIn(record: ArchivalRecord, bases: Bases): string[] {
  const named = [record.parent_id, record.collection_id, record.organization_id, record.signature_id].filter(isObjectId);
  const linked = Object.values(record.raw).flatMap((value) =>
    typeof value === 'string' && value.includes('href') ? idsInHtml(value.slice(0, LONGEST_TEXT), bases) : [],
  );
  return [...new Set([...named, ...linked])];
}

export interface RecordBehind {
  record: ArchivalRecord;
  /** Undefined where the record itself could not be had. */
  stored: StoredBody | undefined;
}

/** The record behind an entry: its body, or what there is in its stead. */
export function recordBehind({ id, origin }: Pick<ObjectEntry, 'id' | 'origin'>, store: Store): RecordBehind {
  const stored = origin === 'record' ? bodyOf(store, 'object', id) : undefined;
  const line = origin === 'summary' ? lineOf(store, id) : undefined;
  const record = readRecord(stored ? parseBody(stored) : { ...bareRecord(id), ...line });
  if (!record) throw new Error(`The record ${id} cannot be read from the snapshot`);
  return { record, stored };
}

/** Whether one of a record's own lists names anything. */
function hasParts(store: Store, id: string): boolean {
  return listItems(store, 'children', id).length > 0 || listItems(store, 'files', id).length > 0;
}

/** A record that is known from others' breadcrumbs, or from its own lists, alone. */
function stubOf(bases: Bases, id: string, crumb: ArchivalRecord['breadcrumbs'][number] | undefined): ObjectEntry {
  const record = readRecord({ id, model: crumb?.model, title: crumb?.label && !/^\d+$/.test(crumb.label) ? crumb.label : id });
  return entryOf(record as ArchivalRecord, bases, 'breadcrumbs', '');
}

/** The id that a page of an object needs at least: used where a record is no more than its breadcrumb. */
function bareRecord(id: string): ArchivalRecord['raw'] {
  const { model, parent, collection } = parseId(id);
  return { id, model, parent_id: parent, collection_id: collection };
}
