/** Creates packages: a directory, a ZIP or TAR file, or a file of another format. */
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createDeflateRaw } from 'node:zlib';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { openSyncs, syncAndClose } from '../../platform/sync-files.ts';
import { openTar } from '../../platform/tar-file.ts';
import type { OnChunk, Sink } from './package-content.ts';
import { createZip } from './zip-file.ts';

/** How a package is stored. A package of the form `file` has one file, whose path is ignored. */
export type PackageForm = 'directory' | 'zip' | 'tar' | 'file';

/** Creates a package at `path`, which must not exist. It waits for the disk, so it is for a thread of its own. */
export function createSink(form: PackageForm, path: string): Sink {
  return { directory: createDirectorySink, zip: createZipSink, tar: createTarSink, file: createFileSink }[form](path);
}

function createFileSink(file: string): Sink {
  const handle = openSync(file, 'wx');
  return {
    add: (_path, _size, each) => each((chunk) => writeFileSync(handle, chunk)),
    finish: () => syncAndClose(handle),
  };
}

function createZipSink(file: string): Sink {
  const handle = openSync(file, 'wx');
  const zip = createZip((bytes) => writeFileSync(handle, bytes));
  return {
    async add(path, _size, each) {
      const isCompressed = COMPRESSIBLE.test(path);
      const entry = zip.begin(path, isCompressed);
      if (isCompressed) await compress(each, entry.count, entry.put);
      else
        await each((chunk) => {
          entry.count(chunk);
          entry.put(chunk);
        });
      entry.end();
    },
    finish() {
      zip.finish();
      return syncAndClose(handle);
    },
  };
}

/** Media and archives are compressed already; a database may be opened in the package. */
const COMPRESSIBLE = /\.(?:txt|csv|json|jsonl|xml|html|md|vtt|srt|cdxj?|svg)$/i;

/** Passes chunks to `onChunk`, and what they are compressed to `put`. */
async function compress(each: Parameters<Sink['add']>[2], onChunk: OnChunk, put: OnChunk): Promise<void> {
  const deflate = createDeflateRaw();
  deflate.on('data', put);
  const ended = once(deflate, 'end');
  ended.catch(() => undefined); // awaited below
  await each((chunk) => {
    onChunk(chunk);
    return new Promise((resolve, reject) => {
      deflate.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  });
  deflate.end();
  await ended;
}

function createTarSink(file: string): Sink {
  const tar = openTar(file);
  return {
    async add(path, size, each) {
      if (size === undefined) throw new Error(`The size of ${path} must be known in a TAR file.`);
      await tar.add(path, size, each);
    },
    finish: tar.finish,
  };
}

function createDirectorySink(directory: string): Sink {
  mkdirSync(directory, { mode: 0o755 });
  const safeDir = toSafeDirectory(directory);
  const syncs = openSyncs();
  return {
    async add(path, _size, each) {
      const handle = safeDir.create(path);
      await syncs.add(handle, () => each((chunk) => writeFileSync(handle, chunk)));
    },
    finish: syncs.finish,
  };
}
