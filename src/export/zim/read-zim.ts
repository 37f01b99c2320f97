/** Finds single entries of a ZIM file that anybody may have written. Only reads content that is not compressed. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EXTENDED, HEADER_BYTES, type Namespace, REDIRECT, UNCOMPRESSED, ZIM_MAGIC } from './format.ts';

/** Where the content of an entry is in the file. */
export type ZimBlob = Record<'position' | 'size', number>;

/** Longer entries of the directory are not read. */
const MAX_DIRENT_BYTES = 4096;
const COMPRESSION_BITS = 0x0f;
/** The first of the media types that are not those of content: redirects, links and deleted entries. */
const FIRST_SPECIAL_TYPE = 0xfffd;

/** Opens a file; undefined if it is not a ZIM file. */
export function openZim(file: string) {
  using opening = new DisposableStack();
  const descriptor = opening.adopt(openSync(file, 'r'), closeSync);
  const { size: fileSize } = fstatSync(descriptor);
  const read: Read = (position, length) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, fileSize - position)));
    return bytes.subarray(0, bytes.length > 0 ? readSync(descriptor, bytes, 0, bytes.length, position) : 0);
  };
  const header = read(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== ZIM_MAGIC) return undefined;
  const open = opening.move();
  return {
    /** Returns where the content of an entry is; undefined if there is none that can be read. */
    find(namespace: Namespace, path: string) {
      try {
        const dirent = findDirent(read, header, Buffer.from(namespace + path));
        if (!dirent || dirent.readUInt16LE(0) >= FIRST_SPECIAL_TYPE) return undefined;
        const blob = locate(read, header, dirent.readUInt32LE(8), dirent.readUInt32LE(12));
        return blob && blob.size >= 0 && blob.position + blob.size <= fileSize ? blob : undefined;
      } catch (error) {
        if (error instanceof RangeError) return undefined; // a number points outside the file
        throw error;
      }
    },
    /** Returns the beginning of some content. */
    read: (blob: ZimBlob, maxBytes: number) => read(blob.position, Math.min(blob.size, maxBytes)),
    [Symbol.dispose]: () => open.dispose(),
  };
}

/** Returns up to `length` bytes of the file. */
type Read = (position: number, length: number) => Buffer;

const readPosition = (read: Read, at: number) => Number(read(at, 8).readBigUInt64LE(0));

/** Returns the entry of the directory with a namespace and path. */
function findDirent(read: Read, header: Buffer, key: Buffer): Buffer | undefined {
  const pointersAt = Number(header.readBigUInt64LE(32));
  let [low, high] = [0, header.readUInt32LE(24)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const dirent = read(readPosition(read, pointersAt + 8 * middle), MAX_DIRENT_BYTES);
    const order = keyOf(dirent).compare(key);
    if (order === 0) return dirent;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function locate(read: Read, header: Buffer, cluster: number, blob: number): ZimBlob | undefined {
  if (cluster >= header.readUInt32LE(28)) return undefined;
  const start = readPosition(read, Number(header.readBigUInt64LE(48)) + 8 * cluster);
  const info = read(start, 1).readUInt8(0);
  if ((info & COMPRESSION_BITS) > UNCOMPRESSED) return undefined;
  const width = (info & EXTENDED) === 0 ? 4 : 8;
  const [from, to] = [blob, blob + 1].map((number) => {
    const bytes = read(start + 1 + width * number, width);
    return width === 4 ? bytes.readUInt32LE(0) : Number(bytes.readBigUInt64LE(0));
  }) as [number, number];
  return { position: start + 1 + from, size: to - from };
}

/** Returns the namespace and path of an entry. */
function keyOf(dirent: Buffer): Buffer {
  const path = dirent.subarray(dirent.readUInt16LE(0) === REDIRECT ? 12 : 16);
  const end = path.indexOf(0);
  return Buffer.concat([dirent.subarray(3, 4), end < 0 ? path : path.subarray(0, end)]);
}
