/** Writes the files of a package into a directory. */
import { close, closeSync, fsync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { readContent } from './package-content.ts';
import type { Sink } from './sink.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Files that are synced to the disk at the same time. One after the other takes several times as long, because each waits for the disk's journal. */
const MAX_SYNCS = 4;
const [syncFile, closeFile] = [promisify(fsync), promisify(close)];

/** Returns a sink that creates `directory`. It waits for the disk, so it is for a thread of its own. */
export function createDirectorySink(directory: string): Sink {
  mkdirSync(directory, { mode: 0o755 });
  const safeDir = toSafeDirectory(directory);
  /** One for all files: streams would allocate one for each part, and the memory would grow until they are collected. */
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
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
        if (!(content instanceof Uint8Array) && 'file' in content) copyFile(content.file, handle, buffer, onChunk);
        else for await (const chunk of readContent(content, onChunk)) writeAll(handle, chunk);
      } catch (error) {
        closeSync(handle);
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

function copyFile(from: string, to: number, buffer: Buffer, onChunk: (chunk: Uint8Array) => void): void {
  const source = openSync(from, 'r');
  try {
    for (;;) {
      const bytes = readSync(source, buffer, 0, buffer.length, null);
      if (bytes === 0) return;
      const part = buffer.subarray(0, bytes);
      onChunk(part);
      writeAll(to, part);
    }
  } finally {
    closeSync(source);
  }
}

function writeAll(handle: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(handle, bytes, offset);
}
