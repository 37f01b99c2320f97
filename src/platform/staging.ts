/** A directory beside a target, for what is moved there when it is complete. What a killed process left in one is deleted. */
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { createDirectories, toPermissionError } from './create-directory.ts';
import { attempt } from './expected-errors.ts';
import { type Lock, tryLock } from './lock.ts';
import { toSafeDirectory } from './safe-directory.ts';

/**
 * A staging directory. Only one process at a time has one for the same target and purpose. It is deleted with directories above
 * the target that were created for it and are empty.
 */
export interface Staging extends Disposable {
  /** Absolute path, on the file system of the target. */
  directory: string;
}

/**
 * Creates a staging directory for a target, which is absolute. `purpose` is part of its name. Undefined if another process has
 * one.
 * @throws {Error} of the file system.
 */
export function openStaging(target: string, purpose: string): Staging | undefined {
  const parent = dirname(target);
  const created = createDirectories(parent);
  const name = `.${basename(target)}.${purpose}`;
  const deleteCreated = () => {
    if (created === undefined) return;
    for (let directory = parent; directory.length >= created.length; directory = dirname(directory)) {
      if (readdirSync(directory).length > 0) return;
      rmdirSync(directory);
    }
  };
  const lock = lockIn(parent, `${name}.lock`);
  if (!lock) return undefined;
  using opening = new DisposableStack();
  opening.defer(deleteCreated);
  opening.use(lock);
  // The six characters that `mkdtemp` adds.
  for (const entry of readdirSync(parent))
    if (entry.startsWith(`${name}-`) && /^\w{6}$/.test(entry.slice(name.length + 1)))
      rmSync(join(parent, entry), { recursive: true, force: true });
  const directory = mkdtempSync(join(parent, `${name}-`));
  opening.defer(() => rmSync(directory, { recursive: true, force: true }));
  const open = opening.move();
  return { directory, [Symbol.dispose]: () => open.dispose() };
}

function lockIn(directory: string, name: string): Lock | undefined {
  try {
    return tryLock(toSafeDirectory(directory), name);
  } catch (error) {
    throw toPermissionError(error, directory);
  }
}

/** Returns the absolute path of a file or directory that need not exist. Symbolic links above it are resolved. */
export function realPath(path: string): string {
  const absolute = resolve(path);
  const exists = lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  if (exists) return attempt(() => realpathSync(absolute)) ?? absolute; // it may be a broken link
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
}

/** Returns whether a path is a directory or below it. Neither needs to exist. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(realPath(directory), realPath(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
