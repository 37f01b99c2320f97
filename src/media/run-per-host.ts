/** Downloads from several hosts side by side, and brings to the disk what was downloaded meanwhile. */
import PQueue from 'p-queue';
import type { WantedFile } from './plan-files.ts';

/** Downloads a file. The result, if any, is what is left to be done when nothing more is asked of the host. */
export type DownloadTask = (file: WantedFile, signal: AbortSignal) => Promise<(() => Promise<void>) | undefined>;

/** Downloaded files that may be on their way to the disk: a disk takes many at once sooner than one after the other. */
const MAX_PENDING_WRITES = 64;

/** Works on files host by host, so many of each at once. The first error that is no file's own ends it all. */
export async function runPerHost(files: readonly WantedFile[], concurrency: number, work: DownloadTask): Promise<void> {
  const stop = new AbortController();
  const ending = new Set<Promise<void>>();
  const abort = (error: unknown) => {
    if (!stop.signal.aborted) stop.abort(error);
  };

  async function runOne(file: WantedFile): Promise<void> {
    if (stop.signal.aborted) return;
    try {
      const rest = await work(file, stop.signal);
      if (rest === undefined) return;
      const ended: Promise<void> = rest()
        .catch(abort)
        .finally(() => ending.delete(ended));
      ending.add(ended);
      if (ending.size >= MAX_PENDING_WRITES) await Promise.race(ending);
    } catch (error) {
      abort(error);
    }
  }

  const queues = [...Map.groupBy(files, ({ url }) => new URL(url).host).values()].map((own) => {
    const queue = new PQueue({ concurrency });
    for (const file of own) void queue.add(() => runOne(file));
    return queue;
  });
  await Promise.all(queues.map((queue) => queue.onIdle()));
  await Promise.all(ending);
  stop.signal.throwIfAborted();
}
