/** Lists the pages of a TIFF: its directories, without smaller copies of pages and masks. */
import { fstatSync, openSync, readSync } from 'node:fs';
import { usingDescriptor } from '../platform/safe-directory.ts';
import { MAX_PIXELS } from './tools.ts';

/** How many pages a TIFF has, and the numbers of the first ones, which are shown, from 0, as libtiff counts directories. */
export interface TiffPages {
  count: number;
  shown: number[];
}

/** Entries of a directory: its kind, that of former versions of TIFF, its width and height. */
const TAGS = [254, 255, 256, 257];
/** The bits of a smaller copy and of a mask, and the former kind of a smaller copy. */
const [NO_PAGE, FORMER_COPY] = [0b101, 2];
/** Bytes of the values of these entries by type: SHORT and LONG. */
const VALUE_SIZES: Readonly<Record<number, number>> = { 3: 2, 4: 4 };
/** A file with more directories, or entries in one, was made to keep programs busy. libtiff reads no more entries either. */
const [MAX_DIRECTORIES, MAX_ENTRIES] = [2_000, 4_096];
/** Maximum of pages that are shown, and of their pixels, which are less per byte in real scans. */
const MAX_PAGES = 1_000;
const maxPixelsOf = (fileSize: number) => Math.min(50 * MAX_PIXELS, 4 * MAX_PIXELS + fileSize * 2_000);
/** Sizes in TIFF, and in BigTIFF: of offsets, of the number of entries, of an entry. */
const SIZES = { TIFF: { offset: 4, count: 2, entry: 12 }, BigTIFF: { offset: 8, count: 8, entry: 20 } };

/** Lists the pages of a file. Ends at what it cannot read. */
export function listTiffPages(file: string): TiffPages {
  return usingDescriptor(openSync(file, 'r'), (descriptor) => {
    const { size } = fstatSync(descriptor);
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(offset + length > size ? 0 : length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, Math.min(offset, size)));
    };
    const head = read(0, 16);
    const isLittle = head.toString('latin1', 0, 2) === 'II';
    const number = (bytes: Buffer, at: number, length = 0): number => {
      if (length === 0 || at + length > bytes.length) return 0;
      if (length === 8) return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
      return isLittle ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
    };
    const isBig = number(head, 2, 2) === 43;
    const sizes = isBig ? SIZES.BigTIFF : SIZES.TIFF;
    const seen = new Set<number>();
    const pages: TiffPages = { count: 0, shown: [] };
    let pixels = 0;
    let offset = number(head, isBig ? 8 : 4, sizes.offset);
    while (offset !== 0 && !seen.has(offset) && seen.size < MAX_DIRECTORIES) {
      const count = number(read(offset, sizes.count), 0, sizes.count);
      const entries = read(offset + sizes.count, count > MAX_ENTRIES ? 0 : count * sizes.entry);
      if (entries.length === 0) break;
      const tags = Array.from({ length: count }, (_, n) => number(entries, n * sizes.entry, 2));
      const [kind = 0, formerKind, width = 0, height = 0] = TAGS.map((tag) => {
        const at = tags.includes(tag) ? tags.indexOf(tag) * sizes.entry : entries.length;
        return number(entries, at + sizes.entry - sizes.offset, VALUE_SIZES[number(entries, at + 2, 2)]);
      });
      if ((kind & NO_PAGE) === 0 && formerKind !== FORMER_COPY) {
        pixels += Math.min(width * height || MAX_PIXELS, MAX_PIXELS); // a larger one is not decoded
        if (pages.count++ < MAX_PAGES && pixels <= maxPixelsOf(size)) pages.shown.push(seen.size);
      }
      seen.add(offset);
      offset = number(read(offset + sizes.count + entries.length, sizes.offset), 0, sizes.offset);
    }
    return pages;
  });
}
