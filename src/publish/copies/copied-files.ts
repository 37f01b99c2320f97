/** Reads and writes files of a copy, in a directory or on a USB copy. Its content is untrusted: no symbolic link is followed. */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../model/errors.ts';
import { hasCode } from '../../platform/expected-errors.ts';
import { CHUNK_BYTES } from '../../platform/file-chunks.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { type SafeDirectory, UnsafePathError, undefinedIfUnsafe } from '../../platform/safe-directory.ts';
import { isWithin } from '../../platform/staging.ts';
import { syncAndClose } from '../../platform/sync-files.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';

/** Lists the files that were copied and read back, as the manifest does. It exists while a copy is in progress or interrupted. */
export const COPY_LOG = 'microfiche-copy.txt';
/** The partial files of the files that are being copied: in sequence, each would wait for the disk. */
export const PARTIAL_FILES = ['', '-2', '-3', '-4'].map((suffix) => `microfiche-copy${suffix}.part`);

/**
 * Calls `action`, which reads or writes below the directory `root`.
 * @throws {UserError} if a symbolic link, or a file or directory of the wrong type, is in the way; its message ends with `advice`
 */
export function describeObstacles<T>(action: () => T, root: string, advice = REMOVE_ADVICE): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof UnsafePathError)
      throw new UserError(`${join(root, toPrintable(error.message))}; symbolic links are not followed. ${advice}`, {
        cause: error,
      });
    const { path, dest } = error as NodeJS.ErrnoException & { dest?: string };
    // A directory has the path of a file, or vice versa.
    if (hasCode(error, 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY'))
      throw new UserError(`${toPrintable(dest ?? path ?? root)} is in the way. ${advice}`, { cause: error });
    throw error;
  }
}

/** Advice for something in the copy that is in the way. */
const REMOVE_ADVICE = 'Remove it, then run the command again.';

/**
 * Reads one of our own files in the copy; undefined if it does not exist.
 * @throws {UserError} if it is not a regular file
 */
export function readOwnFile(copy: SafeDirectory, path: string): string | undefined {
  const read = () => (copy.stat(path) ? fs.readFileSync(copy.resolve(path), 'utf8') : undefined);
  const text = describeObstacles(read, copy.root);
  if (text === undefined && fs.statSync(copy.resolve(path), { throwIfNoEntry: false }))
    throw new UserError(`${copy.resolve(path)} is not a regular file. ${REMOVE_ADVICE}`);
  return text;
}

/**
 * Returns the size in bytes of a file in the copy; undefined if there is none, or a symbolic link, which will be replaced.
 * @throws {UserError} if a directory above it is a symbolic link
 */
export function sizeInCopy(copy: SafeDirectory, path: string): number | undefined {
  const size = undefinedIfUnsafe(() => copy.stat(path)?.size);
  const directory = dirname(path);
  if (size === undefined && directory !== '.') describeObstacles(() => copy.resolve(directory), copy.root);
  return size;
}

/** Opens a file of the copy for appending, and creates it if necessary. Returns its descriptor. */
export function openForAppend(copy: SafeDirectory, path: string): number {
  if (!copy.stat(path)) return copy.create(path);
  return fs.openSync(copy.resolve(path), fs.constants.O_WRONLY | fs.constants.O_APPEND | (fs.constants.O_NOFOLLOW ?? 0));
}

/** Writes a file of the copy atomically and durably. */
export function writeAtomically(copy: SafeDirectory, path: string, content: string | Uint8Array): void {
  replaceFile(copy, path, content, `${path}.part`);
}

/**
 * Writes a file of the copy by way of the path `partial`, and reads it back. Returns false if it has other bytes than those with
 * the checksum; then `target` is as it was before.
 * @throws {UserError} if something is in the way.
 */
export async function writeVerified(
  copy: SafeDirectory,
  { partial, target, sha256 }: { partial: string; target: string; sha256: string },
  write: (file: string) => Promise<void>,
): Promise<boolean> {
  const createPartial = () => {
    copy.createDirectory(dirname(target));
    fs.closeSync(copy.create(partial));
  };
  describeObstacles(createPartial, copy.root);
  const file = copy.resolve(partial);
  await write(file);
  await syncAndClose(fs.openSync(file, 'r+'));
  if ((await sha256OfFile(file)) !== sha256) {
    copy.delete(partial);
    return false;
  }
  describeObstacles(() => fs.renameSync(file, join(copy.root, target)), copy.root);
  return true;
}

/** Copies the bytes of a file over another one, without its permissions: files on a CD are read-only. */
export async function copyBytes(source: string, target: string): Promise<void> {
  const options = { highWaterMark: CHUNK_BYTES };
  // A stream takes longer than the bytes of a small file.
  if (fs.statSync(source).size <= CHUNK_BYTES) return fs.writeFileSync(target, fs.readFileSync(source));
  await pipeline(fs.createReadStream(source, options), fs.createWriteStream(target, options));
}

/** @throws {UserError} if two directories are the same, or one is in the other */
export function assertApart(from: string, to: string): void {
  if (isWithin(from, to) || isWithin(to, from))
    throw new UserError(`${from} and ${to} are the same directory, or one is in the other. Name another directory.`);
}
