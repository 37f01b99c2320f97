import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { isFont } from './read-design.ts';

const FONT = '@fortawesome/fontawesome-free/webfonts/fa-solid-900';
const woff2 = readFileSync(createRequire(import.meta.url).resolve(`${FONT}.woff2`));

/** The directory of a font with some tables, each of four bytes. */
function createFont(...tags: string[]): Buffer {
  const bytes = Buffer.alloc(12 + tags.length * 20);
  bytes.writeUInt32BE(0x00010000, 0);
  bytes.writeUInt16BE(tags.length, 4);
  for (const [i, tag] of tags.entries()) {
    bytes.write(tag, 12 + i * 16, 'latin1');
    bytes.writeUInt32BE(12 + tags.length * 16 + i * 4, 12 + i * 16 + 8);
    bytes.writeUInt32BE(4, 12 + i * 16 + 12);
  }
  return bytes;
}

it('accepts whole fonts, in the format of their extension', () => {
  const font = createFont('cmap', 'head', 'hhea', 'hmtx', 'maxp');
  expect([isFont(woff2, '.woff2'), isFont(font, '.ttf')]).toEqual([true, true]);
  expect([isFont(woff2, '.woff'), isFont(font, '.otf'), isFont(font, '.txt')]).toEqual([false, false, false]);
});

it('refuses what only begins as a font', () => {
  const fake = Buffer.concat([Buffer.from('00010000', 'hex'), Buffer.from('not a font at all')]);
  expect(isFont(fake, '.ttf')).toBe(false);
  expect(isFont(createFont('cmap', 'head'), '.ttf')).toBe(false);
  expect(isFont(createFont('cmap', 'head', 'hhea', 'hmtx', 'maxp').subarray(0, -1), '.ttf')).toBe(false);
  expect(isFont(woff2.subarray(0, 1_000), '.woff2')).toBe(false);
  for (let length = 0; length < 13; length++) expect(isFont(woff2.subarray(0, length), '.woff2')).toBe(false);
});
