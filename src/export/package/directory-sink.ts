/** Writes the files of a package into a directory. */
import { close, fsync, mkdirSync, read, write } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { type Content, readContent } from './package-content.ts';

/** Where the files of a package go. */
export interface Sink {
  /** Writes a file, and passes its bytes to `onChunk`. A chunk is only valid during the call. */
  add(path: string, content: Content, onChunk: (chunk: Uint8Array) => void): Promise<void>;
  finish(): Promise<void>;
  abort(): Promise<void>;
}

const CHUNK_BYTES = 1024 * 1024;
/** Files that are synced to the disk at the same time. One after the other takes several times as long, because each waits for the disk's journal. */
const MAX_SYNCS = 4;
const [readAt, writeAt, syncFile, closeFile] = [promisify(read), promisify(write), promisify(fsync), promisify(close)];

/** Returns a sink that creates `directory`. All files are on the disk when `finish` resolves. */
export function createDirectorySink(directory: string): Sink {
  mkdirSync(directory, { mode: 0o755 });
  const safeDir = toSafeDirectory(directory);
  /** Two buffers for all files: one is written while the next part is read into the other. */
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  const syncs = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  /** Syncs and closes a file, without waiting for it. */
  async function settle(handle: number): Promise<void> {
    while (syncs.size >= MAX_SYNCS) await Promise.race(syncs);
    const done: Promise<void> = syncFile(handle)
      .finally(() => closeFile(handle))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => syncs.delete(done));
    syncs.add(done);
    throwFailure();
  }

  function throwFailure(): void {
    if (failure) throw failure.error;
  }

  return {
    async add(path, content, onChunk) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (parent !== '') safeDir.createDirectory(parent);
      const handle = safeDir.create(path);
      try {
        if (!(content instanceof Uint8Array) && 'file' in content) await copyFile(content.file, handle, buffers, onChunk);
        else for await (const chunk of readContent(content, onChunk)) await writeAll(handle, chunk);
      } catch (error) {
        await closeFile(handle);
        throw error;
      }
      await settle(handle);
    },
    async finish() {
      await Promise.all(syncs);
      throwFailure();
    },
    async abort() {
      await Promise.all(syncs);
    },
  };
}

/** Copies a file. Streams would allocate a buffer for each part, and the memory would grow until they are collected. */
async function copyFile(
  from: string,
  to: number,
  buffers: readonly [Buffer, Buffer],
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const source = await open(from);
  try {
    let [current, next] = buffers;
    let { bytesRead } = await readAt(source.fd, current, 0, CHUNK_BYTES, null);
    while (bytesRead > 0) {
      const part = current.subarray(0, bytesRead);
      const written = writeAll(to, part);
      const following = readAt(source.fd, next, 0, CHUNK_BYTES, null);
      onChunk(part);
      const [{ bytesRead: more }] = await Promise.all([following, written]);
      [current, next, bytesRead] = [next, current, more];
    }
  } finally {
    await source.close();
  }
}

async function writeAll(handle: number, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length; )
    offset += (await writeAt(handle, bytes, offset, bytes.length - offset, null)).bytesWritten;
}
