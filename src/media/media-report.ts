/** The report of a download run, which each download adds to. */
import { isInternalHost } from '../model/internal-host.ts';
import { formatCount, toPrintable } from '../platform/text-lines.ts';

/** A media file that could not be downloaded or used. */
export interface FileFailure {
  url: string;
  /** ID of the record that the file is named after. */
  owner: string;
  /** The reason, as a clause without a final period. */
  cause: string;
}

/** The report of a run. All numbers are numbers of URLs unless they say otherwise. */
export type MediaReport = ReturnType<typeof createReport>;

/** Whether files failed that the next run may get. */
export function hasTransientFailures({ failures, unreachable }: Pick<MediaReport, 'failures' | 'unreachable'>): boolean {
  return unreachable.length > 0 || failures.some(({ transient }) => transient);
}

/** Returns the report of a run that has downloaded nothing yet. */
export function createReport(
  known: Record<'wanted' | 'alreadyStored' | 'overBudget' | 'streamOnly', number> & {
    elsewhere: Array<{ host: string; count: number }>;
  },
) {
  return {
    /** URLs that the options select. */
    wanted: known.wanted,
    /** Downloaded in this run. */
    fetched: 0,
    /** Stored by an earlier run. */
    alreadyStored: known.alreadyStored,
    /** Total size in bytes of the downloaded files, duplicates included. */
    bytes: 0,
    /** Number of downloaded files without duplicates, and their total size in bytes. */
    distinctFiles: 0,
    distinctBytes: 0,
    /** Downloaded files with the same bytes as another file; such files are stored once. */
    shared: 0,
    /** Downloads that resumed a partial file. */
    resumed: 0,
    /** `transient`: a later request may succeed. */
    failures: [] as Array<FileFailure & { transient: boolean }>,
    /** Downloaded files that contradict what upstream declares. `path` is their path in the snapshot. */
    quarantined: [] as Array<FileFailure & { path: string }>,
    /** Skipped files on hosts that are not allowed. */
    elsewhere: known.elsewhere,
    /** Skipped files on hosts that are unreachable, or that demand a delay until `resumeAt` (ISO 8601 in UTC). */
    unreachable: [] as Array<{ host: string; count: number; cause: string; resumeAt?: string }>,
    /** Skipped because of the download budget. */
    overBudget: known.overBudget,
    /** Skipped because of the maximum file size. `size` is in bytes; null if it is not known. */
    tooLarge: [] as Array<{ url: string; owner: string; size: number | null }>,
    /** Stream-only recording files. */
    streamOnly: known.streamOnly,
    /** Recordings of which `--derivatives web` made files for browsers, and of which there were some (numbers). */
    derivatives: undefined as { made: number; present: number; failures: FileFailure[] } | undefined,
  };
}

/** Returns the first of the causes of a failure: of a file that differs, all checksums do, which only its full report needs. */
export const firstCause = ({ cause }: Pick<FileFailure, 'cause'>): string => cause.split('; ', 1)[0] ?? cause;

/** Returns a line for each host that is not allowed. */
export function elsewhereLines(hosts: MediaReport['elsewhere']): string[] {
  return hosts.map(({ host, count }) => {
    const why = isInternalHost(host)
      ? 'which only the archive’s own network reaches'
      : `which is not an allowed host (microfiche media --allow-host ${host} downloads them)`;
    return toPrintable(`Skipped: ${formatCount(count, 'file')} on ${host}, ${why}.`);
  });
}
