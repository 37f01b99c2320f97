/** Reads, writes and deletes files inside one folder only. A path from a snapshot, site or stick that leads out of it, or across a symbolic link, is refused. */
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { walk } from './walk.ts';

/** A path that must not be used: it leaves its folder, or crosses a symbolic link. The message names the path and says why. */
export class UnsafePath extends Error {
  override name = 'UnsafePath';
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}

/** One folder; every `path` is relative to it and written with `/`. Each method throws UnsafePath for a path that leads out or crosses a link. */
export interface Contained {
  /** Absolute, with symbolic links resolved: the folder that the user named may be reached by one. */
  root: string;
  /** The absolute path. The file need not exist. */
  at(path: string): string;
  /** The regular file at `path`; undefined if there is none. */
  stat(path: string): Stats | undefined;
  /** Everything below a folder but folders, in the order of paths; symbolic links are named, and not followed. None if there is no such folder. */
  entries(folder: string): Array<{ path: string; isFile: boolean }>;
  /** Creates a folder and those above it. */
  makeFolder(path: string): void;
  /** Creates a file that did not exist, in place of whatever file or link had its name. Returns its descriptor, open for writing and reading. */
  create(path: string): number;
  /** Deletes a file or a link itself, never what it points to. A missing one is no error. */
  remove(path: string): void;
  /** Deletes a folder if it is empty, and then those above it. */
  removeEmptyFolders(path: string): void;
}

/** Why a path is not below its folder by its text alone; undefined if it is. Paths are written with `/`. */
export function outsideProblem(path: string): string | undefined {
  if (path === '' || isAbsolute(path) || /^[A-Za-z]:/.test(path)) return 'it is no relative path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\x00-\x1f\x7f]/.test(path)) return 'it has a backslash or a control character';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return 'it leads out of its folder';
  return undefined;
}

/** Folders that were found to be real ones are remembered for as long as the result is used: use it for one run. @throws when the folder does not exist */
export function containedIn(folder: string): Contained {
  const root = realpathSync(resolve(folder));
  const real = new Set<string>(['']);

  /** Checks the folders above a path; those that do not exist yet are no danger. */
  function checkFolders(path: string): void {
    const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (real.has(above)) return;
    const parts = above.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join('/');
      if (real.has(part)) continue;
      const found = lstatSync(join(root, part), { throwIfNoEntry: false });
      if (found === undefined) return;
      if (found.isSymbolicLink()) throw new UnsafePath(path, `${part} is a symbolic link`);
      if (!found.isDirectory()) return;
      real.add(part);
    }
  }

  function checked(path: string): string {
    const problem = outsideProblem(path);
    if (problem !== undefined) throw new UnsafePath(path, problem);
    checkFolders(path);
    return join(root, path);
  }

  function lookAt(path: string): Stats | undefined {
    const file = checked(path);
    try {
      return lstatSync(file, { throwIfNoEntry: false });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  function refuseLink(path: string): Stats | undefined {
    const found = lookAt(path);
    if (found?.isSymbolicLink()) throw new UnsafePath(path, 'it is a symbolic link');
    return found;
  }

  function makeFolder(path: string): void {
    if (path === '' || path === '.') return;
    refuseLink(path);
    mkdirSync(join(root, path), { recursive: true });
  }

  function remove(path: string): void {
    if (lookAt(path)?.isDirectory() === false) rmSync(join(root, path), { force: true });
  }

  return {
    root,
    at(path) {
      refuseLink(path);
      return join(root, path);
    },
    stat(path) {
      const found = refuseLink(path);
      return found?.isFile() ? found : undefined;
    },
    entries(folder) {
      if (refuseLink(folder)?.isDirectory() !== true) return [];
      return [...walk(root, folder)]
        .map(([path, entry]) => ({ path, isFile: entry.isFile() }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    makeFolder,
    create(path) {
      remove(path);
      makeFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      return openSync(join(root, path), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0));
    },
    remove,
    removeEmptyFolders(path) {
      for (let folder = path; folder !== '' && folder !== '.'; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
        if (refuseLink(folder)?.isDirectory() !== true || readdirSync(join(root, folder)).length > 0) return;
        real.delete(folder);
        rmdirSync(join(root, folder));
      }
    },
  };
}

/** Works with an open file and closes it, whatever happens. */
export function closing<T>(descriptor: number, work: (descriptor: number) => T): T {
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
