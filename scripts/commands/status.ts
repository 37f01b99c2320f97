/** `microfiche status`: shows what a snapshot contains, what is missing and why, its last harvest, and changes since a date. */
import { readSnapshotStatus } from '../../src/build/update/snapshot-status.ts';
import { countLines, failureLines, formatIncompleteList, truncateLines } from '../../src/harvest/report.ts';
import { elsewhereLines, type FileFailure, firstCause } from '../../src/media/media-report.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, toPrintable } from '../../src/platform/text-lines.ts';
import { changesSince } from '../../src/snapshot/changes.ts';
import type { readPendingDeletions } from '../../src/snapshot/deletions.ts';
import { computeFingerprint } from '../../src/snapshot/fingerprint.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { type LastUpdate, readLastUpdate } from '../../src/snapshot/update-file.ts';
import type { Flags } from '../options/options.ts';

/** Runs the command `status`. */
export function showStatus(flags: Flags<'status'>) {
  const status = readStatus(flags);
  const exitCode = status.isTooOld ? EXIT_CODES.failure : EXIT_CODES.success;
  return { report: status, lines: statusLines(status), exitCode };
}

function readStatus({ snapshot, dir, since, maxAge, json }: Flags<'status'>) {
  using store = openSnapshot(snapshot);
  const status = readSnapshotStatus(store, dir);
  const age = Date.now() - Date.parse(status.finishedAt ?? '');
  const isInFuture = age < -86_400_000;
  return {
    ...status,
    ...(maxAge === undefined ? {} : { isTooOld: !(age <= maxAge) || isInFuture, isInFuture }),
    ...(json ? { fingerprint: computeFingerprint(store) } : {}), // reads every body
    update: readLastUpdate(snapshot),
    ...(since === undefined ? {} : { since, changes: changesSince(store, since) }),
  };
}

function statusLines(status: ReturnType<typeof readStatus>): string[] {
  const { media, removed, failures: failed, incompleteLists, changes } = status;
  return [
    `Upstream: ${toPrintable([...new Set([status.authorsUrl, status.catalogUrl])].join(' and '))}`,
    status.finishedAt
      ? `Last harvest: completed ${status.finishedAt}.`
      : `Last harvest: started ${status.startedAt}, interrupted, ${formatCount(status.queued, 'resource')} queued. Run "microfiche harvest" to resume.`,
    ...(status.isTooOld
      ? [
          `This is ${status.isInFuture ? 'in the future: the clock was wrong then, or is now' : 'older than --max-age'}. Run "microfiche update", and look at its report.`,
        ]
      : []),
    ...(status.update ? [updateLine(status.update)] : []),
    ...countLines(status.counts),
    ...mediaLines(media),
    ...(status.site
      ? [
          `Site in ${status.site.dir}: ${formatCount(status.site.files, 'file')}, ${formatBytes(status.site.bytes)}; ${formatBytes(status.site.bytesOnUsbDrive)} on a USB drive with clusters of 128 KB.`,
        ]
      : []),
    ...pendingLines(status.pendingDeletions),
    ...(removed > 0 ? [`Removed upstream: ${removed} of these. The latest valid version of each stays in the snapshot.`] : []),
    ...failureLines(failed),
    ...(incompleteLists.length > 0
      ? [`Incomplete lists (${incompleteLists.length}):`, ...truncateLines(incompleteLists.map(formatIncompleteList))]
      : []),
    ...(changes ? [`Changes since ${status.since}:`, ...changeLines(changes)] : []),
  ];
}

function updateLine({ startedAt, finishedAt, outcome, exitCode }: LastUpdate): string {
  return finishedAt === null
    ? `Last update: started ${startedAt}, in progress or killed.`
    : `Last update: ended ${finishedAt}: ${outcome?.replaceAll('-', ' ')} (exit code ${exitCode}).`;
}

function pendingLines({ files, purge }: ReturnType<typeof readPendingDeletions>): string[] {
  return [
    ...(purge === undefined ? [] : [`Purge of ${toPrintable(purge)}: not finished. Run the purge again.`]),
    ...(files.length > 0 ? [`Marked for deletion, and not deleted yet (${formatCount(files.length, 'file')}):`] : []),
    ...truncateLines(files.map((path) => `  ${toPrintable(path)}`)),
  ];
}

type MediaStatus = ReturnType<typeof readStatus>['media'];

function mediaLines({ stored, files, bytes, failed, failures: failedFiles, quarantined, elsewhere }: MediaStatus): string[] {
  const distinct = files === stored ? '' : ` (${files} distinct)`;
  const fullListFile = 'the output of --json';
  const quarantinedLines = quarantined.map((file) => `  ${toPrintable(`${describeFile(file)}, moved to ${file.path}`)}`);
  return [
    `  ${String(stored).padStart(7)}  media ${stored === 1 ? 'file' : 'files'}${distinct}, ${formatBytes(bytes)}`,
    ...(failed > 0 ? [`Failed: ${formatCount(failed, 'media file')} could not be downloaded:`] : []),
    ...groupLines(failedFiles, { group: ({ cause }) => cause, line: describeFile }),
    ...(quarantined.length > 0
      ? [
          `Quarantined: ${formatCount(quarantined.length, 'media file')} that failed verification:`,
          ...truncateLines(quarantinedLines, fullListFile),
        ]
      : []),
    ...truncateLines(elsewhereLines(elsewhere), fullListFile),
  ];
}

function changeLines(changes: ReturnType<typeof changesSince>): string[] {
  return Object.entries({ ...changes }).flatMap(([change, keys]) => [
    `  ${String(keys.length).padStart(7)}  ${change}`,
    ...keys.map((key) => `           ${toPrintable(key)}`),
  ]);
}

/** Returns the line of a media file: ID of its record, cause and URL. */
const describeFile = (file: FileFailure): string => toPrintable(`${file.owner}: ${firstCause(file)} (${file.url})`);
