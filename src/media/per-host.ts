/** Downloads from several hosts side by side, and brings to the disk what was downloaded meanwhile. */
import PQueue from 'p-queue';
import type { WantedFile } from './plan.ts';

/** Downloads a file. The result, if any, is what is left to be done when nothing more is asked of the host. */
export type Work = (file: WantedFile, signal: AbortSignal) => Promise<(() => Promise<void>) | undefined>;

/** Downloaded files that may be on their way to the disk: a disk takes many at once sooner than one after the other. */
const MOST_ENDING = 64;

/** Works on files host by host, so many of each at once. The first error that is no file's own ends it all. */
export async function perHost(files: readonly WantedFile[], concurrency: number, work: Work): Promise<void> {
  const stop = new AbortController();
  const ending = new Set<Promise<void>>();
  const abort = (error: unknown) => {
    if (!stop.signal.aborted) stop.abort(error);
  };

  async function one(file: WantedFile): Promise<void> {
    if (stop.signal.aborted) return;
    try {
      const rest = await work(file, stop.signal);
      if (rest === undefined) return;
      const ended: Promise<void> = rest()
        .catch(abort)
        .finally(() => ending.delete(ended));
      ending.add(ended);
      if (ending.size >= MOST_ENDING) await Promise.race(ending);
    } catch (error) {
      abort(error);
    }
  }

  const queues = [...Map.groupBy(files, ({ url }) => new URL(url).host).values()].map((own) => {
    const queue = new PQueue({ concurrency });
    for (const file of own) void queue.add(() => one(file));
    return queue;
  });
  await Promise.all(queues.map((queue) => queue.onIdle()));
  await Promise.all(ending);
  stop.signal.throwIfAborted();
}
