/** Reads the path of a request as the name of a file inside a folder, and finds that file. */
import type { Stats } from 'node:fs';
import { containedIn, UnsafePath } from '../platform/contained.ts';

/** A regular file inside a folder. */
export interface FoundFile {
  /** Absolute, without symbolic links. */
  root: string;
  /** Below the root. */
  path: string;
  stats: Stats;
}

/** A request's path without its query, decoded; undefined where it names no file: malformed, leading out, or with a part that begins with a dot. */
export function fileNameIn(pathname: string): string | undefined {
  const parts: string[] = [];
  for (const part of pathname.slice(1).split('/')) {
    const decoded = decodeWhole(part);
    if (decoded === undefined || decoded.includes('/') || decoded.startsWith('.')) return undefined;
    parts.push(decoded);
  }
  return parts.join('/');
}

/** The file at `path` below a folder; undefined where there is none, or only one behind a symbolic link. Looked up anew each time: the folder may change while it is served. */
export function findFile(folder: string, path: string): FoundFile | undefined {
  try {
    const inside = containedIn(folder);
    const stats = inside.stat(path);
    return stats && { root: inside.root, path, stats };
  } catch (error) {
    if (error instanceof UnsafePath || NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

function decodeWhole(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // not percent-encoding: no file of ours has such an address
  }
}
