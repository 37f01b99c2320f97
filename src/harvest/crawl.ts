/** Runs the frontier to its end: takes resources from the snapshot, asks for them host by host, and keeps the outcomes as they come. */
import { FetchFailure } from '../http/failure.ts';
import { keyOf, type ResourceKind } from '../model/resources.ts';
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

export interface Crawl {
  /** Puts resources in the hands of the crawl that the frontier holds already. */
  add(leads: Lead[]): void;
  /** Resolves when nothing is left; rejects when the snapshot cannot be written. Gives why it ended early, if it did. */
  run(): Promise<string | undefined>;
}

/** Resources in memory for a host; the frontier in the snapshot holds all of them, however many there are. */
const IN_HAND = 2_000;

/** What is to be asked of one host. Lists come first: they tell what else there is. */
interface Lane {
  lists: Lead[];
  rest: Lead[];
  active: number;
}

export function createCrawl(writer: Writer, options: CrawlOptions): Crawl {
  const { concurrency, hostOf, ask, more, onProgress, signal } = options;
  const lanes = new Map<string, Lane>();
  /** Keys of what is in a lane, under way or waiting to be written. */
  const inHand = new Set<string>();
  /** The frontier may hold more than is in hand. */
  let overflow = true;
  let outcomes: Outcome[] = [];
  let stopped: string | undefined;
  let end: { resolve: (stopped: string | undefined) => void; reject: (error: unknown) => void } | undefined;

  function laneOf(kind: ResourceKind): Lane {
    const host = hostOf(kind);
    const lane = lanes.get(host) ?? { lists: [], rest: [], active: 0 };
    lanes.set(host, lane);
    return lane;
  }

  function add(leads: Lead[]): void {
    for (const lead of leads) {
      const lane = laneOf(lead.kind);
      const side = lead.page ? lane.lists : lane.rest;
      if (side.length >= IN_HAND) {
        overflow = true;
        continue;
      }
      const key = keyOf(lead);
      if (inHand.has(key)) continue;
      inHand.add(key);
      side.push(lead);
    }
  }

  function refill(): void {
    if (!overflow) return;
    const hungry = [...lanes.values()].every((lane) => lane.lists.length + lane.rest.length < concurrency);
    if (!hungry) return;
    const leads = writer.queued(IN_HAND, inHand);
    overflow = leads.length >= IN_HAND;
    add(leads);
  }

  function pump(): void {
    if (!end) return;
    const going = stopped === undefined && !signal?.aborted;
    if (going) {
      refill();
      for (const lane of lanes.values()) {
        while (lane.active < concurrency) {
          const lead = lane.lists.shift() ?? lane.rest.shift();
          if (!lead) break;
          lane.active++;
          void start(lead, lane);
        }
      }
    }
    if (outcomes.length > 0 || [...lanes.values()].some(({ active }) => active > 0)) return;
    if (going && more()) {
      overflow = true;
      setImmediate(pump);
    } else end.resolve(stopped);
  }

  async function start(lead: Lead, lane: Lane): Promise<void> {
    try {
      const outcome = await ask(lead);
      outcomes.push(outcome);
      if (outcomes.length === 1) setImmediate(flush);
    } catch (error) {
      inHand.delete(keyOf(lead));
      lane.active--;
      if (error instanceof FetchFailure && error.silent)
        stopped ??= `${hostOf(lead.kind)} can no longer be reached (${error.message})`;
      else if (!signal?.aborted) return breakOff(new Error(`${keyOf(lead)} could not be read`, { cause: error }));
      pump();
    }
  }

  /** Keeps all that came in one turn of the event loop together. Only then their places are free: what was asked for and is not kept was under way. */
  function flush(): void {
    const batch = outcomes;
    outcomes = [];
    try {
      const found = writer.record(batch);
      for (const outcome of batch) {
        inHand.delete(keyOf(outcome.resource));
        laneOf(outcome.resource.kind).active--;
        onProgress(outcome, 0);
      }
      onProgress(undefined, found.length);
      add(found);
      pump();
    } catch (error) {
      breakOff(error);
    }
  }

  /** Nothing that came now could be kept: the harvest ends, and the next one goes on. */
  function breakOff(error: unknown): void {
    stopped = 'broken off';
    end?.reject(error);
  }

  return {
    add,
    run: () =>
      new Promise((resolve, reject) => {
        end = { resolve, reject };
        signal?.addEventListener('abort', () => setImmediate(pump), { once: true });
        pump();
      }),
  };
}
