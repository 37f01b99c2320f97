import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { createPhotograph, stripMetadata } from '../../tests/support/photograph.ts';
import { findMetadata } from './embedded-metadata.ts';

/** Numbers of the position, as Exif writes them in either order of bytes, and as text. */
const POSITION = [Buffer.from([0x10, 0x92]), Buffer.from([0x92, 0x10]), Buffer.from('60,10.5N'), Buffer.from('24,56.25E')];
const FORMATS: Array<[mimetype: string, convert: (image: Sharp) => Sharp]> = [
  ['image/jpeg', (image) => image.jpeg()],
  ['image/png', (image) => image.png()],
  ['image/webp', (image) => image.webp()],
  ['image/avif', (image) => image.avif()],
];

describe.each(FORMATS)('%s', (mimetype, convert) => {
  it('loses its position but not its orientation, rights and pixels, and with all, the names too', async () => {
    const file = join(createTestDirectory(), 'a');
    await convert(createPhotograph()).toFile(file);
    const [before, bytes] = [await sharp(file).metadata(), readFileSync(file)];
    const rational = (value: Buffer | undefined) => POSITION.some((number) => value?.includes(number));
    expect([rational(before.exif), rational(before.xmp)]).toEqual([true, true]);
    const pixels = await sharp(file).raw().toBuffer();
    for (const removed of ['location', 'all'] as const) {
      const copy = stripMetadata(file, mimetype, removed);
      const { exif, xmp, orientation } = await sharp(copy).metadata();
      expect([rational(exif), rational(xmp)], removed).toEqual([false, false]);
      expect(orientation, removed).toBe(before.orientation);
      expect((await sharp(copy).raw().toBuffer()).equals(pixels)).toBe(true);
      expect(readFileSync(copy).length).toBe(bytes.length);
      const words = ['A. Photographer', 'Museum', '1988:08:10', 'Rights of the museum'];
      const said = Buffer.concat([exif ?? Buffer.alloc(0), xmp ?? Buffer.alloc(0)]);
      // sharp compresses XMP in PNG: such a packet is removed as a whole.
      const isKept = (n: number) => removed === 'location' && !(n === 3 && mimetype === 'image/png');
      expect(
        words.map((word) => said.includes(word)),
        removed,
      ).toEqual(words.map((_, n) => isKept(n)));
    }
  });

  it('can be cut off anywhere', async () => {
    const file = join(createTestDirectory(), 'a');
    const bytes = await convert(createPhotograph()).toBuffer();
    for (let length = 0; length < bytes.length; length += 3) {
      writeFileSync(file, bytes.subarray(0, length));
      for (const removed of ['location', 'all'] as const)
        for (const patch of findMetadata(file, mimetype, removed))
          expect(patch.offset + patch.bytes.length).toBeLessThanOrEqual(length);
    }
  });

  it('is left as it is if it has no position', async () => {
    const file = join(createTestDirectory(), 'a');
    const plain = sharp({ create: { width: 48, height: 32, channels: 3, background: '#a52' } });
    await convert(plain.withExif({ IFD0: { Artist: 'A. Photographer' } })).toFile(file);
    expect(findMetadata(file, mimetype, 'location')).toEqual([]);
    expect(findMetadata(file, mimetype, 'all')).not.toEqual([]);
  });
});

it('a JPEG loses its position also after fill bytes before its markers', async () => {
  const file = join(createTestDirectory(), 'a.jpg');
  const bytes = await createPhotograph().jpeg().toBuffer();
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff, 0xff]), bytes.subarray(2)]));
  const copy = stripMetadata(file, 'image/jpeg', 'location');
  expect(POSITION.filter((number) => readFileSync(copy).subarray(0, 2_000).includes(number))).toEqual([]);
});

it('a TIFF of either order of bytes loses its directory of positions', () => {
  for (const isLittle of [true, false]) {
    const bytes = Buffer.alloc(122);
    bytes.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1');
    const u16 = (at: number, value: number) => (isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at));
    const u32 = (at: number, value: number) => (isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at));
    const entry = (at: number, tag: number, type: number, count: number, value: number) => {
      u16(at, tag);
      u16(at + 2, type);
      u32(at + 4, count);
      u32(at + 8, value);
    };
    u32(4, 8);
    u16(8, 3);
    entry(10, 256, 4, 1, 48);
    entry(22, 315, 2, 7, 90);
    entry(34, 0x8825, 4, 1, 50);
    u16(50, 1);
    entry(52, 2, 5, 3, 98);
    bytes.write('Artist\0', 90, 'latin1');
    bytes.fill(7, 98);
    const file = join(createTestDirectory(), 'a.tif');
    writeFileSync(file, bytes);
    const located = readFileSync(stripMetadata(file, 'image/tiff', 'location'));
    expect([isLittle ? located.readUInt16LE(8) : located.readUInt16BE(8), located.includes('Artist')]).toEqual([2, true]);
    expect(located.subarray(10, 34).equals(bytes.subarray(10, 34))).toBe(true);
    expect(located.subarray(50, 68).every((byte) => byte === 0) && located.subarray(98).every((byte) => byte === 0)).toBe(true);
    expect(readFileSync(stripMetadata(file, 'image/tiff', 'all')).includes('Artist')).toBe(false);
  }
});
