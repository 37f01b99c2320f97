/** Generates a snapshot of any size for benchmarks: invented records like those of the sample archive, without media files. */
import { urlOf } from '../../src/model/resources.ts';
import { createSnapshot } from '../../src/snapshot/store.ts';
import { type Outcome, openWriter } from '../../src/snapshot/write.ts';
import { receivedOutcome } from '../sample/load-sample.ts';
import { CATALOG, commonFields, createPhotograph, GUIDE, type Json, NOTE, nameNumber } from './records.ts';

const BASES = { authors: GUIDE, catalog: CATALOG };
/** Items of a collection. */
export const PER_COLLECTION = 500;
const BATCH = 1000;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Creates a snapshot in `dir` with `count` items in collections of 500. With `thumbnails`, each item names a thumbnail. */
export function generateSnapshot(dir: string, count: number, thumbnails = false): void {
  using store = createSnapshot(dir);
  const writer = openWriter(store, () => FETCHED_AT);
  writer.setMeta('authors_url', BASES.authors);
  writer.setMeta('catalog_url', BASES.catalog);
  let batch: Outcome[] = [];
  const flush = () => {
    writer.enqueue(batch.map(({ resource }) => resource));
    writer.commitOutcomes(batch);
    batch = [];
  };
  for (const payload of createPayloads(count, thumbnails)) {
    const resource = { kind: 'object' as const, name: String(payload['id']) };
    const body = Buffer.from(JSON.stringify(payload));
    batch.push(receivedOutcome(resource, urlOf(resource, BASES), FETCHED_AT, body, String(payload['model'])));
    if (batch.length >= BATCH) flush();
  }
  flush();
  writer.finish({ complete: true });
}

/** Yields the records of a snapshot with `count` items. */
export function* createPayloads(count: number, thumbnails = false): Generator<Json> {
  for (const id of TOP_IDS) yield topRecord(id);
  for (let n = 0; n < count; n++) {
    if (n % PER_COLLECTION === 0) yield collectionRecord(n);
    const record = itemRecord(n);
    const links = record['links'] as Json;
    yield thumbnails ? { ...record, links: { ...links, thumb: `${CATALOG}/thumbs/${record['id']}.jpg` } } : record;
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
export function itemRecord(n: number): Json {
  const record = createPhotograph(itemId(n), n);
  const persons = record['persons'];
  return { ...record, persons: Array.isArray(persons) ? persons.map((one) => withIdOfName(one, n + 11)) : persons };
}

/** Returns a person with an ID that others of the same name share: in a large archive, the same people recur. */
function withIdOfName(one: unknown, n: number): unknown {
  if (typeof one !== 'object' || one === null) return one;
  return { ...one, ...('nr_id' in one ? { nr_id: `88922/nr${1000 + nameNumber(n)}` } : { oh_id: nameNumber(n) }) };
}
