/** Whether a path is that of a package. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemName } from '../platform/system-files.ts';
import { PACKAGE_IDENTITY_FILE } from '../publish/signed-kinds.ts';
import { IDENTITY_FILE } from '../publish/site-identity.ts';
import { SITE_DIRECTORY } from '../publish/usb-names.ts';

/** Returns whether a path is a package: a file, or the directory of a bag or other export. Sites and drives are none. */
export function isPackage(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.isFile() === true;
  const has = (name: string) => existsSync(join(path, name));
  return ![IDENTITY_FILE, SITE_DIRECTORY].some(has) && ['bagit.txt', PACKAGE_IDENTITY_FILE].some(has);
}

/** Returns the path of a bag that is all a directory contains, as after unpacking a ZIP or TAR; undefined if there is none. */
export function findUnpackedBag(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const [only, ...others] = readdirSync(path).filter((name) => !isSystemName(name));
  if (only === undefined || others.length > 0) return undefined;
  const bag = join(path, only);
  return lstatSync(bag).isDirectory() && isPackage(bag) ? bag : undefined;
}
