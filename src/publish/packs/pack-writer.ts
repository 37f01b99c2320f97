/** Writes packs (src/formats/pack-format.ts), and reads them for audits. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Block, DIRECTORY, type Ranges } from '../../formats/pack-format.ts';
import { isObject } from '../../model/values.ts';
import { shortHash } from '../../platform/short-hash.ts';

/** A pack entry. */
export interface PackEntry {
  name: string;
  data: Uint8Array;
}

/** Approximate size of a block before compression. Reading an entry decompresses one block. */
const BLOCK_BYTES = 64 * 1024;

/** Writes one pack into the directory `out`. `entries` must be sorted by name. */
export function writePack(out: string, name: string, entries: Iterable<PackEntry>): void {
  writeScript(out, name, encodeBlocks(entries));
}

/** Writes a script that passes any JSON value to the reader of packs. A site may have a link to the file that it replaces. */
export function writeScript(out: string, name: string, content: unknown): void {
  const file = join(out, fileOfPack(name));
  rmSync(file, { force: true });
  writeFileSync(file, `microfichePack(${JSON.stringify(name)},${JSON.stringify(content)});\n`);
}

/** An entry whose data may be read later. */
export interface SizedEntry {
  name: string;
  /** In bytes. */
  length: number;
}

/**
 * Divides entries, which must be sorted by name, into packs of about `size` bytes. Has each one written by `write`, and writes a
 * directory of the packs. Returns the names of all files. Where a pack ends depends on the names around it, not on earlier packs:
 * a new entry changes its own pack only.
 */
export function writePacks<Entry extends SizedEntry>(
  out: string,
  entries: Iterable<Entry>,
  size: number,
  write: (pack: string, entries: readonly Entry[]) => void,
): string[] {
  let bytes = 0;
  const parts = divide(entries, ({ name, length }, part) => {
    const isBoundary = bytes > size / 4 && (bytes > size * 4 || isPackBoundary(name, size, bytes / part.length));
    bytes = isBoundary ? length : bytes + length;
    return isBoundary;
  });
  return writeParts(out, parts, ({ name }) => name, write);
}

/** Divides values into parts: a new one begins where `isBoundary`, which gets each value and the part before it, returns true. */
export function* divide<T>(values: Iterable<T>, isBoundary: (value: T, part: readonly T[]) => boolean): Generator<T[]> {
  let part: T[] = [];
  for (const value of values) {
    if (isBoundary(value, part)) {
      yield part;
      part = [];
    }
    part.push(value);
  }
  if (part.length > 0) yield part;
}

/**
 * Has each part written by `write` as a pack with a name that the first value decides, and writes a directory of the packs.
 * Returns the names of all files.
 */
export function writeParts<T>(
  out: string,
  parts: Iterable<T[]>,
  nameOf: (value: T) => string,
  write: (pack: string, part: readonly T[]) => void,
): string[] {
  const ranges: Ranges = Array.from(parts, (part) => {
    const first = nameOf(part[0] as T);
    const pack = shortHash(first);
    write(pack, part);
    return [first, pack];
  });
  writeScript(out, DIRECTORY, ranges);
  return [DIRECTORY, ...ranges.map(([, pack]) => pack)].map(fileOfPack);
}

/** Returns the name of the file of a pack. */
export const fileOfPack = (pack: string): string => `${pack}.js`;

/** Selects about one name per pack. The interval is a power of two, so that a slightly different average changes nothing. */
function isPackBoundary(name: string, size: number, average: number): boolean {
  const interval = 2 ** Math.max(0, Math.round(Math.log2(size / Math.max(1, average))));
  return Number.parseInt(shortHash(name).slice(0, 6), 36) % interval === 0;
}

/** Whether a file in a directory of packs is a pack with entries. `directory.js` is not. */
export const isPack = (file: string): boolean => file.endsWith('.js') && file !== fileOfPack(DIRECTORY);

/** Maximum sizes after decompression. Microfiche writes no larger packs, although a block exceeds its size by up to one entry. */
const MAX_BLOCK_BYTES = 32 * 1024 * 1024;
const MAX_PACK_BYTES = 128 * 1024 * 1024;
/** Maximum size of a block of search: of the places of a word that is in almost all texts. */
export const MAX_SEARCH_BLOCK_BYTES = 256 * 1024 * 1024;

/**
 * Returns the entries of a pack, given its text. It is untrusted, so sizes are limited: that of a block to `maxBlockBytes`.
 * @throws {Error} if it is not a valid pack
 */
export function* readPack(text: string, maxBlockBytes = MAX_BLOCK_BYTES): Generator<PackEntry> {
  const [, content] = /^microfichePack\("[^"]*",(.*)\);\n$/s.exec(text) ?? [];
  if (content === undefined) throw new Error('it is not a pack');
  const blocks: unknown = JSON.parse(content);
  if (!Array.isArray(blocks)) throw new Error('it is not a pack');
  let remaining = Math.max(MAX_PACK_BYTES, maxBlockBytes);
  for (const block of blocks) {
    const encoded: unknown = Array.isArray(block) ? block[1] : undefined;
    if (typeof encoded !== 'string') throw new Error('a block is not valid');
    const decoded = gunzipSync(Buffer.from(encoded, 'base64'), { maxOutputLength: Math.min(remaining, maxBlockBytes) });
    remaining -= decoded.length;
    yield* readBlock(decoded);
    if (remaining <= 0) throw new Error('it is larger than any pack that Microfiche writes');
  }
}

/**
 * Returns the entries of a block.
 * @throws {Error} if they overlap: their total size could exceed the memory
 */
function* readBlock(decoded: Buffer): Generator<PackEntry> {
  const end = decoded.indexOf(10);
  const table: unknown = JSON.parse(decoded.subarray(0, Math.max(0, end)).toString());
  if (!isObject(table)) throw new Error('a block has no table');
  const data = decoded.subarray(end + 1);
  let total = 0;
  for (const [name, range] of Object.entries(table)) {
    const [offset, length] = Array.isArray(range) ? range.map(Number) : [];
    if (!isCount(offset) || !isCount(length) || offset + length > data.length) throw new Error('an entry is incomplete');
    total += length;
    if (total > data.length) throw new Error('entries overlap');
    yield { name, data: data.subarray(offset, offset + length) };
  }
}

const isCount = (value: number | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function encodeBlocks(entries: Iterable<PackEntry>): Block[] {
  let size = 0;
  const parts = divide(entries, ({ data }) => {
    const isFull = size >= BLOCK_BYTES;
    size = isFull ? data.length : size + data.length;
    return isFull;
  });
  return Array.from(parts, (part): Block => [part[0]?.name as string, encodeBlock(part)]);
}

function encodeBlock(entries: PackEntry[]): string {
  let offset = 0;
  const table: Record<string, [offset: number, length: number]> = Object.create(null); // an entry may be called __proto__
  for (const { name, data } of entries) {
    table[name] = [offset, data.length];
    offset += data.length;
  }
  const head = Buffer.from(`${JSON.stringify(table)}\n`);
  return gzipSync(Buffer.concat([head, ...entries.map(({ data }) => data)])).toString('base64');
}
