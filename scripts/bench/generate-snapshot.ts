/** Generates a snapshot of any size for benchmarks: invented records like those of the sample archive, without media files. */
import { urlOf } from '../../src/model/resources.ts';
import { createSnapshot } from '../../src/snapshot/store.ts';
import { openWriter } from '../../src/snapshot/write.ts';
import { receivedOutcome } from '../sample/load-sample.ts';
import { CATALOG, commonFields, createPhotograph, GUIDE, type Json, NOTE } from './records.ts';

const BASES = { authors: GUIDE, catalog: CATALOG };
/** Items of a collection. */
export const PER_COLLECTION = 500;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Creates a snapshot in `dir` with `count` items in collections of 500. With `thumbnails`, each item names a thumbnail. */
export function generateSnapshot(dir: string, count: number, thumbnails = false): void {
  using store = createSnapshot(dir);
  const writer = openWriter(store, () => FETCHED_AT);
  writer.setMeta('authors_url', BASES.authors);
  writer.setMeta('catalog_url', BASES.catalog);
  for (const records of generateRecords(count, thumbnails)) putRecords(writer, records, FETCHED_AT);
  writer.finish({ complete: true });
}

/** Writes records, as if upstream had just sent them. */
export function putRecords(writer: ReturnType<typeof openWriter>, records: readonly Json[], fetchedAt: string): void {
  const outcomes = records.map((record) => {
    const resource = { kind: 'object' as const, name: String(record['id']) };
    const body = Buffer.from(JSON.stringify(record));
    return receivedOutcome(resource, urlOf(resource, BASES), fetchedAt, body, String(record['model']));
  });
  writer.enqueue(outcomes.map(({ resource }) => resource));
  writer.commitOutcomes(outcomes);
}

/** Yields the records of such a snapshot: those at the top, then each collection with its items. */
export function* generateRecords(count: number, thumbnails = false): Generator<Json[]> {
  yield TOP_IDS.map(topRecord);
  const withThumbnail = (record: Json): Json => {
    const links = record['links'] as Json;
    return { ...record, links: { ...links, thumb: `${CATALOG}/thumbs/${record['id']}.jpg` } };
  };
  for (let start = 0; start < count; start += PER_COLLECTION) {
    const items = Array.from({ length: Math.min(PER_COLLECTION, count - start) }, (_, n) => itemRecord(start + n));
    yield [collectionRecord(start), ...(thumbnails ? items.map(withThumbnail) : items)];
  }
}

/** The IDs of the repository and the organization. */
export const TOP_IDS = ['lica', 'lica-bench'] as const;

/** Returns the record of the repository or the organization. */
export function topRecord(id: (typeof TOP_IDS)[number]): Json {
  const title = id === 'lica' ? 'Lantern Islands Community Archive' : 'Bench';
  return { ...commonFields(id, 1), title, description: NOTE };
}

/** Returns the ID of the collection of the item with the number `n`, counted from 0. */
export const collectionId = (n: number): string => `lica-bench-${Math.floor(n / PER_COLLECTION) + 1}`;

/** Returns the ID of the item with the number `n`, counted from 0. */
export const itemId = (n: number): string => `${collectionId(n)}-${(n % PER_COLLECTION) + 1}`;

/** Returns the record of the collection whose first item has the number `n`. */
export function collectionRecord(n: number): Json {
  const id = collectionId(n);
  return { ...commonFields(id, n), title: `Collection ${id}`, description: NOTE };
}

/** Returns the record of the item with the number `n`, counted from 0. */
export const itemRecord = (n: number): Json => createPhotograph(itemId(n), n);
