/** The manifest of a built site: what was put into dist, and that it was us who put it there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestLine, manifestLines } from './manifest-lines.ts';

/** Lists every file of dist with its SHA-256: `sha256sum -c manifest-sha256.txt` checks the copy, with or without Microfiche. It also marks the folder as ours. */
export const MANIFEST = 'manifest-sha256.txt';
/** The lines of a folder's manifest; none where it has no manifest. */
export function readManifest(out: string): ManifestLine[] {
  const file = join(out, MANIFEST);
  return existsSync(file) ? manifestLines(readFileSync(file, 'utf8')) : [];
}
