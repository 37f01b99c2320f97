/**
 * Writes a package: a directory, a ZIP or TAR file, or a file of another format. It gets its name only when it is complete, and
 * the same files in the same order give the same bytes: times, owners and permissions are fixed.
 */
import { lstatSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { openStaging } from '../../platform/staging.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import type { Digest, DigestName } from '../digest.ts';
import type { PackageForm } from './create-sink.ts';
import type { Content } from './package-content.ts';
import { startWriterThread } from './writer-thread.ts';

/** Adds files to a package in the order of the calls. Paths have `/` as separator. */
export interface FileWriter {
  /** Directory for temporary files. */
  workDirectory: string;
  /**
   * Adds a file. Resolves when it is written, with its size and checksums. Others can be added before: the files are written one
   * after the other.
   * @throws {Error} of the file system, for example if the disk is full.
   */
  add(path: string, content: Content): Promise<Digest>;
}

/** Writes one package. Its `workDirectory` is on the file system of the package, and is deleted at the end. */
export interface PackageWriter extends FileWriter, AsyncDisposable {
  /** Completes the package and gives it its name. */
  finish(): Promise<void>;
  /** Deletes what was written, unless it is complete. */
  abort(): Promise<void>;
}

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
  using opening = new DisposableStack();
  const staging = opening.use(openStaging(path, 'exporting'));
  if (!staging) throw new UserError(`Another process is exporting to ${target}. Wait until it has finished.`);
  const draft = join(staging.directory, basename(path));
  const workDirectory = mkdtempSync(join(staging.directory, 'work-'));
  const thread = startWriterThread({ form, path: draft, digests }, onBytes);
  const open = opening.move();
  const abort = async () => {
    await thread.stop();
    open.dispose();
  };
  return {
    workDirectory,
    add: thread.add,
    async finish() {
      await thread.finish();
      await assertFree(); // something may have been created there in the meantime
      replace(draft, path, staging.directory);
      syncDirectory(dirname(path));
      await abort(); // only what is temporary is left
    },
    abort,
    [Symbol.asyncDispose]: abort,
  };
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
