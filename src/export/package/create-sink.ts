/** Creates packages: a directory, a ZIP or TAR file, or a file of another format. */
import { createWriteStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { rejectWith } from '../../platform/reject-with.ts';
import { openTar } from '../../platform/tar-file.ts';
import { createDirectorySink } from './directory-sink.ts';
import { readContent, sizeOf } from './package-content.ts';
import type { Sink } from './sink.ts';

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
    abort: () => Promise.resolve(),
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
        compress: isCompressible(path),
        ...(size === undefined ? {} : { size }),
        forceDosTimestamp: true,
      });
      await unlessFailed(pipeline(readContent(content, onChunk), entry));
    },
    async finish() {
      zip.end();
      await written;
    },
    async abort() {
      output.destroy();
      await written.catch(() => undefined);
    },
  };
}

/** Media and archives are compressed already; a database may be opened in the package. */
function isCompressible(path: string): boolean {
  return /\.(?:txt|csv|json|jsonl|xml|html|md|vtt|srt|cdxj?|svg)$/i.test(path);
}

function createTarSink(file: string): Sink {
  const tar = openTar(file);
  return {
    async add(path, content, onChunk) {
      const size = sizeOf(content);
      if (size === undefined) throw new Error(`The size of ${path} must be known in a TAR file.`);
      await tar.add(path, size, readContent(content, onChunk));
    },
    finish: tar.finish,
    abort: tar.abort,
  };
}
