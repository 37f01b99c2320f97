/** Lists the pages of a TIFF: its directories, without smaller copies of pages and masks. */
import { fstatSync, openSync, readSync } from 'node:fs';
import { usingDescriptor } from '../platform/safe-directory.ts';
import { MAX_PIXELS } from './tools.ts';

/** The pages of a TIFF, as far as they can be read. */
export interface TiffPages {
  /** How many they are. */
  count: number;
  /** The numbers of those that are shown, from 0, as libtiff counts directories: the first ones. */
  shown: number[];
}

/** Entries that say what a directory is, in this and in former versions of TIFF; and those of its size. */
const [KIND, FORMER_KIND, WIDTH, HEIGHT] = [254, 255, 256, 257];
/** The bits of a smaller copy and of a mask; the former kind of a smaller copy. */
const NO_PAGE = 0b101;
const FORMER_COPY = 2;
/** Bytes of the values that these entries have, by type: SHORT and LONG. */
const VALUE_SIZES: Readonly<Record<number, number>> = { 3: 2, 4: 4 };
/** A file with more directories, or a directory with more entries, was made to keep programs busy. libtiff reads no more entries. */
const MAX_DIRECTORIES = 2_000;
const MAX_ENTRIES = 4_096;
/** Maximum of pages that are shown, and of their pixels, which depends on the bytes of the file: scans have far fewer per byte. */
const MAX_PAGES = 1_000;
const MAX_TOTAL_PIXELS = 50 * MAX_PIXELS;
const maxPixelsOf = (size: number): number => Math.min(MAX_TOTAL_PIXELS, 4 * MAX_PIXELS + size * 2_000);
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
    const number = (bytes: Buffer, at: number, length: number): number => {
      if (at + length > bytes.length) return 0;
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
      const readValue = (tag: number): number => {
        const at = tags.indexOf(tag) * sizes.entry;
        const length = at < 0 ? 0 : VALUE_SIZES[number(entries, at + 2, 2)];
        return length ? number(entries, at + sizes.entry - sizes.offset, length) : 0;
      };
      if ((readValue(KIND) & NO_PAGE) === 0 && readValue(FORMER_KIND) !== FORMER_COPY) {
        pages.count++;
        pixels += Math.min(readValue(WIDTH) * readValue(HEIGHT) || MAX_PIXELS, MAX_PIXELS); // a larger one is not decoded
        if (pixels <= maxPixelsOf(size) && pages.count <= MAX_PAGES) pages.shown.push(seen.size);
      }
      seen.add(offset);
      offset = number(read(offset + sizes.count + entries.length, sizes.offset), 0, sizes.offset);
    }
    return pages;
  });
}
