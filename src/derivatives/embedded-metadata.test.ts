import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTestDirectory, SAMPLE } from '../../tests/support/commands.ts';
import { findMetadata, writePatches } from './embedded-metadata.ts';
import type { Removed } from './tiff-metadata.ts';

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 exif:GPSLatitude="60,10.5N" dc:format="image/jpeg"><exif:GPSLongitude>24,56.25E</exif:GPSLongitude>
<dc:rights>Rights of the museum</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Returns an image with a position, an orientation and a name in its metadata. */
const createPhotograph = (): Sharp =>
  sharp({ create: { width: 48, height: 32, channels: 3, background: '#a52' } })
    .withExif({
      IFD0: { Artist: 'A. Photographer', Copyright: 'Museum' },
      IFD2: { DateTimeOriginal: '1988:08:10 12:00:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 4242/77', GPSLongitudeRef: 'E', GPSLongitude: '24/1 56/1 1717/33' },
    })
    .withXmp(XMP)
    .withMetadata({ orientation: 6 });

/** Removes metadata from a copy of a file. Returns the copy. */
function strip(file: string, mimetype: string, removed: Removed): string {
  const copy = `${file}.${removed}`;
  copyFileSync(file, copy);
  writePatches(copy, findMetadata(file, mimetype, removed));
  expect(findMetadata(copy, mimetype, 'location')).toEqual([]);
  return copy;
}

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
      const copy = strip(file, mimetype, removed);
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
  const copy = strip(file, 'image/jpeg', 'location');
  expect(POSITION.filter((number) => readFileSync(copy).subarray(0, 2_000).includes(number))).toEqual([]);
});

it('a JPEG has no position for ffprobe, which still reads its rights', async () => {
  const file = join(createTestDirectory(), 'a.jpg');
  await createPhotograph().jpeg().toFile(file);
  const read = (path: string) => String(execFileSync('ffprobe', ['-v', 'error', '-f', 'mjpeg', '-show_frames', path]));
  expect(read(file)).toMatch(/TAG:GPSLatitude=[\s\S]*TAG:Copyright=Museum|TAG:Copyright=Museum[\s\S]*TAG:GPSLatitude=/);
  const after = read(strip(file, 'image/jpeg', 'location'));
  expect(after).toContain('TAG:Copyright=Museum');
  expect(after).not.toContain('GPS');
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
    const located = readFileSync(strip(file, 'image/tiff', 'location'));
    expect([isLittle ? located.readUInt16LE(8) : located.readUInt16BE(8), located.includes('Artist')]).toEqual([2, true]);
    expect(located.subarray(10, 34).equals(bytes.subarray(10, 34))).toBe(true);
    expect(located.subarray(50, 68).every((byte) => byte === 0) && located.subarray(98).every((byte) => byte === 0)).toBe(true);
    expect(readFileSync(strip(file, 'image/tiff', 'all')).includes('Artist')).toBe(false);
  }
});

describe('a video', () => {
  const createVideo = (...more: string[]): string => {
    const file = join(createTestDirectory(), 'a.mp4');
    const source = join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4');
    execFileSync('ffmpeg', ['-v', 'error', '-i', source, '-c', 'copy', '-metadata', 'title=Ferry', ...more, file]);
    return file;
  };
  const read = (file: string) => String(execFileSync('ffprobe', ['-v', 'error', '-show_format', file]));

  it.each([
    ['user data', ['-metadata', 'location=+60.1700+024.9400/', '-f', 'mov']],
    ['3GPP', ['-metadata', 'location=+60.1700+024.9400/', '-f', '3gp', '-an', '-c:v', 'mpeg4']],
    [
      'keys of QuickTime',
      ['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.location.ISO6709=+60.1700+024.9400/', '-f', 'mov'],
    ],
  ])('loses its position in %s, but not its title and frames', (_, options) => {
    const file = createVideo(...options);
    expect(read(file)).toContain('+60.17');
    const frames = (path: string) => execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'framemd5', '-']);
    const copy = strip(file, 'video/mp4', 'location');
    expect(read(copy)).not.toContain('60.17');
    expect(readFileSync(copy).includes('Ferry')).toBe(true);
    expect(frames(copy)).toEqual(frames(file));
    const bare = strip(file, 'video/mp4', 'all');
    expect(read(bare)).not.toContain('60.17');
    expect(readFileSync(bare).includes('Ferry')).toBe(false);
    expect(frames(bare)).toEqual(frames(file));
  });
});
