/** Writes a ZIP file: the same files in the same order give the same bytes, since times, owners and permissions are fixed. */
import { crc32 } from 'node:zlib';

/** An entry whose content is written. */
interface ZipEntry {
  name: Buffer;
  isCompressed: boolean;
  /** Position of its header. */
  start: number;
  crc: number;
  compressedSize: number;
  size: number;
}

/** The time of every entry: 1 January 1985 in the form of DOS, which has local times. */
const DATE = (5 << 9) | (1 << 5) | 1;
/** Made by Unix, by version 6.3 of the specification. */
const MADE_BY = (3 << 8) | 63;
const NEEDED = 20;
const NEEDED_FOR_ZIP64 = 45;
/** The name is UTF-8; the checksum and the sizes follow the content. */
const FLAGS = (1 << 11) | (1 << 3);
const DEFLATED = 8;
const FILE_ATTRIBUTES = 0o100644 * 2 ** 16;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

/** A field of a header: bytes, and the value. */
type Field = readonly [bytes: 2 | 4 | 8, value: number];

function fields(...all: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((total, [bytes]) => total + bytes, 0));
  let at = 0;
  for (const [bytes, value] of all) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

/** What the header of an entry and the list at the end have in common, from the flags to the date. */
const kindOf = ({ isCompressed }: ZipEntry): Field[] => [
  [2, FLAGS],
  [2, isCompressed ? DEFLATED : 0],
  [2, 0],
  [2, DATE],
];

const isLarge = ({ start, compressedSize, size }: ZipEntry) => Math.max(start, compressedSize, size) >= MAX_32;

function listed(entry: ZipEntry): Buffer {
  const { name, start, crc, compressedSize, size } = entry;
  const more = isLarge(entry) ? fields([2, 1], [2, 24], [8, size], [8, compressedSize], [8, start]) : Buffer.alloc(0);
  const in32 = (value: number): Field => [4, isLarge(entry) ? MAX_32 : value];
  const head: Field[] = [[4, 0x02014b50], [2, MADE_BY], [2, isLarge(entry) ? NEEDED_FOR_ZIP64 : NEEDED], ...kindOf(entry)];
  const lengths: Field[] = [
    [2, name.length],
    [2, more.length],
    [2, 0],
  ];
  const sizes: Field[] = [[4, crc], in32(compressedSize), in32(size)];
  const end = fields(...head, ...sizes, ...lengths, [2, 0], [2, 0], [4, FILE_ATTRIBUTES], in32(start));
  return Buffer.concat([end, name, more]);
}

/** Begins a ZIP file, whose bytes `write` gets. */
export function createZip(write: (bytes: Uint8Array) => void) {
  const entries: ZipEntry[] = [];
  let position = 0;
  const put = (bytes: Uint8Array) => {
    write(bytes);
    position += bytes.length;
  };
  return {
    /** Begins an entry. */
    begin(path: string, isCompressed: boolean) {
      const entry: ZipEntry = { name: Buffer.from(path), isCompressed, start: position, crc: 0, compressedSize: 0, size: 0 };
      entries.push(entry);
      put(fields([4, 0x04034b50], [2, NEEDED], ...kindOf(entry), [4, 0], [4, 0], [4, 0], [2, entry.name.length], [2, 0]));
      put(entry.name);
      const beginning = position;
      return {
        /** Counts bytes before they are compressed. */
        count(bytes: Uint8Array) {
          entry.crc = crc32(bytes, entry.crc);
          entry.size += bytes.length;
        },
        /** Writes bytes as they are stored. */
        put,
        end() {
          entry.compressedSize = position - beginning;
          const bytes = isLarge(entry) ? 8 : 4;
          put(fields([4, 0x08074b50], [4, entry.crc], [bytes, entry.compressedSize], [bytes, entry.size]));
        },
      };
    },
    /** Writes the list of the entries. */
    finish() {
      const start = position;
      for (const entry of entries) put(listed(entry));
      const size = position - start;
      const count = entries.length;
      if (count >= MAX_16 || size >= MAX_32 || start >= MAX_32) {
        const versions: Field[] = [
          [2, MADE_BY],
          [2, NEEDED_FOR_ZIP64],
        ];
        const at = position;
        put(fields([4, 0x06064b50], [8, 44], ...versions, [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, start]));
        put(fields([4, 0x07064b50], [4, 0], [8, at], [4, 1]));
      }
      const [count16, size32, start32] = [Math.min(count, MAX_16), Math.min(size, MAX_32), Math.min(start, MAX_32)];
      put(fields([4, 0x06054b50], [2, 0], [2, 0], [2, count16], [2, count16], [4, size32], [4, start32], [2, 0]));
    },
  };
}
