/** Locks the directory of a site, so that one build at a time writes to it. */
import { accessSync, constants, existsSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LOCK_FILE } from '../../catalogue/urls.ts';
import { LockedError, UserError } from '../../model/errors.ts';
import { createDirectories } from '../../platform/create-directory.ts';
import { createLock, type Lock, tryLock } from '../../platform/lock.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';

/** A locked directory. It is deleted with the lock if it was created for it and is still empty. */
export interface SiteLock extends Lock {
  /** The directory, with symbolic links resolved. */
  out: string;
}

/**
 * Locks a directory, and creates it if necessary. The lock ends with the process.
 * @throws {LockedError} if another build has locked it
 * @throws {UserError} if it cannot be created
 */
export function lockSite(directory: string): SiteLock {
  const isNew = createDirectory(directory);
  const safeDir = toSafeDirectory(directory);
  const lock = tryLock(safeDir, LOCK_FILE);
  if (!lock)
    throw new LockedError(
      `Another build is writing to ${directory}. Wait until it has finished, or choose another directory with --out.`,
    );
  return {
    out: safeDir.root,
    ...createLock(() => {
      lock.close();
      if (isNew && readdirSync(safeDir.root).length === 0) rmdirSync(safeDir.root);
    }),
  };
}

/** Creates a directory if it does not exist. Returns whether it did. */
function createDirectory(directory: string): boolean {
  try {
    return createDirectories(directory) !== undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'EROFS') throw cause;
    const reason = isReadOnly(nearestExisting(directory)) ? 'its file system is read-only' : 'a file has its name';
    throw new UserError(`The directory ${directory} cannot be created: ${reason}. Choose another one with --out.`, { cause });
  }
}

function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return true;
    throw error;
  }
}

/** Returns the directory itself, or the nearest one above it that exists. */
function nearestExisting(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearestExisting(dirname(directory));
}
