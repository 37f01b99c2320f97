/** Harvest: fetches upstream from the seeds on until no new resource is discovered. A run fetches each resource at most once. */
import { type Client, createClient } from '../http/client.ts';
import { UserError } from '../model/errors.ts';
import { type Bases, isOfGuide, type ListKind, RECORD_KINDS, type ResourceKind } from '../model/resources.ts';
import { stateFolder } from '../platform/user-state.ts';
import { markGone, receivedInRun } from '../snapshot/changes.ts';
import { syncInBackground } from '../snapshot/durability.ts';
import { pagesOfRun, storedEntries } from '../snapshot/lists.ts';
import { rememberHosts } from '../snapshot/named-hosts.ts';
import { counts, failures } from '../snapshot/read.ts';
import { createSnapshot, hasSnapshot, lockSnapshot, type SnapshotLock, type Store } from '../snapshot/store.ts';
import { openWriter, type Writer } from '../snapshot/write.ts';
import { ask, listsOfLost } from './ask.ts';
import { assertSameUpstream, LIMITED_TO, readBefore, startOf } from './before.ts';
import { begin, root, seedsOf } from './begin.ts';
import { runFrontier } from './crawl.ts';
import { createLists, type Lists } from './lists.ts';
import type { Ready } from './preflight.ts';
import { gapsIn } from './probe.ts';
import type { HarvestReport } from './report.ts';
import type { Scope } from './scope.ts';
import { discoveryOf } from './ways.ts';

/** What to harvest, and how. The defaults are those of the command `harvest`. */
export interface HarvestOptions {
  bases: Bases;
  /** IDs of seed records, in addition to the authors list. */
  roots: string[];
  /** IDs of the collections to harvest, with their ancestors; the entire archive if empty. */
  collections: string[];
  /** Starts from the catalog index too. */
  discover: boolean;
  /** The archive in the snapshot has moved to these base URLs. */
  newUpstream: boolean;
  /** Snapshot directory. */
  snapshot: string;
  /** Additional hosts (`name` or `name:port`) that redirects may target, and private IP addresses that a host may resolve to. */
  allowHosts: string[];
  /** Maximum concurrent requests per host. */
  concurrency: number;
  /** Maximum requests per second per host; unlimited if undefined. */
  rate: number | undefined;
  limits: HarvestLimits;
  ignoreRobots: boolean;
  userAgent: string;
  /** Fetches everything again: sends no conditional requests and ignores modification dates in lists. */
  full: boolean;
  /** Maximum age, in days, of a stored record whose list entry is unchanged. Older records are revalidated. */
  trustDays: number;
  /** Requests unlisted IDs in the numbering gaps of incomplete children lists. */
  probe: boolean;
  /** Fetches only the resources that failed in the last run, and resources discovered through them. */
  retryFailed: boolean;
  /** Share of known records (0 to 1) that may fail before removal detection is skipped. A larger share suggests an upstream outage. */
  goneLimit: number;
  /** Additional metadata to store with the snapshot. */
  meta?: Record<string, string>;
  onProgress?: (state: Progress) => void;
  /** Receives messages for the operator that do not stop the harvest. */
  onWarning?: (line: string) => void;
  /** Stops the run after the requests in flight. The next run resumes it. */
  signal?: AbortSignal;
}

/** Limits for one response, and how often a request is repeated. */
export interface HarvestLimits {
  /** Timeout for connecting and for response headers, in seconds. */
  timeout: number;
  /** Response body timeout, in seconds. */
  bodyTimeout: number;
  /** Maximum body size in bytes, before and after decompression. */
  maxBody: number;
  /** Maximum JSON nesting depth. */
  maxDepth: number;
  maxRedirects: number;
  /** Maximum attempts per resource, including the first. */
  attempts: number;
  /** How long to wait for an unreachable host, in seconds. */
  patience: number;
}

/** Counts of resources in a run. */
export interface Progress {
  /** Fetched, confirmed or failed. */
  done: number;
  /** Discovered so far, including those done. */
  known: number;
  failed: number;
}

/** Delay before the first retry. */
const INITIAL_BACKOFF_MS = 250;
const DAY_MS = 86_400_000;

/**
 * Creates or updates a snapshot.
 *
 * @throws {UserError} if upstream cannot be used at all; the snapshot is then unchanged
 */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const started = Date.now();
  const client = clientFor(options);
  let lock: SnapshotLock | undefined;
  let store: Store | undefined;
  try {
    if (hasSnapshot(options.snapshot)) lock = lockSnapshot(options.snapshot);
    const before = lock && readBefore(options.snapshot);
    if (before) assertSameUpstream(before, { ...options, sample: options.meta?.['sample'] });
    if (options.retryFailed && (before?.run?.finished_at ?? null) === null)
      throw new UserError('No completed harvest to retry. First run "microfiche harvest" without --retry-failed.');
    const { scope, how } = startOf(before, options.collections, options.retryFailed);
    const ready = how === 'resume' ? { bases: options.bases, answers: new Map() } : await begin(options, client, before);
    store = createSnapshot(options.snapshot, lock);
    rememberNamedHosts(store, options);
    const writer = openWriter(store, () => new Date().toISOString(), { start: how, includes: scope.includes });
    const { lists, stopReason, fetched } = await crawl(options, scope, client, store, writer, ready);
    const complete = stopReason === undefined && !options.signal?.aborted;
    if (complete) writer.forget();
    if (stopReason !== undefined) writer.requeueFailed('unanswered');
    const shortfalls = lists.shortfalls((kind, name) => storedEntries(store as Store, kind, name));
    // If the snapshot was empty, nothing can have been removed, and everything is new.
    const removals =
      complete && !writer.fresh ? markGone(store, writer.run, new Date().toISOString(), options.goneLimit) : { gone: [] };
    const failed = failures(store);
    const stored = counts(store);
    const report: HarvestReport = {
      complete,
      ...(stopReason === undefined ? {} : { stopped: stopReason }),
      ...(scope.collections.length > 0 ? { collections: [...scope.collections] } : {}),
      ...(options.retryFailed ? { retried: true } : {}),
      fetched,
      failed: failed.length,
      ...(options.discover && complete
        ? { discovery: discoveryOf(store, writer.run, ready.bases, options.roots.map(root)) }
        : {}),
      ...removals,
      counts: stored,
      failures: failed,
      shortfalls,
      changes: writer.fresh ? { new: totalOf(stored), changed: 0, returned: 0 } : countChanges(receivedInRun(store, writer.run)),
      duration: (Date.now() - started) / 1000,
    };
    if (complete) writer.finish(report);
    return report;
  } finally {
    await client.close();
    (store ?? lock)?.close();
  }
}

/** Remembers the hosts that the operator named, for later commands. A harvest works without that. */
function rememberNamedHosts(store: Store, options: HarvestOptions): void {
  try {
    rememberHosts(store, namedHosts(options));
  } catch (error) {
    options.onWarning?.(
      `The hosts of this harvest could not be remembered in ${stateFolder()} (${(error as Error).message}). Add them to "media" and "verify --repair" with --allow-host.`,
    );
  }
}

/** Returns the hosts that the operator named for this harvest. */
function namedHosts({ bases, allowHosts }: Pick<HarvestOptions, 'bases' | 'allowHosts'>): Set<string> {
  return new Set([new URL(bases.authors).host, new URL(bases.catalog).host, ...allowHosts]);
}

function clientFor({ bases, allowHosts, concurrency, rate, limits, ignoreRobots, userAgent }: HarvestOptions): Client {
  return createClient({
    hosts: { named: namedHosts({ bases, allowHosts }) },
    concurrency,
    rate,
    timeout: limits.timeout * 1000,
    bodyTimeout: limits.bodyTimeout * 1000,
    maxBytes: limits.maxBody,
    optionNames: { maxBytes: '--max-body', bodyTimeout: '--body-timeout', maxRedirects: '--max-redirects' },
    maxRedirects: limits.maxRedirects,
    attempts: limits.attempts,
    backoff: INITIAL_BACKOFF_MS,
    patience: limits.patience * 1000,
    userAgent,
    ignoreRobots,
  });
}

/** Crawls until the frontier is empty, reading incomplete lists again in further passes. */
async function crawl(
  options: HarvestOptions,
  scope: Scope,
  client: Client,
  store: Store,
  writer: Writer,
  { bases, answers }: Ready,
): Promise<{ lists: Lists; stopReason: string | undefined; fetched: number }> {
  const { signal, onProgress } = options;
  let fetched = 0;
  const lists = createLists();
  // An earlier version of Microfiche did not request the lists of failed records.
  writer.enqueue(
    writer.failedObjects().flatMap(({ status, ...resource }) => listsOfLost(resource, status)),
    undefined,
  );
  for (const { resource, page } of pagesOfRun(store, writer.run)) {
    if (page) lists.read(resource, page);
    else lists.failed(resource);
  }
  for (const [key, value] of Object.entries({
    ...options.meta,
    authors_url: options.bases.authors,
    catalog_url: options.bases.catalog,
    [LIMITED_TO]: JSON.stringify(scope.collections),
  }))
    writer.setMeta(key, value);
  if (options.retryFailed) writer.requeueFailed('all');
  else writer.enqueue(seedsOf(options), undefined);

  let hasProbed = !options.probe;
  function refillFrontier(): boolean {
    const extraPasses = writer.enqueue(lists.again(), undefined);
    if (extraPasses.length > 0) return true;
    if (!hasProbed) {
      hasProbed = true;
      const known = (kind: ListKind, name: string) => storedEntries(store, kind, name);
      const gaps = lists.shortfalls(known).flatMap((shortfall) => gapsIn(shortfall, known(shortfall.kind, shortfall.name)));
      if (writer.enqueue(gaps, undefined).length > 0) return true;
    }
    // Fetches known records that nothing references any more, to detect removals.
    return !options.retryFailed && writer.sweep() > 0;
  }

  const progress: Progress = { done: 0, known: writer.queuedCount(), failed: 0 };
  const guideHost = new URL(bases.authors).host;
  const recordsHost = new URL(bases.catalog).host;
  const full = options.full || writer.fresh;
  const trustSince = new Date(Date.now() - options.trustDays * DAY_MS).toISOString();
  const { maxDepth } = options.limits;
  const durability = syncInBackground(store);
  const stopReason = await runFrontier(writer, {
    concurrency: options.concurrency,
    hostOf: (kind: ResourceKind) => (isOfGuide(kind) ? guideHost : recordsHost),
    ask: (resource) => ask(resource, { client, bases, store, lists, full, trustSince, maxDepth, ready: answers, signal }),
    more: refillFrontier,
    onProgress(outcome, found) {
      if (outcome) progress.done++;
      else durability.committed();
      if (outcome?.received && RECORDS.has(outcome.resource.kind)) fetched++;
      if (outcome?.failure) progress.failed++;
      progress.known = Math.max(progress.known + found, progress.done);
      onProgress?.(progress);
    },
    signal,
  }).finally(() => durability.close());
  return { stopReason, lists, fetched };
}

const RECORDS: ReadonlySet<ResourceKind> = new Set(RECORD_KINDS);

function totalOf(counted: Record<string, number>): number {
  return Object.values(counted).reduce((total, count) => total + count, 0);
}

function countChanges(received: { new: string[]; changed: string[]; returned: string[] }): HarvestReport['changes'] {
  return { new: received.new.length, changed: received.changed.length, returned: received.returned.length };
}
