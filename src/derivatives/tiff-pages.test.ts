import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { listTiffPages } from './tiff-pages.ts';

/** Tag → value, a SHORT. */
type Directory = Readonly<Record<number, number>>;

const writeFile = (bytes: Buffer): string => {
  const file = join(createTestDirectory(), 'a.tif');
  writeFileSync(file, bytes);
  return file;
};

/** Returns a TIFF with these directories. `last` is the offset after the last one. */
function createTiff(directories: readonly Directory[], last = 0, order: 'LE' | 'BE' = 'LE'): string {
  const number = (value: number, length: 2 | 4): Buffer => {
    const bytes = Buffer.alloc(length);
    bytes[`writeUInt${length === 2 ? 16 : 32}${order}`](value, 0);
    return bytes;
  };
  const parts = [Buffer.from(order === 'LE' ? 'II' : 'MM'), number(42, 2), number(8, 4)];
  let offset = 8;
  for (const [n, directory] of directories.entries()) {
    const entries = Object.entries(directory);
    offset += 6 + entries.length * 12;
    parts.push(number(entries.length, 2));
    for (const [tag, value] of entries)
      parts.push(number(Number(tag), 2), number(3, 2), number(1, 4), number(value, 2), Buffer.alloc(2));
    parts.push(number(n === directories.length - 1 ? last : offset, 4));
  }
  return writeFile(Buffer.concat(parts));
}

const kinds = (...values: number[]): Directory[] => values.map((value) => ({ 254: value }));

it('lists pages, without smaller copies and masks', () =>
  expect(listTiffPages(createTiff(kinds(0, 1, 2, 4, 0)))).toEqual({ count: 3, shown: [0, 2, 4] }));

it.each(['LE', 'BE'] as const)('leaves out smaller copies of former versions of TIFF (%s)', (order) =>
  expect(listTiffPages(createTiff([{ 255: 1 }, { 255: 2 }, { 255: 3 }], 0, order)).shown).toEqual([0, 2]),
);

it('reads directories that go round once', () => expect(listTiffPages(createTiff(kinds(0, 2), 8)).shown).toEqual([0, 1]));

it.each([3, 4_000_000_000])('ends where a directory is at %i', (last) =>
  expect(listTiffPages(createTiff(kinds(0), last)).shown).toEqual([0]),
);

it('ends soon in directories that overlap, each with the maximum of entries', () => {
  const bytes = Buffer.alloc(900_000, 0xff);
  bytes.write('II*\0\b\0\0\0', 'latin1');
  // Each directory is two bytes after the other, and so is what follows it.
  for (let at = 8; at < 60_000; at += 6) {
    bytes.writeUInt16LE(0xffff, at);
    bytes.writeUInt32LE(at + 6, at + 2 + 0xffff * 12);
  }
  const start = process.cpuUsage(); // other programs run at the same time
  expect(listTiffPages(writeFile(bytes))).toEqual({ count: 0, shown: [] });
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
});

it('ends soon in directories with the maximum of entries that libtiff reads', () => {
  const bytes = Buffer.alloc(90_000);
  bytes.write('II*\0\b\0\0\0', 'latin1');
  for (let at = 8; at < 30_000; at += 6) {
    bytes.writeUInt16LE(4096, at);
    bytes.writeUInt32LE(at + 6, at + 2 + 4096 * 12);
  }
  const start = process.cpuUsage();
  expect(listTiffPages(writeFile(bytes)).count).toBeLessThanOrEqual(2_000);
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
});

it('shows the first pages of many', () => {
  const { count, shown } = listTiffPages(createTiff(Array.from({ length: 1_002 }, () => ({ 256: 20, 257: 30 }))));
  expect([count, shown.length]).toEqual([1_002, 1_000]);
});

it('shows the first pages of a small file that claims to be huge, but all of a long document', () => {
  const huge = Array.from({ length: 60 }, () => ({ 256: 12_000, 257: 12_000 }));
  const { count, shown } = listTiffPages(createTiff(huge));
  expect([count, shown]).toEqual([60, [0, 1, 2, 3, 4]]);
  const document = createTiff(Array.from({ length: 400 }, () => ({ 256: 2_480, 257: 3_508 })));
  writeFileSync(document, Buffer.alloc(400 * 5_000), { flag: 'a' }); // their compressed pixels
  expect(listTiffPages(document).shown.length).toBe(400);
});
