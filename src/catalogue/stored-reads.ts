/**
 * What a page or a search document has read of the catalogue (read-keys.ts), in the form in which it is stored. Keys are stored as 32-bit
 * checksums: if two are equal by chance, one is made again that would not have changed.
 */
import { crc32 } from 'node:zlib';
import { numbersIn } from './catalogue-schema.ts';

/** What was read. */
export type Reads = Uint32Array<ArrayBuffer>;

/** Returns keys in the form in which they are stored. */
export function toReads(keys: ReadonlySet<string>): Reads {
  return Uint32Array.from(new Set(Array.from(keys, (key) => crc32(key)))).sort();
}

/** Returns a function that returns whether stored reads, as the value of a column, have one of the changed keys. */
export function createReadMatcher(changedKeys: ReadonlySet<string>): (stored: unknown) => boolean {
  const changed = new Set(toReads(changedKeys));
  return (stored) => numbersIn(stored).some((read) => changed.has(read));
}
