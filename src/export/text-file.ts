/** Text files that are written in large parts, for which a stream would have to be awaited. */
import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Characters that are collected before they are written. */
const BUFFER_LENGTH = 1_000_000;

/**
 * Creates a text file, which must not exist.
 * @throws {Error} of the file system, as its functions do.
 */
export function createTextFile(path: string) {
  const descriptor = openSync(path, 'wx');
  let isOpen = true;
  let buffer = '';
  function flush(): void {
    writeFileSync(descriptor, buffer);
    buffer = '';
  }
  function close(): void {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  }
  return {
    add(text: string) {
      buffer += text;
      if (buffer.length >= BUFFER_LENGTH) flush();
    },
    /** Completes and closes the file. */
    finish() {
      flush();
      close();
    },
    close,
    [Symbol.dispose]: close,
  };
}
