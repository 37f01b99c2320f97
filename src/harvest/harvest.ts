/** The harvest: from the authors list and the root ids to everything reachable, to a fixed point, each resource once. */
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

export interface HarvestOptions {
  bases: Bases;
  /** Ids to begin with, besides what the authors lead to. */
  roots: string[];
  /** Harvest only what is below these, and the records above them; everything where there are none. */
  collections: string[];
  /** Begin also with the catalog's own index. */
  discover: boolean;
  /** The archive that the snapshot holds has moved to these addresses. */
  newUpstream: boolean;
  /** The snapshot's folder. */
  snapshot: string;
  /** Further hosts (`name:port`) that a redirect may lead to, and addresses that a host may have though they are private. */
  allowHosts: string[];
  /** Requests under way at once to a host. */
  concurrency: number;
  /** Requests a second at most to a host; undefined: no limit. */
  rate: number | undefined;
  limits: HarvestLimits;
  ignoreRobots: boolean;
  userAgent: string;
  /** Ask for everything anew: no conditional requests, and no trust in the dates that lists give. */
  full: boolean;
  /** Days for which a list's line may stand for a record that it says is unchanged. */
  trustDays: number;
  /** Ask for the ids in the gaps of a numbering where a list does not show all that it counts. */
  probe: boolean;
  /** Ask for nothing but what the last harvest could not have, and for what that leads to. */
  retryFailed: boolean;
  /** The share of what was there before that may be missing (0 to 1) before the harvest believes in trouble upstream and marks nothing as gone. */
  goneLimit: number;
  /** Further facts to keep with the snapshot. */
  meta?: Record<string, string>;
  onProgress?: (state: Progress) => void;
  /** Is told what the user should know although the harvest goes on. */
  onWarning?: (line: string) => void;
  /** Finishes the requests under way, then stops; the next run goes on. */
  signal?: AbortSignal;
}

export interface HarvestLimits {
  /** Seconds to wait for a connection, and for the headers of an answer. */
  timeout: number;
  /** Seconds that a body may take as a whole. */
  bodyTimeout: number;
  /** Bytes of a body, as sent and when unpacked. */
  maxBody: number;
  /** Levels of nested JSON. */
  maxDepth: number;
  maxRedirects: number;
  /** Tries for one resource. */
  attempts: number;
  /** Seconds to wait for a host that can no longer be reached. */
  patience: number;
}

export interface Progress {
  done: number;
  known: number;
  failed: number;
}

/** Milliseconds before the second try. */
const BACKOFF = 250;
const DAY = 86_400_000;

/** Fills or refreshes the snapshot. @throws UserError when upstream cannot be used at all; the snapshot is then as it was. */
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
      throw new UserError('There is no finished harvest to retry: run “microfiche harvest” without --retry-failed first.');
    const { scope, how } = startOf(before, options.collections, options.retryFailed);
    const ready = how === 'resume' ? { bases: options.bases, answers: new Map() } : await begin(options, client, before);
    store = createSnapshot(options.snapshot, lock);
    keepInMind(store, options);
    const writer = openWriter(store, () => new Date().toISOString(), { start: how, includes: scope.includes });
    const { lists, stopped, fetched } = await crawl(options, scope, client, store, writer, ready);
    const complete = stopped === undefined && !options.signal?.aborted;
    if (complete) writer.forget();
    if (stopped !== undefined) writer.requeueFailed('unanswered');
    const shortfalls = lists.shortfalls((kind, name) => storedEntries(store as Store, kind, name));
    // Of a snapshot that was empty nothing can be gone, and everything is new.
    const marked =
      complete && !writer.fresh ? markGone(store, writer.run, new Date().toISOString(), options.goneLimit) : { gone: [] };
    const failed = failures(store);
    const held = counts(store);
    const report: HarvestReport = {
      complete,
      ...(stopped === undefined ? {} : { stopped }),
      ...(scope.collections.length > 0 ? { collections: [...scope.collections] } : {}),
      ...(options.retryFailed ? { retried: true } : {}),
      fetched,
      failed: failed.length,
      ...(options.discover && complete
        ? { discovery: discoveryOf(store, writer.run, ready.bases, options.roots.map(root)) }
        : {}),
      ...marked,
      counts: held,
      failures: failed,
      shortfalls,
      changes: writer.fresh ? { new: sumOf(held), changed: 0, returned: 0 } : countsOf(receivedInRun(store, writer.run)),
      duration: (Date.now() - started) / 1000,
    };
    if (complete) writer.finish(report);
    return report;
  } finally {
    await client.close();
    (store ?? lock)?.close();
  }
}

/** Remembers for later commands which hosts the user named. A harvest goes on without that. */
function keepInMind(store: Store, options: HarvestOptions): void {
  try {
    rememberHosts(store, namedHosts(options));
  } catch (error) {
    options.onWarning?.(
      `The hosts of this harvest could not be remembered in ${stateFolder()} (${(error as Error).message}): name them to “media” and “verify --repair” with --allow-host.`,
    );
  }
}

/** The hosts that the user named for this harvest. */
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
    backoff: BACKOFF,
    patience: limits.patience * 1000,
    userAgent,
    ignoreRobots,
  });
}

/** Runs the frontier to its end, list by list pass by pass. */
async function crawl(
  options: HarvestOptions,
  scope: Scope,
  client: Client,
  store: Store,
  writer: Writer,
  { bases, answers }: Ready,
): Promise<{ lists: Lists; stopped: string | undefined; fetched: number }> {
  const { signal, onProgress } = options;
  let fetched = 0;
  const lists = createLists();
  // An earlier version did not ask for the lists of what failed.
  writer.enqueue(
    writer.failedObjects().flatMap(({ status, ...lost }) => listsOfLost(lost, status)),
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

  let probed = !options.probe;
  function more(): boolean {
    const again = writer.enqueue(lists.again(), undefined);
    if (again.length > 0) return true;
    if (!probed) {
      probed = true;
      const known = (kind: ListKind, name: string) => storedEntries(store, kind, name);
      const gaps = lists.shortfalls(known).flatMap((shortfall) => gapsIn(shortfall, known(shortfall.kind, shortfall.name)));
      if (writer.enqueue(gaps, undefined).length > 0) return true;
    }
    // What earlier harvests had and nothing leads to any longer: is it still there?
    return !options.retryFailed && writer.sweep() > 0;
  }

  const progress: Progress = { done: 0, known: writer.queuedCount(), failed: 0 };
  const guide = new URL(bases.authors).host;
  const catalog = new URL(bases.catalog).host;
  const full = options.full || writer.fresh;
  const trustSince = new Date(Date.now() - options.trustDays * DAY).toISOString();
  const { maxDepth } = options.limits;
  const durability = syncInBackground(store);
  const stopped = await runFrontier(writer, {
    concurrency: options.concurrency,
    hostOf: (kind: ResourceKind) => (isOfGuide(kind) ? guide : catalog),
    ask: (lead) => ask(lead, { client, bases, store, lists, full, trustSince, maxDepth, ready: answers, signal }),
    more,
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
  return { stopped, lists, fetched };
}

const RECORDS: ReadonlySet<ResourceKind> = new Set(RECORD_KINDS);

function sumOf(held: Record<string, number>): number {
  return Object.values(held).reduce((sum, count) => sum + count, 0);
}

function countsOf(received: { new: string[]; changed: string[]; returned: string[] }): HarvestReport['changes'] {
  return { new: received.new.length, changed: received.changed.length, returned: received.returned.length };
}
