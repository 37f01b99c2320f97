/** Stops a harvest before it exceeds the limits that the operator set, or fills the disk. */
import { RECORD_KINDS } from '../model/resources.ts';
import { createSpaceProbe, freeDiskSpace } from '../platform/disk-space.ts';
import { formatBytes } from '../platform/quantities.ts';
import { formatCount } from '../platform/text-lines.ts';
import { readInteger } from '../snapshot/rows.ts';
import { prepareStatement, type Store } from '../snapshot/store.ts';
import type { HarvestWriter, Outcome } from '../snapshot/write.ts';

/** The limits of a harvest; undefined means unlimited. */
export interface StorageLimits {
  /** Maximum records that a harvest and those that it resumes fetch or confirm. */
  maxRecords: number | undefined;
  maxDatabaseBytes: number | undefined;
}

/** Why a crawl stopped early. */
export interface StopReason {
  /** A clause for the report. */
  cause: string;
  /** The option whose limit was reached. */
  limit?: '--max-records' | '--max-bytes';
  /** Until when a host demands to wait: ISO 8601 in UTC. */
  resumeAt?: string | undefined;
}

/** What an outcome needs in the database beside its body: rows, index entries, and unused parts of their pages. */
const BYTES_BESIDE_BODY = 4096;

/** SQLite writes a body to its log first, and then to the database. */
const BYTES_ON_DISK_PER_BYTE = 2;

/** Whether an outcome is a record that upstream sent or confirmed. */
export function isRecord({ resource, received, unchanged }: Outcome): boolean {
  return (received ?? unchanged) !== undefined && RECORD_KINDS.some((kind) => kind === resource.kind);
}

/** Returns a function that counts an outcome before it is stored, or returns why it must not be stored. */
export function createStorageGuard(
  store: Store,
  writer: Pick<HarvestWriter, 'countRecords'>,
  { maxRecords = Number.POSITIVE_INFINITY, maxDatabaseBytes = Number.POSITIVE_INFINITY }: StorageLimits,
): (outcome: Outcome) => StopReason | undefined {
  const disk = createSpaceProbe(() => freeDiskSpace(store.dir));
  const size = prepareStatement(store, 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
  const database = createSpaceProbe(() => maxDatabaseBytes - readInteger(size.get(), 'bytes'));
  let records = maxRecords === Number.POSITIVE_INFINITY ? 0 : writer.countRecords();
  return (outcome) => {
    const bytes = (outcome.received?.body.length ?? 0) + BYTES_BESIDE_BODY;
    const counts = isRecord(outcome);
    if (counts && records >= maxRecords)
      return { cause: `it reached the limit of ${formatCount(maxRecords, 'record')}`, limit: '--max-records' };
    if (bytes > database.availableBytes())
      return { cause: `the snapshot reached the limit of ${formatBytes(maxDatabaseBytes)}`, limit: '--max-bytes' };
    if (BYTES_ON_DISK_PER_BYTE * bytes > disk.availableBytes())
      return { cause: `the disk of ${store.dir} has no space left for more` };
    if (counts) records++;
    database.subtract(bytes);
    disk.subtract(BYTES_ON_DISK_PER_BYTE * bytes);
    return undefined;
  };
}
