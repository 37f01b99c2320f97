/**
 * Writes a package: a directory, a ZIP or TAR file, or a file of another format. It gets its name only when it is complete, and the same files
 * in the same order give the same bytes: times, owners and permissions are fixed.
 */
import { createReadStream, createWriteStream, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack as createTar } from 'tar-stream';
import { ZipFile } from 'yazl';
import { UserError } from '../model/errors.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { openStaging } from '../platform/staging.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { createDigest, type Digest, type DigestName } from './digest.ts';

/** The content of a file: its bytes; or a file on the disk; or a stream, whose size in bytes must be known except in a ZIP file. */
export type Content = Uint8Array | { file: string } | { size?: number; read: () => AsyncIterable<Uint8Array> };

/** Writes the files of one package, one after the other. Paths have `/` as separator. */
export interface PackageWriter {
  /** Directory for temporary files, on the file system of the package. It is deleted at the end. */
  workDirectory: string;
  /**
   * Adds a file. Resolves when it is written, with its size and checksums.
   * @throws {Error} of the file system, for example if the disk is full.
   */
  add(path: string, content: Content): Promise<Digest>;
  /** Completes the package and gives it its name. */
  finish(): Promise<void>;
  /** Deletes what was written. */
  abort(): Promise<void>;
}

/** How a package is stored. A package of the form `file` has one file, whose path is ignored. */
export type PackageForm = 'directory' | 'zip' | 'tar' | 'file';

/** What an export to an existing target needs to know. */
export interface TargetOptions {
  form: PackageForm;
  /** Checksums that `add` returns. */
  digests?: readonly DigestName[];
  /** Returns whether an existing target is an export of this format that Microfiche wrote, so that it may be replaced. */
  isOwn(path: string): Promise<boolean>;
}

/** The time of every entry. ZIP has local times, so the same clock time is another moment in each time zone; TAR has seconds since 1970. */
const zipTime = () => new Date(1985, 0, 1);
const TAR_TIME = new Date(Date.UTC(1985, 0, 1));
const FILE_MODE = 0o644;

/**
 * Opens a writer for a package at `target`. Only one export at a time can write there; what an interrupted one left is deleted.
 * @throws {UserError} if the target exists and Microfiche did not write it, or another process is writing there.
 */
export async function openPackage(target: string, { form, digests = ['sha256'], isOwn }: TargetOptions): Promise<PackageWriter> {
  const path = resolve(target);
  const assertFree = async () => {
    if (await isOccupied(path, isOwn))
      throw new UserError(`${target} exists, and Microfiche did not export it. Choose another path, or move it away.`);
  };
  await assertFree();
  const staging = openStaging(path, 'exporting');
  if (!staging) throw new UserError(`Another process is exporting to ${target}. Wait until it has finished.`);
  try {
    const draft = join(staging.directory, basename(path));
    const workDirectory = mkdtempSync(join(staging.directory, 'work-'));
    const sink = { directory: createDirectorySink, zip: createZipSink, tar: createTarSink, file: createFileSink }[form](draft);
    return {
      workDirectory,
      async add(entry, content) {
        const digest = createDigest(digests);
        await sink.add(entry, sizeOf(content), withDigest(content, digest.update));
        return digest.digest();
      },
      async finish() {
        await sink.finish();
        await assertFree(); // something may have been created there in the meantime
        replace(draft, path, staging.directory);
        syncDirectory(dirname(path));
        staging.close();
      },
      async abort() {
        await sink.abort();
        staging.close();
      },
    };
  } catch (error) {
    staging.close();
    throw error;
  }
}

async function isOccupied(path: string, isOwn: TargetOptions['isOwn']): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (found.isSymbolicLink()) return true;
  if (found.isDirectory() && readdirSync(path).length === 0) return false;
  return !(await isOwn(path));
}

/** Moves the draft to its name. A file replaces another at once; an earlier directory is kept until the draft is in its place. */
function replace(draft: string, path: string, directory: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && lstatSync(draft).isFile())) {
    renameSync(draft, path);
    return;
  }
  const previous = join(directory, 'previous');
  renameSync(path, previous);
  try {
    renameSync(draft, path);
  } catch (error) {
    renameSync(previous, path);
    throw error;
  }
}

function sizeOf(content: Content): number | undefined {
  if (content instanceof Uint8Array) return content.length;
  return 'file' in content ? lstatSync(content.file).size : content.size;
}

/** Yields the bytes of a content, and passes them to `onChunk`. */
async function* withDigest(content: Content, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  const chunks =
    content instanceof Uint8Array
      ? [content]
      : 'file' in content
        ? createReadStream(content.file, { highWaterMark: 1024 * 1024 })
        : content.read();
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    onChunk(chunk);
    yield chunk;
  }
}

/** Where the files of a package go. */
interface Sink {
  add(path: string, size: number | undefined, content: AsyncIterable<Uint8Array>): Promise<void>;
  finish(): Promise<void>;
  abort(): Promise<void>;
}

function createDirectorySink(directory: string): Sink {
  mkdirSync(directory, { mode: 0o755 });
  const safeDir = toSafeDirectory(directory);
  return {
    async add(path, _, content) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      if (parent !== '') safeDir.createDirectory(parent);
      const handle = safeDir.create(path);
      await pipeline(content, createWriteStream('', { fd: handle, flush: true }));
    },
    finish: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
}

function createFileSink(file: string): Sink {
  return {
    async add(_path, _size, content) {
      await pipeline(content, createWriteStream(file, { flags: 'wx', flush: true }));
    },
    finish: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
}

function createZipSink(file: string): Sink {
  const zip = new ZipFile();
  const output = createWriteStream(file, { flags: 'wx', flush: true });
  const written = pipeline(zip.outputStream as unknown as Readable, output);
  written.catch(() => undefined); // each step reports it
  return {
    async add(path, size, content) {
      const entry = new PassThrough();
      zip.addReadStream(entry, path, {
        mtime: zipTime(),
        mode: 0o100000 | FILE_MODE,
        compress: isCompressible(path),
        ...(size === undefined ? {} : { size }),
        forceDosTimestamp: true,
      });
      await Promise.race([pipeline(content, entry), written]);
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
  const tar = createTar();
  const output = createWriteStream(file, { flags: 'wx', flush: true });
  const written = pipeline(tar as unknown as Readable, output);
  written.catch(() => undefined); // each step reports it
  return {
    async add(path, size, content) {
      if (size === undefined) throw new Error(`The size of ${path} must be known in a TAR file.`);
      const entry = tar.entry({ name: path, size, mode: FILE_MODE, mtime: TAR_TIME, uid: 0, gid: 0, uname: '', gname: '' });
      await Promise.race([pipeline(content, entry as unknown as NodeJS.WritableStream), written]);
    },
    async finish() {
      tar.finalize();
      await written;
    },
    async abort() {
      output.destroy();
      tar.destroy();
      await written.catch(() => undefined);
    },
  };
}
