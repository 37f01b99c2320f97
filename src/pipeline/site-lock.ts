/** One build at a time writes into a site's folder. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LOCK } from '../catalogue/own-names.ts';
import { UserError } from '../model/errors.ts';
import { containedIn } from '../platform/contained.ts';
import { tryLock } from '../platform/lock.ts';

export interface SiteLock {
  /** The folder, with symbolic links resolved. */
  out: string;
  /** Lets other builds write there. A folder that was made for the lock, and is still empty, goes. */
  close(): void;
}

/** Makes the folder where there is none, and locks it. The system drops the lock with the process. @throws UserError when another build has it */
export function lockSite(folder: string): SiteLock {
  const isNew = makeFolder(folder);
  const inside = containedIn(folder);
  const lock = tryLock(inside, LOCK);
  if (!lock)
    throw new UserError(`Another build is writing to ${folder}: wait until it has finished, or name another folder with --out.`);
  return {
    out: inside.root,
    close() {
      lock.close();
      if (isNew && readdirSync(inside.root).length === 0) rmdirSync(inside.root);
    },
  };
}

/** True when it was not there. */
function makeFolder(folder: string): boolean {
  try {
    return mkdirSync(folder, { recursive: true }) !== undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOENT') throw cause;
    const why = isReadOnly(existing(folder)) ? 'its disk can only be read' : 'something else has its name'; // Node says only ENOENT for either
    throw new UserError(`The folder ${folder} cannot be made: ${why}. Name another one with --out.`, { cause });
  }
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return true;
    throw error;
  }
}

/** The folder itself, or the nearest above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
