/** Finds the file in a directory that the path of a request names. */
import { decodePercentStrictly } from '../model/text/percent.ts';
import { hasCode, undefinedIf } from '../platform/expected-errors.ts';
import { toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';

/** A regular file in a directory: its path below `root`, which is absolute and without symbolic links. */
export type FoundFile = NonNullable<ReturnType<typeof findFile>>;

/** Decodes the path of a request. Undefined if it is malformed, leaves the directory, or has a segment that begins with a dot. */
export function parseFileName(pathname: string): string | undefined {
  const parts: string[] = [];
  for (const part of pathname.slice(1).split('/')) {
    const decoded = decodePercentStrictly(part);
    if (decoded === undefined || decoded.includes('/') || decoded.startsWith('.')) return undefined;
    parts.push(decoded);
  }
  return parts.join('/');
}

/**
 * Returns the file at `path` in a directory; undefined if it does not exist or its path crosses a symbolic link. Checks the disk
 * at every call, since the directory may change while it is served.
 */
export function findFile(directory: string, path: string) {
  const isNowhere = (error: unknown) => error instanceof UnsafePathError || hasCode(error, ...NOT_FOUND_CODES);
  return undefinedIf(isNowhere, () => {
    const safeDir = toSafeDirectory(directory);
    const stats = safeDir.stat(path);
    return stats && { root: safeDir.root, path, stats };
  });
}

const NOT_FOUND_CODES = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];
