/** Reads the manifest of a site. */
import { existsSync, readFileSync } from 'node:fs';
import { type ManifestLine, manifestLines } from '../client/manifest-lines.ts';
import { containedIn } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';

/**
 * Lists every file of a site with its SHA-256, for `verify` and for `sha256sum -c manifest-sha256.txt`. It also marks the directory as one
 * of ours.
 */
export const MANIFEST = 'manifest-sha256.txt';

/** Reads the lines of a site's manifest; none if it does not exist or is a symbolic link. */
export function readManifest(out: string): ManifestLine[] {
  return manifestLines(manifestText(out) ?? '');
}

/** Reads the text of a site's manifest; undefined if it does not exist or is a symbolic link. */
export function manifestText(out: string): string | undefined {
  if (!existsSync(out)) return undefined;
  const inside = containedIn(out);
  return isFile(inside, MANIFEST) ? readFileSync(inside.at(MANIFEST), 'utf8') : undefined;
}
