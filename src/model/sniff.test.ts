import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { sniffType } from './sniff.ts';

const directory = mkdtempSync(join(tmpdir(), 'microfiche-sniff-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let count = 0;
function sniff(bytes: Uint8Array | string) {
  const file = join(directory, String(++count));
  writeFileSync(file, bytes);
  return sniffType(file);
}

it.each([
  ['<!doctype html><p>x', 'text/html'],
  ['\ufeff\n <HTML lang="en">', 'text/html'],
  ['<!-- made by hand --><html>', 'text/html'],
  ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'application/xml'],
  ['WEBVTT\n\n00:00.000 --> 00:01.000\nx', 'text/vtt'],
  ['\ufeffWEBVTT\n', 'text/vtt'],
  ['%PDF-1.4\n', 'application/pdf'],
  ['Just words, with ümlauts.', 'text/plain'],
  ['<headline> is not a tag', 'text/plain'],
  ['', undefined],
  ['\u0000\u0001\u0002', undefined],
])('detects %j as %s', async (bytes, type) => expect((await sniff(bytes))?.mimetype).toBe(type));

it('detects a TIFF image whose directory is after its pixels', async () => {
  const tiff = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a52' } })
    .tiff({ compression: 'none' })
    .toBuffer();
  expect(await sniff(tiff)).toEqual({ mimetype: 'image/tiff', extension: 'tif' });
});

it('returns a media type or undefined for any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const type = await sniff(bytes);
      expect(type === undefined || /^[\w.+-]+\/[\w.+-]+$/.test(type.mimetype)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
