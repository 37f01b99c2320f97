import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { createImages } from '../../tests/support/create-images.ts';
import { pageKey } from './iiif.ts';

/** Returns a TIFF with pages of a few pixels. */
async function createTiff(pages: number): Promise<string> {
  const file = join(createTestDirectory(), 'a.tif');
  const raw = { width: 6, height: 4 * pages, channels: 3, pageHeight: 4 } as const;
  await sharp(Buffer.alloc(raw.width * raw.height * 3, 90), { raw })
    .tiff({ compression: 'deflate' })
    .toFile(file);
  expect((await sharp(file).metadata()).pages).toBe(pages);
  return file;
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

it('shows the pages of a TIFF that is stored as a thumbnail too, whichever URL is first', async () => {
  const file = await createTiff(2);
  const named = [
    ['https://a.example/a', 'thumb'],
    ['https://a.example/b', 'image'],
  ] as const;
  const { images, tiles } = await createImages(file, 'image/tiff', named);
  for (const [url] of named) expect([images[url]?.pages, images[pageKey(url, 1)] !== undefined]).toEqual([2, true]);
  expect(Object.keys(tiles)).toEqual(['https://a.example/b', 'https://a.example/b 2']);
});

it('does not take a thumbnail with several pages for an animation', async () => {
  const { images } = await createImages(await createTiff(2), 'image/tiff', [['https://a.example/a', 'thumb']]);
  expect(Object.keys(images['https://a.example/a'] ?? {})).toEqual(['thumb', 'page']);
});

it('cuts only the first 100 pages into tiles', async () => {
  const { images, tiles } = await createImages(await createTiff(102), 'image/tiff', [['u', 'image']]);
  expect([images['u']?.pages, Object.keys(tiles).length]).toEqual([102, 100]);
  expect([tiles['u 100'] !== undefined, tiles['u 101']]).toEqual([true, undefined]);
});

it('reports how many pages are shown of a small file that claims to be huge', async () => {
  const file = await createTiff(9);
  const bytes = readFileSync(file);
  // Every page now claims 196 million pixels: the entries of its width and height have other values.
  for (const entry of [0x00_03_01_00, 0x00_04_01_00, 0x00_03_01_01, 0x00_04_01_01])
    for (let at = bytes.indexOf(littleEndian(entry)); at >= 0; at = bytes.indexOf(littleEndian(entry), at + 1))
      bytes.writeUInt32LE(14_000, at + 8);
  writeFileSync(file, bytes);
  const { problems } = await createImages(file, 'image/tiff', [['u', 'image']]);
  expect(problems.map(({ cause }) => cause)).toContain('the image has 9 pages, of which the first 4 are shown');
});
