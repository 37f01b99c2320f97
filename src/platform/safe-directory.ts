/** Reads, writes and deletes files in one directory only. Refuses paths that point outside it or cross a symbolic link. */
import * as fs from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isBelowFile, undefinedIf } from './expected-errors.ts';
import { walkDirectory } from './walk.ts';

/** A path from a snapshot, site or USB drive that must not be used. The message names the path and the reason. */
export class UnsafePathError extends Error {
  override name = 'UnsafePathError';
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}

/**
 * Access to one directory. Every `path` is relative to it, with `/` as separator. Each method throws an `UnsafePathError` if a
 * path points outside the directory or crosses a symbolic link.
 */
export type SafeDirectory = ReturnType<typeof toSafeDirectory>;

/** Returns why the text of a path points outside its directory; undefined if it does not. The separator is `/`. */
export function pathTraversalProblem(path: string): string | undefined {
  if (path === '' || isAbsolute(path) || /^[A-Za-z]:/.test(path)) return 'it is not a relative path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  if (/[\\\x00-\x1f\x7f]/.test(path)) return 'it has a backslash or a control character';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return 'it points outside its directory';
  return undefined;
}

/**
 * Returns access to a directory. It remembers which directories are not links, so use it for one run only.
 * @throws {Error} if the directory does not exist.
 */
export function toSafeDirectory(directory: string) {
  const root = fs.realpathSync(resolve(directory));
  const real = new Set<string>(['']);

  /** Checks the directories above a path. Those that do not exist yet cannot be links. */
  function checkAncestors(path: string): void {
    const verifiedDirectories = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (real.has(verifiedDirectories)) return;
    const parts = verifiedDirectories.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const part = parts.slice(0, depth).join('/');
      if (real.has(part)) continue;
      const stats = fs.lstatSync(join(root, part), { throwIfNoEntry: false });
      if (stats === undefined) return;
      if (stats.isSymbolicLink()) throw new UnsafePathError(path, `${part} is a symbolic link`);
      if (!stats.isDirectory()) return;
      real.add(part);
    }
  }

  function resolveSafely(path: string): string {
    const problem = pathTraversalProblem(path);
    if (problem !== undefined) throw new UnsafePathError(path, problem);
    checkAncestors(path);
    return join(root, path);
  }

  function statLink(path: string): fs.Stats | undefined {
    const file = resolveSafely(path);
    return undefinedIf(isBelowFile, () => fs.lstatSync(file, { throwIfNoEntry: false }));
  }

  function statNoLink(path: string): fs.Stats | undefined {
    const stats = statLink(path);
    if (stats?.isSymbolicLink()) throw new UnsafePathError(path, 'it is a symbolic link');
    return stats;
  }

  function createFolder(path: string): void {
    if (path === '' || path === '.' || real.has(path)) return;
    statNoLink(path);
    fs.mkdirSync(join(root, path), { recursive: true });
    real.add(path);
  }

  function remove(path: string): boolean {
    if (statLink(path)?.isDirectory() !== false) return false;
    fs.rmSync(join(root, path), { force: true });
    return true;
  }

  return {
    /** Absolute path of the directory. Its own symbolic links are resolved: the operator may reach it through one. */
    root,
    /** Returns the absolute path. The file need not exist. */
    resolve(path: string) {
      statNoLink(path);
      return join(root, path);
    },
    /** Returns the regular file at `path`; undefined if there is none. */
    stat(path: string) {
      const stats = statNoLink(path);
      return stats?.isFile() ? stats : undefined;
    },
    /** Lists files and links below a directory, sorted by path; does not follow links. Empty if the directory does not exist. */
    listEntries(folder: string) {
      if (statNoLink(folder)?.isDirectory() !== true) return [];
      return [...walkDirectory(root, folder)]
        .map(([path, entry]) => ({ path, isFile: entry.isFile() }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    /** Creates a directory and its parents. */
    createDirectory: createFolder,
    /**
     * Creates a file. Replaces any file or link of that name, unless it has to be new. Returns a descriptor to write and read.
     * @throws {Error} with the code EEXIST if it has to be new, and is not.
     */
    create(path: string, { isNew }: { isNew: boolean } = { isNew: false }) {
      if (!isNew) remove(path);
      createFolder(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      return fs.openSync(
        join(root, path),
        fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL | (fs.constants.O_NOFOLLOW ?? 0),
      );
    },
    /** Deletes a file or link, never the target of a link. Returns false if it is missing. */
    delete: remove,
    /** Deletes a directory if it is empty, and then each parent that is empty. */
    deleteEmptyDirectories(path: string) {
      for (let folder = path; folder !== '' && folder !== '.'; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
        if (statNoLink(folder)?.isDirectory() !== true || fs.readdirSync(join(root, folder)).length > 0) return;
        real.delete(folder);
        fs.rmdirSync(join(root, folder));
      }
    },
  };
}

/** Calls `work` with an open file, and closes the file even if `work` throws. */
export function usingDescriptor<T>(descriptor: number, action: (descriptor: number) => T): T {
  try {
    return action(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Returns what `work` returns; undefined if a path leaves the directory, or is or crosses a symbolic link. */
export const undefinedIfUnsafe = <T>(work: () => T): T | undefined =>
  undefinedIf((error) => error instanceof UnsafePathError, work);
