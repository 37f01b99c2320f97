/** Text files that are written in large parts, for which a stream would have to be awaited. */
import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Characters that are collected before they are written. */
const BUFFER_LENGTH = 1_000_000;

/**
 * Creates a text file, which must not exist.
 * @throws {Error} of the file system, as its functions do.
 */
export function createTextFile(path: string) {
  const open = new DisposableStack();
  const descriptor = open.adopt(openSync(path, 'wx'), closeSync);
  const close = () => open.dispose();
  let buffer = '';
  function flush(): void {
    writeFileSync(descriptor, buffer);
    buffer = '';
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
