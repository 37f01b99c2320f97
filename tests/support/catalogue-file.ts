/** Catalogue files of entries that tests make. */
import type { DatabaseSync } from 'node:sqlite';
import { openForWriting, updateCatalogueFile } from '../../src/catalogue/catalogue-file.ts';
import type { Guide, ObjectEntry } from '../../src/catalogue/entries.ts';

/** Entries with the people whom their own bodies name. */
export interface TestEntries extends Guide {
  objects: Iterable<ObjectEntry>;
}

/** Creates a catalogue file of entries. Without a path, it is in memory. */
export function createCatalogueFile(entries: TestEntries, path = ':memory:'): DatabaseSync {
  const db = openForWriting(path);
  replaceEntries(db, entries);
  return db;
}

/** Replaces the catalogue in a file by entries, of which only what differs is written. */
export function replaceEntries(db: DatabaseSync, entries: TestEntries): void {
  updateCatalogueFile(db, (update) => {
    const shown = new Set<string>();
    for (const entry of entries.objects) {
      shown.add(entry.id);
      update.put(entry);
    }
    update.removeOthers((id) => shown.has(id));
    update.identify();
    return entries;
  });
}
