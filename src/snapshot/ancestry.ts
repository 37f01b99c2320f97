/** What a record stands below, all the way up. The one place that answers it: for what is withheld, purged, shown, and chosen by collection. */
import { isObjectId } from '../model/ids.ts';
import { type ArchivalRecord, ancestorIds, ancestorIdsByShape, parseRecord } from '../model/records.ts';
import { readPayload } from './read.ts';
import type { Store } from './store.ts';

export interface Ancestry {
  /** A record's ID and those of everything that it is below. */
  idsOf(id: string): ReadonlySet<string>;
  /** The same for a record that was read already. */
  idsOfRecord(record: ArchivalRecord): ReadonlySet<string>;
}

/** Each record is read when it is first met: create a new one after the snapshot has changed. */
export function createAncestry(store: Store): Ancestry {
  const known = new Map<string, string[]>();

  function directAncestors(id: string): string[] {
    const before = known.get(id);
    if (before) return before;
    const record = isObjectId(id) ? parseRecord(readPayload(store, 'object', id)) : undefined;
    const above = record ? ancestorIds(record) : isObjectId(id) ? ancestorIdsByShape(id) : [];
    known.set(id, above);
    return above;
  }

  function closureOf(found: Set<string>): ReadonlySet<string> {
    for (const one of found) for (const up of directAncestors(one)) found.add(up); // met later in this same loop
    return found;
  }

  return {
    idsOf: (id) => closureOf(new Set([id])),
    idsOfRecord: (record) => new Set([record.id, ...closureOf(new Set(ancestorIds(record)))]),
  };
}
