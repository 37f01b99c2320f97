/** Lists a directory of untrusted content. Symbolic links and special files are reported, never followed or opened. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type SafeDirectory, undefinedIfUnsafe } from './safe-directory.ts';

/** Content of a directory and its subdirectories. */
export type DirectoryEntries = ReturnType<typeof listDirectoryEntries>;

/**
 * Lists everything below a directory, except the top-level names in `skip`.
 * @throws {Error} if the directory does not exist.
 */
export function listDirectoryEntries(directory: string, skip: ReadonlySet<string> = new Set()) {
  const files: Array<[path: string, size: number]> = [];
  const others: Array<{ path: string; problem: string }> = [];
  const directories = [''];
  for (let below = directories.pop(); below !== undefined; below = directories.pop()) {
    for (const name of readdirSync(join(directory, below))) {
      if (below === '' && skip.has(name)) continue;
      const path = below === '' ? name : `${below}/${name}`;
      const stats = lstatSync(join(directory, path), { throwIfNoEntry: false });
      if (stats?.isDirectory()) directories.push(path);
      else if (stats?.isFile()) files.push([path, stats.size]);
      else others.push({ path, problem: entryProblem(stats) });
    }
  }
  const compare = (a: string, b: string) => (a < b ? -1 : 1);
  return {
    /** Size in bytes by path, for regular files, sorted by path. The separator is `/`. */
    files: new Map(files.sort(([a], [b]) => compare(a, b))),
    /** Everything that is neither a regular file nor a directory, sorted by path, with a sentence that says what it is. */
    otherEntries: others.sort((a, b) => compare(a.path, b.path)),
  };
}

function entryProblem(stats: Stats | undefined): string {
  if (stats === undefined) return 'its name is not valid UTF-8';
  return stats.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a regular file';
}

/** Returns whether a regular file is at `path`. A path that is or crosses a symbolic link does not count. */
export function isRegularFile(safeDir: SafeDirectory, path: string): boolean {
  return undefinedIfUnsafe(() => safeDir.stat(path)) !== undefined;
}
