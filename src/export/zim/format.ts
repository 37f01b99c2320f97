/** Encodes the parts of a ZIM file: https://wiki.openzim.org/wiki/ZIM_file_format, version 6.1. All numbers are little-endian. */

/** First four bytes of a ZIM file. */
export const ZIM_MAGIC = 0x044d495a;
const MAJOR_VERSION = 6;
/** Entries are in the namespaces C, M, W and X. */
const MINOR_VERSION = 1;
/** Size of the header in bytes. The list of media types follows it. */
export const HEADER_BYTES = 80;
/** Size of the MD5 at the end of the file. */
export const CHECKSUM_BYTES = 16;
/** Used if an entry does not exist. */
const NO_ENTRY = 0xffffffff;
/** Replaces the media type of a redirect. */
export const REDIRECT = 0xffff;

/** Content, metadata, well-known entries, and indexes. */
export type Namespace = 'C' | 'M' | 'W' | 'X';

/** Where the content of an entry is. */
export interface BlobAddress {
  cluster: number;
  /** Number of the blob in its cluster. */
  blob: number;
}

/** The header. Positions are in bytes from the start of the file. */
export interface ZimHeader {
  uuid: Uint8Array;
  entryCount: number;
  clusterCount: number;
  pathPointersAt: number;
  titlePointersAt: number;
  clusterPointersAt: number;
  /** Number of the entry that a reader opens first. */
  mainEntry: number;
  checksumAt: number;
}

/** Encodes the header. */
export function encodeHeader(header: ZimHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32LE(ZIM_MAGIC, 0);
  bytes.writeUInt16LE(MAJOR_VERSION, 4);
  bytes.writeUInt16LE(MINOR_VERSION, 6);
  bytes.set(header.uuid, 8);
  bytes.writeUInt32LE(header.entryCount, 24);
  bytes.writeUInt32LE(header.clusterCount, 28);
  const positions = [header.pathPointersAt, header.titlePointersAt, header.clusterPointersAt, HEADER_BYTES];
  for (const [i, position] of positions.entries()) bytes.writeBigUInt64LE(BigInt(position), 32 + 8 * i);
  bytes.writeUInt32LE(header.mainEntry, 64);
  bytes.writeUInt32LE(NO_ENTRY, 68); // the layout page, which nothing uses
  bytes.writeBigUInt64LE(BigInt(header.checksumAt), 72);
  return bytes;
}

/** Encodes the list of media types. */
export function encodeMediaTypes(mediaTypes: readonly string[]): Buffer {
  return Buffer.from([...mediaTypes, ''].map((type) => `${type}\0`).join(''));
}

/** An entry of the directory. */
export interface Dirent {
  namespace: Namespace;
  path: string;
  /** Empty if it is the same as the path. */
  title: string;
  /** The content and the number of its media type; or the number of the entry to which this one redirects. */
  target: (BlobAddress & { mediaType: number }) | { entry: number };
}

/** Encodes an entry of the directory. */
export function encodeDirent({ namespace, path, title, target }: Dirent): Buffer {
  const isRedirect = 'entry' in target;
  const fixed = Buffer.alloc(isRedirect ? 12 : 16);
  fixed.writeUInt16LE(isRedirect ? REDIRECT : target.mediaType, 0);
  fixed.write(namespace, 3, 'latin1');
  fixed.writeUInt32LE(isRedirect ? target.entry : target.cluster, 8);
  if (!isRedirect) fixed.writeUInt32LE(target.blob, 12);
  return Buffer.concat([fixed, Buffer.from(`${path}\0${title === path ? '' : title}\0`)]);
}

/** Encodes numbers of entries, as in a list of titles. */
export function encodeNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * i);
  return bytes;
}

/** Encodes positions, as in a list of pointers. */
export function encodePositions(positions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * positions.length);
  for (const [i, position] of positions.entries()) bytes.writeBigUInt64LE(BigInt(position), 8 * i);
  return bytes;
}

/** The byte that precedes a cluster that is not compressed. */
export const UNCOMPRESSED = 1;
/** The byte that precedes a cluster compressed with Zstandard. */
export const ZSTANDARD = 5;
/** Set if the offsets of a cluster have eight bytes each. */
export const EXTENDED = 0x10;
const MAX_SHORT_OFFSET = 0xffffffff;

/** Encodes the offsets of the blobs of a cluster, which precede the blobs. `sizes` are those of the blobs. */
export function encodeOffsets(sizes: readonly number[]): { isExtended: boolean; bytes: Buffer } {
  const total = sizes.reduce((bytes, size) => bytes + size, 0);
  const isExtended = total + 4 * (sizes.length + 1) > MAX_SHORT_OFFSET;
  const width = isExtended ? 8 : 4;
  const offsets = [width * (sizes.length + 1)];
  for (const size of sizes) offsets.push((offsets.at(-1) as number) + size);
  return { isExtended, bytes: isExtended ? encodePositions(offsets) : encodeNumbers(offsets) };
}

/** Encodes what precedes the blobs in a cluster that is not compressed. */
export function encodeClusterStart(sizes: readonly number[]): Buffer {
  const { isExtended, bytes } = encodeOffsets(sizes);
  return Buffer.concat([Buffer.from([isExtended ? UNCOMPRESSED | EXTENDED : UNCOMPRESSED]), bytes]);
}
