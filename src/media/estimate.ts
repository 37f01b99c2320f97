/** Estimates what `media` would download, per kind: from `ia_meta` and file records, and on request from HTTP headers. */
import pMap from 'p-map';
import type { AllowedHosts } from '../http/allowed-hosts.ts';
import { FetchError } from '../http/errors.ts';
import { freeDiskSpace } from '../platform/disk-space.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { parseContentLength } from './download-file.ts';
import { announceSnapshotHosts, countByHost, createMediaClient, type MediaOptions, prepareRun } from './download-media.ts';
import type { WantedFile } from './plan-files.ts';
import { selectWithinBudget } from './select-within-budget.ts';

/** The estimate for a run, as `media --dry-run --json` prints it. */
export type Estimate = Awaited<ReturnType<typeof estimateMedia>>;

/** Of a film of 1,280 pixels, as `media --derivatives web` makes it. Speech has a twentieth. */
const MAX_BYTES_PER_SECOND = 250_000;

/**
 * Estimates a run without downloading. `sendHead` sends HEAD requests for sizes that no record declares.
 * @throws {UserError} if the snapshot does not exist
 */
export async function estimateMedia(options: MediaOptions & { sendHead: boolean }) {
  using store = openSnapshot(options.snapshot);
  const { hosts, missing, alreadyStored, elsewhere, streamOnly, converted } = prepareRun(store, options);
  const sizes = options.sendHead ? await fetchSizes(missing, hosts, options) : new Map<string, number>();
  const sized = missing.map((file) => ({ ...file, size: file.size ?? sizes.get(file.url) }));
  const fitting = sized.filter(({ size = 0 }) => size <= (options.maxFileBytes ?? Number.POSITIVE_INFINITY));
  const { files, overBudget } = selectWithinBudget(fitting, options.budgetBytes);
  const totals = (some: typeof fitting) => ({
    files: some.length,
    /** Total size in bytes of the files whose size is known. */
    bytes: some.reduce((total, { size = 0 }) => total + size, 0),
    /** Number of files whose size is not known. */
    unknown: some.filter(({ size }) => size === undefined).length,
  });
  return {
    kinds: [...Map.groupBy(files, ({ kind }) => kind)].map(([kind, own]) => ({ kind, ...totals(own) })),
    ...totals(files),
    /** Files that an earlier run stored. */
    alreadyStored,
    /** Files above the maximum file size. */
    tooLarge: sized.length - fitting.length,
    /** Files on hosts that are not allowed. */
    elsewhere: elsewhere.length,
    elsewhereHosts: countByHost(elsewhere),
    /** Files beyond the download budget. */
    overBudget: overBudget.length,
    /** Stream-only recording files. */
    streamOnly,
    /** Recordings of which files for browsers are to be made: how many, and at most how many bytes, as far as it is known. */
    derivatives: {
      files: converted.length,
      bytes: Math.round(converted.reduce<number>((total, seconds = 0) => total + seconds * MAX_BYTES_PER_SECOND, 0)),
      unknown: converted.filter((seconds) => seconds === undefined).length,
    },
    freeBytes: freeDiskSpace(store.dir),
  };
}

/** Returns the sizes in bytes that upstream's headers give, by URL, for files whose size no record declares. */
async function fetchSizes(files: WantedFile[], hosts: AllowedHosts, options: MediaOptions): Promise<Map<string, number>> {
  const unknown = files.filter(({ size }) => size === undefined);
  announceSnapshotHosts(unknown, hosts, options);
  await using client = createMediaClient(hosts, options);
  const sizes = new Map<string, number>();
  let done = 0;
  const fetchSize = async ({ url }: WantedFile) => {
    try {
      const length = parseContentLength((await client.head(url)).headers);
      if (length !== undefined) sizes.set(url, length);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error; // its size stays unknown; downloading it will report the error
    }
    options.onProgress?.(++done, unknown.length, 0);
  };
  await pMap(unknown, fetchSize, { concurrency: options.concurrency });
  return sizes;
}
