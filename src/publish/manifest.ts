/** The manifest of a built site: what was put into dist, and that it was us who put it there. */
import { existsSync, readFileSync } from 'node:fs';
import { type ManifestLine, manifestLines } from '../client/manifest-lines.ts';
import { containedIn } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';

/** Lists every file of dist with its SHA-256: `sha256sum -c manifest-sha256.txt` checks the copy, with or without Microfiche. It also marks the folder as ours. */
export const MANIFEST = 'manifest-sha256.txt';

/** The lines of a folder's manifest; none where it has no manifest, or a symbolic link in place of one. */
export function readManifest(out: string): ManifestLine[] {
  return manifestLines(manifestText(out) ?? '');
}

/** The manifest as it stands; undefined where there is none, or a symbolic link in place of one. */
export function manifestText(out: string): string | undefined {
  if (!existsSync(out)) return undefined;
  const inside = containedIn(out);
  return isFile(inside, MANIFEST) ? readFileSync(inside.at(MANIFEST), 'utf8') : undefined;
}
