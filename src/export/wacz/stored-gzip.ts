/** Wraps bytes as a gzip member (RFC 1952) without compression. The bytes do not depend on a version of zlib, nor on how the content arrives. */
import { crc32 } from 'node:zlib';
import { inParts } from '../../platform/in-parts.ts';

/** Method deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Bytes of the largest block of deflate without compression (RFC 1951). */
const MAX_BLOCK_BYTES = 0xffff;

/** Yields the member. */
export async function* storedGzip(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let crc = 0;
  let size = 0;
  let isComplete = false;
  yield HEADER;
  for await (const block of inParts(content, MAX_BLOCK_BYTES)) {
    crc = crc32(block, crc);
    size += block.length;
    isComplete = block.length < MAX_BLOCK_BYTES;
    yield blockHeader(block.length, isComplete);
    yield block;
  }
  if (!isComplete) yield blockHeader(0, true);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  yield trailer;
}

function blockHeader(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(5);
  header[0] = isLast ? 1 : 0;
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return header;
}
