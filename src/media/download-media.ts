/** Fetches the pictures, recordings, texts and originals that records name into the snapshot: several hosts side by side, each file proven and once. */
import { join } from 'node:path';
import { type AllowedHosts, hostProblem } from '../http/allowed-hosts.ts';
import { type Client, createClient } from '../http/client.ts';
import { UserError } from '../model/errors.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import { deleteMediaFile } from '../snapshot/media-files.ts';
import { readNamedHosts } from '../snapshot/named-hosts.ts';
import { readBaseUrls, readMediaByUrl } from '../snapshot/read.ts';
import { createSnapshot, openSnapshot, type Store } from '../snapshot/store.ts';
import { type MediaWriter, openMediaWriter } from '../snapshot/write-media.ts';
import { assertDiskSpace, freeDiskSpace } from './disk-space.ts';
import { startDiskThreads } from './disk-threads.ts';
import { createDownloadBudget, type DownloadLimits } from './download-budget.ts';
import { type MediaSelection, planFiles, type WantedFile } from './plan-files.ts';
import { downloadAndRecord } from './record-download.ts';
import { runPerHost } from './run-per-host.ts';
import { selectWithinBudget } from './select-within-budget.ts';
import { isFilePresent } from './store-file.ts';

export interface RequestPolicy {
  /** Further hosts that files may be fetched from, besides the two of the harvest. */
  allowHosts: string[];
  /** Requests at once to a host. */
  concurrency: number;
  /** Requests a second to a host; undefined: no limit. */
  maxRequestsPerSecond: number | undefined;
  /** Seconds. */
  timeoutSeconds: number;
  ignoreRobots: boolean;
  userAgent: string;
  /** Is told, before any request, of the hosts that will be asked because the snapshot names them, not the user. */
  onSnapshotHosts?: (hosts: string[]) => void;
}

export interface MediaOptions extends MediaSelection, DownloadLimits, RequestPolicy {
  /** The snapshot's folder. */
  snapshot: string;
  onProgress?: (done: number, total: number, bytes: number) => void;
}

export interface FileFailure {
  url: string;
  owner: string;
  cause: string;
}

export interface MediaReport {
  wanted: number;
  /** Fetched in this run. */
  fetched: number;
  /** Already there from an earlier run. */
  kept: number;
  /** Fetched in this run, bytes of files that were there from others taken in. */
  bytes: number;
  /** Files and bytes that the fetched ones are without duplicates. */
  distinctFiles: number;
  distinctBytes: number;
  /** Of the fetched ones: whose bytes another file has too, so that they are stored once. */
  shared: number;
  /** Of the fetched ones: gone on with where an earlier try had stopped. */
  resumed: number;
  failures: FileFailure[];
  /** Fetched, and not what upstream says of them: kept apart, below the snapshot. */
  quarantined: Array<FileFailure & { path: string }>;
  /** On hosts that were not named. */
  elsewhere: Array<{ host: string; count: number }>;
  /** On hosts that did not answer at all: the rest of their files was not asked for. */
  unreachable: Array<{ host: string; count: number; cause: string }>;
  /** Left for another run, since the budget does not reach. */
  overBudget: number;
  /** Larger than one file may be; `size` in bytes where it is known. */
  tooLarge: Array<{ url: string; owner: string; size: number | null }>;
  /** Recordings that may be played from their own host only. */
  streamOnly: number;
}

/** @throws UserError when there is no snapshot, or no room. A file that cannot be had is a line in the report. */
export async function downloadMedia(options: MediaOptions): Promise<MediaReport> {
  openSnapshot(options.snapshot).close();
  const store = createSnapshot(options.snapshot);
  try {
    const { hosts, uses, wanted, missing, kept, elsewhere, streamOnly } = prepareRun(store, options);
    const safeDir = toSafeDirectory(store.dir);
    assertRealDirectories(safeDir);
    const writer = openMediaWriter(store);
    deleteOrphanParts(safeDir, writer);
    const isTooLarge = ({ size = 0 }: WantedFile) => size > (options.maxFileBytes ?? Number.POSITIVE_INFINITY);
    const {
      files: within,
      overBudget,
      bytes,
    } = selectWithinBudget(
      missing.filter((file) => !isTooLarge(file)),
      options.budgetBytes,
    );
    const files = [...missing.filter(isTooLarge), ...within];
    const report = emptyReport({
      wanted: wanted.length,
      kept,
      elsewhere: countByHost(elsewhere),
      overBudget: overBudget.length,
      streamOnly,
    });
    assertDiskSpace(bytesToDownload(files, options, store.dir), store.dir);
    announceSnapshotHosts(files, hosts, options);
    const client = createMediaClient(hosts, options);
    const disk = startDiskThreads(safeDir.root);
    try {
      writer.putUses(uses);
      const budget = createDownloadBudget(options, store.dir, disk.unwrittenBytes);
      const planned = new Set(options.budgetBytes === undefined ? [] : within);
      if (options.budgetBytes !== undefined) budget.reserve(bytes);
      const run = {
        store,
        safeDir,
        disk,
        client,
        writer,
        budget,
        report,
        filesWithReservedBytes: planned,
        storedHashes: new Set<string>(),
      };
      let done = 0;
      await runPerHost(files, options.concurrency, async (file, signal) => {
        const rest = await downloadAndRecord(file, run, signal);
        options.onProgress?.(++done, files.length, budget.receivedBytes());
        return rest;
      });
    } finally {
      await Promise.all([client.close(), disk.close()]);
      writer.close();
    }
    for (const lines of [report.failures, report.quarantined, report.tooLarge]) lines.sort((a, b) => (a.url < b.url ? -1 : 1));
    return report;
  } finally {
    store.close();
  }
}

function emptyReport(known: Pick<MediaReport, 'wanted' | 'kept' | 'elsewhere' | 'overBudget' | 'streamOnly'>): MediaReport {
  return {
    wanted: known.wanted,
    fetched: 0,
    kept: known.kept,
    bytes: 0,
    distinctFiles: 0,
    distinctBytes: 0,
    shared: 0,
    resumed: 0,
    failures: [],
    quarantined: [],
    elsewhere: known.elsewhere,
    unreachable: [],
    overBudget: known.overBudget,
    tooLarge: [],
    streamOnly: known.streamOnly,
  };
}

/** What is before a run: whom it may ask, and which of the wanted files are to be fetched, are there, or stand with others. @throws UserError as `planFiles` */
export function prepareRun(store: Store, options: MediaSelection & Pick<RequestPolicy, 'allowHosts'>) {
  const { uses, wanted, streamOnly } = planFiles(store, options);
  const hosts = allowedHostsOf(store, options);
  const isAllowed = ({ url }: WantedFile) => hostProblem(new URL(url).host, hosts) === undefined;
  const allowed = wanted.filter(isAllowed);
  const elsewhere = wanted.filter((file) => !isAllowed(file));
  const safeDir = toSafeDirectory(store.dir);
  const missing = allowed.filter(({ url }) => !isStored(store, url, safeDir));
  return { hosts, uses, wanted, missing, kept: allowed.length - missing.length, elsewhere, streamOnly };
}

/** The hosts that a snapshot's files may be fetched from: those that the user named, and the two that the snapshot says it is from, if they are public. */
export function allowedHostsOf(store: Store, { allowHosts }: Pick<RequestPolicy, 'allowHosts'>): AllowedHosts {
  const { authors, catalog } = readBaseUrls(store);
  return {
    named: new Set([...allowHosts, ...readNamedHosts(store)]),
    mentioned: new Set([authors, catalog].map((base) => new URL(base).host)),
  };
}

/** Says which hosts will be asked although only the snapshot names them, before any of them is. */
export function announceSnapshotHosts(
  files: ReadonlyArray<{ url: string }>,
  { named, mentioned }: AllowedHosts,
  { onSnapshotHosts }: Pick<RequestPolicy, 'onSnapshotHosts'>,
): void {
  const hosts = new Set(files.map(({ url }) => new URL(url).host));
  const only = [...hosts].filter((host) => !named.has(host) && mentioned?.has(host));
  if (only.length > 0) onSnapshotHosts?.(only.sort());
}

/** Asks for files: those are taken as they come, so the limit on bodies holds for robots.txt alone. */
export function createMediaClient(
  hosts: AllowedHosts,
  policy: RequestPolicy,
  { accept = '*/*', maxBodyBytes = 1_000_000 } = {},
): Client {
  return createClient({
    hosts,
    concurrency: policy.concurrency,
    maxRequestsPerSecond: policy.maxRequestsPerSecond,
    timeoutMs: policy.timeoutSeconds * 1000,
    bodyTimeoutMs: policy.timeoutSeconds * 1000,
    maxAttempts: 5,
    initialBackoffMs: 250,
    unreachableTimeoutMs: 60_000,
    maxBodyBytes,
    maxRedirects: 5,
    ignoreRobots: policy.ignoreRobots,
    userAgent: policy.userAgent,
    accept,
  });
}

/** Whether an earlier run has a file, whole as far as its length tells. */
function isStored(store: Store, url: string, safeDir: SafeDirectory): boolean {
  const row = readMediaByUrl(store, url);
  return row?.state === 'stored' && isFilePresent(row, safeDir);
}

/** Bytes that files are said to have; what is too large anyway does not count. */
function bytesToDownload(files: WantedFile[], { maxFileBytes = Number.POSITIVE_INFINITY }: DownloadLimits, dir: string): number {
  const maxBytes = Math.min(maxFileBytes, freeDiskSpace(dir));
  return files.reduce((sum, { size = 0 }) => sum + (size > maxBytes ? 0 : size), 0);
}

/** @throws UserError where media would be stored somewhere else: a snapshot that was handed on may lead anywhere. */
function assertRealDirectories(safeDir: SafeDirectory): void {
  for (const directory of ['media', 'quarantine']) {
    try {
      safeDir.resolve(directory);
    } catch (error) {
      if (!(error instanceof UnsafePathError)) throw error;
      throw new UserError(
        `${join(safeDir.root, directory)} is a symbolic link, and nothing is written across one: put the folder itself there, or the whole snapshot where it leads.`,
        { cause: error },
      );
    }
  }
}

/** Removes parts that nothing is known of: they cannot be resumed. */
function deleteOrphanParts(safeDir: SafeDirectory, writer: MediaWriter): void {
  const known = new Set(writer.parts().map(({ path }) => path));
  for (const [below] of listFiles(join(safeDir.root, 'media'))) {
    const path = `media/${below}`;
    if (path.endsWith('.part') && !known.has(path)) deleteMediaFile(safeDir, path);
  }
}

export function countByHost(files: readonly WantedFile[]): Array<{ host: string; count: number }> {
  return [...Map.groupBy(files, ({ url }) => new URL(url).host)].map(([host, own]) => ({ host, count: own.length }));
}
