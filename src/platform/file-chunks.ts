/** Reads files in parts, for all of which one buffer is enough: memory that is allocated for each part is slow to collect. */
import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that are read at a time. */
export const CHUNK_BYTES = 1024 * 1024;

/** Buffers of this length that are not in use. Allocating one for each file takes longer than reading most files. */
export const idleBuffers: Buffer[] = [];

/** Returns a buffer, which goes back to the idle ones when it is no longer needed. */
export const takeBuffer = (): Buffer => idleBuffers.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES);

/** Yields the bytes of an open file from one position to before another one. Each chunk is only valid until the next one. */
export function* chunksBetween(descriptor: number, start: number, end: number): Generator<Buffer> {
  const buffer = takeBuffer();
  try {
    for (let at = start; at < end; ) {
      const bytes = readSync(descriptor, buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytes === 0) return;
      yield buffer.subarray(0, bytes);
      at += bytes;
    }
  } finally {
    idleBuffers.push(buffer);
  }
}

/** Yields the bytes of a file, as `chunksBetween` does. */
export function* chunksOfFile(file: string): Generator<Buffer> {
  using open = new DisposableStack();
  yield* chunksBetween(open.adopt(openSync(file, 'r'), closeSync), 0, Number.POSITIVE_INFINITY);
}
