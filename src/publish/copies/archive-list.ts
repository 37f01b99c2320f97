/** The page that lists the archives on a drive, if each of several is in a directory of its own there. */
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { SITE_DIRECTORY, START_FILE } from '../usb-names.ts';
import { readRegularText, writeAtomically } from './copied-files.ts';
import { ARCHIVE_LIST_MARKER, readSiteTitle, renderArchiveList } from './root-files.ts';

/** Codes of errors of directories that may not be read or written. */
const PERMISSION_ERRORS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Lists the copy in the directory `root` and those in its neighbors on the same drive, on a page in their parent directory.
 * Returns the page's path; undefined if there is no other copy, if the parent may not be written, or if it has a start page that
 * Microfiche did not write.
 */
export function writeArchiveList(root: string): string | undefined {
  const parent = toSafeDirectory(dirname(root));
  if (parent.root === root || statSync(parent.root).dev !== statSync(root).dev) return undefined;
  try {
    const copies = readdirSync(parent.root).flatMap((name) => {
      const site = `${name}/${SITE_DIRECTORY}`;
      if (!isRegularFile(parent, `${site}/${MANIFEST_FILE}`)) return [];
      return [
        [
          readSiteTitle(toSafeDirectory(parent.resolve(site))) || name,
          `${encodeURIComponent(name)}/${SITE_DIRECTORY}/index.html`,
        ] as const,
      ];
    });
    const written = readRegularText(parent, START_FILE);
    if (copies.length < 2 || (written !== undefined && !written.includes(ARCHIVE_LIST_MARKER))) return undefined;
    writeAtomically(parent, START_FILE, renderArchiveList(copies.sort()));
  } catch (error) {
    if (PERMISSION_ERRORS.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
  return parent.resolve(START_FILE);
}
