/** Harvests upstream: fetches the seeds and then all discovered resources. A run fetches each resource at most once. */
import { type Client, createClient, type RequestPolicy } from '../http/client.ts';
import type { Clock } from '../http/gate.ts';
import { UserError } from '../model/errors.ts';
import { isGuideKind, type ResourceKind } from '../model/resources.ts';
import { stateDirectory } from '../platform/user-state.ts';
import { countChangesInRun } from '../snapshot/changes.ts';
import { isFirstOfWeek } from '../snapshot/dead-resources.ts';
import { finishDeletions } from '../snapshot/deletions.ts';
import { syncInBackground } from '../snapshot/durability.ts';
import { pagesOfRun, storedEntries } from '../snapshot/lists.ts';
import { writeNamedHosts } from '../snapshot/named-hosts.ts';
import { assertMayBeSnapshot } from '../snapshot/new-directory.ts';
import { countResources, readFailures } from '../snapshot/read.ts';
import { markRemoved } from '../snapshot/removals.ts';
import { createSnapshot, hasSnapshot, lend, lockSnapshot, type SnapshotLock, type Store } from '../snapshot/store.ts';
import { type HarvestWriter, openWriter } from '../snapshot/write.ts';
import { createClockCheck, warnOfFuture } from './clock-check.ts';
import { crawlFrontier } from './crawl.ts';
import { summarizeDiscovery } from './discovery.ts';
import { type FetchContext, fetchResource } from './fetch-resource.ts';
import { createStorageGuard, isRecord, type StopReason, type StorageLimits } from './harvest-limits.ts';
import { createListTracker, type ListTracker } from './list-tracker.ts';
import { preflight } from './preflight.ts';
import { assertSameUpstream, COLLECTIONS_META_KEY, planStart, readPreviousHarvest } from './previous-harvest.ts';
import { createRefill } from './refill-frontier.ts';
import { type HarvestReport, totalOf } from './report.ts';
import { isForeign, knownRepositories, SITEMAP_KEY } from './repositories.ts';
import type { Scope } from './scope.ts';
import { fetchSeeds, NO_SEEDS, type SeedOptions, type Start, seedResource, seedResources } from './seeds.ts';

/** What to harvest, and how. The defaults are those of the command `harvest`. */
export interface HarvestOptions extends SeedOptions, RequestPolicy {
  /** The archive in the snapshot has moved to these base URLs. */
  newUpstream: boolean;
  snapshot: string;
  /** Additional hosts (`name` or `name:port`) that redirects may target, and private IP addresses that a host may resolve to. */
  allowHosts: string[];
  limits: HarvestLimits;
  /** Fetches everything again: sends no conditional requests and ignores modification dates in lists. */
  full: boolean;
  /** Maximum age, in days, of a stored record whose list entry is unchanged. Older records are revalidated. */
  maxAgeDays: number;
  /** Requests unlisted IDs in the numbering gaps of incomplete children lists. */
  probeGaps: boolean;
  /** Fetches only the resources that failed in the last run, and resources discovered through them. */
  retryFailed: boolean;
  /** Share of known records (0 to 1) that may fail before removal detection is skipped: more suggests an upstream outage. */
  maxMissingShare: number;
  /** Additional metadata to store with the snapshot. */
  meta?: Record<string, string>;
  onProgress?: (state: HarvestProgress) => void;
  /** Receives messages for the operator that do not stop the harvest. */
  onWarning?: (line: string) => void;
  /** The lock of the snapshot, if the caller holds it. */
  lock?: SnapshotLock;
  /** The clock by which hosts are paused, if it is not the computer's. */
  clock?: Clock | undefined;
}

/** Limits per response and of the snapshot, and the number of attempts. */
export interface HarvestLimits extends StorageLimits {
  /** Timeout for connecting and for response headers, in seconds. */
  timeoutSeconds: number;
  /** Response body timeout, in seconds. */
  bodyTimeoutSeconds: number;
  /** Maximum body size in bytes, before and after decompression. */
  maxBodyBytes: number;
  /** Maximum JSON nesting depth. */
  maxDepth: number;
  maxRedirects: number;
  /** Maximum attempts per resource that end with an error, including the first. */
  maxAttempts: number;
  /** How long to wait for an unreachable host, in seconds. */
  unreachableTimeoutSeconds: number;
}

/** Counts of resources in a run. */
export interface HarvestProgress {
  /** Fetched, confirmed or failed. */
  done: number;
  /** Discovered so far, including those done. */
  known: number;
  failed: number;
}

const INITIAL_BACKOFF_MS = 250;
const DAY_MS = 86_400_000;

/**
 * Creates or updates a snapshot.
 * @throws {UserError} if upstream cannot be used at all, see `preflight`, or the directory has other files; nothing is then
 * changed
 * @throws {LockedError} if another process is writing to the snapshot
 */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const started = Date.now();
  const client = createHarvestClient(options);
  let lock = options.lock && lend(options.lock);
  let store: Store | undefined;
  try {
    assertMayBeSnapshot(options.snapshot);
    const exists = hasSnapshot(options.snapshot);
    if (exists) lock ??= lockSnapshot(options.snapshot);
    const previous = exists ? readPreviousHarvest(options.snapshot) : undefined;
    if (previous) assertSameUpstream(previous, { ...options, sample: options.meta?.['sample'] });
    if (options.retryFailed && (previous?.run?.finished_at ?? null) === null)
      throw new UserError('No completed harvest to retry. First run "microfiche harvest" without --retry-failed.');
    warnOfFuture(previous?.run?.started_at, options.onWarning);
    const { scope, mode } = planStart(previous, options.collections, options.retryFailed);
    const start = mode === 'resume' ? { ...NO_SEEDS, baseUrls: options.baseUrls } : await fetchSeeds(options, client, previous);
    store = createSnapshot(options.snapshot, lock);
    for (const problem of finishDeletions(store)) options.onWarning?.(problem);
    rememberNamedHosts(store, options);
    const writer = openWriter(store, () => new Date().toISOString(), { start: mode, includes: scope.includes });
    const { lists: listTracker, stopReason, fetched } = await crawl(options, scope, client, store, writer, start);
    const complete = stopReason === undefined && !options.signal?.aborted;
    if (complete) writer.pruneUnreferenced();
    const incompleteLists = listTracker.incompleteLists((kind, name) => storedEntries(store as Store, kind, name));
    // A retry belongs to the run before, which has looked for removals.
    const removals =
      complete && !options.retryFailed
        ? markRemoved(store, writer.runId, new Date().toISOString(), options.maxMissingShare)
        : { removed: [] };
    const failed = readFailures(store);
    const stored = countResources(store);
    const report: HarvestReport = {
      complete,
      ...(stopReason === undefined ? {} : { stopped: stopReason.cause }),
      ...(stopReason?.limit === undefined ? {} : { limit: stopReason.limit }),
      ...(stopReason?.resumeAt === undefined ? {} : { resumeAt: stopReason.resumeAt }),
      ...(scope.collections.length > 0 ? { collections: [...scope.collections] } : {}),
      ...(options.retryFailed ? { retried: true } : {}),
      fetched,
      failed: failed.length,
      ...(options.discover && complete
        ? { discovery: summarizeDiscovery(store, writer.runId, { ...start, roots: options.seeds.map(seedResource) }) }
        : {}),
      ...removals,
      counts: stored,
      failures: failed,
      incompleteLists,
      changes: writer.isEmpty ? { new: totalOf(stored), changed: 0, restored: 0 } : countChangesInRun(store, writer.runId),
      duration: (Date.now() - started) / 1000,
    };
    if (complete) writer.finish(report);
    return report;
  } finally {
    await client.close();
    (store ?? lock)?.close();
  }
}

/** Requests both base URLs once, for a new project. Returns what is wrong with them, if anything. */
export async function findUpstreamProblem(options: HarvestOptions): Promise<string | undefined> {
  await using client = createHarvestClient({ ...options, limits: { ...options.limits, maxAttempts: 1, timeoutSeconds: 10 } }, 0);
  try {
    await preflight(options.baseUrls, client, { mayBeEmpty: true, knowsRepositories: true });
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Remembers the hosts that the operator named, for later commands. A failure does not stop the harvest. */
function rememberNamedHosts(store: Store, options: HarvestOptions): void {
  try {
    writeNamedHosts(store, namedHosts(options));
  } catch (error) {
    options.onWarning?.(
      `The hosts of this harvest could not be remembered in ${stateDirectory()} (${(error as Error).message}). Add them to "media" and "verify --repair" with --allow-host.`,
    );
  }
}

function namedHosts({ baseUrls, allowHosts }: Pick<HarvestOptions, 'baseUrls' | 'allowHosts'>): Set<string> {
  return new Set([new URL(baseUrls.authors).host, new URL(baseUrls.catalog).host, ...allowHosts]);
}

function createHarvestClient(options: HarvestOptions, maxDelays?: number): Client {
  const { limits, onWarning } = options;
  return createClient({
    ...options,
    ...limits,
    hosts: { named: namedHosts(options) },
    timeoutMs: limits.timeoutSeconds * 1000,
    bodyTimeoutMs: limits.bodyTimeoutSeconds * 1000,
    optionNames: { maxBytes: '--max-body', bodyTimeout: '--body-timeout', maxRedirects: '--max-redirects' },
    initialBackoffMs: INITIAL_BACKOFF_MS,
    unreachableTimeoutMs: limits.unreachableTimeoutSeconds * 1000,
    onDelay: onWarning,
    maxDelays,
  });
}

/** Crawls until the frontier is empty, reading incomplete lists again in further passes. */
async function crawl(
  options: HarvestOptions,
  scope: Scope,
  client: Client,
  store: Store,
  writer: HarvestWriter,
  { baseUrls, prefetched, sitemap, ...start }: Start,
): Promise<{ lists: ListTracker; stopReason: StopReason | undefined; fetched: number }> {
  const { signal, onProgress } = options;
  let fetched = 0;
  const checkClock = createClockCheck(options.onWarning);
  const listTracker = createListTracker();
  if (options.retryFailed) writer.requeueFailed('all');
  else if (writer.isResumed) writer.requeueFailed('transient');
  for (const { resource, page } of pagesOfRun(store, writer.runId)) {
    if (page) listTracker.addPage(resource, page);
    else listTracker.addFailedPage(resource);
  }
  for (const [key, value] of Object.entries({
    ...options.meta,
    authors_url: options.baseUrls.authors,
    catalog_url: options.baseUrls.catalog,
    [COLLECTIONS_META_KEY]: JSON.stringify(scope.collections),
  }))
    writer.setMeta(key, value);
  if (!options.retryFailed) writer.enqueue(seedResources(options));
  writer.enqueue(sitemap, SITEMAP_KEY);

  const progress: HarvestProgress = { done: 0, known: writer.countQueued(), failed: 0 };
  const guideHost = new URL(baseUrls.authors).host;
  const recordsHost = new URL(baseUrls.catalog).host;
  const full = options.full || writer.isEmpty;
  const now = new Date().toISOString();
  const oldest = new Date(Date.now() - options.maxAgeDays * DAY_MS).toISOString();
  // A confirmation in the future comes from a wrong clock.
  const isRecent = (checkedAt: string) => checkedAt >= oldest && checkedAt <= now;
  const { maxDepth } = options.limits;
  const repositories = knownRepositories(store, [...options.seeds, ...options.collections, ...start.repositories]);
  const requestsAll = full || options.retryFailed || isFirstOfWeek(store, writer.runId);
  const foreign: FetchContext['foreign'] = [];
  const upstream = { client, baseUrls, prefetched, repositories, foreign, signal };
  // By now, the catalogue may have named their repositories. What was requested meanwhile is not added again.
  const enqueueKnown = () =>
    foreign.filter(
      ({ resource, referrer }) =>
        !isForeign(resource, referrer, repositories) && writer.enqueue([resource], referrer ?? undefined).length > 0,
    ).length > 0;
  const refill = createRefill(store, writer, listTracker, {
    ...options,
    onRetry(count) {
      progress.done -= count;
      progress.failed -= count;
    },
  });
  const durability = syncInBackground(store);
  const stopReason = await crawlFrontier(writer, {
    concurrency: options.concurrency,
    hostOf: (kind: ResourceKind) => (isGuideKind(kind) ? guideHost : recordsHost),
    fetchResource: (resource) =>
      fetchResource(resource, { ...upstream, store, listTracker, full, requestsAll, isRecent, maxDepth }),
    refuse: createStorageGuard(store, writer, options.limits),
    onFrontierEmpty: () => enqueueKnown() || refill(),
    onProgress(outcome, found) {
      if (outcome) progress.done++;
      else durability.noteCommit();
      if (outcome?.received && isRecord(outcome)) fetched++;
      if (outcome?.received) checkClock(outcome.received);
      if (outcome?.failure) progress.failed++;
      progress.known = Math.max(progress.known + found, progress.done);
      onProgress?.(progress);
    },
    signal,
  }).finally(() => durability.close());
  return { stopReason, lists: listTracker, fetched };
}
