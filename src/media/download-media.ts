/** Downloads the media files that records name into the snapshot, from hosts in parallel: each verified, and stored once. */
import { join } from 'node:path';
import pMap from 'p-map';
import { type AllowedHosts, hostProblem } from '../http/allowed-hosts.ts';
import { createClient, type RequestPolicy } from '../http/client.ts';
import { UserError } from '../model/errors.ts';
import { freeDiskSpace } from '../platform/disk-space.ts';
import { formatBytes } from '../platform/quantities.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { findOrphanFiles, finishDeletions } from '../snapshot/deletions.ts';
import { MEDIA_DIRECTORIES } from '../snapshot/file-names.ts';
import { deleteMediaFile } from '../snapshot/media-files.ts';
import { readNamedHosts } from '../snapshot/named-hosts.ts';
import { readBaseUrls, readMediaByUrl } from '../snapshot/read.ts';
import { createSnapshot, lend, openSnapshot, type SnapshotLock, type Store } from '../snapshot/store.ts';
import { openMediaWriter } from '../snapshot/write-media.ts';
import { startDiskThreads } from './disk-threads.ts';
import { createDownloadBudget, type DownloadLimits } from './download-budget.ts';
import { createReport, type MediaReport } from './media-report.ts';
import { type MediaSelection, planFiles, type WantedFile } from './plan-files.ts';
import { downloadAndRecord, type MediaRun } from './record-download.ts';
import { selectWithinBudget } from './select-within-budget.ts';
import { isFilePresent } from './store-file.ts';

/** Options of requests for files. */
export interface DownloadPolicy extends RequestPolicy {
  /** Allowed hosts in addition to the two of the harvest. */
  allowHosts: string[];
  /** Connection, header and stall timeout. */
  timeoutSeconds: number;
  /** Called before the first request with the hosts that only the snapshot names, not the operator. */
  onSnapshotHosts?: (hosts: string[]) => void;
  /** Called with a sentence about a problem that does not stop the run. */
  onWarning?: (line: string) => void;
}

/** Options of `downloadMedia`. */
export interface MediaOptions extends MediaSelection, DownloadLimits, DownloadPolicy {
  snapshot: string;
  /** Counts files, and bytes received so far. */
  onProgress?: (done: number, total: number, bytes: number) => void;
  /** The lock of the snapshot, if the caller holds it. */
  lock?: SnapshotLock;
}

/**
 * Downloads the selected files that are not stored yet. Files that cannot be downloaded are listed in the report.
 * @throws {UserError} if the snapshot does not exist, or the disk space is not enough
 */
export async function downloadMedia(options: MediaOptions): Promise<MediaReport> {
  openSnapshot(options.snapshot).close();
  using store = createSnapshot(options.snapshot, options.lock && lend(options.lock));
  for (const problem of finishDeletions(store)) options.onWarning?.(problem);
  const { hosts, uses, wanted, missing, alreadyStored, elsewhere, streamOnly } = prepareRun(store, options);
  const safeDir = toSafeDirectory(store.dir);
  assertRealDirectories(safeDir);
  // Partial files without a row cannot be resumed.
  for (const path of findOrphanFiles(store)) if (path.endsWith('.part')) deleteMediaFile(safeDir, path);
  using writer = openMediaWriter(store);
  const isTooLarge = ({ size = 0 }: WantedFile) => size > (options.maxFileBytes ?? Number.POSITIVE_INFINITY);
  const usable = missing.filter((file) => !isTooLarge(file));
  const { files: within, overBudget, bytes } = selectWithinBudget(usable, options.budgetBytes);
  const files = [...missing.filter(isTooLarge), ...within];
  const report = createReport({
    wanted: wanted.length,
    alreadyStored,
    elsewhere: countByHost(elsewhere),
    overBudget: overBudget.length,
    streamOnly,
  });
  assertDiskSpace(files, options, store.dir);
  announceSnapshotHosts(files, hosts, options);
  await using disk = startDiskThreads(safeDir.root);
  await using client = createMediaClient(hosts, options);
  writer.putUses(uses, options.kinds);
  const budget = createDownloadBudget(options, store.dir, disk.unwrittenBytes);
  const filesWithReservedBytes = new Set(options.budgetBytes === undefined ? [] : within);
  if (options.budgetBytes !== undefined) budget.reserve(bytes);
  const storedHashes = new Set<string>();
  const common = { store, safeDir, disk, client, writer, budget, report, filesWithReservedBytes, storedHashes };
  await downloadFiles(files, common, options);
  for (const list of [report.failures, report.quarantined, report.tooLarge]) list.sort((a, b) => (a.url < b.url ? -1 : 1));
  return report;
}

/** Downloads files. Those with a transient error are downloaded once more at the end. */
async function downloadFiles(
  files: readonly WantedFile[],
  common: Omit<MediaRun, 'transient'>,
  { concurrency, onProgress }: MediaOptions,
): Promise<void> {
  const { budget, report } = common;
  let done = 0;
  const downloadOnce = async (some: readonly WantedFile[]): Promise<WantedFile[]> => {
    const run: MediaRun = { ...common, transient: [] };
    await runPerHost(some, concurrency, async (file, signal) => {
      const rest = await downloadAndRecord(file, run, signal);
      onProgress?.(++done, files.length, budget.receivedBytes());
      return rest;
    });
    return run.transient;
  };
  const failed = await downloadOnce(files);
  const urls = new Set(failed.map(({ url }) => url));
  report.failures = report.failures.filter(({ url }) => !urls.has(url));
  done -= failed.length;
  await downloadOnce(failed);
}

/**
 * Returns the allowed hosts of a run, and its selected files by state: missing, already stored, or on hosts that are not allowed
 * (`elsewhere`).
 * @throws {UserError} like `planFiles`
 */
export function prepareRun(store: Store, options: MediaSelection & Pick<DownloadPolicy, 'allowHosts'>) {
  const { uses, wanted, streamOnly, converted } = planFiles(store, options);
  const hosts = allowedHostsOf(store, options);
  const isAllowed = ({ url }: WantedFile) => hostProblem(new URL(url).host, hosts) === undefined;
  const allowed = wanted.filter(isAllowed);
  const elsewhere = wanted.filter((file) => !isAllowed(file));
  const safeDir = toSafeDirectory(store.dir);
  const missing = allowed.filter(({ url }) => {
    const row = readMediaByUrl(store, url);
    return row?.state !== 'stored' || !isFilePresent(row, safeDir);
  });
  return { hosts, uses, wanted, missing, alreadyStored: allowed.length - missing.length, elsewhere, streamOnly, converted };
}

/** Returns the hosts that files may come from: those the operator named, and the snapshot's base URLs' if they are public. */
export function allowedHostsOf(store: Store, { allowHosts }: Pick<DownloadPolicy, 'allowHosts'>): AllowedHosts {
  const { authors, catalog } = readBaseUrls(store);
  return {
    named: new Set([...allowHosts, ...readNamedHosts(store)]),
    mentioned: new Set([authors, catalog].map((base) => new URL(base).host)),
  };
}

/** Calls `onSnapshotHosts` with the hosts of `files` that only the snapshot names. Call it before the first request. */
export function announceSnapshotHosts(
  files: ReadonlyArray<{ url: string }>,
  { named, mentioned }: AllowedHosts,
  { onSnapshotHosts }: Pick<DownloadPolicy, 'onSnapshotHosts'>,
): void {
  const hosts = new Set(files.map(({ url }) => new URL(url).host));
  const onlyInSnapshot = [...hosts].filter((host) => !named.has(host) && mentioned?.has(host));
  if (onlyInSnapshot.length > 0) onSnapshotHosts?.(onlyInSnapshot.sort());
}

/** Creates the HTTP client for media files. Files are streamed, so `maxBodyBytes` applies only to robots.txt. */
export function createMediaClient(
  hosts: AllowedHosts,
  policy: DownloadPolicy,
  { accept = '*/*', maxBodyBytes = 1_000_000 } = {},
) {
  return createClient({
    ...policy,
    hosts,
    timeoutMs: policy.timeoutSeconds * 1000,
    bodyTimeoutMs: policy.timeoutSeconds * 1000,
    maxAttempts: 5,
    initialBackoffMs: 250,
    unreachableTimeoutMs: 60_000,
    maxBodyBytes,
    maxRedirects: 5,
    onDelay: policy.onWarning,
    accept,
  });
}

/**
 * Checks that files of known sizes fit on the disk of the snapshot, without those that are too large anyway.
 * @throws {UserError} if they do not
 */
function assertDiskSpace(files: WantedFile[], { maxFileBytes = Number.POSITIVE_INFINITY }: DownloadLimits, dir: string): void {
  const freeBytes = freeDiskSpace(dir);
  const maxBytes = Math.min(maxFileBytes, freeBytes);
  const bytes = files.reduce((total, { size = 0 }) => total + (size > maxBytes ? 0 : size), 0);
  if (bytes > freeBytes)
    throw new UserError(
      `Not enough disk space for ${dir}: ${formatBytes(bytes)} required, ${formatBytes(freeBytes)} available. Select fewer files (--kinds, --collection, --max-file, --budget), or move the snapshot to another disk.`,
    );
}

/**
 * Checks that the snapshot's directories of media are not symbolic links: in an untrusted snapshot they may point anywhere.
 * @throws {UserError} if one of them is
 */
function assertRealDirectories(safeDir: SafeDirectory): void {
  for (const directory of Object.values(MEDIA_DIRECTORIES)) {
    try {
      safeDir.resolve(directory);
    } catch (error) {
      if (!(error instanceof UnsafePathError)) throw error;
      throw new UserError(
        `${join(safeDir.root, directory)} is a symbolic link, which is not followed. Replace it with the directory that it points to, or move the entire snapshot there.`,
        { cause: error },
      );
    }
  }
}

/** Returns the number of files per host. */
export function countByHost(files: readonly WantedFile[]): Array<{ host: string; count: number }> {
  return [...Map.groupBy(files, ({ url }) => new URL(url).host)].map(([host, own]) => ({ host, count: own.length }));
}

/** Downloads a file. The returned function, if any, finishes it without further requests to the host. */
type DownloadTask = (file: WantedFile, signal: AbortSignal) => Promise<(() => Promise<void>) | undefined>;

/** Maximum downloaded files that are being written. A disk writes many files at a time faster than one after the other. */
const MAX_PENDING_WRITES = 64;

/**
 * Calls `download` for all files, with up to `concurrency` calls per host at the same time.
 * @throws the first error of a call; it aborts the others
 */
async function runPerHost(files: readonly WantedFile[], concurrency: number, download: DownloadTask): Promise<void> {
  const stop = new AbortController();
  const pendingWrites = new Set<Promise<void>>();
  const abort = (error: unknown) => {
    if (!stop.signal.aborted) stop.abort(error);
  };

  async function runOne(file: WantedFile): Promise<void> {
    if (stop.signal.aborted) return;
    try {
      const finish = await download(file, stop.signal);
      if (finish === undefined) return;
      const written: Promise<void> = finish()
        .catch(abort)
        .finally(() => pendingWrites.delete(written));
      pendingWrites.add(written);
      if (pendingWrites.size >= MAX_PENDING_WRITES) await Promise.race(pendingWrites);
    } catch (error) {
      abort(error);
    }
  }

  const hosts = Map.groupBy(files, ({ url }) => new URL(url).host);
  await Promise.all([...hosts.values()].map((own) => pMap(own, runOne, { concurrency })));
  await Promise.all(pendingWrites);
  stop.signal.throwIfAborted();
}
