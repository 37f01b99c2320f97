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
