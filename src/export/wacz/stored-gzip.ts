/** Wraps bytes as a gzip member (RFC 1952) without compression. The bytes do not depend on a version of zlib, nor on how the content arrives. */
import { crc32 } from 'node:zlib';

/** Method deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Bytes of the largest block of deflate without compression (RFC 1951). */
const MAX_BLOCK_BYTES = 0xffff;

/** Yields the member. */
export async function* storedGzip(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let crc = 0;
  let size = 0;
  let block = Buffer.allocUnsafe(MAX_BLOCK_BYTES);
  let filled = 0;
  yield HEADER;
  for await (const chunk of content) {
    crc = crc32(chunk, crc);
    size += chunk.length;
    for (let taken = 0; taken < chunk.length; ) {
      const piece = chunk.subarray(taken, taken + MAX_BLOCK_BYTES - filled);
      block.set(piece, filled);
      taken += piece.length;
      filled += piece.length;
      if (filled < MAX_BLOCK_BYTES) continue;
      yield blockHeader(filled, false);
      yield block;
      block = Buffer.allocUnsafe(MAX_BLOCK_BYTES);
      filled = 0;
    }
  }
  yield blockHeader(filled, true);
  yield block.subarray(0, filled);
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
