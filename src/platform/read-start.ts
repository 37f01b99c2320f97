/** Reads the first bytes of a file of any size. */
import { openSync, readSync, statSync } from 'node:fs';
import { usingDescriptor } from './safe-directory.ts';

/** Returns the first `maxBytes` bytes of a file, or all of a shorter one. */
export function readStart(file: string, maxBytes: number): Buffer {
  return readInto(Buffer.alloc(Math.min(maxBytes, statSync(file).size)), file);
}

/** Fills a buffer with the first bytes of a file. Returns the part of it that was filled. */
export function readInto(buffer: Buffer, file: string): Buffer {
  return usingDescriptor(openSync(file, 'r'), (descriptor) => {
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead)
      bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  });
}
