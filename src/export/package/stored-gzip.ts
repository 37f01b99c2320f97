/** Writes gzip members without compression: what is compressed already is only wrapped. */
import { crc32 } from 'node:zlib';

/** Method deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Bytes of the largest block of deflate without compression (RFC 1951). */
const MAX_BLOCK_BYTES = 0xffff;
const BLOCK_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;
/** Blocks that are passed on together. */
const BLOCKS = 16;

/** Returns the bytes of a member with `size` bytes. */
export function storedGzipSize(size: number): number {
  const blocks = Math.floor(size / MAX_BLOCK_BYTES) + 1;
  return HEADER.length + size + blocks * BLOCK_HEADER_BYTES + TRAILER_BYTES;
}

/** Of the member before: one buffer is enough for all of them. */
let idle: Buffer | undefined;

/** Begins a member. The functions return the bytes that can be written, which are only valid until the next call. */
export function createStoredGzip() {
  const out = idle ?? Buffer.allocUnsafe(HEADER.length + BLOCKS * (BLOCK_HEADER_BYTES + MAX_BLOCK_BYTES) + TRAILER_BYTES);
  idle = undefined; // another member may be begun before this one ends
  let [crc, size, start, filled] = [0, 0, HEADER.copy(out), 0];
  const endBlock = (isLast: boolean) => {
    out[start] = isLast ? 1 : 0;
    out.writeUInt16LE(filled, start + 1);
    out.writeUInt16LE(filled ^ MAX_BLOCK_BYTES, start + 3);
    start += BLOCK_HEADER_BYTES + filled;
    filled = 0;
  };
  return {
    /** Yields the bytes that can be written, which are only valid until the next ones. */
    *add(bytes: Uint8Array) {
      crc = crc32(bytes, crc);
      size += bytes.length;
      for (let taken = 0; taken < bytes.length; ) {
        const piece = bytes.subarray(taken, taken + MAX_BLOCK_BYTES - filled);
        out.set(piece, start + BLOCK_HEADER_BYTES + filled);
        taken += piece.length;
        filled += piece.length;
        if (filled < MAX_BLOCK_BYTES) continue;
        endBlock(false);
        if (start + BLOCK_HEADER_BYTES + MAX_BLOCK_BYTES + TRAILER_BYTES <= out.length) continue;
        yield out.subarray(0, start);
        start = 0;
      }
    },
    /** Returns the last bytes. */
    finish() {
      endBlock(true);
      out.writeUInt32LE(crc, start);
      out.writeUInt32LE(size % 2 ** 32, start + 4);
      idle = out;
      return out.subarray(0, start + TRAILER_BYTES);
    },
  };
}
