/** The last step before a site is published: what depends on all of its files. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInOfflineCopy } from '../../formats/manifest-lines.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import type { SiteState } from '../../publish/files/site-state.ts';
import { COMPACT_DIRECTORY } from '../cache/build-caches.ts';
import { createCompactSite } from './compact.ts';

/**
 * Returns the files of a site, from all that were made for it. Of files with the same path, the last counts. A kiosk is not saved
 * for offline use.
 */
export function completeSite(
  made: readonly SiteFile[],
  { cacheDirectory, state, ...options }: { compact: boolean; kiosk: unknown; cacheDirectory: string; state: SiteState },
) {
  const files = [...new Map(made.map((file) => [file.path, file])).values()];
  const siteFiles = options.compact ? createCompactSite(files, join(cacheDirectory, COMPACT_DIRECTORY)) : files;
  const directory = join(cacheDirectory, 'offline');
  mkdirSync(directory, { recursive: true });
  return options.kiosk ? siteFiles : [...siteFiles, describeOfflineCopy(siteFiles, state, directory)];
}

const OFFLINE_FILE = 'offline.json';

/** Writes the number and size of files that a browser saves for offline use. */
function describeOfflineCopy(siteFiles: readonly SiteFile[], state: SiteState, directory: string): SiteFile {
  let [files, bytes] = [0, 0];
  for (const { path, file, known } of siteFiles) {
    if (!isInOfflineCopy(path)) continue;
    files++;
    bytes += file === undefined ? ((known ?? state.get(path))?.size ?? 0) : statSync(file).size;
  }
  const description = join(directory, OFFLINE_FILE);
  writeFileSync(description, `${JSON.stringify({ files, bytes })}\n`);
  return { path: OFFLINE_FILE, file: description };
}
