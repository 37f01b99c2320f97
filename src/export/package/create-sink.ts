/** Creates packages: a directory, a ZIP or TAR file, or a file of another format. */
import { close, closeSync, createWriteStream, fsync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { toSafeDirectory, usingDescriptor } from '../../platform/safe-directory.ts';
import { openTar, rejectWith } from '../../platform/tar-file.ts';
import { readContent, type Sink, sizeOf } from './package-content.ts';

/** How a package is stored. A package of the form `file` has one file, whose path is ignored. */
export type PackageForm = 'directory' | 'zip' | 'tar' | 'file';

/** The time of every entry. ZIP has local times, so the same clock time is another moment in each time zone. */
const zipTime = () => new Date(1985, 0, 1);
const FILE_MODE = 0o644;

/** Creates a package at `path`, which must not exist. */
export function createSink(form: PackageForm, path: string): Sink {
  return { directory: createDirectorySink, zip: createZipSink, tar: createTarSink, file: createFileSink }[form](path);
}

function createFileSink(file: string): Sink {
  return {
    async add(_path, content, onChunk) {
      await pipeline(readContent(content, onChunk), createWriteStream(file, { flags: 'wx', flush: true }));
    },
    finish: () => Promise.resolve(),
  };
}

function createZipSink(file: string): Sink {
  const zip = new ZipFile();
  const output = createWriteStream(file, { flags: 'wx', flush: true });
  const written = pipeline(zip.outputStream as unknown as Readable, output);
  const unlessFailed = rejectWith(written);
  return {
    async add(path, content, onChunk) {
      const size = sizeOf(content);
      const entry = new PassThrough();
      zip.addReadStream(entry, path, {
        mtime: zipTime(),
        mode: 0o100000 | FILE_MODE,
        compress: COMPRESSIBLE.test(path),
        ...(size === undefined ? {} : { size }),
        forceDosTimestamp: true,
      });
      await unlessFailed(pipeline(readContent(content, onChunk), entry));
    },
    async finish() {
      zip.end();
      await written;
    },
  };
}

/** Media and archives are compressed already; a database may be opened in the package. */
const COMPRESSIBLE = /\.(?:txt|csv|json|jsonl|xml|html|md|vtt|srt|cdxj?|svg)$/i;

function createTarSink(file: string): Sink {
  const tar = openTar(file);
  return {
    async add(path, content, onChunk) {
      const size = sizeOf(content);
      if (size === undefined) throw new Error(`The size of ${path} must be known in a TAR file.`);
      await tar.add(path, size, readContent(content, onChunk));
    },
    finish: tar.finish,
  };
}

const CHUNK_BYTES = 1024 * 1024;
/** Files synced to the disk at the same time: in sequence, it takes several times as long, because each waits for the journal. */
const MAX_SYNCS = 4;
const [syncFile, closeFile] = [promisify(fsync), promisify(close)];

/** Returns a sink that creates `directory`. It waits for the disk, so it is for a thread of its own. */
function createDirectorySink(directory: string): Sink {
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
        else for await (const chunk of readContent(content, onChunk)) writeFileSync(handle, chunk);
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
  };
}

function copyFile(from: string, to: number, buffer: Buffer, onChunk: (chunk: Uint8Array) => void): void {
  usingDescriptor(openSync(from, 'r'), (source) => {
    for (;;) {
      const bytes = readSync(source, buffer, 0, buffer.length, null);
      if (bytes === 0) return;
      const part = buffer.subarray(0, bytes);
      onChunk(part);
      writeFileSync(to, part);
    }
  });
}
