/** Reads the first bytes of a file of any size. */
import { fstatSync, openSync, readSync } from 'node:fs';
import { usingDescriptor } from './safe-directory.ts';

/** Returns the first `maxBytes` bytes of a file, or all of a shorter one. */
export function readStart(file: string, maxBytes: number): Buffer {
  return usingDescriptor(openSync(file, 'r'), (descriptor) => {
    const bytes = Buffer.alloc(Math.min(maxBytes, fstatSync(descriptor).size));
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  });
}
