/** Writes a ZIP file: the same files in the same order give the same bytes, since times, owners and permissions are fixed. */
import { crc32 } from 'node:zlib';

/** 1 January 1985 in the form of DOS, which has local times: the time of every entry. */
const DATE = (5 << 9) | (1 << 5) | 1;
/** Made by Unix, by version 6.3 of the specification. */
const MADE_BY = (3 << 8) | 63;
const NEEDED = 20;
const NEEDED_FOR_ZIP64 = 45;
/** The name is UTF-8; the checksum and the sizes follow the content. */
const FLAGS = (1 << 11) | (1 << 3);
const DEFLATED = 8;
const FILE_ATTRIBUTES = 0o100644 * 2 ** 16;
const [MAX_16, MAX_32] = [0xffff, 0xffffffff];
/** Parts of the list that are joined: as parts, those of a million entries need several times the memory. */
const MAX_PARTS = 20_000;

/** A field of a header. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

function toBytes(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((total, [bytes]) => total + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

/** Returns the ZIP64 field of an entry, which has the numbers that need more than 32 bits. */
const toZip64 = (numbers: readonly number[]): Buffer =>
  numbers.length === 0 ? Buffer.alloc(0) : toBytes([2, 1], [2, 8 * numbers.length], ...numbers.map((value): Field => [8, value]));

/** Begins a ZIP file, whose bytes `write` gets. */
export function createZip(write: (bytes: Uint8Array) => void) {
  /** The list of the entries, and the parts at its end that are not joined yet. */
  const [list, parts]: [Buffer[], Buffer[]] = [[], []];
  let [position, count] = [0, 0];
  const put = (bytes: Uint8Array) => {
    write(bytes);
    position += bytes.length;
  };
  return {
    /** Begins an entry, whose size may be known. The sizes after the content have 64 bits only if the header says so, or must. */
    begin(path: string, isCompressed: boolean, knownSize = 0) {
      const [name, start] = [Buffer.from(path), position];
      let [crc, size] = [0, 0];
      /** What the header and the list have in common. */
      const describe = (numbers: readonly number[], more: number): Field[] => [
        ...[more > 0 ? NEEDED_FOR_ZIP64 : NEEDED, FLAGS, isCompressed ? DEFLATED : 0, 0, DATE].map((value): Field => [2, value]),
        ...numbers.map((value): Field => [4, value]),
        ...[name.length, more].map((value): Field => [2, value]),
      ];
      const [unknown, field] = knownSize < MAX_32 ? [0, toZip64([])] : [MAX_32, toZip64([0, 0])];
      put(toBytes([4, 0x04034b50], ...describe([0, unknown, unknown], field.length)));
      put(Buffer.concat([name, field]));
      const contentStart = position;
      return {
        /** Counts bytes before they are compressed. */
        count(bytes: Uint8Array) {
          crc = crc32(bytes, crc);
          size += bytes.length;
        },
        /** Writes bytes as they are stored. */
        put,
        end() {
          const stored = position - contentStart;
          const isLarge = Math.max(knownSize, stored, size) >= MAX_32;
          put(toBytes([4, 0x08074b50], [4, crc], [isLarge ? 8 : 4, stored], [isLarge ? 8 : 4, size]));
          const more = toZip64([...(isLarge ? [size, stored] : []), ...(start < MAX_32 ? [] : [start])]);
          const described = describe([crc, isLarge ? MAX_32 : stored, isLarge ? MAX_32 : size], more.length);
          const rest = toBytes([2, 0], [2, 0], [2, 0], [4, FILE_ATTRIBUTES], [4, Math.min(start, MAX_32)]);
          parts.push(toBytes([4, 0x02014b50], [2, MADE_BY], ...described), rest, name, more);
          if (parts.length >= MAX_PARTS) list.push(Buffer.concat(parts.splice(0)));
          count++;
        },
      };
    },
    /** Writes the list of the entries. */
    finish() {
      const start = position;
      for (const part of [...list, Buffer.concat(parts)]) put(part);
      const [end, size] = [position, position - start];
      if (count >= MAX_16 || size >= MAX_32 || start >= MAX_32) {
        const version = MADE_BY + NEEDED_FOR_ZIP64 * 2 ** 16;
        put(toBytes([4, 0x06064b50], [8, 44], [4, version], [8, 0], [8, count], [8, count], [8, size], [8, start]));
        put(toBytes([4, 0x07064b50], [4, 0], [8, end], [4, 1]));
      }
      const [count16, size32, start32] = [Math.min(count, MAX_16), Math.min(size, MAX_32), Math.min(start, MAX_32)];
      put(toBytes([4, 0x06054b50], [4, 0], [2, count16], [2, count16], [4, size32], [4, start32], [2, 0]));
    },
  };
}
