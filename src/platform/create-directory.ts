/** Creates directories where the system may not allow it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and those above it, one by one: `mkdirSync` with `recursive` never ends in a file system without
 * directories to create, such as /proc. Returns the first one that was created.
 * @throws {Error} of the file system, with the code EPERM if nothing can be created there.
 */
export function createDirectories(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const missing: string[] = [];
  for (
    let directory = resolve(path);
    statSync(directory, { throwIfNoEntry: false }) === undefined;
    directory = dirname(directory)
  )
    missing.unshift(directory);
  if (missing.length === 0) missing.push(resolve(path));
  let first: string | undefined;
  for (const directory of missing)
    try {
      mkdirSync(directory);
      first ??= directory;
    } catch (error) {
      // Another process may have created it in the meantime.
      const isThere =
        (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(directory, { throwIfNoEntry: false })?.isDirectory();
      if (!isThere) throw toPermissionError(error, dirname(directory));
    }
  return first;
}

/** Returns an error of creating something in a directory. If that exists but the system denies it, no files are allowed there. */
export function toPermissionError(error: unknown, directory: string): unknown {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || statSync(directory, { throwIfNoEntry: false }) === undefined) return error;
  return Object.assign(new Error(`EPERM: nothing can be created in ${directory}`, { cause: error }), {
    code: 'EPERM',
    syscall,
    path,
  });
}
