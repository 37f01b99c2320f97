/**
 * Writes a package: a directory, a ZIP or TAR file, or a file of another format. It gets its name only when it is complete, and the same files
 * in the same order give the same bytes: times, owners and permissions are fixed.
 */
import { createWriteStream, lstatSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { UserError } from '../../model/errors.ts';
import { rejectWith } from '../../platform/reject-with.ts';
import { openStaging } from '../../platform/staging.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import { openTar } from '../../platform/tar-file.ts';
import { createDigest, type Digest, type DigestName } from '../digest.ts';
import { createDirectorySink, type Sink } from './directory-sink.ts';
import { type Content, readContent, sizeOf } from './package-content.ts';

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
  /**
   * Returns whether an existing target is an export of this format that Microfiche wrote, so that it may be replaced.
   * @throws {UserError} if it has something of others too.
   */
  isOwn(path: string): Promise<boolean>;
  /** Gets the number of bytes of each part that is written, before the compression of a ZIP file. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** The time of every entry. ZIP has local times, so the same clock time is another moment in each time zone. */
const zipTime = () => new Date(1985, 0, 1);
const FILE_MODE = 0o644;

/**
 * Opens a writer for a package at `target`. Only one export at a time can write there; what an interrupted one left is deleted.
 * @throws {UserError} if the target exists and Microfiche did not write it, or another process is writing there.
 */
export async function openPackage(
  target: string,
  { form, digests = ['sha256'], isOwn, onBytes }: TargetOptions,
): Promise<PackageWriter> {
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
        await sink.add(entry, content, (chunk) => {
          digest.update(chunk);
          onBytes?.(chunk.length);
        });
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
