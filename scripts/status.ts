/** `microfiche status`: shows what a snapshot contains, what is missing and why, when it was last harvested, and what changed since a date. */
import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { originalOfCopy } from '../src/client/compressed-names.ts';
import { failureLines, formatIncompleteList, readIncompleteLists, truncateLines } from '../src/harvest/report.ts';
import { escapeHtml } from '../src/model/markup.ts';
import { isRegularFile } from '../src/platform/directory-entries.ts';
import { sizeInClusters } from '../src/platform/portability.ts';
import { formatBytes } from '../src/platform/quantities.ts';
import { toSafeDirectory } from '../src/platform/safe-directory.ts';
import { formatCount, groupLines, toPrintable } from '../src/platform/text-lines.ts';
import { readManifest } from '../src/publish/manifest.ts';
import { isSameArchive, readArchiveIdentity, readSiteIdentity } from '../src/publish/site-identity.ts';
import { openArchive } from '../src/sample/archive.ts';
import { changesSince, countRemoved } from '../src/snapshot/changes.ts';
import { countWithoutExchanges } from '../src/snapshot/exchanges.ts';
import { computeFingerprint } from '../src/snapshot/fingerprint.ts';
import {
  countQueued,
  countResources,
  readBaseUrls,
  readFailures,
  readLastReport,
  readLastRun,
  readMediaRows,
  readMeta,
} from '../src/snapshot/read.ts';
import type { StoredMedia } from '../src/snapshot/row-types.ts';
import type { Store } from '../src/snapshot/store.ts';
import { formatFile } from './media.ts';
import { createDirOption, createJsonOption, createSnapshotOption, HELP_OPTION, parseMoment } from './options.ts';

interface Flags {
  snapshot: string;
  dir: string;
  since?: string;
  json?: boolean;
}

/** Returns the command `status`. */
export function statusCommand(): Command {
  return new Command('status')
    .summary('Show what the snapshot contains and what is missing')
    .description('Show what the snapshot contains, what is missing and why, and when it was last harvested.')
    .helpOption(...HELP_OPTION)
    .addOption(createSnapshotOption())
    .addOption(createDirOption())
    .option(
      '--since <date>',
      'List records that are new, changed, restored or removed since then, for example 2026-01-31',
      parseMoment,
    )
    .addOption(createJsonOption())
    .action((flags: Flags) => {
      const status = readStatus(flags);
      if (flags.json) console.log(JSON.stringify(status));
      else for (const line of statusLines(status)) console.log(line);
    });
}

function readStatus({ snapshot, dir, since }: Flags) {
  const store = openArchive(snapshot);
  try {
    const run = readLastRun(store);
    const media = readMediaRows(store);
    return {
      authorsUrl: readMeta(store, 'authors_url'),
      catalogUrl: readMeta(store, 'catalog_url'),
      startedAt: run?.started_at,
      finishedAt: run?.finished_at,
      fingerprint: computeFingerprint(store),
      counts: countResources(store),
      queued: countQueued(store),
      gone: countRemoved(store),
      failures: readFailures(store),
      withoutExchanges: countWithoutExchanges(store),
      shortfalls: readIncompleteLists(readLastReport(store)),
      media: {
        stored: media.filter((row) => row.state === 'stored').length,
        failed: media.filter((row) => row.state === 'failed').length,
        failures: filesIn('failed', media),
        quarantined: filesIn('quarantined', media),
        ...countStoredFiles(media),
      },
      site: isSiteOf(dir, store, snapshot) ? siteStatus(dir) : undefined,
      ...(since === undefined ? {} : { since, changes: changesSince(store, since) }),
    };
  } finally {
    store.close();
  }
}

const ABOUT_PAGE = 'about.html';

/** Whether a directory contains a site of this snapshot's archive. A site of an earlier version names its archive only on its about page. */
function isSiteOf(dir: string, store: Store, snapshot: string): boolean {
  if (!existsSync(dir)) return false;
  const identity = readSiteIdentity(dir);
  if (identity) return isSameArchive(identity, readArchiveIdentity(store, snapshot));
  const safeDir = toSafeDirectory(dir);
  return (
    isRegularFile(safeDir, ABOUT_PAGE) &&
    readFileSync(safeDir.resolve(ABOUT_PAGE), 'utf8').includes(escapeHtml(readBaseUrls(store).catalog))
  );
}

/** Returns the size of the site; undefined if the directory has none. */
function siteStatus(dir: string): { dir: string; files: number; bytes: number; onStick: number } | undefined {
  const safeDir = toSafeDirectory(dir);
  const files = readManifest(dir).flatMap(({ path }) =>
    isRegularFile(safeDir, path) ? [[path, safeDir.stat(path)?.size ?? 0] as const] : [],
  );
  if (files.length === 0) return undefined;
  const onStick = sizeInClusters(files.filter(([path]) => originalOfCopy(path) === undefined));
  return { dir, files: files.length, bytes: files.reduce((total, [, size]) => total + size, 0), onStick };
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

function statusLines(status: ReturnType<typeof readStatus>): string[] {
  const { media, gone: removed, failures: failed, shortfalls, changes } = status;
  return [
    `Upstream: ${toPrintable(`${status.authorsUrl} and ${status.catalogUrl}`)}`,
    status.finishedAt
      ? `Last harvest: completed ${status.finishedAt}.`
      : `Last harvest: started ${status.startedAt}, interrupted, ${formatCount(status.queued, 'resource')} queued. Run "microfiche harvest" to resume.`,
    ...Object.entries(status.counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${toPrintable(kind)}`),
    ...mediaLines(media),
    ...(status.site
      ? [
          `Site in ${status.site.dir}: ${formatCount(status.site.files, 'file')}, ${formatBytes(status.site.bytes)}; ${formatBytes(status.site.onStick)} on a USB drive with clusters of 128 KB.`,
        ]
      : []),
    ...exchangeLines(status.withoutExchanges),
    ...(removed > 0 ? [`Removed upstream: ${removed} of these. The latest valid version of each stays in the snapshot.`] : []),
    ...failureLines(failed),
    ...(shortfalls.length > 0
      ? [`Incomplete lists (${shortfalls.length}):`, ...truncateLines(shortfalls.map(formatIncompleteList))]
      : []),
    ...(changes ? [`Changes since ${status.since}:`, ...changeLines(changes)] : []),
  ];
}

function exchangeLines({ responses, media }: ReturnType<typeof countWithoutExchanges>): string[] {
  if (responses + media === 0) return [];
  const stored = `${formatCount(responses, 'response')} and ${formatCount(media, 'media file')}`;
  return [
    `An earlier version stored ${stored} without their requests and headers. "microfiche harvest --full" fetches records again.`,
  ];
}

type MediaStatus = ReturnType<typeof readStatus>['media'];

function mediaLines({ stored, files, bytes, failed, failures: failedFiles, quarantined }: MediaStatus): string[] {
  const distinct = files === stored ? '' : ` (${files} distinct)`;
  const fullListFile = 'the output of --json';
  return [
    `  ${String(stored).padStart(7)}  media ${stored === 1 ? 'file' : 'files'}${distinct}, ${formatBytes(bytes)}`,
    ...(failed > 0 ? [`Failed: ${formatCount(failed, 'media file')} could not be downloaded:`] : []),
    ...groupLines(failedFiles, { group: ({ cause }) => cause, line: (file) => formatFile(file).trim(), fullListFile }),
    ...(quarantined.length > 0
      ? [
          `Quarantined: ${formatCount(quarantined.length, 'media file')} that failed verification:`,
          ...truncateLines(
            quarantined.map((file) => `  ${toPrintable(`${formatFile(file).trim()}, moved to ${file.path}`)}`),
            fullListFile,
          ),
        ]
      : []),
  ];
}

function changeLines(changes: ReturnType<typeof changesSince>): string[] {
  return Object.entries({
    new: changes.new,
    changed: changes.changed,
    restored: changes.returned,
    removed: changes.gone,
  }).flatMap(([change, keys]) => [
    `  ${String(keys.length).padStart(7)}  ${change}`,
    ...keys.map((key) => `           ${toPrintable(key)}`),
  ]);
}
