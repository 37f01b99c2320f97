/** Reads and writes files on a USB drive. Its content is untrusted: no symbolic link is followed. */
import { constants, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { manifestLines } from '../../client/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { type Contained, closing, containedIn, UnsafePath } from '../../platform/contained.ts';
import { printable } from '../../platform/lines.ts';
import { MANIFEST } from '../manifest.ts';
import { FOLDER } from '../stick-names.ts';

/** Lists the files that were copied and read back, as the manifest does. It exists while a copy is in progress or interrupted. */
export const LOG = 'microfiche-copy.txt';
/** The partial file of the file that is being copied. */
export const PART = 'microfiche-copy.part';
/** Names of files and directories that operating systems create on drives. */
export const SYSTEM =
  /^(?:System Volume Information|\$RECYCLE\.BIN|lost\+found|\.Trash.*|\.Trashes|\.fseventsd|\.Spotlight-V100|\.DS_Store|\._.*|autorun\.inf|desktop\.ini)$/i;

/**
 * Opens the directory in which a drive is mounted, or one on it.
 * @throws {UserError} if the directory does not exist
 */
export function openStick(to: string): Contained {
  const root = resolve(to);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`The directory ${root} does not exist. Mount the drive, and name its mount point with --to.`);
  return containedIn(root);
}

/**
 * Calls `work`, which reads or writes below the directory `root`.
 * @throws {UserError} if a symbolic link, or a file or directory of the wrong type, is in the way; its message ends with `advice`
 */
export function inSentence<T>(work: () => T, advice: string, root: string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsafePath)
      throw new UserError(`${join(root, printable(error.message))}; symbolic links are not followed. ${advice}`, {
        cause: error,
      });
    const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
    if (code !== undefined && IN_THE_WAY.has(code))
      throw new UserError(`${printable(dest ?? path ?? root)} is in the way. ${advice}`, { cause: error });
    throw error;
  }
}

/** Error codes of the file system if a directory is where a file should be, or the other way round. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY']);

/** Advice for something on the drive that is in the way. */
export const REMOVE_IT = 'Remove it from the drive, then run the command again.';

/**
 * Reads one of our own files on the drive; undefined if it does not exist.
 * @throws {UserError} if it is not a regular file
 */
export function ownFile(drive: Contained, path: string): string | undefined {
  const text = inSentence(() => (drive.stat(path) ? readFileSync(drive.at(path), 'utf8') : undefined), REMOVE_IT, drive.root);
  if (text === undefined && statSync(drive.at(path), { throwIfNoEntry: false }))
    throw new UserError(`${drive.at(path)} is not a regular file. ${REMOVE_IT}`);
  return text;
}

/** The SHA-256 of files that are on the drive already, by path in the site. */
export interface Notes {
  /** From the last complete copy. */
  there: Map<string, string>;
  /** From an interrupted copy. */
  copied: Map<string, string>;
}

/** Reads which files are on the drive already. */
export function notesOn(drive: Contained): Notes {
  const read = (name: string) =>
    new Map(manifestLines(ownFile(drive, `${FOLDER}/${name}`) ?? '').map(({ path, sha256 }) => [path, sha256]));
  return { there: read(MANIFEST), copied: read(LOG) };
}

/**
 * Returns the size in bytes of a file of the site on the drive; undefined if there is none, or a symbolic link, which the copy replaces.
 * @throws {UserError} if a directory above it is a symbolic link
 */
export function sizeOn(drive: Contained, path: string): number | undefined {
  const directory = dirname(`${FOLDER}/${path}`);
  inSentence(() => drive.at(directory), REMOVE_IT, drive.root);
  try {
    return drive.stat(`${FOLDER}/${path}`)?.size;
  } catch (error) {
    if (error instanceof UnsafePath) return undefined;
    throw error;
  }
}

/** Whether a path of the site can be deleted on the drive without following a symbolic link. */
export function canRemove(drive: Contained, path: string): boolean {
  try {
    drive.at(dirname(`${FOLDER}/${path}`));
    return true;
  } catch (error) {
    if (error instanceof UnsafePath) return false; // the path leaves the drive
    throw error;
  }
}

/** Opens a file on the drive for appending, and creates it if necessary. Returns its descriptor. */
export function appendTo(drive: Contained, path: string): number {
  if (!drive.stat(path)) return drive.create(path);
  return openSync(drive.at(path), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
}

/** Reads a text file on the drive; undefined if there is none, or a symbolic link, which will be replaced. */
export function regularText(drive: Contained, name: string): string | undefined {
  try {
    return drive.stat(name) ? readFileSync(drive.at(name), 'utf8') : undefined;
  } catch (error) {
    if (error instanceof UnsafePath) return undefined;
    throw error;
  }
}

/** Writes a file on the drive atomically and durably. */
export function writeWhole(drive: Contained, path: string, content: string | Uint8Array): void {
  const partial = `${path}.part`;
  closing(drive.create(partial), (descriptor) => {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(drive.at(partial), join(drive.root, path));
}
