/** Creates the catalogue entries of records: from the record, else its list entry, else breadcrumbs of other records. */
import type { DatabaseSync } from 'node:sqlite';
import { commonDayOrder, type DayOrder } from '../../model/dates/day-order.ts';
import { isFileRole, isObjectId, parseId } from '../../model/ids.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import type { BaseUrls } from '../../model/resources.ts';
import { MAX_LABEL_LENGTH } from '../../model/text/limits.ts';
import { cleanTitle, truncateWords } from '../../model/text/text.ts';
import { listItems } from '../../snapshot/lists.ts';
import { readMovedRecords } from '../../snapshot/moved-records.ts';
import { parseBody, readBody, readResourceNames, readShownBody } from '../../snapshot/read.ts';
import type { StoredBody } from '../../snapshot/row-types.ts';
import type { Store } from '../../snapshot/store.ts';
import type { ObjectEntry, Withheld } from '../entries.ts';
import { parseListed } from '../lists/record-rows.ts';
import type { RecordUpdate } from '../lists/record-update.ts';
import { errorMessage, type PageProblem } from '../page-problems.ts';
import { objectPath } from '../urls.ts';
import { createObjectEntry, partialEntryOf } from './create-entry.ts';
import { type Reading, readFacts } from './read-facts.ts';
import { createPublicationStatus, type Declaration, declarationIn, readListEntry } from './visibility.ts';

export { titleOf } from './create-entry.ts';

/** What is read of the body of a record, apart from its entry; null if the body is not a record. */
type RecordFacts = (Declaration & { crumbs: ArchivalRecord['breadcrumbs']; problems: PageProblem[] }) | null;

/** Uses of the visibility of records between two checks for changes of the snapshot, since a check takes longer than a use. */
const USES_PER_CHECK = 100;

/** Reads all records, and brings the entries of those that may be shown up to date. */
export function readRecords(reading: Reading, baseUrls: BaseUrls, update: RecordUpdate) {
  const { store, db } = reading;
  const visible = createPublicationStatus(store, USES_PER_CHECK);
  const found = readBodies(reading, baseUrls, update, visible);
  const { shown, hidden, problems, pending } = found;
  const partial = findPartialRecords(found, store);
  const hiddenPages = new Set<string>();
  const withheld: Withheld[] = [...hidden].map((what) => ({ what, reason: 'private' }));
  for (const id of shown) {
    if (visible.record(id)) continue;
    shown.delete(id);
    hiddenPages.add(objectPath(id));
    withheld.push({ what: id, reason: 'below-private' });
  }
  const moved = [...readMovedRecords(store)].flatMap(([id, movedTo]) => {
    if (hidden.has(id) || !shown.has(movedTo) || !isObjectId(id) || !visible.record(id) || store.filter?.hides('object', id))
      return [];
    shown.delete(id);
    return [{ id, movedTo }];
  });
  for (const [id, key] of pending) {
    const stored = shown.has(id) ? readShownBody(store, 'object', key) : undefined;
    const entry = stored && readRecordBody(stored, baseUrls).more;
    if (entry) update.put(entry);
  }
  for (const id of partial) if (shown.has(id)) update.put(createPartialEntry(id, found.crumbsById.get(id), store, baseUrls));
  update.removeOthers((id) => shown.has(id));
  const order = readDayOrder(db);
  const open = db.prepare("SELECT id, listed FROM record WHERE day_order = 'open' ORDER BY id").all();
  // They were read with another order, or without one, and may depend on it.
  for (const id of open.flatMap(({ id, listed }) => (parseListed(listed).dayOrder === order ? [] : [String(id)]))) {
    const stored = readBody(store, 'object', id);
    const entry = stored && readRecordBody(stored, baseUrls, order).more;
    update.put(entry ?? createPartialEntry(id, found.crumbsById.get(id), store, baseUrls, order));
  }
  update.identify();
  return {
    withheld,
    /** Problems of records that cannot be shown completely. */
    problems: problems.filter(({ page }) => !hiddenPages.has(page)),
    /** Records that have another ID now, and are shown by that one. */
    moved,
  };
}

/** Reads the bodies of all records. Writes the entries of those that changed, unless they seem to be below a private record. */
function readBodies(
  reading: Reading,
  baseUrls: BaseUrls,
  update: RecordUpdate,
  visible: ReturnType<typeof createPublicationStatus>,
) {
  const { store } = reading;
  const found = {
    /** IDs of those that do not say that they are private. */
    shown: new Set<string>(),
    /** IDs of private ones. */
    hidden: new Set<string>(),
    crumbsById: new Map<string, ArchivalRecord['breadcrumbs'][number]>(),
    problems: [] as PageProblem[],
    /**
     * Keys of the resources of records whose entries are not written yet, by ID: those that seem to be below a private one, and
     * those whose bodies did not change, but that the earlier catalogue did not show.
     */
    pending: new Map<string, string>(),
  };
  /** Decides before all declarations are known: the results are not final. Nothing of a private record is to be written. */
  const seemsVisible = createPublicationStatus(store, USES_PER_CHECK);
  let last: { id: string; key: string; entry: ObjectEntry | undefined } | undefined;
  /** Of several bodies of one name, which follow each other, the last one counts. */
  const note = (next: typeof last) => {
    if (last && last.id !== next?.id) {
      if (last.entry && seemsVisible.record(last.id)) update.put(last.entry);
      else if (last.entry || !update.hadBody(last.id)) found.pending.set(last.id, last.key);
    }
    last = next;
  };
  // That of the earlier catalogue is mostly that of this one.
  const order = readDayOrder(reading.db);
  for (const { key, name, facts, more } of readFacts(reading, 'object', (stored) => readRecordBody(stored, baseUrls, order))) {
    // If the body is not a record, its visibility follows from its list entry or the form of its ID.
    const partial = !facts && isObjectId(name) ? parseRecord(readListEntry(store, name) ?? minimalPayload(name)) : undefined;
    if (partial) for (const status of [visible, seemsVisible]) status.note(partial);
    if (!facts) continue;
    for (const status of [visible, seemsVisible]) status.noteDeclaration(name, facts);
    if (!facts.shown) {
      found.hidden.add(name);
      continue;
    }
    for (const crumb of facts.crumbs) found.crumbsById.set(crumb.id, crumb);
    found.problems.push(...facts.problems);
    found.shown.add(name);
    note({ id: name, key, entry: more });
  }
  note(undefined);
  return found;
}

/** The lists of a record. */
const LISTS = ['children', 'files'] as const;

/** Finds the records that only lists and breadcrumbs of other records name. Adds them to those that are shown or hidden. */
function findPartialRecords({ shown, hidden, crumbsById }: ReturnType<typeof readBodies>, store: Store): Set<string> {
  const partial = new Set<string>();
  for (const id of [...new Set([...crumbsById.keys(), ...readResourceNames(store, 'object')])].sort()) {
    if (!isObjectId(id) || isFileRole(id) || shown.has(id) || hidden.has(id)) continue;
    const summary = parseRecord(readListEntry(store, id));
    if (summary?.public === false) hidden.add(id);
    else if (summary || crumbsById.has(id) || LISTS.some((kind) => listItems(store, kind, id).length > 0)) partial.add(id);
  }
  for (const id of partial) shown.add(id);
  return partial;
}

/** Returns the entry of a record that has no body of its own. */
function createPartialEntry(
  id: string,
  crumb: ArchivalRecord['breadcrumbs'][number] | undefined,
  store: Store,
  baseUrls: BaseUrls,
  dayOrder?: DayOrder,
): ObjectEntry {
  const listEntry = readListEntry(store, id);
  const summary = parseRecord(listEntry, { dayOrder });
  return summary
    ? createObjectEntry(summary, baseUrls, 'summary', JSON.stringify(listEntry), undefined, dayOrder)
    : partialEntryOf(baseUrls, id, crumb);
}

/** Reads the record in a body, and its entry. A body that contains another record is none. */
function readRecordBody(stored: StoredBody, baseUrls: BaseUrls, dayOrder?: DayOrder): { facts: RecordFacts; more?: ObjectEntry } {
  const record = parseRecord(parseBody(stored), { url: stored.url, dayOrder });
  if (record?.id !== stored.name) return { facts: null };
  const declaration = declarationIn(record);
  if (!record.public) return { facts: { ...declaration, crumbs: [], problems: [] } };
  const problems: PageProblem[] = [];
  const entry = readShownEntry(record, stored, baseUrls, problems, dayOrder);
  // That of the record itself is not needed; the others are often the same as those of its siblings.
  const crumbs = record.breadcrumbs.filter(({ id }) => id !== record.id);
  return { facts: { ...declaration, crumbs, problems }, more: entry };
}

/** Returns the entry of a record. If its fields cannot be read, it has only its ID, for a page with a notice. */
function readShownEntry(
  record: ArchivalRecord,
  stored: StoredBody,
  baseUrls: BaseUrls,
  problems: PageProblem[],
  dayOrder?: DayOrder,
): ObjectEntry {
  const version = `${stored.sha256} ${stored.fetchedAt}`;
  const page = objectPath(record.id);
  if (record.truncatedFields.length > 0) {
    const names = truncateWords(cleanTitle(record.truncatedFields.join(', ')), MAX_LABEL_LENGTH);
    problems.push({ page, cause: `shown only in part: ${names}` });
  }
  try {
    return createObjectEntry(record, baseUrls, 'record', version, stored.removedAt ?? undefined, dayOrder);
  } catch (error) {
    problems.push({ page, cause: `its lists and facets could not be read: ${errorMessage(error)}` });
    const bare = parseRecord({ id: record.id, model: record.model, parent_id: record.parent_id }) as ArchivalRecord;
    return createObjectEntry(bare, baseUrls, 'record', version, stored.removedAt ?? undefined);
  }
}

/**
 * Returns the record behind an entry: from its body, from its list entry, or from its ID alone. `stored` is its body; undefined
 * for a partial record.
 * @throws {Error} if the body is not a record any more.
 */
export function readEntryRecord({ id, origin, dayOrder }: Pick<ObjectEntry, 'id' | 'origin' | 'dayOrder'>, store: Store) {
  const stored = origin === 'record' ? readBody(store, 'object', id) : undefined;
  const listEntry = origin === 'summary' ? readListEntry(store, id) : undefined;
  const record = parseRecord(stored ? parseBody(stored) : { ...minimalPayload(id), ...listEntry }, {
    url: stored?.url,
    dayOrder,
  });
  if (!record) throw new Error(`The record ${id} cannot be read from the snapshot.`);
  return { record, stored };
}

/** Returns the minimum of a record that its page needs, from the ID alone. */
function minimalPayload(id: string): ArchivalRecord['raw'] {
  const { model, parent, collection } = parseId(id);
  return { id, model, parent_id: parent, collection_id: collection };
}

/** Returns the order of days that the records in a catalogue file show; undefined if they show none, or do not agree. */
function readDayOrder(db: DatabaseSync): DayOrder | undefined {
  const counts = { 'month-first': 0, 'day-first': 0, open: 0 };
  const rows = db.prepare('SELECT day_order, count(*) AS n FROM record WHERE day_order IS NOT NULL GROUP BY day_order').all();
  for (const { day_order: order, n } of rows) counts[order as keyof typeof counts] = Number(n);
  return commonDayOrder(counts);
}
