/** Finds all ancestors of a record. Withholding, purging, visibility and selection by collection all use this module. */
import { ancestorIds, ancestorIdsByShape } from '../model/ancestors.ts';
import { isObjectId } from '../model/ids.ts';
import { type ArchivalRecord, parseRecordLinks } from '../model/records.ts';
import { readPayload } from './read.ts';
import type { Store } from './store.ts';

/** Returns functions that read each record once and remember it: create new ones after the snapshot has changed. */
export function createAncestry(store: Store) {
  const known = new Map<string, string[]>();

  function directAncestors(id: string): string[] {
    const remembered = known.get(id);
    if (remembered) return remembered;
    const record = isObjectId(id) ? parseRecordLinks(readPayload(store, 'object', id)) : undefined;
    const ancestors = record ? ancestorIds(record) : isObjectId(id) ? ancestorIdsByShape(id) : [];
    known.set(id, ancestors);
    return ancestors;
  }

  function closureOf(found: Set<string>): ReadonlySet<string> {
    // the outer loop visits added IDs too
    for (const one of found) for (const ancestor of directAncestors(one)) found.add(ancestor);
    return found;
  }

  return {
    /** Returns the ID of a record and the IDs of all its ancestors. */
    idsOf: (id: string) => closureOf(new Set([id])),
    /** The same, for a record that was already read. */
    idsOfRecord: (record: ArchivalRecord): ReadonlySet<string> =>
      new Set([record.id, ...closureOf(new Set(ancestorIds(record)))]),
  };
}
