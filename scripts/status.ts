/** `microfiche status`: what is in the snapshot, what is missing and why, when it was last harvested, what changed since a date. */
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
import { dirOption, jsonOption, moment, snapshotOption } from './options.ts';

interface Flags {
  snapshot: string;
  dir: string;
  since?: string;
  json?: boolean;
}

export function statusCommand(): Command {
  return new Command('status')
    .description('Tells what is in the snapshot, what is missing and why, and when it was last harvested.')
    .addOption(snapshotOption())
    .addOption(dirOption())
    .option('--since <date>', 'list what is new, changed, there again or gone since then, such as 2026-01-31', moment)
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
        failures: filesThatAre('failed', media),
        quarantined: filesThatAre('quarantined', media),
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

/** Whether the site in a folder is of this snapshot's archive. A site of an earlier version names it on its about page alone. */
function isSiteOf(dir: string, store: Store, snapshot: string): boolean {
  if (!existsSync(dir)) return false;
  const there = siteIdentity(dir);
  if (there) return isSameArchive(there, archiveIn(store, snapshot));
  const inside = containedIn(dir);
  return isFile(inside, ABOUT) && readFileSync(inside.at(ABOUT), 'utf8').includes(escapeHtml(basesOf(store).catalog));
}

/** What the built site takes; undefined where there is none. */
function siteStatus(dir: string): { dir: string; files: number; bytes: number; onStick: number } | undefined {
  const inside = containedIn(dir);
  const files = readManifest(dir).flatMap(({ path }) =>
    isFile(inside, path) ? [[path, inside.stat(path)?.size ?? 0] as const] : [],
  );
  if (files.length === 0) return undefined;
  return { dir, files: files.length, bytes: files.reduce((sum, [, size]) => sum + size, 0), onStick: clusteredSize(files) };
}

/** The files that could not be had, or are kept apart, and why. */
function filesThatAre(state: StoredMedia['state'], media: StoredMedia[]) {
  return media
    .filter((row) => row.state === state)
    .map(({ url, owner, cause, path }) => ({ url, owner, cause: cause ?? 'unknown', path }));
}

/** Files that are there, each once whatever number of records name it, and their bytes. */
function storedFiles(media: StoredMedia[]): { files: number; bytes: number } {
  const files = new Map(
    media.flatMap(({ state, path, size }) => (state === 'stored' && path ? [[path, size ?? 0] as const] : [])),
  );
  return { files: files.size, bytes: [...files.values()].reduce((sum, size) => sum + size, 0) };
}

function lines(status: ReturnType<typeof readStatus>): string[] {
  const { media, gone, failures: missing, shortfalls, changes } = status;
  return [
    `Mirror of ${printable(`${status.authorsUrl} and ${status.catalogUrl}`)}`,
    status.finishedAt
      ? `Last harvest finished ${status.finishedAt}`
      : `The last harvest (begun ${status.startedAt}) was cut short; run it again to go on: ${counted(status.queued, 'resource is', 'resources are')} waiting.`,
    ...Object.entries(status.counts).map(([kind, count]) => `  ${String(count).padStart(7)}  ${printable(kind)}`),
    ...mediaLines(media),
    ...(status.site
      ? [
          `The site in ${status.site.dir}: ${counted(status.site.files, 'file')}, ${formatBytes(status.site.bytes)}; ${formatBytes(status.site.onStick)} on a stick with clusters of 128 KB.`,
        ]
      : []),
    ...(gone > 0
      ? [`${gone} of them ${gone === 1 ? 'is' : 'are'} gone from the live archive; the last good copy of each is kept.`]
      : []),
    ...failureLines(missing),
    ...(shortfalls.length > 0 ? ['Lists that showed less than they count:', ...cut(shortfalls.map(shortfallLine))] : []),
    ...(changes ? [`Since ${status.since}:`, ...changeLines(changes)] : []),
  ];
}

type Media = ReturnType<typeof readStatus>['media'];

function mediaLines({ stored, files, bytes, failed, failures: missing, quarantined }: Media): string[] {
  const distinct = files === stored ? '' : ` (${files} distinct)`;
  const rest = 'what --json prints';
  return [
    `  ${String(stored).padStart(7)}  media ${stored === 1 ? 'file' : 'files'}${distinct}, ${formatBytes(bytes)}`,
    ...(failed > 0 ? [`${counted(failed, 'media file')} could not be downloaded:`] : []),
    ...grouped(missing, { group: ({ cause }) => cause, line: (one) => fileLine(one).trim(), rest }),
    ...(quarantined.length > 0
      ? [
          `${quarantined.length} kept apart, since ${quarantined.length === 1 ? 'it is' : 'they are'} not what upstream says:`,
          ...cut(
            quarantined.map((one) => `  ${printable(`${fileLine(one).trim()}, kept in ${one.path}`)}`),
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
    'there again': changes.returned,
    gone: changes.gone,
  }).flatMap(([what, keys]) => [
    `  ${String(keys.length).padStart(7)}  ${what}`,
    ...keys.map((key) => `           ${printable(key)}`),
  ]);
}
