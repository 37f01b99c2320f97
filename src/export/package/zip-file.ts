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

/** Begins a ZIP file, whose bytes `write` gets. */
export function createZip(write: (bytes: Uint8Array) => void) {
  const list: Buffer[] = [];
  let position = 0;
  const put = (bytes: Uint8Array) => {
    write(bytes);
    position += bytes.length;
  };
  return {
    /** Begins an entry. */
    begin(path: string, isCompressed: boolean) {
      const [name, start] = [Buffer.from(path), position];
      let [crc, size] = [0, 0];
      /** What the header and the list have in common. */
      const describe = (needed: number, numbers: readonly number[], more: number): Field[] => [
        ...[needed, FLAGS, isCompressed ? DEFLATED : 0, 0, DATE].map((value): Field => [2, value]),
        ...numbers.map((value): Field => [4, value]),
        ...[name.length, more].map((value): Field => [2, value]),
      ];
      put(toBytes([4, 0x04034b50], ...describe(NEEDED, [0, 0, 0], 0)));
      put(name);
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
          const isLarge = Math.max(start, stored, size) >= MAX_32;
          put(toBytes([4, 0x08074b50], [4, crc], [isLarge ? 8 : 4, stored], [isLarge ? 8 : 4, size]));
          const more = isLarge ? toBytes([2, 1], [2, 24], [8, size], [8, stored], [8, start]) : Buffer.alloc(0);
          const [stored32, size32, start32] = isLarge ? ([MAX_32, MAX_32, MAX_32] as const) : ([stored, size, start] as const);
          const described = describe(isLarge ? NEEDED_FOR_ZIP64 : NEEDED, [crc, stored32, size32], more.length);
          const rest: Field[] = [
            [2, 0],
            [2, 0],
            [2, 0],
            [4, FILE_ATTRIBUTES],
            [4, start32],
          ];
          list.push(toBytes([4, 0x02014b50], [2, MADE_BY], ...described, ...rest), name, more);
        },
      };
    },
    /** Writes the list of the entries. */
    finish() {
      const [start, count] = [position, list.length / 3];
      put(Buffer.concat(list));
      const [end, size] = [position, position - start];
      if (count >= MAX_16 || size >= MAX_32 || start >= MAX_32) {
        const versions: Field[] = [
          [2, MADE_BY],
          [2, NEEDED_FOR_ZIP64],
        ];
        put(toBytes([4, 0x06064b50], [8, 44], ...versions, [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, start]));
        put(toBytes([4, 0x07064b50], [4, 0], [8, end], [4, 1]));
      }
      const [count16, size32, start32] = [Math.min(count, MAX_16), Math.min(size, MAX_32), Math.min(start, MAX_32)];
      put(toBytes([4, 0x06054b50], [4, 0], [2, count16], [2, count16], [4, size32], [4, start32], [2, 0]));
    },
  };
}
