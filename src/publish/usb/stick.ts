/** A stick, and what an earlier copy has left on it. Somebody else may have changed anything there: no symbolic link is followed. */
import { constants, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { manifestLines } from '../../client/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { type Contained, closing, containedIn, UnsafePath } from '../../platform/contained.ts';
import { printable } from '../../platform/lines.ts';
import { MANIFEST } from '../manifest.ts';
import { FOLDER } from '../stick-names.ts';

/** What was copied and read back before the copy was interrupted: lines as in the manifest. */
export const LOG = 'microfiche-copy.txt';
/** The file that is being copied. */
export const PART = 'microfiche-copy.part';
/** What systems leave on every stick. */
export const SYSTEM =
  /^(?:System Volume Information|\$RECYCLE\.BIN|lost\+found|\.Trash.*|\.Trashes|\.fseventsd|\.Spotlight-V100|\.DS_Store|\._.*|autorun\.inf|desktop\.ini)$/i;

export function openStick(to: string): Contained {
  const root = resolve(to);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`There is no folder ${root}: mount the stick, and name where it is mounted with --to.`);
  return containedIn(root);
}

/** Does something in a folder, and says in one sentence what in it is in the way: a symbolic link, or a folder that has a file's name. */
export function inSentence<T>(work: () => T, advice: string, root: string): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsafePath)
      throw new UserError(`${join(root, printable(error.message))}, and no link is followed: ${advice}`, { cause: error });
    const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
    if (code !== undefined && IN_THE_WAY.has(code))
      throw new UserError(`${printable(dest ?? path ?? root)} is in the way: ${advice}`, { cause: error });
    throw error;
  }
}

/** What the file system says where a file has a folder's name, or a folder a file's. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY']);

export const REMOVE_IT = 'remove it from the stick, then run the command again.';

/** A file of our own on the stick; undefined where there is none. @throws UserError where a link or something else is in its place */
export function ownFile(stick: Contained, path: string): string | undefined {
  const text = inSentence(() => (stick.stat(path) ? readFileSync(stick.at(path), 'utf8') : undefined), REMOVE_IT, stick.root);
  if (text === undefined && statSync(stick.at(path), { throwIfNoEntry: false }))
    throw new UserError(`${stick.at(path)} is no regular file: ${REMOVE_IT}`);
  return text;
}

export interface Notes {
  /** By path, the SHA-256 of what an earlier copy has left. */
  there: Map<string, string>;
  /** The same of the copy that was interrupted. */
  copied: Map<string, string>;
}

export function notesOn(stick: Contained): Notes {
  const read = (name: string) =>
    new Map(manifestLines(ownFile(stick, `${FOLDER}/${name}`) ?? '').map(({ path, sha256 }) => [path, sha256]));
  return { there: read(MANIFEST), copied: read(LOG) };
}

/** Bytes of a file of the mirror on the stick; undefined where there is none, or a link in its place, which gives way to the file. @throws UserError where a folder above it is a link */
export function sizeOn(stick: Contained, path: string): number | undefined {
  const folder = dirname(`${FOLDER}/${path}`);
  inSentence(() => stick.at(folder), REMOVE_IT, stick.root);
  try {
    return stick.stat(`${FOLDER}/${path}`)?.size;
  } catch (error) {
    if (error instanceof UnsafePath) return undefined;
    throw error;
  }
}

export function canRemove(stick: Contained, path: string): boolean {
  try {
    stick.at(dirname(`${FOLDER}/${path}`));
    return true;
  } catch (error) {
    if (error instanceof UnsafePath) return false; // behind a link: it is not on the stick
    throw error;
  }
}

export function appendTo(stick: Contained, path: string): number {
  if (!stick.stat(path)) return stick.create(path);
  return openSync(stick.at(path), constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
}

/** A file's text; undefined where there is none, or a link, which gives way to the file. */
export function regularText(stick: Contained, name: string): string | undefined {
  try {
    return stick.stat(name) ? readFileSync(stick.at(name), 'utf8') : undefined;
  } catch (error) {
    if (error instanceof UnsafePath) return undefined;
    throw error;
  }
}

export function writeWhole(stick: Contained, path: string, content: string | Uint8Array): void {
  const part = `${path}.part`;
  closing(stick.create(part), (descriptor) => {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(stick.at(part), join(stick.root, path));
}
