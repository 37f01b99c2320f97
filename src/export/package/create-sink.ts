/** Creates packages: a directory, a ZIP or TAR file, or a file of another format. */
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createDeflateRaw } from 'node:zlib';
import { tee } from '../../platform/in-parts.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { openSyncs, syncAndClose } from '../../platform/sync-files.ts';
import { openTar } from '../../platform/tar-file.ts';
import type { Sink } from './package-content.ts';
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
    async add(_path, _size, chunks) {
      for await (const chunk of chunks) writeFileSync(handle, chunk);
    },
    finish: () => syncAndClose(handle),
  };
}

function createZipSink(file: string): Sink {
  const handle = openSync(file, 'wx');
  const zip = createZip((bytes) => writeFileSync(handle, bytes));
  return {
    async add(path, size, chunks) {
      const isCompressed = COMPRESSIBLE.test(path);
      const entry = zip.begin(path, isCompressed, size);
      const counted = tee(chunks, entry.count);
      if (isCompressed) await compress(counted, entry.put);
      else for await (const chunk of counted) entry.put(chunk);
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

/** Passes compressed chunks to `put`. */
async function compress(chunks: AsyncIterable<Uint8Array>, put: (chunk: Uint8Array) => void): Promise<void> {
  const deflate = createDeflateRaw();
  deflate.on('data', put);
  const ended = once(deflate, 'end');
  ended.catch(() => undefined); // awaited below
  const write = promisify(deflate.write.bind(deflate) as (chunk: Uint8Array, done: (error?: Error | null) => void) => void);
  for await (const chunk of chunks) await write(chunk);
  deflate.end();
  await ended;
}

function createTarSink(file: string): Sink {
  const tar = openTar(file);
  return {
    async add(path, size, chunks) {
      if (size === undefined) throw new Error(`The size of ${path} must be known in a TAR file.`);
      await tar.add(path, size, chunks);
    },
    finish: tar.finish,
  };
}

function createDirectorySink(directory: string): Sink {
  mkdirSync(directory, { mode: 0o755 });
  const safeDir = toSafeDirectory(directory);
  const syncs = openSyncs();
  return {
    add: async (path, _size, chunks) => await syncs.add(safeDir.create(path), chunks),
    finish: syncs.finish,
  };
}
