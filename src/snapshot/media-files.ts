/** The files that rows of media name, touched only where that is safe: a snapshot that was handed on may name any path, and hold symbolic links. */
import { renameSync, type Stats } from 'node:fs';
import { dirname } from 'node:path/posix';
import { type Contained, UnsafePath } from '../platform/contained.ts';
import { mediaPathProblem } from './media-shape.ts';

/** The file of a row; undefined if there is none, or its path must not be used. */
export function mediaFile(inside: Contained, path: string, state?: 'stored' | 'quarantined'): Stats | undefined {
  return mediaPathProblem(path, state) === undefined ? ifSafe(() => inside.stat(path)) : undefined;
}

/** Deletes the file of a row. Nothing happens if its path must not be used. */
export function removeMedia(inside: Contained, path: string): void {
  if (mediaPathProblem(path) === undefined) ifSafe(() => inside.remove(path));
}

/** Moves a finished part to its place, over whatever file or link has that name. @throws UnsafePath */
export function placeMedia(inside: Contained, part: string, path: string): void {
  const problem = mediaPathProblem(path);
  if (problem !== undefined) throw new UnsafePath(path, problem);
  const from = inside.at(part);
  let to = ifSafe(() => inside.at(path));
  if (to === undefined) {
    inside.remove(path); // the link itself; throws if a folder above is one
    to = inside.at(path);
  }
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    inside.makeFolder(dirname(path)); // most files have the folder of the one before
    renameSync(from, to);
  }
}

function ifSafe<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsafePath) return undefined;
    throw error;
  }
}
