import { Readable } from 'node:stream';
import { deflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { createZip } from './zip-file.ts';

const FILES = [
  { path: 'a.jpg', bytes: Buffer.from('image') },
  { path: 'data/山.txt', bytes: Buffer.from('nets '.repeat(100)) },
  { path: 'data/empty.jpg', bytes: Buffer.alloc(0) },
];

it('writes the same bytes as yazl', async () => {
  const written: Buffer[] = [];
  const zip = createZip((bytes) => written.push(Buffer.from(bytes)));
  const expected = new ZipFile();
  for (const { path, bytes } of FILES) {
    const compress = path.endsWith('.txt');
    const entry = zip.begin(path, compress);
    entry.count(bytes);
    entry.put(compress ? deflateRawSync(bytes) : bytes);
    entry.end();
    const mtime = new Date(1985, 0, 1);
    const options = { mtime, mode: 0o100644, compress, size: bytes.length, forceDosTimestamp: true };
    expected.addReadStream(Readable.from([bytes]), path, options);
  }
  zip.finish();
  expected.end();
  const parts = await Array.fromAsync(expected.outputStream as AsyncIterable<Buffer>);
  expect(Buffer.concat(written).equals(Buffer.concat(parts))).toBe(true);
});

it('writes more entries than the first ZIP files could have', async () => {
  const written: Buffer[] = [];
  const zip = createZip((bytes) => written.push(Buffer.from(bytes)));
  for (let n = 0; n < 65_600; n++) zip.begin(String(n), false).end();
  zip.finish();
  const read = await fromBufferPromise(Buffer.concat(written), { lazyEntries: true });
  let entries = 0;
  for await (const { fileName } of read.eachEntry()) expect(fileName).toBe(String(entries++));
  expect(entries).toBe(65_600);
});

it('writes numbers of 64 bits only where they do not fit into 32', () => {
  const chunk = Buffer.alloc(2 ** 20);
  const written: Buffer[] = [];
  const zip = createZip((bytes) => void (bytes.length < chunk.length && written.push(Buffer.from(bytes))));
  const partsOf = (path: string, size: number) => {
    const before = written.length;
    const entry = zip.begin(path, false, size);
    for (let rest = size; rest > 0; rest -= chunk.length) entry.put(chunk.subarray(0, rest));
    entry.end();
    return written.slice(before).map(({ length }) => length);
  };
  // The header with a field of 20 bytes, and what follows the content.
  expect(partsOf('large.mp4', 2 ** 32)).toEqual([30, 9 + 20, 24]);
  expect(partsOf('a.jpg', 5)).toEqual([30, 5, 5, 16]);
  const listAt = written.length;
  zip.finish();
  const list = Buffer.concat(written.slice(listAt));
  const after = list.subarray(46 + 9 + 20);
  expect([list.readUInt32LE(20), list.readUInt32LE(24), list.readUInt32LE(42), list.readUInt16LE(30)]).toEqual([
    0xffffffff, 0xffffffff, 0, 20,
  ]);
  expect([after.readUInt32LE(20), after.readUInt32LE(42), after.readUInt16LE(30)]).toEqual([5, 0xffffffff, 12]);
  expect(after.readBigUInt64LE(46 + 5 + 4)).toBe(2n ** 32n + 83n);
});
