/** Runs downloads from several hosts in parallel, and finishes writing downloaded files while others are downloaded. */
import pMap from 'p-map';
import type { WantedFile } from './plan-files.ts';

/** Downloads a file. The returned function, if any, finishes it without further requests to the host. */
export type DownloadTask = (file: WantedFile, signal: AbortSignal) => Promise<(() => Promise<void>) | undefined>;

/** Maximum downloaded files that are being written. A disk writes many files at a time faster than one after the other. */
const MAX_PENDING_WRITES = 64;

/**
 * Calls `download` for all files, with up to `concurrency` calls per host at the same time.
 * @throws the first error of a call; it aborts the others
 */
export async function runPerHost(files: readonly WantedFile[], concurrency: number, download: DownloadTask): Promise<void> {
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
