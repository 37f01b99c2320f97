import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { listTiffPages } from './tiff-pages.ts';

/** Returns a TIFF with directories of these kinds. `last` is the offset after the last one. */
function createTiff(kinds: readonly number[], last = 0): string {
  const bytes = Buffer.alloc(8 + kinds.length * 18);
  bytes.write('II*\0\b', 'latin1');
  for (const [n, kind] of kinds.entries()) {
    const at = 8 + n * 18;
    bytes.writeUInt16LE(1, at);
    for (const [i, value] of [254, 4].entries()) bytes.writeUInt16LE(value, at + 2 + i * 2);
    for (const [i, value] of [1, kind, n === kinds.length - 1 ? last : at + 18].entries())
      bytes.writeUInt32LE(value, at + 6 + i * 4);
  }
  const file = join(createTestDirectory(), 'a.tif');
  writeFileSync(file, bytes);
  return file;
}

it('lists pages, without smaller copies and masks', () => expect(listTiffPages(createTiff([0, 1, 2, 4, 0]))).toEqual([0, 2, 4]));

it('reads directories that go round once', () => expect(listTiffPages(createTiff([0, 2], 8))).toEqual([0, 1]));

it.each([3, 4_000_000_000])('ends where a directory is at %i', (last) =>
  expect(listTiffPages(createTiff([0], last))).toEqual([0]),
);
