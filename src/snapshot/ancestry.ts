/** What a record stands below, all the way up. The one place that answers it: for what is withheld, purged, shown, and chosen by collection. */
import { isObjectId } from '../model/ids.ts';
import { type ArchivalRecord, idsAbove, idsAboveByShape, readRecord } from '../model/records.ts';
import { payloadOf } from './read.ts';
import type { Store } from './store.ts';

export interface Ancestry {
  /** A record's ID and those of everything that it is below. */
  of(id: string): ReadonlySet<string>;
  /** The same for a record that was read already. */
  ofRecord(record: ArchivalRecord): ReadonlySet<string>;
}

/** Each record is read when it is first met: create a new one after the snapshot has changed. */
export function createAncestry(store: Store): Ancestry {
  const known = new Map<string, string[]>();

  function directly(id: string): string[] {
    const before = known.get(id);
    if (before) return before;
    const record = isObjectId(id) ? readRecord(payloadOf(store, 'object', id)) : undefined;
    const above = record ? idsAbove(record) : isObjectId(id) ? idsAboveByShape(id) : [];
    known.set(id, above);
    return above;
  }

  function allOf(found: Set<string>): ReadonlySet<string> {
    for (const one of found) for (const up of directly(one)) found.add(up); // met later in this same loop
    return found;
  }

  return {
    of: (id) => allOf(new Set([id])),
    ofRecord: (record) => new Set([record.id, ...allOf(new Set(idsAbove(record)))]),
  };
}
