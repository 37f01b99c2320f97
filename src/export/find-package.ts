/** Whether a path is that of a package. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_IDENTITY_FILE } from '../publish/signed-kinds.ts';

/** Returns whether a path is that of a package, and not of a site: a file, or the directory of a bag or of another export. */
export function isPackage(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.isFile() === true;
  return ['bagit.txt', PACKAGE_IDENTITY_FILE].some((name) => existsSync(join(path, name)));
}

/** Returns the path of a bag that a directory contains and nothing else, as after unpacking a ZIP or TAR file; undefined if it has none. */
export function findUnpackedBag(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const [only, ...others] = readdirSync(path);
  if (only === undefined || others.length > 0) return undefined;
  const bag = join(path, only);
  return lstatSync(bag).isDirectory() && isPackage(bag) ? bag : undefined;
}
