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
export function readManifestText(out: string): string | undefined {
  if (!existsSync(out)) return undefined;
  const safeDir = toSafeDirectory(out);
  return isRegularFile(safeDir, MANIFEST_FILE) ? readFileSync(safeDir.resolve(MANIFEST_FILE), 'utf8') : undefined;
}
