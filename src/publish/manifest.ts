/** Reads the manifest of a site. */
import { existsSync, readFileSync } from 'node:fs';
import { type ManifestLine, parseManifest } from '../formats/manifest-lines.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';

/**
 * Lists every file of a site with its SHA-256, for `verify` and for `sha256sum -c manifest-sha256.txt`. It also marks the
 * directory as a site that Microfiche made.
 */
export const MANIFEST_FILE = 'manifest-sha256.txt';
/** The signature of the manifest, if the site was signed. */
export const SIGNATURE_FILE = `${MANIFEST_FILE}.sig`;

/** Reads the lines of a site's manifest; none if it does not exist or is a symbolic link. */
export function readManifest(out: string): ManifestLine[] {
  return parseManifest(readManifestText(out) ?? '');
}

/** Reads the text of a site's manifest; undefined if it does not exist or is a symbolic link. */
export const readManifestText = (out: string): string | undefined => readText(out, MANIFEST_FILE);

/** Reads a text file in the directory of a site; undefined if it does not exist or is a symbolic link. */
export function readText(out: string, name: string): string | undefined {
  if (!existsSync(out)) return undefined;
  const safeDir = toSafeDirectory(out);
  return isRegularFile(safeDir, name) ? readFileSync(safeDir.resolve(name), 'utf8') : undefined;
}
