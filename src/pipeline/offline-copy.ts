/** Describes what a browser stores if the reader saves the site for offline use. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInOfflineCopy } from '../client/manifest-lines.ts';
import type { SiteFile } from './compare-files.ts';
import type { SiteState } from './site-state.ts';

const OFFLINE_FILE = 'offline.json';

/**
 * Writes the number and size of the files that a browser stores if the reader saves the site for offline use. It stores one form of the search
 * index.
 */
export function describeOfflineCopy(
  siteFiles: readonly SiteFile[],
  state: SiteState,
  directory: string,
  hasIndex: boolean,
): SiteFile {
  let [files, bytes] = [0, 0];
  for (const { path, file, known } of siteFiles) {
    if (!isInOfflineCopy(path, hasIndex)) continue;
    files++;
    bytes += file === undefined ? ((known ?? state.get(path))?.size ?? 0) : statSync(file).size;
  }
  const description = join(directory, OFFLINE_FILE);
  writeFileSync(description, `${JSON.stringify({ files, bytes })}\n`);
  return { path: OFFLINE_FILE, file: description };
}
