/** What `media` would fetch, by kind, before anything is fetched: from ia_meta and file records, and from upstream's own headers where it is to be asked. */
import pMap from 'p-map';
import type { AllowedHosts } from '../http/allowed-hosts.ts';
import { FetchError } from '../http/errors.ts';
import type { MediaKind } from '../model/media.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { freeDiskSpace } from './disk-space.ts';
import { parseContentLength } from './download-file.ts';
import { announceSnapshotHosts, countByHost, createMediaClient, type MediaOptions, prepareRun } from './download-media.ts';
import type { WantedFile } from './plan-files.ts';
import { selectWithinBudget } from './select-within-budget.ts';

export interface KindEstimate {
  kind: MediaKind;
  /** Files that are wanted and not there. */
  files: number;
  /** Bytes of those whose size is known. */
  bytes: number;
  /** Files whose size nobody says. */
  unknown: number;
}

export interface Estimate {
  kinds: KindEstimate[];
  files: number;
  bytes: number;
  unknown: number;
  /** Already there from an earlier run. */
  kept: number;
  /** Larger than one file may be. */
  tooLarge: number;
  /** On hosts that are not allowed. */
  elsewhere: number;
  elsewhereHosts: Array<{ host: string; count: number }>;
  /** The budget does not reach for these. */
  overBudget: number;
  /** Recordings that may be played from their own host only. */
  streamOnly: number;
  /** Bytes that the disk has room for. */
  room: number;
}

/** Fetches nothing; `ask` has the sizes that no record says asked for (HEAD). @throws UserError when there is no snapshot. */
export async function estimateMedia(options: MediaOptions & { ask: boolean }): Promise<Estimate> {
  const store = openSnapshot(options.snapshot);
  try {
    const { hosts, missing, kept, elsewhere, streamOnly } = prepareRun(store, options);
    const sizes = options.ask ? await fetchSizes(missing, hosts, options) : new Map<string, number>();
    const sized = missing.map((file) => ({ ...file, size: file.size ?? sizes.get(file.url) }));
    const fitting = sized.filter(({ size = 0 }) => size <= (options.maxFileBytes ?? Number.POSITIVE_INFINITY));
    const { files, overBudget } = selectWithinBudget(fitting, options.budgetBytes);
    const sum = (some: typeof fitting) => ({
      files: some.length,
      bytes: some.reduce((total, { size = 0 }) => total + size, 0),
      unknown: some.filter(({ size }) => size === undefined).length,
    });
    return {
      kinds: [...Map.groupBy(files, ({ kind }) => kind)].map(([kind, own]) => ({ kind, ...sum(own) })),
      ...sum(files),
      kept,
      tooLarge: sized.length - fitting.length,
      elsewhere: elsewhere.length,
      elsewhereHosts: countByHost(elsewhere),
      overBudget: overBudget.length,
      streamOnly,
      room: freeDiskSpace(store.dir),
    };
  } finally {
    store.close();
  }
}

/** The sizes that upstream gives of files that no record gives one of; a file that it does not give one of either has none. */
async function fetchSizes(files: WantedFile[], hosts: AllowedHosts, options: MediaOptions): Promise<Map<string, number>> {
  const unknown = files.filter(({ size }) => size === undefined);
  announceSnapshotHosts(unknown, hosts, options);
  const client = createMediaClient(hosts, options);
  const sizes = new Map<string, number>();
  let done = 0;
  try {
    const fetchSize = async ({ url }: WantedFile) => {
      try {
        const length = parseContentLength((await client.head(url)).headers);
        if (length !== undefined) sizes.set(url, length);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error; // what cannot be asked has no size here; fetching it will say why
      }
      options.onProgress?.(++done, unknown.length, 0);
    };
    await pMap(unknown, fetchSize, { concurrency: options.concurrency });
  } finally {
    await client.close();
  }
  return sizes;
}
