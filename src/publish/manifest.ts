/** Reads the manifest of a site. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestLine, parseManifest } from '../formats/manifest-lines.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { SITE_DIRECTORY } from './usb-names.ts';

/**
 * Lists every file of a site with its SHA-256, for `verify` and for `sha256sum -c manifest-sha256.txt`. It also marks the
 * directory as a site that Microfiche made.
 */
export const MANIFEST_FILE = 'manifest-sha256.txt';
/** The signature of the manifest, if the site was signed. */
export const SIGNATURE_FILE = `${MANIFEST_FILE}.sig`;

/** Reads the lines of a site's manifest; none if it does not exist or is a symbolic link. */
export const readManifest = (out: string): ManifestLine[] => parseManifest(readManifestText(out) ?? '');

/** Reads the text of a site's manifest; undefined if it does not exist or is a symbolic link. */
export const readManifestText = (out: string): string | undefined => readText(out, MANIFEST_FILE);

/** Returns the directory of a site: the directory itself, or that of the site on a USB drive whose root it is. */
export function siteDirectoryOf(directory: string): string {
  const isDrive = readManifestText(directory) === undefined && hasFile(directory, `${SITE_DIRECTORY}/${MANIFEST_FILE}`);
  return isDrive ? join(directory, SITE_DIRECTORY) : directory;
}

/** Whether a directory has a regular file at a path that crosses no symbolic link. */
function hasFile(directory: string, path: string): boolean {
  return existsSync(directory) && isRegularFile(toSafeDirectory(directory), path);
}

/** Reads a text file in the directory of a site; undefined if it does not exist or is a symbolic link. */
export function readText(out: string, name: string): string | undefined {
  return hasFile(out, name) ? readFileSync(join(out, name), 'utf8') : undefined;
}
