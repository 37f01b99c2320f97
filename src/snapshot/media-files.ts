/** Safe access to files named by `media` rows. A snapshot is untrusted: rows can name any path, and it may contain links. */
import { renameSync, type Stats } from 'node:fs';
import { dirname } from 'node:path/posix';
import { type SafeDirectory, UnsafePathError, undefinedIfUnsafe } from '../platform/safe-directory.ts';
import { mediaPathProblem } from './media-path.ts';

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
