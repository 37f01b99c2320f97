/** The harvest: from the authors list and the root ids to everything reachable, to a fixed point, each resource once. */
import PQueue from 'p-queue';
import { type Client, createClient, FetchFailure } from '../http/client.ts';
import { UserError } from '../model/errors.ts';
import { type Bases, keyOf, type Resource, urlOf } from '../model/resources.ts';
import { counts, failures, pagesOfRun, parseBody } from '../snapshot/read.ts';
import { createSnapshot, type Store } from '../snapshot/store.ts';
import { type Outcome, openWriter, type Writer } from '../snapshot/write.ts';
import { firstPage, follow, PAGE_LIMIT } from './follow.ts';
import { createLists, type Lists, type ListTally } from './lists.ts';
import type { HarvestReport } from './report.ts';

export interface HarvestOptions {
  bases: Bases;
  /** Ids to begin with, besides what the authors lead to. */
  roots: string[];
  /** The snapshot's folder. */
  snapshot: string;
  /** Further hosts (`name:port`) that a redirect may lead to. */
  allowHosts: string[];
  /** Requests under way at once. */
  concurrency: number;
  /** Requests a second at most; undefined: no limit. */
  rate: number | undefined;
  /** Seconds. */
  timeout: number;
  userAgent: string;
  /** Further facts to keep with the snapshot. */
  meta?: Record<string, string>;
  onProgress?: (state: { done: number; known: number; failed: number }) => void;
  /** Finishes the requests under way, then stops; the next run goes on. */
  signal?: AbortSignal;
}

/** How many outcomes may wait to be written together. */
const BATCH = 64;
const MAX_BODY = 32 * 1024 * 1024;
/** Times that a list whose entries do not add up is read, each time with other page boundaries. */
const MAX_PASSES = 3;

/** Fills or refreshes the snapshot. @throws UserError when upstream cannot be used at all; the snapshot is then as it was. */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const started = Date.now();
  const client = createClient({
    hosts: new Set([new URL(options.bases.authors).host, new URL(options.bases.catalog).host, ...options.allowHosts]),
    concurrency: options.concurrency,
    timeout: options.timeout * 1000,
    attempts: 5,
    backoff: 250,
    maxBytes: MAX_BODY,
    userAgent: options.userAgent,
  });
  let store: Store | undefined;
  try {
    await preflight(options);
    store = createSnapshot(options.snapshot);
    const writer = openWriter(store, () => new Date().toISOString());
    writer.setMeta('authors_url', options.bases.authors);
    writer.setMeta('catalog_url', options.bases.catalog);
    for (const [key, value] of Object.entries(options.meta ?? {})) writer.setMeta(key, value);
    writer.enqueue([firstPage('authors', ''), ...options.roots.map((name): Resource => ({ kind: 'object', name }))], undefined);
    const lists = createLists();
    for (const { resource, page } of pagesOfRun(store, writer.run)) lists.note(resource, page);
    const tallies = await crawl(options, client, writer, lists);
    const complete = !options.signal?.aborted;
    const report: HarvestReport = {
      complete,
      counts: counts(store),
      failures: failures(store),
      shortfalls: tallies.filter((tally) => tally.seen < tally.total),
      duration: (Date.now() - started) / 1000,
    };
    if (complete) writer.finish(report);
    return report;
  } finally {
    await client.close();
    store?.close();
  }
}

/** Asks both hosts once before anything is touched, so that a wrong address is one sentence and no snapshot. */
async function preflight({ bases, timeout, userAgent, allowHosts }: HarvestOptions): Promise<void> {
  const hosts = new Set([new URL(bases.authors).host, new URL(bases.catalog).host, ...allowHosts]);
  const client = createClient({
    hosts,
    concurrency: 1,
    timeout: timeout * 1000,
    attempts: 3,
    backoff: 200,
    maxBytes: MAX_BODY,
    userAgent,
  });
  try {
    const first = firstPage('authors', '');
    const url = urlOf(first, bases);
    const answer = await client.get(url).catch((error: unknown) => {
      throw unusable(error, url, '--authors-url');
    });
    if (follow(first, parseBody(answer.body), bases).problem) {
      throw new UserError(
        `${url} answers with ${kindOfBody(answer.body)} instead of the authors list: check --authors-url; it is the part before /api/3.0/.`,
      );
    }
    const catalog = `${bases.catalog}/api/0.2/`;
    await client.get(catalog).catch((error: unknown) => {
      const { status } = error as FetchFailure;
      if (status === undefined) throw unusable(error, catalog, '--catalog-url');
    });
  } finally {
    await client.close();
  }
}

function unusable(error: unknown, url: string, flag: string): UserError {
  const { message, status } = error as FetchFailure;
  return status === undefined
    ? new UserError(`No answer from ${url} (${message}): check ${flag} and the network, then run the same command again.`, {
        cause: error,
      })
    : new UserError(`${url} answers with ${message}: check ${flag}; it is the part before /api/.`, { cause: error });
}

function kindOfBody(body: Uint8Array): string {
  const start = new TextDecoder().decode(body.subarray(0, 200)).trimStart();
  return start.startsWith('<') ? 'a web page' : start === '' ? 'nothing' : 'something else';
}

/** Runs the frontier to its end, list by list pass by pass. Returns the tally of every list that was read. */
async function crawl(options: HarvestOptions, client: Client, writer: Writer, lists: Lists): Promise<ListTally[]> {
  const { bases, concurrency, rate, signal, onProgress } = options;
  const queue = new PQueue({ concurrency, ...(rate === undefined ? {} : { interval: 1000, intervalCap: rate }) });
  const progress = { done: 0, known: 0, failed: 0 };
  let waiting: Outcome[] = [];
  let broken: unknown;

  function flush(): void {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    add(writer.record(batch));
  }

  function add(resources: Resource[]): void {
    progress.known += resources.length;
    for (const resource of resources) {
      void queue.add(async () => {
        if (signal?.aborted || broken !== undefined) return;
        try {
          const outcome = await ask(resource, client, bases, lists.note);
          waiting.push(outcome);
          progress.done++;
          if (outcome.failure) progress.failed++;
          if (waiting.length >= BATCH || queue.size === 0) flush();
          onProgress?.(progress);
        } catch (error) {
          broken = error; // the snapshot cannot be written: nothing that follows could be kept
        }
      });
    }
  }

  add(writer.queued());
  for (let pass = 1; ; pass++) {
    do {
      await queue.onIdle();
      if (broken !== undefined) throw broken;
      flush();
    } while (queue.size > 0 || queue.pending > 0);
    const short = lists.short();
    if (pass >= MAX_PASSES || short.length === 0 || signal?.aborted) return lists.tallies();
    // Other page lengths put the boundaries elsewhere, where nothing repeats or drops.
    add(
      writer.enqueue(
        short.map(({ kind, name }) => firstPage(kind, name, PAGE_LIMIT - pass * 3)),
        undefined,
      ),
    );
  }
}

/** Asks for one resource. A failure is an outcome like any other. */
async function ask(resource: Resource, client: Client, bases: Bases, note: Lists['note']): Promise<Outcome> {
  try {
    const { attempts, ...received } = await client.get(urlOf(resource, bases));
    const payload = parseBody(received.body);
    const reading = follow(resource, payload, bases);
    if (reading.problem) {
      const cause = payload === undefined ? `the answer is ${kindOfBody(received.body)}, not JSON` : reading.problem;
      return { resource, attempts, failure: { status: received.status, cause }, found: [] };
    }
    // A list that only repeats itself has no next page worth asking for, whatever it says.
    const goesOn = reading.page === undefined || note(resource, reading.page);
    const found = goesOn ? reading.found : reading.found.filter(({ kind }) => kind !== resource.kind);
    return { resource, attempts, received, model: reading.model, found };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw new Error(`${keyOf(resource)} could not be read`, { cause: error });
    return { resource, attempts: error.attempts, failure: { status: error.status, cause: error.message }, found: [] };
  }
}
