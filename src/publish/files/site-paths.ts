/** Looks at the paths of a site before files are moved there: follows no link, and touches nothing of the operator. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { isBelowFile, undefinedIf } from '../../platform/expected-errors.ts';
import { type SafeDirectory, undefinedIfUnsafe } from '../../platform/safe-directory.ts';

/** Whether a directory above a path is a symbolic link. */
function isBehindLink(safeDir: SafeDirectory, path: string): boolean {
  const directory = dirname(path);
  return directory !== '.' && undefinedIfUnsafe(() => safeDir.resolve(directory)) === undefined;
}

/**
 * Returns the regular file that the site has at a path; undefined if there is none, or a symbolic link, which will be replaced.
 * @throws {UserError} if a directory above it is a symbolic link
 */
export function statRegularFile(safeDir: SafeDirectory, path: string): Stats | undefined {
  if (isBehindLink(safeDir, path))
    throw new UserError(
      `${join(safeDir.root, dirname(path))} is a symbolic link or is inside one, and symbolic links are not followed. Remove the link, or choose another directory with --out.`,
    );
  return undefinedIfUnsafe(() => safeDir.stat(path));
}

/** Whether a path is a file or link that can be deleted without following a link. */
export function canRemove(safeDir: SafeDirectory, path: string): boolean {
  return !isBehindLink(safeDir, path) && statsOf(safeDir, path)?.isDirectory() === false;
}

/** Returns what is at a path of the site, without following a link; undefined if there is nothing. */
export function statsOf(safeDir: SafeDirectory, path: string): Stats | undefined {
  return undefinedIf(isBelowFile, () => lstatSync(join(safeDir.root, path), { throwIfNoEntry: false }));
}

/** @throws {UserError} if a file of the operator has the name of a directory of the site, or vice versa */
export function assertPathsFree(
  changed: ReadonlyArray<{ path: string }>,
  obsolete: ReadonlySet<string>,
  safeDir: SafeDirectory,
): void {
  const checked = new Set<string>();
  for (const { path } of changed) {
    for (let directory = dirname(path); directory !== '.' && !checked.has(directory); directory = dirname(directory)) {
      checked.add(directory);
      if (statsOf(safeDir, directory)?.isDirectory() === false && !obsolete.has(directory))
        throw new UserError(
          `${join(safeDir.root, directory)} is in the way: the site needs a directory with this name. Move the file away, then build again.`,
        );
    }
    if (statsOf(safeDir, path)?.isDirectory() && containsOtherFiles(safeDir, path, obsolete))
      throw new UserError(
        `The directory ${join(safeDir.root, path)} is in the way: the site needs a file with this name. Move it away, then build again.`,
      );
  }
}

/** Whether a directory contains files that will not be deleted. */
function containsOtherFiles(safeDir: SafeDirectory, directory: string, obsolete: ReadonlySet<string>): boolean {
  return readdirSync(join(safeDir.root, directory), { withFileTypes: true }).some((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? containsOtherFiles(safeDir, path, obsolete) : !obsolete.has(path);
  });
}
