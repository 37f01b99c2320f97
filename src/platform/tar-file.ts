/** Writes a TAR file: the same files in the same order give the same bytes, since times, owners and permissions are fixed. */
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack as createTar } from 'tar-stream';

const FILE_MODE = 0o644;
/** Seconds since 1970 are the same in each time zone. */
const TIME = new Date(Date.UTC(1985, 0, 1));

/** Creates a TAR file, which must not exist. */
export function openTar(file: string) {
  const tar = createTar();
  const output = createWriteStream(file, { flags: 'wx', flush: true });
  const written = pipeline(tar as unknown as Readable, output);
  const unlessFailed = rejectWith(written);
  return {
    /**
     * Adds a file of `size` bytes. Resolves when it is written.
     * @throws {Error} of the file system, for example if the disk is full.
     */
    async add(path: string, size: number, content: AsyncIterable<Uint8Array>) {
      const entry = tar.entry({ name: path, size, mode: FILE_MODE, mtime: TIME, uid: 0, gid: 0, uname: '', gname: '' });
      await unlessFailed(pipeline(content, entry as unknown as NodeJS.WritableStream));
    },
    /** Completes the file. */
    async finish() {
      tar.finalize();
      await written;
    },
    /** Stops writing. The incomplete file remains. */
    async abort() {
      output.destroy();
      tar.destroy();
      await written.catch(() => undefined);
    },
  };
}

/**
 * Returns a function that waits for a step, or rejects when the output fails. `Promise.race` would keep each step in memory until
 * the output ends.
 */
export function rejectWith(output: Promise<void>): (step: Promise<void>) => Promise<void> {
  let failure: { error: unknown } | undefined;
  let rejectStep: ((error: unknown) => void) | undefined;
  output.catch((error: unknown) => {
    failure = { error };
    rejectStep?.(error);
  });
  return (step) =>
    new Promise((resolve, reject) => {
      rejectStep = reject;
      step.then(resolve, reject);
      if (failure) reject(failure.error);
    });
}
