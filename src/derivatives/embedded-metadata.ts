/**
 * Removes what images and videos say of where, when and by whom they were made, without moving a byte: pixels, sound and offsets
 * stay as they are. JPEG, PNG, WebP, TIFF, HEIC and AVIF, MP4 and QuickTime are known.
 */
import { fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32, inflateSync } from 'node:zlib';
import { attempt } from '../platform/expected-errors.ts';
import { usingDescriptor } from '../platform/safe-directory.ts';
import { blank, findInTiff, findInXmp, MAX_BLOCK_BYTES, type Patch, type ReadAt, type Removed } from './tiff-metadata.ts';

type Find = (read: ReadAt, size: number, removed: Removed) => Patch[];

/** Returns what to write into a file to remove its location, or all metadata. Empty if it has none, or for unknown types. */
export function findMetadata(file: string, mimetype: string, removed: Removed): Patch[] {
  const find = FINDERS.find(([type]) => type.test(mimetype))?.[1];
  if (!find) return [];
  return usingDescriptor(openSync(file, 'r'), (descriptor) => {
    const { size } = fstatSync(descriptor);
    const read: ReadAt = (offset, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, offset));
    };
    return find(read, size, removed)
      .map(({ offset, bytes }) => ({ offset, bytes: bytes.subarray(0, Math.max(0, size - offset)) })) // the file may be cut off
      .filter(({ bytes }) => bytes.length > 0);
  });
}

/** Writes patches into a file. */
export function writePatches(file: string, patches: readonly Patch[]): void {
  usingDescriptor(openSync(file, 'r+'), (descriptor) => {
    for (const { offset, bytes } of patches) writeSync(descriptor, bytes, 0, bytes.length, offset);
  });
}

/** A file with more parts was made to keep programs busy. */
const MAX_PARTS = 100_000;
const EXIF = 'Exif\0\0';
const XMP_IN_JPEG = ['http://ns.adobe.com/xap/1.0/\0', 'http://ns.adobe.com/xmp/extension/\0'];

const findInJpeg: Find = (read, _, removed) => {
  const patches: Patch[] = [];
  for (let [at, parts] = [2, 0]; parts < MAX_PARTS; parts++) {
    const head = read(at, 4);
    const marker = head[1] ?? 0;
    // The segments end with the start of the scan.
    if (head.length === 4 && head[0] === 0xff && marker === 0xff) {
      at++; // a marker may have fill bytes before it
      continue;
    }
    if (head.length < 4 || head[0] !== 0xff || marker === 0xda || marker < 0xc0) break;
    const [from, length] = [at + 4, head.readUInt16BE(2) - 2];
    at += 4 + length;
    const start = read(from, 40).toString('latin1');
    const xmp = XMP_IN_JPEG.find((name) => start.startsWith(name));
    if (marker === 0xe1 && start.startsWith(EXIF)) patches.push(...findInTiff(read, from + EXIF.length, at, removed));
    else if (marker === 0xe1 && xmp !== undefined)
      patches.push(...findInXmp(read(from + xmp.length, length - xmp.length), from + xmp.length, removed));
    else if (removed === 'all' && [0xe1, 0xed, 0xfe].includes(marker)) patches.push(...blank(from, length)); // IPTC, comments
  }
  return patches;
};

/** Texts of PNG that have XMP, and those in which ImageMagick stores Exif in a form of its own. */
const XMP_IN_PNG = 'XML:com.adobe.xmp\0';
const PROFILE_IN_PNG = /^Raw profile type (?:exif|app1|xmp)\0/i;
/** A chunk that all programs skip, because of the cases of its letters. */
const SKIPPED_CHUNK = Buffer.from('blNk');

const findInPng: Find = (read, _, removed) => {
  const patches: Patch[] = [];
  for (let [at, parts] = [8, 0]; parts < MAX_PARTS; parts++) {
    const head = read(at, 8);
    if (head.length < 8) break;
    const [from, length, type] = [at + 8, head.readUInt32BE(0), head.toString('latin1', 4)];
    at = from + length + 4;
    if (!/^(?:eXIf|[itz][TE]Xt|tIME)$/.test(type) || length > MAX_BLOCK_BYTES) continue;
    const data = read(from, length);
    const found = type === 'eXIf' ? findInTiff(read, from, from + length, removed) : findInPngText(type, data, from, removed);
    if (found.length === 0) continue;
    for (const { offset, bytes } of found) bytes.copy(data, offset - from);
    const chunk = Buffer.concat([found[0]?.bytes.length === length ? SKIPPED_CHUNK : head.subarray(4), data]);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(chunk));
    patches.push({ offset: from - 4, bytes: Buffer.concat([chunk, checksum]) });
  }
  return patches;
};

/** Returns the patches of a text. One that is compressed and has a position is removed as a whole. */
function findInPngText(type: string, data: Buffer, from: number, removed: Removed): Patch[] {
  const text = data.toString('latin1');
  if (removed === 'all' || PROFILE_IN_PNG.test(text)) return blank(from, data.length);
  if (!text.startsWith(XMP_IN_PNG)) return [];
  const isPlain = type === 'tEXt' || (type === 'iTXt' && data[XMP_IN_PNG.length] === 0);
  if (isPlain) return findInXmp(data, from, removed);
  const languages = type === 'iTXt' ? text.indexOf('\0', text.indexOf('\0', XMP_IN_PNG.length + 2) + 1) + 1 : 0;
  return hasPosition(data.subarray(languages || XMP_IN_PNG.length + 1)) ? blank(from, data.length) : [];
}

/** Whether compressed XMP has a position, or cannot be read. */
function hasPosition(compressed: Buffer): boolean {
  const inflate = () => inflateSync(compressed, { maxOutputLength: MAX_BLOCK_BYTES }); // it may be damaged or too large
  return attempt(() => findInXmp(inflate(), 0, 'location').length > 0) ?? true;
}

const findInWebp: Find = (read, size, removed) => {
  const patches: Patch[] = [];
  for (let [at, parts] = [12, 0]; at + 8 <= size && parts < MAX_PARTS; parts++) {
    const head = read(at, 8);
    const [from, length, type] = [at + 8, head.readUInt32LE(4), head.toString('latin1', 0, 4)];
    at = from + length + (length % 2);
    const start = read(from, 6).toString('latin1') === EXIF ? from + EXIF.length : from;
    if (type === 'EXIF') patches.push(...findInTiff(read, start, from + length, removed));
    if (type === 'XMP ' && length <= MAX_BLOCK_BYTES) patches.push(...findInXmp(read(from, length), from, removed));
  }
  return patches;
};

/** How Exif begins in HEIC and AVIF, in either order of bytes. A table names its place, but it can be recognized without that. */
const EXIF_IN_HEIF = ['49492a0008000000', '4d4d002a00000008'];
/** Exif of a photograph is smaller, including its thumbnail. */
const MAX_EXIF_BYTES = 1_000_000;

const findInHeif: Find = (read, size, removed) => {
  const bytes = read(0, Math.min(size, MAX_BLOCK_BYTES));
  const starts = EXIF_IN_HEIF.map((start) => bytes.indexOf(start, 'hex')).filter((start) => start >= 0);
  const [xmp, xmpEnd] = [bytes.indexOf('<x:xmpmeta'), bytes.lastIndexOf('</x:xmpmeta>')];
  return [
    ...starts.flatMap((start) => findInTiff(read, start, Math.min(size, start + MAX_EXIF_BYTES), removed)),
    ...(xmp < 0 || xmpEnd < xmp ? [] : findInXmp(bytes.subarray(xmp, xmpEnd), xmp, removed)),
  ];
};

interface Box {
  type: string;
  /** Offset of the box and of its content, and its end. */
  at: number;
  from: number;
  to: number;
}

/** Returns the boxes of MP4 in a range of a file. */
function listBoxes(read: ReadAt, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end && boxes.length < MAX_PARTS; ) {
    const head = read(at, 16);
    if (head.length < 8) break;
    const size = head.readUInt32BE(0);
    const isLong = size === 1 && head.length === 16;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : size === 0 ? end - at : size;
    const to = at + length;
    if (length < 8 || to > end) break;
    boxes.push({ type: head.toString('latin1', 4, 8), at, from: at + (isLong ? 16 : 8), to });
    at = to;
  }
  return boxes;
}

/** Boxes that contain others. */
const CONTAINERS = /^(?:moov|trak|udta)$/;
/** Boxes with a position: those of QuickTime and 3GPP. */
const POSITION_BOXES = /^(?:\xa9xyz|loci)$/;
/** Boxes that describe the recording: its user data and metadata. */
const DESCRIPTIVE_BOXES = /^(?:udta|meta|uuid)$/;

const findInMp4: Find = (read, size, removed) => {
  const erase = ({ at, from, to }: Box): Patch[] => [{ offset: at + 4, bytes: Buffer.from('free') }, ...blank(from, to - from)];
  const visit = (box: Box): Patch[] => {
    if (removed === 'all' && DESCRIPTIVE_BOXES.test(box.type)) return erase(box);
    if (POSITION_BOXES.test(box.type)) return erase(box);
    if (CONTAINERS.test(box.type)) return listBoxes(read, box.from, box.to).flatMap(visit);
    if (box.type === 'meta') return findPositionKeys(read, box).flatMap(erase);
    const isXmp = /^(?:uuid|XMP_)$/.test(box.type) && box.to - box.from <= MAX_BLOCK_BYTES;
    return isXmp ? findInXmp(read(box.from, box.to - box.from), box.from, removed) : [];
  };
  return listBoxes(read, 0, size).flatMap(visit);
};

/** Returns the items of a metadata box whose keys name a location. The box begins with a version, except in QuickTime. */
function findPositionKeys(read: ReadAt, { from, to }: Box): Box[] {
  const boxes = [from, from + 4]
    .map((start) => listBoxes(read, start, to))
    .find((list) => list.some(({ type }) => type === 'keys'));
  const [keys, items] = ['keys', 'ilst'].map((name) => boxes?.find(({ type }) => type === name));
  if (!keys || !items) return [];
  const named = listBoxes(read, keys.from + 8, keys.to).map(({ from: start, to: end }) => read(start, end - start).toString());
  return listBoxes(read, items.from, items.to).filter(({ type }) => {
    return /location/i.test(named[Buffer.from(type, 'latin1').readUInt32BE(0) - 1] ?? '');
  });
}

const FINDERS: ReadonlyArray<[type: RegExp, find: Find]> = [
  [/^image\/jpeg$/, findInJpeg],
  [/^image\/png$/, findInPng],
  [/^image\/webp$/, findInWebp],
  [/^image\/tiff$/, (read, size, removed) => findInTiff(read, 0, size, removed)],
  [/^image\/(?:hei[cf](?:-sequence)?|avif)$/, findInHeif],
  [/^(?:video\/(?:mp4|quicktime|3gpp2?|x-m4v)|audio\/(?:mp4|x-m4a))$/, findInMp4],
];
