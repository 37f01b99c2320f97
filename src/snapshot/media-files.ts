/** Safe access to files named by `media` rows. A snapshot is untrusted: rows can name any path, and it may contain links. */
import { renameSync, type Stats } from 'node:fs';
import { dirname } from 'node:path/posix';
import { pathProblem } from '../platform/portability.ts';
import { type SafeDirectory, UnsafePathError, undefinedIfUnsafe } from '../platform/safe-directory.ts';
import { MEDIA_DIRECTORIES } from './file-names.ts';

/**
 * Returns why a path from a row of `media`, `download` or `orphan_file` must not be used; undefined if it may be. A valid path
 * has the form `media/<directory>/<file>`, or `quarantine/<directory>/<file>` for a quarantined file. Without a state, both are
 * valid. Does not look for symbolic links; `toSafeDirectory` does.
 */
export function mediaPathProblem(path: string, state?: keyof typeof MEDIA_DIRECTORIES): string | undefined {
  const [top = '', ...names] = path.split('/');
  const tops: readonly string[] = state === undefined ? Object.values(MEDIA_DIRECTORIES) : [MEDIA_DIRECTORIES[state]];
  if (!tops.includes(top)) return `its path does not begin with ${tops.map((directory) => `${directory}/`).join(' or ')}`;
  if (names.length !== 2) return `its path does not have the form ${top}/directory/file`;
  // Each name is checked separately: with two long IDs, a path may exceed the maximum length for a site and still be valid in a
  // snapshot.
  return names.map(pathProblem).find((problem) => problem !== undefined);
}

/** Returns the file of a row; undefined if it does not exist or its path is not allowed. */
export function statMediaFile(safeDir: SafeDirectory, path: string, state?: 'stored' | 'quarantined'): Stats | undefined {
  return mediaPathProblem(path, state) === undefined ? undefinedIfUnsafe(() => safeDir.stat(path)) : undefined;
}

/** Deletes the file of a row. Returns false if it does not exist or its path is not allowed. */
export function deleteMediaFile(safeDir: SafeDirectory, path: string): boolean {
  return mediaPathProblem(path) === undefined && undefinedIfUnsafe(() => safeDir.delete(path)) === true;
}

/**
 * Renames a complete partial file to its final path. Replaces any file or link there.
 * @throws {UnsafePathError} if the path is not allowed
 */
export function moveIntoPlace(safeDir: SafeDirectory, partPath: string, path: string): void {
  const problem = mediaPathProblem(path);
  if (problem !== undefined) throw new UnsafePathError(path, problem);
  const from = safeDir.resolve(partPath);
  let to = undefinedIfUnsafe(() => safeDir.resolve(path));
  if (to === undefined) {
    safeDir.delete(path); // deletes the link itself; throws if a directory above it is a link
    to = safeDir.resolve(path);
  }
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    safeDir.createDirectory(dirname(path)); // not before the first attempt: most files go into an existing directory
    renameSync(from, to);
  }
}
