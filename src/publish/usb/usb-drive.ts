/** Reads and writes files on a USB drive. Its content is untrusted: no symbolic link is followed. */
import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseManifest } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError, usingDescriptor } from '../../platform/safe-directory.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { SITE_DIRECTORY } from '../usb-names.ts';

/** Lists the files that were copied and read back, as the manifest does. It exists while a copy is in progress or interrupted. */
export const COPY_LOG = 'microfiche-copy.txt';
/** The partial file of the file that is being copied. */
export const PARTIAL_FILE = 'microfiche-copy.part';
/** Names of files and directories that operating systems create on drives. */
export const SYSTEM_ENTRY =
  /^(?:System Volume Information|\$RECYCLE\.BIN|lost\+found|\.Trash.*|\.Trashes|\.fseventsd|\.Spotlight-V100|\.DS_Store|\._.*|autorun\.inf|desktop\.ini)$/i;

/**
 * Opens the directory in which a drive is mounted, or one on it.
 * @throws {UserError} if the directory does not exist
 */
export function openDrive(to: string): SafeDirectory {
  const root = resolve(to);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`The directory ${root} does not exist. Mount the drive, and name its mount point with --to.`);
  return toSafeDirectory(root);
}

/**
 * Calls `action`, which reads or writes below the directory `root`.
 * @throws {UserError} if a symbolic link, or a file or directory of the wrong type, is in the way; its message ends with `advice`
 */
export function describeObstacles<T>(action: () => T, advice: string, root: string): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof UnsafePathError)
      throw new UserError(`${join(root, toPrintable(error.message))}; symbolic links are not followed. ${advice}`, {
        cause: error,
      });
    const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
    if (code !== undefined && OBSTACLE_CODES.has(code))
      throw new UserError(`${toPrintable(dest ?? path ?? root)} is in the way. ${advice}`, { cause: error });
    throw error;
  }
}

/** Error codes of the file system if a directory has the path of a file, or vice versa. */
const OBSTACLE_CODES: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY']);

/** Advice for something on the drive that is in the way. */
export const REMOVE_ADVICE = 'Remove it from the drive, then run the command again.';

/**
 * Reads one of our own files on the drive; undefined if it does not exist.
 * @throws {UserError} if it is not a regular file
 */
export function readOwnFile(drive: SafeDirectory, path: string): string | undefined {
  const text = describeObstacles(
    () => (drive.stat(path) ? readFileSync(drive.resolve(path), 'utf8') : undefined),
    REMOVE_ADVICE,
    drive.root,
  );
  if (text === undefined && statSync(drive.resolve(path), { throwIfNoEntry: false }))
    throw new UserError(`${drive.resolve(path)} is not a regular file. ${REMOVE_ADVICE}`);
  return text;
}

/** Reads which files are on the drive already. */
export function readCopyState(drive: SafeDirectory) {
  const read = (name: string) =>
    new Map(parseManifest(readOwnFile(drive, `${SITE_DIRECTORY}/${name}`) ?? '').map(({ path, sha256 }) => [path, sha256]));
  return { copiedEarlier: read(MANIFEST_FILE), copiedSinceInterruption: read(COPY_LOG) };
}

/**
 * Returns the size in bytes of a file of the site on the drive; undefined if there is none, or a symbolic link, which the copy
 * replaces.
 * @throws {UserError} if a directory above it is a symbolic link
 */
export function sizeOnDrive(drive: SafeDirectory, path: string): number | undefined {
  const directory = dirname(`${SITE_DIRECTORY}/${path}`);
  describeObstacles(() => drive.resolve(directory), REMOVE_ADVICE, drive.root);
  try {
    return drive.stat(`${SITE_DIRECTORY}/${path}`)?.size;
  } catch (error) {
    if (error instanceof UnsafePathError) return undefined;
    throw error;
  }
}

/** Whether a path of the site can be deleted on the drive without following a symbolic link. */
export function canRemove(drive: SafeDirectory, path: string): boolean {
  try {
    drive.resolve(dirname(`${SITE_DIRECTORY}/${path}`));
    return true;
  } catch (error) {
    if (error instanceof UnsafePathError) return false; // the path leaves the drive
    throw error;
  }
}

/** Opens a file on the drive for appending, and creates it if necessary. Returns its descriptor. */
export function openForAppend(drive: SafeDirectory, path: string): number {
  if (!drive.stat(path)) return drive.create(path);
  return openSync(drive.resolve(path), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
}

/** Reads a text file on the drive; undefined if there is none, or a symbolic link, which will be replaced. */
export function readRegularText(drive: SafeDirectory, name: string): string | undefined {
  try {
    return drive.stat(name) ? readFileSync(drive.resolve(name), 'utf8') : undefined;
  } catch (error) {
    if (error instanceof UnsafePathError) return undefined;
    throw error;
  }
}

/** Writes a file on the drive atomically and durably. */
export function writeAtomically(drive: SafeDirectory, path: string, content: string | Uint8Array): void {
  const partial = `${path}.part`;
  usingDescriptor(drive.create(partial), (descriptor) => {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(drive.resolve(partial), join(drive.root, path));
}

/**
 * Copies `source` to `target` on the drive, by way of the path `partial` there, and reads it back. Returns false if the drive has
 * other bytes; then `target` is as it was before.
 * @throws {UserError} if something is in the way.
 */
export async function copyVerified(
  drive: SafeDirectory,
  { source, partial, target, sha256 }: { source: string; partial: string; target: string; sha256: string },
): Promise<boolean> {
  const createPartial = () => {
    drive.createDirectory(dirname(target));
    closeSync(drive.create(partial));
  };
  describeObstacles(createPartial, REMOVE_ADVICE, drive.root);
  await copyFile(source, drive.resolve(partial));
  usingDescriptor(openSync(drive.resolve(partial), 'r+'), fsyncSync);
  if ((await sha256OfFile(drive.resolve(partial))) !== sha256) {
    drive.delete(partial);
    return false;
  }
  describeObstacles(() => renameSync(drive.resolve(partial), join(drive.root, target)), REMOVE_ADVICE, drive.root);
  return true;
}
