/** Removes entries of the directories of TIFF, in which Exif is written too. The others stay at their offsets. */

/** Reads up to `length` bytes of a file from `offset`; fewer at its end. */
export type ReadAt = (offset: number, length: number) => Buffer;

/** What is removed: positions, or everything that describes the content or its origin. */
export type Removed = 'location' | 'all';

/** Bytes that replace those of a file at `offset`. */
export interface Patch {
  offset: number;
  bytes: Buffer;
}

/** A larger block is not metadata. */
export const MAX_BLOCK_BYTES = 64_000_000;

/** Returns zeros for a block, unless it is too large or nothing. */
export function blank(offset: number, length: number, fill: string | number = 0): Patch[] {
  return length > 0 && length <= MAX_BLOCK_BYTES ? [{ offset, bytes: Buffer.alloc(length, fill) }] : [];
}

/** Positions in XMP: an attribute or an element, with any prefix of its namespace. */
const XMP_POSITIONS = /\s[\w.-]+:GPS\w*\s*=\s*(?:"[^"]*"|'[^']*')|<([\w.-]+:GPS\w*)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1\s*>)/g;

/** Returns the patches of an XMP packet at `offset`, with spaces instead of what is removed. */
export function findInXmp(packet: Buffer, offset: number, removed: Removed): Patch[] {
  const text = packet.toString('latin1');
  // A packet in UTF-16 has zeros between its letters.
  const isWhole = removed === 'all' || (text.includes('\0') && text.replaceAll('\0', '').includes(':GPS'));
  if (isWhole) return blank(offset, packet.length, ' ');
  return Array.from(text.matchAll(XMP_POSITIONS), ({ 0: match, index }) => blank(offset + index, match.length, ' ')).flat();
}

const GPS = 0x8825;
const XMP = 700;
/** Entries that are offsets of directories: details of Exif, positions, interoperability. */
const DIRECTORIES: ReadonlySet<number> = new Set([0x8769, GPS, 0xa005]);
/** Entries that describe the content or its origin: names, words, devices, times, XMP, IPTC, Photoshop, directories. */
const DESCRIPTIVE: ReadonlySet<number> = new Set([
  ...[269, 270, 271, 272, 285, 305, 306, 315, 316],
  ...[33_432, 33_723, 34_377, 40_091, 40_092, 40_093, 40_094, 40_095, 42_032, 42_033, 42_037, 50_341, 50_708, 50_735],
  XMP,
  0x8769,
  GPS,
]);
/** Bytes of a value, by the type of the entry. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const ENTRY_BYTES = 12;
/** A file with more directories was made to keep programs busy. */
const MAX_DIRECTORIES = 1_000;

/** Returns the patches of the TIFF at `start`: a file, or the block of an Exif container that ends at `end`. */
export function findInTiff(read: ReadAt, start: number, end: number, removed: Removed): Patch[] {
  const signature = read(start, 8).toString('latin1');
  const isLittle = signature.startsWith('II*\0');
  if ((!isLittle && !signature.startsWith('MM\0*')) || signature.length < 8) return [];
  const u16 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const patches: Patch[] = [];
  const seen = new Set<number>();
  const isRemoved = (tag: number) => (removed === 'all' ? DESCRIPTIVE.has(tag) : tag === GPS);
  let left = end - start; // values that overlap were made to keep programs busy
  const erase = (from: number, length: number) => {
    if (length <= 0 || length > left) return;
    left -= length;
    patches.push(...blank(from, length));
  };

  /** Visits a directory; with `removesAll`, all of its entries are removed. Returns the offset of the next one. */
  function visit(offset: number, removesAll: boolean): number {
    if (offset === 0 || start + offset + 2 > end || seen.has(offset) || seen.size >= MAX_DIRECTORIES) return 0;
    seen.add(offset);
    const at = start + offset;
    const head = read(at, 2);
    const count = head.length < 2 ? 0 : u16(head, 0);
    const length = count * ENTRY_BYTES;
    const table = read(at + 2, Math.min(length + 4, end - at - 2));
    if (count === 0 || table.length < length) return 0;
    const next = table.subarray(length); // not all programs write the offset of the next directory
    const kept: Buffer[] = [];
    for (let n = 0; n < count; n++) {
      const entry = table.subarray(n * ENTRY_BYTES, (n + 1) * ENTRY_BYTES);
      const [tag, value] = [u16(entry, 0), u32(entry, 8)];
      const bytes = (TYPE_BYTES[u16(entry, 2)] ?? 0) * u32(entry, 4);
      const isOutside = bytes > 4;
      const from = start + value;
      if (removesAll || isRemoved(tag)) {
        if (DIRECTORIES.has(tag)) visit(value, true);
        else if (isOutside) erase(from, Math.min(bytes, end - from));
      } else {
        kept.push(entry);
        if (DIRECTORIES.has(tag)) visit(value, false);
        if (tag === XMP && isOutside && bytes <= left) patches.push(...findInXmp(read(from, bytes), from, removed));
      }
    }
    if (kept.length < count) patches.push({ offset: at, bytes: createDirectory(2 + table.length, [...kept, next], kept.length) });
    return next.length < 4 ? 0 : u32(next, 0);
  }

  /** Returns a directory with zeros after its parts. */
  function createDirectory(size: number, parts: readonly Buffer[], count: number): Buffer {
    const bytes = Buffer.alloc(size);
    if (isLittle) bytes.writeUInt16LE(count);
    else bytes.writeUInt16BE(count);
    Buffer.concat(parts).copy(bytes, 2);
    return bytes;
  }

  let next = u32(read(start, 8), 4);
  while (next !== 0) next = visit(next, false);
  return patches;
}
