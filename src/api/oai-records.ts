/** The records that OAI-PMH lists, in the order of their datestamps, and the collections as its sets. */
import { titleOfArchive } from '../catalogue/catalogue.ts';
import { titleOf } from '../catalogue/read/object-entries.ts';
import { createPublicationStatus, readListEntry } from '../catalogue/read/visibility.ts';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { type Model, parseId } from '../model/ids.ts';
import { type ArchivalRecord, parseRecord } from '../model/records.ts';
import { MAX_TITLE_LENGTH } from '../model/text/limits.ts';
import { truncateWords } from '../model/text/text.ts';
import { readBodyTimes } from '../snapshot/body-times.ts';
import { purgedIds } from '../snapshot/purged.ts';
import { parseBody, readBaseUrls, readBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';

/** What OAI-PMH lists of a record. */
export interface OaiHeader {
  id: string;
  /** When the snapshot received its current version, or when it was removed: `YYYY-MM-DDThh:mm:ssZ`. */
  datestamp: string;
  /** ID of its collection. */
  set: string | undefined;
  isDeleted: boolean;
}

/** Everything that OAI-PMH lists, without the records themselves. */
export type OaiIndex = ReturnType<typeof readOaiIndex>;

/** The models of records that are listed. Files are described with their records. */
const LISTED: ReadonlySet<Model> = new Set(['collection', 'entity', 'segment']);
/** The models of records whose titles the archive and its sets have. */
const ROOTS: ReadonlySet<Model> = new Set(['repository', 'organization', 'collection']);

/** Returns the record with an ID as it may be shown; undefined if it cannot be read. */
export function readOaiRecord(shown: VisibleStore, id: string): ArchivalRecord | undefined {
  const stored = readBody(shown, 'object', id);
  const record = stored && parseRecord(parseBody(stored));
  return record?.id === id ? record : undefined;
}

/** Reads the index. */
export function readOaiIndex(store: Store, shown: VisibleStore) {
  const times = [...readBodyTimes(shown)].map((one) => ({ ...one, model: one.model ?? parseId(one.id).model }));
  const current = times.filter(({ removedAt }) => removedAt === undefined);
  const roots = current
    .filter(({ model }) => ROOTS.has(model))
    .map(({ id, model }) => ({ id, model, title: titleOfRecord(readOaiRecord(shown, id)) ?? id }));
  const sets = readSets(shown, current, roots);
  const setOf = (id: string) => [parseId(id).collection].find((collection) => collection !== undefined && sets.has(collection));
  const headers = new Map<string, OaiHeader>();
  for (const { id, model, fetchedAt, removedAt } of times) {
    const isDeleted = removedAt !== undefined;
    if (LISTED.has(model)) headers.set(id, { id, datestamp: toDatestamp(removedAt ?? fetchedAt), set: setOf(id), isDeleted });
  }
  for (const { id, datestamp } of readDeletions(store, shown))
    if (!headers.has(id) && LISTED.has(parseId(id).model)) headers.set(id, { id, datestamp, set: setOf(id), isDeleted: true });
  return {
    title: titleOfArchive(roots, readBaseUrls(store).catalog),
    /** Sorted by datestamp, then by ID. */
    headers: [...headers.values()].sort(compareHeaders),
    byId: headers,
    /** Titles of collections by ID, sorted by ID. */
    sets,
  };
}

/** Returns the collections, also those that only the IDs of their items name. */
function readSets(
  shown: VisibleStore,
  current: ReadonlyArray<{ id: string }>,
  roots: ReadonlyArray<{ id: string; model: Model; title: string }>,
): Map<string, string> {
  const sets = new Map(roots.flatMap(({ id, model, title }) => (model === 'collection' ? [[id, title] as const] : [])));
  for (const collection of new Set(current.map(({ id }) => parseId(id).collection)))
    if (collection !== undefined && !sets.has(collection) && !shown.filter.hides('object', collection))
      sets.set(collection, titleOfRecord(parseRecord(readListEntry(shown, collection))) ?? collection);
  return new Map([...sets].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function titleOfRecord(record: ArchivalRecord | undefined): string | undefined {
  return record && truncateWords(titleOf(record), MAX_TITLE_LENGTH);
}

/**
 * Returns the records that were withdrawn in public, so that other archives delete them too: those that were purged, and those
 * that are withheld with a notice. Without private records.
 */
function readDeletions(store: Store, shown: VisibleStore): Array<Pick<OaiHeader, 'id' | 'datestamp'>> {
  const published = createPublicationStatus(store);
  const purged = purgedIds(store).map(({ id, at }) => ({ id, datestamp: toDatestamp(at) }));
  const withheld = shown
    .withdrawn()
    .filter(({ notice }) => notice)
    // Only the day is known. Its end is after the last harvest of everyone who still has the record.
    .map(({ id, date }) => ({ id, datestamp: `${date}T23:59:59Z` }));
  return [...purged, ...withheld].filter(({ id }) => published.record(id));
}

/** Compares headers, or positions between them, in the order of the index. */
export function compareHeaders(a: Pick<OaiHeader, 'datestamp' | 'id'>, b: Pick<OaiHeader, 'datestamp' | 'id'>): number {
  if (a.datestamp !== b.datestamp) return a.datestamp < b.datestamp ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Returns an ISO 8601 time in UTC without fractions of a second. */
const toDatestamp = (time: string): string => `${time.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`;
