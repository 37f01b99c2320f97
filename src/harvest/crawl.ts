/** Crawl scheduler: fetches the frontier's resources through one queue per host, and commits outcomes in batches. */
import { FetchError } from '../http/errors.ts';
import { keyOf, RESOURCE_KINDS, type Resource, type ResourceKind } from '../model/resources.ts';
import type { DiscoveredResource, HarvestWriter, Outcome } from '../snapshot/write.ts';
import type { StopReason } from './harvest-limits.ts';

/** How a crawl fetches resources and finds more of them. */
export interface CrawlOptions {
  /** Maximum concurrent requests per host. */
  concurrency: number;
  hostOf: (kind: ResourceKind) => string;
  /** Fetches a resource. Rejects with a `hostUnreachable` FetchError: the crawl then stops, and the frontier keeps it. */
  fetchResource: (resource: DiscoveredResource) => Promise<Outcome>;
  /** Counts an outcome before it is stored. Returns why not to store it: the crawl then stops, and the frontier keeps it. */
  refuse: (outcome: Outcome) => StopReason | undefined;
  /** Called whenever the frontier is empty. Returns true after adding resources, or false if the crawl is complete. */
  onFrontierEmpty: () => boolean;
  /** Called with each stored outcome, then with undefined and the number of resources that the batch discovered. */
  onProgress: (outcome: Outcome | undefined, discoveredCount: number) => void;
  /** Stops the crawl after the requests in flight. */
  signal: AbortSignal | undefined;
}

/** Maximum buffered resources per host and queue. The frontier in the snapshot contains the others. */
const MAX_BUFFERED = 2_000;

/** Delay that lets several outcomes share one transaction, if enough other requests are queued. */
const BATCH_DELAY_MS = 4;

/** Resources to fetch from one host. List pages come first, because they name further resources. */
interface HostQueue {
  kinds: ResourceKind[];
  listPages: DiscoveredResource[];
  resources: DiscoveredResource[];
  active: number;
  /** Whether the frontier may contain resources for this host that are not buffered. */
  mayHaveMore: boolean;
}

/**
 * Crawls until the frontier is empty and `onFrontierEmpty` adds nothing to it. Resolves with a reason if the crawl stopped early
 * without an abort signal. Rejects if the snapshot cannot be written.
 */
export function crawlFrontier(writer: HarvestWriter, options: CrawlOptions): Promise<StopReason | undefined> {
  const { concurrency, hostOf, fetchResource, refuse, onFrontierEmpty, onProgress, signal } = options;
  /** Requests to start beyond the concurrency limit: they wait at the gate, so that no slot is idle during a commit. */
  const refillThreshold = Math.floor(concurrency / 8);
  const queues = [...Map.groupBy(RESOURCE_KINDS, hostOf).values()].map(
    (kinds): HostQueue => ({ kinds, listPages: [], resources: [], active: 0, mayHaveMore: true }),
  );
  const queueByKind = new Map(queues.flatMap((queue) => queue.kinds.map((kind) => [kind, queue])));
  /** Keys of resources that are buffered, in flight or waiting to be committed. */
  const bufferedKeys = new Set<string>();
  let outcomes: Outcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isCommitScheduled = false;
  let stopReason: StopReason | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<StopReason | undefined>();

  function add(resources: DiscoveredResource[]): void {
    for (const resource of resources) {
      const queue = queueByKind.get(resource.kind) as HostQueue;
      const target = resource.page ? queue.listPages : queue.resources;
      if (target.length >= MAX_BUFFERED) {
        queue.mayHaveMore = true;
        continue;
      }
      const key = keyOf(resource);
      if (bufferedKeys.has(key)) continue;
      bufferedKeys.add(key);
      target.push(resource);
    }
  }

  function refill(queue: HostQueue): void {
    if (!queue.mayHaveMore || queue.listPages.length + queue.resources.length >= concurrency) return;
    const resources = writer.readQueued(queue.kinds, MAX_BUFFERED, bufferedKeys);
    queue.mayHaveMore = resources.length >= MAX_BUFFERED;
    add(resources);
  }

  function schedule(): void {
    try {
      dispatch();
    } catch (error) {
      fail(error);
    }
  }

  function dispatch(): void {
    const isRunning = stopReason === undefined && !signal?.aborted;
    for (const queue of isRunning ? queues : []) {
      refill(queue);
      while (queue.active < concurrency + refillThreshold) {
        const resource = queue.listPages.shift() ?? queue.resources.shift();
        if (!resource) break;
        queue.active++;
        void fetchOne(resource, queue.resources);
      }
    }
    if (queues.some(({ active }) => active > 0)) return;
    if (isRunning && onFrontierEmpty()) {
      for (const queue of queues) queue.mayHaveMore = true;
      setImmediate(schedule);
    } else resolve(stopReason);
  }

  /** Frees the slot of a resource that is no longer in flight. */
  function release(resource: Resource): void {
    bufferedKeys.delete(keyOf(resource));
    (queueByKind.get(resource.kind) as HostQueue).active--;
  }

  async function fetchOne(resource: DiscoveredResource, waiting: readonly DiscoveredResource[]): Promise<void> {
    try {
      const outcome = await fetchResource(resource);
      outcomes.push(outcome);
      if (outcomes.length < refillThreshold && waiting.length > concurrency) timer ??= setTimeout(scheduleCommit, BATCH_DELAY_MS);
      else scheduleCommit();
    } catch (error) {
      release(resource);
      if (error instanceof FetchError && error.hostUnreachable)
        stopReason ??= error.resumeAt
          ? { cause: error.message, resumeAt: error.resumeAt }
          : { cause: `${hostOf(resource.kind)} is unreachable (${error.message})` };
      else if (!signal?.aborted) return fail(new Error(`${keyOf(resource)} could not be read`, { cause: error }));
      schedule();
    }
  }

  function scheduleCommit(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isCommitScheduled) setImmediate(commit);
    isCommitScheduled = true;
  }

  /** Commits a batch in one transaction. Slots become free only then, so a crash loses no more than requests in flight. */
  function commit(): void {
    isCommitScheduled = false;
    const received = outcomes;
    outcomes = [];
    try {
      const batch = received.filter((outcome) => {
        const refusal = refuse(outcome);
        if (refusal) release(outcome.resource);
        stopReason ??= refusal;
        return refusal === undefined;
      });
      const discovered = writer.commitOutcomes(batch);
      for (const outcome of batch) {
        release(outcome.resource);
        onProgress(outcome, 0);
      }
      onProgress(undefined, discovered.length);
      add(discovered);
    } catch (error) {
      fail(error);
    }
    schedule();
  }

  /** Stops the crawl because outcomes cannot be committed. The next run resumes it. */
  function fail(error: unknown): void {
    stopReason = { cause: 'failed' };
    reject(error);
  }

  signal?.addEventListener('abort', () => setImmediate(schedule), { once: true });
  schedule();
  return promise;
}
