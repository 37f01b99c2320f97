/**
 * The dependencies of a page or search document on the catalogue (read-keys.ts), in the form in which it is stored. Keys are
 * stored as 32-bit checksums: if two are equal by chance, one is made again that would not have changed.
 */
import type { StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { numbersIn } from '../catalogue-schema.ts';

/** What was read. */
export type Reads = Uint32Array<ArrayBuffer>;

/** Returns keys in the form in which they are stored. */
export function toReads(keys: ReadonlySet<string>): Reads {
  return Uint32Array.from(new Set(Array.from(keys, (key) => crc32(key)))).sort();
}

/** Returns the pages with a dependency that changed. `select` returns the columns `page` and `reads`. */
export function findConcerned(select: StatementSync, changedKeys: ReadonlySet<string>): Set<string> {
  const concerned = new Set<string>();
  if (changedKeys.size === 0) return concerned;
  const changed = new Set(toReads(changedKeys));
  for (const { page, reads } of select.iterate())
    if (numbersIn(reads).some((read) => changed.has(read))) concerned.add(String(page));
  return concerned;
}
