/** Downloads one file and enters what became of it, in the report and in the snapshot. */
import type { Client } from '../http/client.ts';
import { FetchFailure } from '../http/failure.ts';
import { type Contained, UnsafePath } from '../platform/contained.ts';
import { mediaByUrl } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { MediaRow, MediaWriter } from '../snapshot/write-media.ts';
import { LeftOut, type Purse } from './allowance.ts';
import type { Disk } from './disk.ts';
import type { MediaReport } from './fetch.ts';
import { keepFile } from './keep.ts';
import type { WantedFile } from './plan.ts';
import { discard, type ReceivedFile, receive } from './receive.ts';

export interface Run {
  store: Store;
  inside: Contained;
  disk: Disk;
  client: Client;
  writer: MediaWriter;
  purse: Purse;
  report: MediaReport;
  /** SHA-256 of the files that this run stored. */
  distinct: Set<string>;
  /** Files for which budget was reserved before. */
  planned: ReadonlySet<WantedFile>;
}

/** @throws what is no file's own fault; also when the result is called, which brings the file into its place. */
export async function download(file: WantedFile, run: Run, signal: AbortSignal): Promise<(() => Promise<void>) | undefined> {
  let { size } = file;
  let planned = run.planned.has(file) ? (size ?? 0) : 0;
  for (;;) {
    const allowance = run.purse.open(planned);
    planned = 0;
    try {
      if (isOnUnreachableHost(file, run)) {
        allowance.done();
        return undefined;
      }
      if (size === undefined && !run.purse.hasBudget()) throw new LeftOut('budget', undefined);
      if (size !== undefined) allowance.expect(size, run.writer.part(file.url)?.durable ?? 0);
      const received = await receive(file, run.client, { ...run, allowance, signal });
      return () =>
        received()
          .then((whole) => enterFile(file, whole, run))
          .catch((error: unknown) => enterError(error, file, run))
          .finally(() => allowance.done());
    } catch (error) {
      allowance.done();
      if (!(error instanceof LeftOut && error.passing)) {
        enterError(error, file, run);
        return undefined;
      }
      size = error.size;
      await run.purse.change();
      signal.throwIfAborted();
    }
  }
}

/** Counts a file whose host has not answered others: it is not asked again. */
function isOnUnreachableHost({ url }: WantedFile, { report }: Run): boolean {
  const { host } = new URL(url);
  const unreachable = report.unreachable.find((one) => one.host === host);
  if (unreachable) unreachable.count++;
  return unreachable !== undefined;
}

function enterFile(file: WantedFile, received: ReceivedFile, run: Run): void {
  const { report, distinct } = run;
  // Asked before: whose place the file gets depends on the ids, and not on which one came first.
  const isDuplicate = run.writer.withSum(received.measured.sha256).some(({ url }) => url !== file.url);
  const row = keepFile(file, received, run.inside, run.writer);
  if (row.state !== 'stored') {
    enterFailure(row, run);
    return;
  }
  const { size = 0, sha256 = '' } = row;
  report.fetched++;
  report.bytes += size;
  if (isDuplicate) report.shared++;
  if (received.resumed > 0) report.resumed++;
  if (distinct.has(sha256)) return;
  distinct.add(sha256);
  report.distinctFiles++;
  report.distinctBytes += size;
}

/** @throws what is no file's own fault */
function enterError(error: unknown, file: WantedFile, run: Run): void {
  const { report } = run;
  const { url, owner } = file;
  if (error instanceof LeftOut) {
    if (error.why === 'budget') report.overBudget++;
    else {
      discard(file, run.inside, run.writer);
      if (error.why === 'size') report.tooLarge.push({ url, owner, size: error.size ?? file.size ?? null });
      else enterFailure(failed(file, error.message), run);
    }
  } else if (error instanceof FetchFailure) {
    const { host } = new URL(url);
    // Others that were in flight may have found the same already.
    if (error.silent && !report.unreachable.some((one) => one.host === host))
      report.unreachable.push({ host, count: 0, cause: error.message });
    enterFailure(failed(file, error.message, error.status), run);
  } else if (error instanceof UnsafePath) enterFailure(failed(file, `it cannot be stored: ${error.message}`), run);
  else throw error;
}

function failed({ url, owner, kind }: WantedFile, cause: string, status?: number): MediaRow {
  return { url, owner, kind, state: 'failed', fetchedAt: new Date().toISOString(), status, cause };
}

/** A failure goes into the report and, where nothing better is known of the file, into the snapshot. */
function enterFailure(row: MediaRow, { store, writer, report }: Run): void {
  const { url, owner, cause = 'unknown', path } = row;
  if (row.state === 'quarantined' && path !== undefined) report.quarantined.push({ url, owner, cause, path });
  else {
    report.failures.push({ url, owner, cause });
    const before = mediaByUrl(store, url);
    if (before === undefined || before.state === 'failed') writer.put(row);
  }
}
