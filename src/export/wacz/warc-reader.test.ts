import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readWarc } from './warc-reader.ts';

const RECORD = gzipSync('WARC/1.1\r\nContent-Length: 1\r\n\r\nx\r\n\r\n');
const OTHER_BYTES = Buffer.alloc(3_000_000, 7);
const ZEROS = Buffer.alloc(10);
const LARGE_RECORD = Buffer.concat([Buffer.from('WARC/1.1\r\nContent-Length: 5000000\r\n\r\n'), Buffer.alloc(5_000_000)]);

/** Reads a WARC file until `onRecord` throws. Returns the error, and whether the file was closed. */
async function read(bytes: Buffer, onRecord = (): void => undefined) {
  let isClosed = false;
  function* file() {
    try {
      for (let at = 0; at < bytes.length; at += 1_000_000) yield bytes.subarray(at, at + 1_000_000);
    } finally {
      isClosed = true;
    }
  }
  const reading = async () => {
    for await (const _ of readWarc('x.warc.gz', file())) onRecord();
  };
  const error = await reading().then(
    () => undefined,
    (failure: unknown) => (failure as Error).message,
  );
  const result = { error, isClosed };
  await new Promise((resolve) => setTimeout(resolve, 50)); // for an error that nothing listens to
  return result;
}

it.each([
  ['ends in a record', Buffer.concat([RECORD, RECORD.subarray(0, -3)]), /unexpected end of file/],
  ['has other bytes after a record', Buffer.concat([RECORD, OTHER_BYTES]), /incorrect header check/],
  ['has zero bytes after a record', Buffer.concat([RECORD, ZEROS]), /other bytes follow its last record/],
  ['has both', Buffer.concat([RECORD, ZEROS, OTHER_BYTES]), /other bytes follow|incorrect header check/], // what is found first
])('refuses and closes a file that %s', async (_, bytes, problem) => {
  const { error, isClosed } = await read(bytes);
  expect(error).toMatch(/^x\.warc\.gz is damaged: [^\n]+\.$/);
  expect(error).toMatch(problem);
  expect(isClosed).toBe(true);
});

it.each([
  ['short', Buffer.concat([RECORD, RECORD])],
  ['followed by other bytes', Buffer.concat([RECORD, OTHER_BYTES])],
  ['compressed well', gzipSync(LARGE_RECORD)],
  ['not compressed', Buffer.concat([gzipSync(LARGE_RECORD, { level: 0 }), OTHER_BYTES])],
])('closes a file that is %s when its reader stops', async (_, bytes) => {
  const { error, isClosed } = await read(bytes, () => {
    throw new Error('stopped');
  });
  expect(error).toMatch(/stopped|incorrect header check/);
  expect(isClosed).toBe(true);
});
