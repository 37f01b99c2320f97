/** Finds single entries of a ZIM file that anybody may have written. Only reads content that is not compressed. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { HEADER_BYTES, type Namespace, ZIM_MAGIC } from './format.ts';

/** Where the content of an entry is in the file. */
export interface ZimBlob {
  position: number;
  size: number;
}

/** An open ZIM file. */
export interface ZimReader {
  /** Returns where the content of an entry is; undefined if there is none that can be read. */
  find(namespace: Namespace, path: string): ZimBlob | undefined;
  /** Returns the beginning of some content. */
  read(blob: ZimBlob, maxBytes: number): Buffer;
  close(): void;
}

/** Longer entries of the directory are not read. */
const MAX_DIRENT_BYTES = 4096;
const REDIRECT = 0xffff;
/** The first of the media types that are not those of content: redirects, links and deleted entries. */
const FIRST_SPECIAL_TYPE = 0xfffd;

/** Opens a file; undefined if it is not a ZIM file. */
export function openZim(file: string): ZimReader | undefined {
  const descriptor = openSync(file, 'r');
  const { size: fileSize } = fstatSync(descriptor);
  const read = (position: number, length: number): Buffer => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, fileSize - position)));
    return bytes.subarray(0, bytes.length > 0 ? readSync(descriptor, bytes, 0, bytes.length, position) : 0);
  };
  const header = read(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readUInt32LE(0) !== ZIM_MAGIC) {
    closeSync(descriptor);
    return undefined;
  }
  const positionAt = (at: number) => Number(read(at, 8).readBigUInt64LE(0));
  const [entryCount, clusterCount] = [header.readUInt32LE(24), header.readUInt32LE(28)];
  const [pathPointersAt, clusterPointersAt] = [header.readBigUInt64LE(32), header.readBigUInt64LE(48)].map(Number) as [number, number];

  function findDirent(key: Buffer): Buffer | undefined {
    let [low, high] = [0, entryCount];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const dirent = read(positionAt(pathPointersAt + 8 * middle), MAX_DIRENT_BYTES);
      const order = keyOf(dirent).compare(key);
      if (order === 0) return dirent;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  function locate(cluster: number, blob: number): ZimBlob | undefined {
    if (cluster >= clusterCount) return undefined;
    const start = positionAt(clusterPointersAt + 8 * cluster);
    const [info = 0] = read(start, 1);
    if ((info & 0x0f) > 1) return undefined; // compressed
    const width = (info & 0x10) === 0 ? 4 : 8;
    const offsetAt = (at: number) => {
      const bytes = read(start + 1 + width * at, width);
      return width === 4 ? bytes.readUInt32LE(0) : Number(bytes.readBigUInt64LE(0));
    };
    const [from, to] = [offsetAt(blob), offsetAt(blob + 1)];
    const isInFile = from <= to && start + 1 + to <= fileSize;
    return isInFile ? { position: start + 1 + from, size: to - from } : undefined;
  }

  return {
    find(namespace, path) {
      try {
        const dirent = findDirent(Buffer.from(namespace + path));
        if (!dirent || dirent.readUInt16LE(0) >= FIRST_SPECIAL_TYPE) return undefined;
        return locate(dirent.readUInt32LE(8), dirent.readUInt32LE(12));
      } catch (error) {
        if (error instanceof RangeError) return undefined; // a number points outside the file
        throw error;
      }
    },
    read: (blob, maxBytes) => read(blob.position, Math.min(blob.size, maxBytes)),
    close: () => closeSync(descriptor),
  };
}

/** Returns the namespace and path of an entry. */
function keyOf(dirent: Buffer): Buffer {
  const path = dirent.subarray(dirent.readUInt16LE(0) === REDIRECT ? 12 : 16);
  const end = path.indexOf(0);
  return Buffer.concat([dirent.subarray(3, 4), end < 0 ? path : path.subarray(0, end)]);
}
