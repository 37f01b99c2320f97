/** Reads the beginning of a file that may be of any size. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The first bytes of a file, at most `most`. */
export function beginningOf(file: string, most: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(most, fstatSync(descriptor).size));
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}
