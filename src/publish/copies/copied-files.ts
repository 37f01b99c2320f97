/** Reads and writes files on a USB drive. Its content is untrusted: no symbolic link is followed. */
import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdtempDisposableSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseManifest } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import {
  type SafeDirectory,
  toSafeDirectory,
  UnsafePathError,
  undefinedIfUnsafe,
  usingDescriptor,
} from '../../platform/safe-directory.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { SOURCE_FILE, writeProgramSource } from '../program-source.ts';
import { SITE_DIRECTORY } from '../usb-names.ts';

/** Lists the files that were copied and read back, as the manifest does. It exists while a copy is in progress or interrupted. */
export const COPY_LOG = 'microfiche-copy.txt';
/** The partial file of the file that is being copied. */
export const PARTIAL_FILE = 'microfiche-copy.part';
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
  return undefinedIfUnsafe(() => drive.stat(`${SITE_DIRECTORY}/${path}`)?.size);
}

/** Whether a path of the site can be deleted on the drive without following a symbolic link. */
export function canRemove(drive: SafeDirectory, path: string): boolean {
  return undefinedIfUnsafe(() => drive.resolve(dirname(`${SITE_DIRECTORY}/${path}`))) !== undefined;
}

/** Opens a file on the drive for appending, and creates it if necessary. Returns its descriptor. */
export function openForAppend(drive: SafeDirectory, path: string): number {
  if (!drive.stat(path)) return drive.create(path);
  return openSync(drive.resolve(path), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
}

/** Reads a text file on the drive; undefined if there is none, or a symbolic link, which will be replaced. */
export function readRegularText(drive: SafeDirectory, name: string): string | undefined {
  return undefinedIfUnsafe(() => (drive.stat(name) ? readFileSync(drive.resolve(name), 'utf8') : undefined));
}

/** Writes a file on the drive atomically and durably. */
export function writeAtomically(drive: SafeDirectory, path: string, content: string | Uint8Array): void {
  replaceFile(drive, path, content, `${path}.part`);
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

/** The first entry of our own file begins with this. */
const FIRST_BYTES = 'microfiche-';

/**
 * Copies the source to a drive, and reads it back. Returns false if another file has its name; that file is not replaced.
 * @throws {UserError} if the drive lacks disk space or returns other bytes.
 */
export async function copySource(drive: SafeDirectory): Promise<boolean> {
  if (!(await isReplaceable(drive))) return false;
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-source-'));
  const source = join(directory.path, SOURCE_FILE);
  await writeProgramSource(source);
  const sha256 = await sha256OfFile(source);
  const present = join(drive.root, SOURCE_FILE);
  if (!existsSync(present) || (await sha256OfFile(present)) !== sha256) await copyTar(drive, source, sha256);
  return true;
}

async function isReplaceable(drive: SafeDirectory): Promise<boolean> {
  const stats = describeObstacles(() => drive.stat(SOURCE_FILE), REMOVE_ADVICE, drive.root);
  if (!stats) return true;
  for await (const chunk of createReadStream(drive.resolve(SOURCE_FILE), { end: FIRST_BYTES.length - 1, encoding: 'utf8' }))
    return chunk === FIRST_BYTES;
  return true; // empty
}

/** Copies the source in the file `source` to the root of the drive. */
async function copyTar(drive: SafeDirectory, source: string, sha256: string): Promise<void> {
  const { size } = statSync(source);
  const { bavail, bsize } = statfsSync(drive.root);
  if (size > bavail * bsize)
    throw new UserError(
      `Not enough disk space in ${drive.root} for the source of the program: ${formatBytes(size)} required, ${formatBytes(bavail * bsize)} available.`,
    );
  if (!(await copyVerified(drive, { source, partial: `${SOURCE_FILE}.part`, target: SOURCE_FILE, sha256 })))
    throw new UserError(
      `${SOURCE_FILE} could not be copied: the drive returned other bytes than were written. Run the command again. If it fails again, use another drive.`,
    );
}
