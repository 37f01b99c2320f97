/** The files that rows of media name, touched only where that is safe: a snapshot that was handed on may name any path, and hold symbolic links. */
import { renameSync, type Stats } from 'node:fs';
import { dirname } from 'node:path/posix';
import { type SafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { mediaPathProblem } from './media-path.ts';

/** The file of a row; undefined if there is none, or its path must not be used. */
export function statMediaFile(safeDir: SafeDirectory, path: string, state?: 'stored' | 'quarantined'): Stats | undefined {
  return mediaPathProblem(path, state) === undefined ? undefinedIfUnsafe(() => safeDir.stat(path)) : undefined;
}

/** Deletes the file of a row. Nothing happens if its path must not be used. */
export function deleteMediaFile(safeDir: SafeDirectory, path: string): void {
  if (mediaPathProblem(path) === undefined) undefinedIfUnsafe(() => safeDir.delete(path));
}

/** Moves a finished part to its place, over whatever file or link has that name. @throws UnsafePathError */
export function moveIntoPlace(safeDir: SafeDirectory, partPath: string, path: string): void {
  const problem = mediaPathProblem(path);
  if (problem !== undefined) throw new UnsafePathError(path, problem);
  const from = safeDir.resolve(partPath);
  let to = undefinedIfUnsafe(() => safeDir.resolve(path));
  if (to === undefined) {
    safeDir.delete(path); // the link itself; throws if a folder above is one
    to = safeDir.resolve(path);
  }
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    safeDir.createDirectory(dirname(path)); // most files have the folder of the one before
    renameSync(from, to);
  }
}

function undefinedIfUnsafe<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsafePathError) return undefined;
    throw error;
  }
}
