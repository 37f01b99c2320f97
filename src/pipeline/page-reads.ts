/**
 * Remembers what each page has read of the catalogue (src/catalogue/read-keys.ts), so that the pages are found that a change concerns. Keys are
 * stored as 32-bit checksums: if two are equal by chance, a page is rendered that would not have changed.
 */
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { numbersIn } from '../catalogue/catalogue-file.ts';

/** What was read, in the form in which it is stored. */
export type Reads = Uint32Array<ArrayBuffer>;

/** Returns keys in the form in which they are stored. */
export function toReads(keys: ReadonlySet<string>): Reads {
  return Uint32Array.from(new Set(Array.from(keys, (key) => crc32(key)))).sort();
}

/** The reads of all pages, by path. */
export interface PageReads {
  set(path: string, reads: Reads): void;
  delete(path: string): void;
  /** Returns the paths of the pages that have read something that changed. */
  findConcerned(changedKeys: ReadonlySet<string>): Set<string>;
}

/** Opens the table of reads in a database, or creates it. */
export function openPageReads(db: DatabaseSync): PageReads {
  db.exec('CREATE TABLE IF NOT EXISTS page_read (path TEXT PRIMARY KEY, reads BLOB NOT NULL) STRICT, WITHOUT ROWID');
  const put = db.prepare('INSERT OR REPLACE INTO page_read (path, reads) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM page_read WHERE path = ?');
  const select = db.prepare('SELECT path, reads FROM page_read');
  return {
    set: (path, reads) => void put.run(path, new Uint8Array(reads.buffer, reads.byteOffset, reads.byteLength)),
    delete: (path) => void remove.run(path),
    findConcerned(changedKeys) {
      const concerned = new Set<string>();
      if (changedKeys.size === 0) return concerned;
      const changed = new Set(toReads(changedKeys));
      for (const { path, reads } of select.iterate())
        if (numbersIn(reads).some((read) => changed.has(read))) concerned.add(String(path));
      return concerned;
    },
  };
}
