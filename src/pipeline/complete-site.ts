/** The last step before a site is published: what depends on all of its files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMPACT_DIRECTORY } from './build-caches.ts';
import { createCompactSite } from './compact.ts';
import type { SiteFile } from './compare-files.ts';
import { describeOfflineCopy } from './offline-copy.ts';
import type { SiteState } from './site-state.ts';

/** What decides on the form of a site. */
export interface SiteForm {
  /** Whether pages and thumbnails are in packs. */
  compact: boolean;
  /** Set for a kiosk, which is not saved for offline use. */
  kiosk: unknown;
  /** Whether it has a search index for HTTP. */
  hasIndex: boolean;
  /** Directory of the site's cache. */
  cacheDirectory: string;
  state: SiteState;
}

/** Returns the files of a site, from all that were made for it. Of files with the same path, the last counts. */
export function completeSite(
  made: readonly SiteFile[],
  { compact: isCompact, kiosk, hasIndex, cacheDirectory, state }: SiteForm,
): SiteFile[] {
  const files = [...new Map(made.map((file) => [file.path, file])).values()];
  const siteFiles = isCompact ? createCompactSite(files, join(cacheDirectory, COMPACT_DIRECTORY)) : files;
  const directory = join(cacheDirectory, 'offline');
  mkdirSync(directory, { recursive: true });
  return kiosk ? siteFiles : [...siteFiles, describeOfflineCopy(siteFiles, state, directory, hasIndex)];
}

/** Returns files as those of the site: path in the site → file on disk. */
export function toSiteFiles(files: Iterable<readonly [path: string, file: string]>): SiteFile[] {
  return Array.from(files, ([path, file]): SiteFile => ({ path, file }));
}
