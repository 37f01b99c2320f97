/** Reads what a snapshot contains, what is missing and why, and the size of its site. */
import { existsSync } from 'node:fs';
import { originalOfCopy } from '../../formats/compressed-names.ts';
import { readIncompleteLists } from '../../harvest/report.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { sizeInClusters } from '../../platform/portability.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { readManifest } from '../../publish/manifest.ts';
import { isSameArchive, readArchiveIdentity, readSiteIdentity } from '../../publish/site-identity.ts';
import { countRemoved } from '../../snapshot/changes.ts';
import { readPendingDeletions } from '../../snapshot/deletions.ts';
import { readFilesElsewhere } from '../../snapshot/files-elsewhere.ts';
import {
  countQueued,
  countResources,
  readFailures,
  readLastReport,
  readLastRun,
  readMediaRows,
  readMeta,
} from '../../snapshot/read.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import type { Store } from '../../snapshot/store.ts';

/** Returns the state of a snapshot, and of its site if that is in the directory `dir` (docs/reports.md, `status --json`). */
export function readSnapshotStatus(store: Store, dir: string) {
  const run = readLastRun(store);
  const media = readMediaRows(store);
  const identity = existsSync(dir) ? readSiteIdentity(dir) : undefined;
  return {
    authorsUrl: readMeta(store, 'authors_url'),
    catalogUrl: readMeta(store, 'catalog_url'),
    startedAt: run?.started_at,
    finishedAt: run?.finished_at,
    counts: countResources(store),
    queued: countQueued(store),
    removed: countRemoved(store),
    pendingDeletions: readPendingDeletions(store),
    failures: readFailures(store),
    incompleteLists: readIncompleteLists(readLastReport(store)),
    media: {
      stored: media.filter((row) => row.state === 'stored').length,
      failed: media.filter((row) => row.state === 'failed').length,
      failures: filesIn('failed', media),
      quarantined: filesIn('quarantined', media),
      elsewhere: readFilesElsewhere(store),
      ...countStoredFiles(media),
    },
    site: identity && isSameArchive(identity, readArchiveIdentity(store)) ? siteStatus(dir) : undefined,
  };
}

/** Returns the size of the site; undefined if the directory has none. */
function siteStatus(dir: string): { dir: string; files: number; bytes: number; bytesOnUsbDrive: number } | undefined {
  const safeDir = toSafeDirectory(dir);
  const files = readManifest(dir).flatMap(({ path }) =>
    isRegularFile(safeDir, path) ? [[path, safeDir.stat(path)?.size ?? 0] as const] : [],
  );
  if (files.length === 0) return undefined;
  const bytesOnUsbDrive = sizeInClusters(files.filter(([path]) => originalOfCopy(path) === undefined));
  return { dir, files: files.length, bytes: files.reduce((total, [, size]) => total + size, 0), bytesOnUsbDrive };
}

/** Returns the media files that failed or are quarantined, and why. */
function filesIn(state: StoredMedia['state'], media: StoredMedia[]) {
  return media
    .filter((row) => row.state === state)
    .map(({ url, owner, cause, path }) => ({ url, owner, cause: cause ?? 'unknown', path }));
}

/** Counts the stored files without duplicates, and their bytes. */
function countStoredFiles(media: StoredMedia[]): { files: number; bytes: number } {
  const files = new Map(
    media.flatMap(({ state, path, size }) => (state === 'stored' && path ? [[path, size ?? 0] as const] : [])),
  );
  return { files: files.size, bytes: [...files.values()].reduce((total, size) => total + size, 0) };
}
