/** Lists the pages of a TIFF: its directories, without smaller copies of pages and masks. */
import { fstatSync, openSync, readSync } from 'node:fs';
import { usingDescriptor } from '../platform/safe-directory.ts';

/** An entry that says what a directory is, and its bits of a smaller copy and of a mask. */
const KIND = 254;
const NO_PAGE = 0b101;
/** A file with more directories was made to keep programs busy. */
const MAX_DIRECTORIES = 10_000;
/** Sizes in TIFF, and in BigTIFF: of offsets, of the number of entries, of an entry. */
const SIZES = { TIFF: { offset: 4, count: 2, entry: 12 }, BigTIFF: { offset: 8, count: 8, entry: 20 } };

/** Returns the numbers of the pages, from 0, as libtiff counts directories. Ends at what it cannot read. */
export function listTiffPages(file: string): number[] {
  return usingDescriptor(openSync(file, 'r'), (descriptor) => {
    const { size } = fstatSync(descriptor);
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(offset + length > size ? 0 : length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, Math.min(offset, size)));
    };
    const head = read(0, 16);
    const isLittle = head.toString('latin1', 0, 2) === 'II';
    const number = (bytes: Buffer, at: number, length: number) => {
      const part = bytes.subarray(at, at + length);
      return Number(`0x0${(isLittle ? Buffer.from(part).reverse() : part).toString('hex')}`);
    };
    const isBig = number(head, 2, 2) === 43;
    const sizes = isBig ? SIZES.BigTIFF : SIZES.TIFF;
    const seen = new Set<number>();
    const pages: number[] = [];
    let offset = number(head, isBig ? 8 : 4, sizes.offset);
    while (offset !== 0 && !seen.has(offset) && seen.size < MAX_DIRECTORIES) {
      const count = number(read(offset, sizes.count), 0, sizes.count);
      const entries = read(offset + sizes.count, count > 0xffff ? 0 : count * sizes.entry);
      if (entries.length === 0) break;
      const starts = Array.from({ length: count }, (_, n) => n * sizes.entry);
      const kind = starts.find((at) => number(entries, at, 2) === KIND);
      const bits = kind === undefined ? 0 : number(entries, kind + sizes.entry - sizes.offset, 4);
      if ((bits & NO_PAGE) === 0) pages.push(seen.size);
      seen.add(offset);
      offset = number(read(offset + sizes.count + entries.length, sizes.offset), 0, sizes.offset);
    }
    return pages;
  });
}
