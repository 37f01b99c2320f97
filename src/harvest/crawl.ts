/** Runs the frontier to its end: takes resources from the snapshot, asks for them host by host, and keeps the outcomes as they come. */
import { FetchFailure } from '../http/failure.ts';
import { keyOf, RESOURCE_KINDS, type ResourceKind } from '../model/resources.ts';
import type { Lead, Outcome, Writer } from '../snapshot/write.ts';

export interface CrawlOptions {
  /** Requests at once to a host. */
  concurrency: number;
  /** The host that a resource is asked for. */
  hostOf: (kind: ResourceKind) => string;
  /** Rejects with a `silent` FetchFailure where the host cannot be reached; the crawl then ends, and the resource stays in the frontier. */
  ask: (lead: Lead) => Promise<Outcome>;
  /** What to do when the frontier is empty: puts more into it and says so, or says that nothing is left to do. Called until it does. */
  more: () => boolean;
  onProgress: (outcome: Outcome | undefined, found: number) => void;
  signal: AbortSignal | undefined;
}

/** Resources in memory for a host; the frontier in the snapshot holds all of them, however many there are. */
const IN_HAND = 2_000;

/** Milliseconds to hold answers back so that they share one transaction, while there is enough left to ask for. */
const HOLD_BACK = 4;

/** What is to be asked of one host. Lists come first: they tell what else there is. */
interface Lane {
  kinds: ResourceKind[];
  lists: Lead[];
  rest: Lead[];
  active: number;
  /** The frontier may hold more for this host than is in hand. */
  spilled: boolean;
}

/** Resolves when nothing is left to ask for, with the reason where it ended early without being asked to; rejects when the snapshot cannot be written. */
export function runFrontier(writer: Writer, options: CrawlOptions): Promise<string | undefined> {
  const { concurrency, hostOf, ask, more, onProgress, signal } = options;
  /** Requests queued beyond the concurrency: they wait at the gate, so that none of its places is idle while answers are written. */
  const ahead = Math.floor(concurrency / 8);
  const lanes = [...Map.groupBy(RESOURCE_KINDS, hostOf).values()].map(
    (kinds): Lane => ({ kinds, lists: [], rest: [], active: 0, spilled: true }),
  );
  const laneOf = new Map(lanes.flatMap((lane) => lane.kinds.map((kind) => [kind, lane])));
  /** Keys of what is in a lane, under way or waiting to be written. */
  const inHand = new Set<string>();
  let outcomes: Outcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing = false;
  let stopped: string | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();

  function add(leads: Lead[]): void {
    for (const lead of leads) {
      const lane = laneOf.get(lead.kind) as Lane;
      const side = lead.page ? lane.lists : lane.rest;
      if (side.length >= IN_HAND) {
        lane.spilled = true;
        continue;
      }
      const key = keyOf(lead);
      if (inHand.has(key)) continue;
      inHand.add(key);
      side.push(lead);
    }
  }

  function refill(lane: Lane): void {
    if (!lane.spilled || lane.lists.length + lane.rest.length >= concurrency) return;
    const leads = writer.queued(lane.kinds, IN_HAND, inHand);
    lane.spilled = leads.length >= IN_HAND;
    add(leads);
  }

  function pump(): void {
    try {
      turn();
    } catch (error) {
      breakOff(error);
    }
  }

  function turn(): void {
    const going = stopped === undefined && !signal?.aborted;
    for (const lane of going ? lanes : []) {
      refill(lane);
      while (lane.active < concurrency + ahead) {
        const lead = lane.lists.shift() ?? lane.rest.shift();
        if (!lead) break;
        lane.active++;
        void start(lead, lane);
      }
    }
    if (lanes.some(({ active }) => active > 0)) return;
    if (going && more()) {
      for (const lane of lanes) lane.spilled = true;
      setImmediate(pump);
    } else resolve(stopped);
  }

  async function start(lead: Lead, lane: Lane): Promise<void> {
    try {
      const outcome = await ask(lead);
      outcomes.push(outcome);
      if (outcomes.length < ahead && lane.rest.length > concurrency) timer ??= setTimeout(scheduleFlush, HOLD_BACK);
      else scheduleFlush();
    } catch (error) {
      inHand.delete(keyOf(lead));
      lane.active--;
      if (error instanceof FetchFailure && error.silent)
        stopped ??= `${hostOf(lead.kind)} can no longer be reached (${error.message})`;
      else if (!signal?.aborted) return breakOff(new Error(`${keyOf(lead)} could not be read`, { cause: error }));
      pump();
    }
  }

  function scheduleFlush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!flushing) setImmediate(flush);
    flushing = true;
  }

  /** Keeps all that has come together. Only then their places are free: what was asked for and is not kept was under way. */
  function flush(): void {
    flushing = false;
    const batch = outcomes;
    outcomes = [];
    try {
      const found = writer.record(batch);
      for (const outcome of batch) {
        inHand.delete(keyOf(outcome.resource));
        (laneOf.get(outcome.resource.kind) as Lane).active--;
        onProgress(outcome, 0);
      }
      onProgress(undefined, found.length);
      add(found);
    } catch (error) {
      breakOff(error);
    }
    pump();
  }

  /** Nothing that came now could be kept: the harvest ends, and the next one goes on. */
  function breakOff(error: unknown): void {
    stopped = 'broken off';
    reject(error);
  }

  signal?.addEventListener('abort', () => setImmediate(pump), { once: true });
  pump();
  return promise;
}
