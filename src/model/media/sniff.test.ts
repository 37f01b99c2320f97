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
  ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['WEBVTT\n\n00:00.000 --> 00:01.000\nx', 'text/vtt'],
  ['\ufeffWEBVTT\n', 'text/vtt'],
  ['%PDF-1.4\n', 'application/pdf'],
  ['Just words, with ümlauts.', 'text/plain'],
  ['<headline> is not a tag', 'text/plain'],
  ['', undefined],
  ['\u0000\u0001\u0002', undefined],
])('detects %j as %s', async (bytes, type) => expect((await sniff(bytes))?.mimetype).toBe(type));

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
it.each([
  ['UTF-16 LE', utf16('\ufeff聞き手：お生まれは'), 'text/plain'],
  ['UTF-16 BE', utf16('\ufeffNames, one a line\r\n').swap16(), 'text/plain'],
  ['UTF-16, cut in the middle of a character', utf16(`\ufeff${'x😀'.repeat(400)}`), 'text/plain'],
  ['UTF-16 without a mark', utf16('Names, one a line\r\n'), 'text/plain'],
  ['UTF-16 captions', utf16('\ufeffWEBVTT\n\n00:00.000 --> 00:01.000\nx'), 'text/vtt'],
  ['a UTF-16 web page', utf16('\ufeff<!DOCTYPE html><title>x</title>'), 'text/html'],
  ['UTF-16 XML', utf16('\ufeff<?xml version="1.0"?><a/>'), 'application/xml'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x71, 0x5c, 0, 0]), 'text/plain'],
  ['ISO-2022-JP', Buffer.from('\u001b$B;3\u001b(B'), 'text/plain'],
  ['data that begins like UTF-16', Buffer.from([0xff, 0xfe, 1, 0, 2, 0, 3, 0]), undefined],
  ['data with zero bytes', Buffer.from([1, 0, 2, 0, 3, 0, 200, 0]), undefined],
])('detects %s', async (_, bytes, type) => expect((await sniff(bytes))?.mimetype).toBe(type));

it.each([
  ['Japanese UTF-16 LE without a mark', utf16('聞き手：お生まれはどちらですか。'), [], 'text/plain'],
  ['Japanese UTF-16 BE without a mark', utf16('聞き手：お生まれは\r\n').swap16(), [], 'text/plain'],
  ['names in UTF-16 without a mark', utf16('岡田花子\r\n田中太郎\r\n'), [], 'text/plain'],
  ['Russian UTF-16 without a mark', utf16('Я родился в маленькой деревне'), [], 'text/plain'],
  ['captions in UTF-16 without a mark', utf16('WEBVTT\n\n00:00.000 --> 00:01.000\nx'), [], 'text/vtt'],
  ['declared UTF-16', utf16('岡田花子'), ['utf-16le'], 'text/plain'],
  ['UTF-16 declared in the other byte order', utf16('岡田花子の話\n').swap16(), ['utf-16le'], 'text/plain'],
  ['UTF-32 without a mark, declared', Buffer.from([0x71, 0x5c, 0, 0, 0x6e, 0x30, 0, 0]), ['utf-32le'], 'text/plain'],
  ['data that is declared as UTF-16', Buffer.from([1, 0, 2, 0, 3, 0, 200, 0]), ['utf-16le'], undefined],
  ['text that ends as in DOS', Buffer.from('Names, one a line\r\n\x1a'), [], 'text/plain'],
  ['text filled up as in CP/M', Buffer.from('Names\r\n\x1a\x1a\x1a\x1a'), [], 'text/plain'],
  ['data with that character inside', Buffer.from('Names\x1a, one'), [], undefined],
  ['samples of sound', Buffer.from(Int16Array.from({ length: 200 }, (_, i) => Math.sin(i / 9) * 9000).buffer), [], undefined],
])('detects %s', async (_, bytes, declared, type) => expect((await sniffType(bytes, declared))?.mimetype).toBe(type));

it('detects SubRip captions by their extension', async () => {
  const srt = '1\r\n00:00:02,000 --> 00:00:04,500\r\nTide\r\n';
  for (const bytes of [Buffer.from(srt), Buffer.from(`\ufeff${srt}`), utf16(srt), utf16(`\ufeff${srt}`)])
    expect(await sniffType(bytes)).toEqual({ mimetype: 'text/plain', extension: 'srt' });
});

it('detects a TIFF image whose directory is after its pixels', async () => {
  const tiff = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a52' } })
    .tiff({ compression: 'none' })
    .toBuffer();
  expect(await sniff(tiff)).toEqual({ mimetype: 'image/tiff', extension: 'tif' });
});

it('looks for the first element of XML in little time, regardless of what is before it', async () => {
  expect(await sniff(`${'<!-- a --> '.repeat(60)}<TEI xmlns="http://www.tei-c.org/ns/1.0">`)).toMatchObject({ extension: 'xml' });
  for (const part of ['<!--a-->', '<!DOCTYPE a [b]>', '<?a?>']) {
    const start = process.cpuUsage(); // other programs run at the same time
    await sniff(`<?xml version="1.0"?>${part.repeat(80)} x`);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  }
});

/** Frames of MP3: 128 kilobits and 44,100 hertz. */
const frame = Buffer.alloc(417, 3).fill(Buffer.from([0xff, 0xfb, 0x90, 0x44]), 0, 4);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
it.each([
  ['MP3 after zeros', Buffer.concat([Buffer.alloc(2000), ...Array(6).fill(frame)]), 'audio/mpeg'],
  ['MP3 after a head of HTTP', Buffer.concat([latin1('HTTP/1.0 200 OK\r\n\r\n'), ...Array(6).fill(frame)]), 'audio/mpeg'],
  ['one frame of MP3 in other data', Buffer.concat([Buffer.alloc(2000), frame, Buffer.alloc(2000)]), undefined],
  ['RF64', latin1('RF64\xff\xff\xff\xffWAVEds64\0\0'), 'audio/wav'],
  ['Wave64', latin1('riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb'), 'audio/x-w64'],
  ['sound of Sun', latin1('.snd\0\0\0\x20\0\0\0\0'), 'audio/basic'],
  ['DV', latin1('\x1f\x07\0\xbf\xf8\x78'), 'video/x-dv'],
])('detects %s', async (_, bytes, type) => expect((await sniff(bytes))?.mimetype).toBe(type));

it('returns a media type or undefined for any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const type = await sniff(bytes);
      expect(type === undefined || /^[\w.+-]+\/[\w.+-]+$/.test(type.mimetype)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
