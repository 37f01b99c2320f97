/** Downloads one file, and records the result in the report and in the snapshot. */
import type { Client } from '../http/client.ts';
import { FetchError } from '../http/errors.ts';
import { type SafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { readMediaByUrl } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { MediaRow, MediaWriter } from '../snapshot/write-media.ts';
import type { DiskThreads } from './disk-threads.ts';
import { type DownloadBudget, FileSkippedError } from './download-budget.ts';
import { type DownloadedFile, deletePart, downloadFile } from './download-file.ts';
import type { MediaReport } from './media-report.ts';
import type { WantedFile } from './plan-files.ts';
import { storeFile } from './store-file.ts';

/** What all downloads of a run share. */
export interface MediaRun {
  store: Store;
  safeDir: SafeDirectory;
  disk: DiskThreads;
  client: Client;
  writer: MediaWriter;
  budget: DownloadBudget;
  report: MediaReport;
  /** SHA-256 of the files that this run has stored. */
  storedHashes: Set<string>;
  /** Files for which part of the budget was reserved before the run. */
  filesWithReservedBytes: Set<WantedFile>;
  /** Files with a transient error, on hosts that are reachable. */
  transient: WantedFile[];
}

/**
 * Downloads a file. Returns a function that stores it, or undefined if nothing remains to be done. Errors of the file itself are
 * recorded.
 * @throws {Error} if the run cannot continue, for example because the disk is full; the returned function throws the same errors
 */
export async function downloadAndRecord(file: WantedFile, run: MediaRun, signal: AbortSignal) {
  let { size } = file;
  let reservedBytes = run.filesWithReservedBytes.delete(file) ? (size ?? 0) : 0;
  for (;;) {
    const fileBudget = run.budget.openFileBudget(reservedBytes);
    reservedBytes = 0;
    try {
      if (isOnUnreachableHost(file, run)) {
        fileBudget.done();
        return undefined;
      }
      if (size === undefined && !run.budget.hasUnreservedBytes()) throw new FileSkippedError('budget', undefined);
      if (size !== undefined) fileBudget.expect(size, run.writer.part(file.url)?.durable ?? 0);
      const finish = await downloadFile(file, run.client, { ...run, fileBudget, signal });
      return () =>
        finish()
          .then((downloaded) => recordFile(file, downloaded, run))
          .catch((error: unknown) => recordError(error, file, run))
          .finally(() => fileBudget.done());
    } catch (error) {
      fileBudget.done();
      if (!(error instanceof FileSkippedError && error.retryable)) {
        recordError(error, file, run);
        return undefined;
      }
      size = error.size;
      await run.budget.nextChange();
      signal.throwIfAborted();
    }
  }
}

/** Returns whether the host of a file was found to be unreachable, and if so counts the file as skipped. */
function isOnUnreachableHost({ url }: WantedFile, { report }: MediaRun): boolean {
  const { host } = new URL(url);
  const unreachable = report.unreachable.find((one) => one.host === host);
  if (unreachable) unreachable.count++;
  return unreachable !== undefined;
}

function recordFile(file: WantedFile, downloaded: DownloadedFile, run: MediaRun): void {
  const { report, storedHashes } = run;
  // Checked before the file is stored: its path may then be another file's, which depends on the IDs and not on which came first.
  const isDuplicate = run.writer.findBySha256(downloaded.measured.sha256).some(({ url }) => url !== file.url);
  const row = storeFile(file, downloaded, run.safeDir, run.writer);
  if (row.state !== 'stored') {
    // such as a web page instead of an image, which a server may send while it is overloaded
    const isUnusable = row.state === 'failed';
    if (isUnusable) run.transient.push(file);
    recordFailure(row, run, isUnusable);
    return;
  }
  const { size = 0, sha256 = '' } = row;
  report.fetched++;
  report.bytes += size;
  if (isDuplicate) report.shared++;
  if (downloaded.resumedBytes > 0) report.resumed++;
  if (storedHashes.has(sha256)) return;
  storedHashes.add(sha256);
  report.distinctFiles++;
  report.distinctBytes += size;
}

/**
 * Records why a file was not downloaded.
 * @throws the error itself if the file is not the cause
 */
function recordError(error: unknown, file: WantedFile, run: MediaRun): void {
  const { report } = run;
  const { url, owner } = file;
  if (error instanceof FileSkippedError) {
    if (error.reason === 'budget') report.overBudget++;
    else {
      deletePart(file, run.safeDir, run.writer);
      if (error.reason === 'size') report.tooLarge.push({ url, owner, size: error.size ?? file.size ?? null });
      else recordFailure(failedRow(file, error.message), run, true);
    }
  } else if (error instanceof FetchError) {
    const row = failedRow(file, error.message, error.status);
    if (error.hostUnreachable) {
      const { message: cause, resumeAt } = error;
      // Requests in flight to the same host may have failed the same way already.
      if (!isOnUnreachableHost(file, run))
        report.unreachable.push({ host: new URL(url).host, count: 1, cause, ...(resumeAt === undefined ? {} : { resumeAt }) });
      storeFailure(row, run);
    } else {
      if (error.transient) run.transient.push(file);
      recordFailure(row, run, error.transient);
    }
  } else if (error instanceof UnsafePathError) recordFailure(failedRow(file, `it cannot be stored: ${error.message}`), run);
  else throw error;
}

function failedRow({ url, owner, kind }: WantedFile, cause: string, status?: number): MediaRow {
  return { url, owner, kind, state: 'failed', fetchedAt: new Date().toISOString(), status, cause };
}

/** Writes a failure to the report and to the snapshot. `transient`: a later request may succeed. */
function recordFailure(row: MediaRow, run: MediaRun, transient = false): void {
  const { url, owner, cause = 'unknown', path } = row;
  if (row.state === 'quarantined' && path !== undefined) run.report.quarantined.push({ url, owner, cause, path });
  else {
    run.report.failures.push({ url, owner, cause, transient });
    storeFailure(row, run);
  }
}

/** Writes a failure to the snapshot, unless it has an earlier version of the file. */
function storeFailure(row: MediaRow, { store, writer }: MediaRun): void {
  const before = readMediaByUrl(store, row.url);
  if (before === undefined || before.state === 'failed') writer.put(row);
}
