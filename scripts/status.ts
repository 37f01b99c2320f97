/** `microfiche status`: what a snapshot contains, what is missing and why, when it was last harvested, and what changed since a date. */
import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { cut, failureLines, shortfallLine, shortfallsIn } from '../src/harvest/report.ts';
import { containedIn } from '../src/platform/contained.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { isFile } from '../src/platform/entries.ts';
import { counted, grouped, printable } from '../src/platform/lines.ts';
import { clusteredSize } from '../src/platform/portable.ts';
import { archiveIn, isSameArchive, siteIdentity } from '../src/publish/identity.ts';
import { readManifest } from '../src/publish/manifest.ts';
import { escapeHtml } from '../src/site/sanitize.ts';
import { changesSince, goneCount } from '../src/snapshot/changes.ts';
import {
  basesOf,
  counts,
  failures,
  lastReport,
  lastRun,
  mediaRows,
  meta,
  queuedCount,
  type StoredMedia,
} from '../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../src/snapshot/store.ts';
import { fileLine } from './media.ts';
import { dirOption, HELP_OPTION, jsonOption, moment, snapshotOption } from './options.ts';

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
    .addOption(snapshotOption())
    .addOption(dirOption())
    .option(
      '--since <date>',
      'List records that are new, changed, restored or removed since then, for example 2026-01-31',
      moment,
    )
    .addOption(jsonOption())
    .action((flags: Flags) => {
      const status = readStatus(flags);
      if (flags.json) console.log(JSON.stringify(status));
      else for (const line of lines(status)) console.log(line);
    });
}

function readStatus({ snapshot, dir, since }: Flags) {
  const store = openSnapshot(snapshot);
  try {
    const run = lastRun(store);
    const media = mediaRows(store);
    return {
      authorsUrl: meta(store, 'authors_url'),
      catalogUrl: meta(store, 'catalog_url'),
      startedAt: run?.started_at,
      finishedAt: run?.finished_at,
      counts: counts(store),
      queued: queuedCount(store),
      gone: goneCount(store),
      failures: failures(store),
      shortfalls: shortfallsIn(lastReport(store)),
      media: {
        stored: media.filter((row) => row.state === 'stored').length,
        failed: media.filter((row) => row.state === 'failed').length,
        failures: filesIn('failed', media),
        quarantined: filesIn('quarantined', media),
        ...storedFiles(media),
      },
      site: isSiteOf(dir, store, snapshot) ? siteStatus(dir) : undefined,
      ...(since === undefined ? {} : { since, changes: changesSince(store, since) }),
    };
  } finally {
    store.close();
  }
}

const ABOUT = 'about.html';

/** Whether a directory contains a site of this snapshot's archive. A site of an earlier version names its archive only on its about page. */
function isSiteOf(dir: string, store: Store, snapshot: string): boolean {
  if (!existsSync(dir)) return false;
  const identity = siteIdentity(dir);
  if (identity) return isSameArchive(identity, archiveIn(store, snapshot));
  const inside = containedIn(dir);
  return isFile(inside, ABOUT) && readFileSync(inside.at(ABOUT), 'utf8').includes(escapeHtml(basesOf(store).catalog));
}

/** Returns the size of the site; undefined if the directory has none. */
function siteStatus(dir: string): { dir: string; files: number; bytes: number; onStick: number } | undefined {
  const inside = containedIn(dir);
  const files = readManifest(dir).flatMap(({ path }) =>
    isFile(inside, path) ? [[path, inside.stat(path)?.size ?? 0] as const] : [],
  );
  if (files.length === 0) return undefined;
  return { dir, files: files.length, bytes: files.reduce((total, [, size]) => total + size, 0), onStick: clusteredSize(files) };
}

/** Returns the media files that failed or are quarantined, and why. */
function filesIn(state: StoredMedia['state'], media: StoredMedia[]) {
  return media
    .filter((row) => row.state === state)
    .map(({ url, owner, cause, path }) => ({ url, owner, cause: cause ?? 'unknown', path }));
}

/** Counts the stored files without duplicates, and their bytes. */
function storedFiles(media: StoredMedia[]): { files: number; bytes: number } {
  const files = new Map(
    media.flatMap(({ state, path, size }) => (state === 'stored' && path ? [[path, size ?? 0] as const] : [])),
  );
  return { files: files.size, bytes: [...files.values()].reduce((total, size) => total + size, 0) };
}

function lines(status: ReturnType<typeof readStatus>): string[] {
  const { media, gone, failures: failed, shortfalls, changes } = status;
  return [
    `Upstream: ${printable(`${status.authorsUrl} and ${status.catalogUrl}`)}`,
    status.finishedAt
      ? `Last harvest: completed ${status.finishedAt}.`
      : `Last harvest: started ${status.startedAt}, interrupted, ${counted(status.queued, 'resource')} queued. Run "microfiche harvest" to resume.`,
    ...Object.entries(status.counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${printable(kind)}`),
    ...mediaLines(media),
    ...(status.site
      ? [
          `Site in ${status.site.dir}: ${counted(status.site.files, 'file')}, ${formatBytes(status.site.bytes)}; ${formatBytes(status.site.onStick)} on a USB drive with clusters of 128 KB.`,
        ]
      : []),
    ...(gone > 0 ? [`Removed upstream: ${gone} of these. The latest valid version of each stays in the snapshot.`] : []),
    ...failureLines(failed),
    ...(shortfalls.length > 0 ? [`Incomplete lists (${shortfalls.length}):`, ...cut(shortfalls.map(shortfallLine))] : []),
    ...(changes ? [`Changes since ${status.since}:`, ...changeLines(changes)] : []),
  ];
}

type Media = ReturnType<typeof readStatus>['media'];

function mediaLines({ stored, files, bytes, failed, failures: failedFiles, quarantined }: Media): string[] {
  const distinct = files === stored ? '' : ` (${files} distinct)`;
  const rest = 'the output of --json';
  return [
    `  ${String(stored).padStart(7)}  media ${stored === 1 ? 'file' : 'files'}${distinct}, ${formatBytes(bytes)}`,
    ...(failed > 0 ? [`Failed: ${counted(failed, 'media file')} could not be downloaded:`] : []),
    ...grouped(failedFiles, { group: ({ cause }) => cause, line: (file) => fileLine(file).trim(), rest }),
    ...(quarantined.length > 0
      ? [
          `Quarantined: ${counted(quarantined.length, 'media file')} that failed verification:`,
          ...cut(
            quarantined.map((file) => `  ${printable(`${fileLine(file).trim()}, moved to ${file.path}`)}`),
            rest,
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
    ...keys.map((key) => `           ${printable(key)}`),
  ]);
}
