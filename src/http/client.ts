/** Requests from upstream's hosts: bounded, polite to each, patient with transient errors, and only to allowed hosts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from '../model/received.ts';
import { type Arriving, createExchange, type Limits, type Method } from './exchange.ts';
import { AtHost, explainExchange, FetchFailure, Halt, PASSING_STATUS } from './failure.ts';
import { createGate, type Gate } from './gate.ts';
import { createPipeline, type Trip } from './pipeline.ts';
import { createRobots } from './robots.ts';

export interface ClientOptions extends Limits {
  /** Requests at once to a host. */
  concurrency: number;
  /** Requests a second to a host; undefined: no limit. */
  rate?: number | undefined;
  /** Tries in all, at least 1. Waiting that the host asks for is no try. */
  attempts: number;
  /** Milliseconds before the second try; doubles with each further one, up to 30 s. */
  backoff: number;
  /** Milliseconds that a host which has answered before may be unreachable before it is given up. */
  patience: number;
  userAgent: string;
  /** The Accept header; JSON where it is left out. */
  accept?: string;
  ignoreRobots: boolean;
}

export interface Question {
  /** Conditional headers: an answer 304 is then as good as 200. */
  conditions?: Record<string, string> | undefined;
  /** Says what is wrong with a good answer, and whether it is worth asking again: up to three tries in all. */
  problem?: (received: Received) => Problem | undefined;
  /** Ends all waiting; a request under way is finished. */
  signal?: AbortSignal | undefined;
}

export interface Problem {
  message: string;
  passing: boolean;
}

/** What becomes of a body that is too large to be held: it is taken as it comes, and goes on where it stopped. */
export interface Intake {
  /** The headers of each further try. */
  headers(): Record<string, string>;
  /** Takes a good answer (status 200, 203, 206 or 416) to its end. What it throws is a passing trouble, a Refused or a Halt. */
  take(answer: Arriving): Promise<void>;
  /** Bytes that it has by now: a try that brought more is no try. */
  size(): number;
}

export type Answer = Received & { attempts: number };

export interface Client {
  /** An answer with status 200, 203 or, where it was asked for, 304. @throws FetchFailure, or the signal's reason */
  get(url: string, question?: Question): Promise<Answer>;
  /** The status and the headers of what an address has. @throws as `get` */
  head(url: string): Promise<Answer>;
  /** Has an answer of any length taken in. @throws FetchFailure, the cause of a Halt, or the signal's reason */
  download(url: string, intake: Intake, signal?: AbortSignal): Promise<void>;
  /** Ends everything, also what is under way; what is asked for later is refused. */
  close(): Promise<void>;
}

const MAX_BACKOFF = 30_000;
/** Milliseconds that a Retry-After is obeyed for at most, and how often for one resource. */
const LONGEST_PAUSE = 3_600_000;
const MOST_PAUSES = 10;
/** Tries in all where the answer came and was useless. */
const TRIES_FOR_SENSE = 3;
/** Bytes that a try must have brought to be none. */
const PROGRESS = 1_000_000;
const TAKEN = new Set([200, 203, 206, 416]);

export function createClient(options: ClientOptions): Client {
  const headers = { accept: options.accept ?? 'application/json', 'user-agent': options.userAgent };
  const closed = new AbortController();
  const gates = new Map<string, Gate>();
  const gateOf = (host: string): Gate => {
    const gate = gates.get(host) ?? createGate(options.concurrency, options.rate);
    gates.set(host, gate);
    return gate;
  };
  const robots = createRobots(
    (url) => patiently(url, asking(url, {}, { plain: true }), undefined),
    options.userAgent.split('/')[0] ?? '',
  );
  const pipeline = createPipeline({
    hosts: options.hosts,
    gateOf,
    rulesOf: options.ignoreRobots ? undefined : robots,
    // undici does not use a connection again until a turn of the event loop after its answer; a few more keep requests from waiting. The gate limits requests under way.
    connections: options.concurrency + Math.floor(options.concurrency / 8),
    timeout: options.timeout,
    bodyTimeout: options.bodyTimeout,
    maxRedirects: options.maxRedirects,
  });
  const exchange = createExchange(options, pipeline);

  /** One try: its answer, or what went wrong and what to do about it. */
  type Attempt<Answer> = (trip: Trip) => Promise<Answer | Trouble>;

  function lost(url: string, cause: unknown): Trouble {
    if (cause instanceof FetchFailure) throw cause; // of robots.txt, which had tries of its own
    const { message, silent, passing } = explainExchange(cause);
    const asked = new URL(url).host;
    const host = cause instanceof AtHost ? cause.host : asked;
    const tries = passing ? options.attempts : 1;
    // A redirect may lead to a host that is away: that is no reason to give up the one that was asked.
    return host === asked
      ? { message, status: undefined, tries, silent, cause }
      : { message: `${host}: ${message}`, status: undefined, tries, cause };
  }

  function refused({ url, status, headers: said }: Pick<Received, 'url' | 'status' | 'headers'>): Trouble {
    const passing = PASSING_STATUS.has(status);
    const pause = passing ? retryAfter(said['retry-after'], said['date']) : undefined;
    return {
      message: `HTTP ${status}`,
      status,
      tries: passing ? options.attempts : 1,
      ...(pause === undefined ? {} : { pause: { milliseconds: pause, gate: gateOf(new URL(url).host) } }),
    };
  }

  function asking(
    url: string,
    { conditions, problem }: Question,
    how: { method?: Method; plain?: boolean } = {},
  ): Attempt<Received> {
    return async (trip) => {
      let received: Received;
      try {
        received = await exchange.ask(url, { headers: { ...headers, ...conditions }, trip, ...how });
      } catch (cause) {
        return lost(url, cause);
      }
      const { status } = received;
      if (status === 304 && conditions !== undefined) return received;
      if (status !== 200 && status !== 203) return refused(received);
      const wrong = problem?.(received);
      return wrong
        ? { message: wrong.message, status, tries: wrong.passing ? Math.min(options.attempts, TRIES_FOR_SENSE) : 1 }
        : received;
    };
  }

  function taking(url: string, intake: Intake): Attempt<object> {
    return async (trip) => {
      const before = intake.size();
      try {
        const answer = await exchange.open(url, { headers: { ...headers, ...intake.headers() }, trip });
        if (TAKEN.has(answer.status)) await intake.take(answer);
        else {
          answer.drop();
          return refused(answer);
        }
      } catch (cause) {
        if (cause instanceof Halt) throw cause.cause;
        return { ...lost(url, cause), progress: intake.size() - before >= PROGRESS };
      }
      return {};
    };
  }

  async function patiently<Answer extends object>(
    url: string,
    attempt: Attempt<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer & { attempts: number }> {
    const gate = gateOf(new URL(url).host);
    for (let tries = 1, pauses = 0, waits = 0; ; tries++) {
      signal?.throwIfAborted();
      closed.signal.throwIfAborted();
      const answered = gate.known();
      const trip: Trip = { signal, sent: 0, received: 0 };
      const answer = await attempt(trip);
      if (!('message' in answer)) return { ...answer, attempts: tries + pauses + waits };
      if (signal?.aborted && trip.sent === 0) throw signal.reason; // it was waiting for its turn
      if (answer.progress) tries = 1;
      const attempts = tries + pauses + waits - (trip.sent === 0 ? 1 : 0);
      const { message, status, silent = false, pause, cause } = answer;
      const fail = () => new FetchFailure(message, status, attempts, { cause, silent });
      let wait = Math.min(MAX_BACKOFF, options.backoff * 2 ** Math.min(16, tries + waits - 1));
      if (pause !== undefined && pauses < MOST_PAUSES) {
        pause.gate.pause(Math.min(pause.milliseconds, LONGEST_PAUSE));
        pauses++;
        tries--;
        wait = 0;
      } else if (silent && answered) {
        // The host was there before: it is waited for, since everything else would fail the same way.
        if (Date.now() - (gate.silentSince() ?? Date.now()) >= options.patience) throw fail();
        waits++;
        tries--;
        wait = Math.min(wait, options.patience / 4);
      } else if (tries >= answer.tries) throw fail();
      const ending = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: ending });
    }
  }

  return {
    get: (url, question = {}) => patiently(url, asking(url, question), question.signal),
    head: (url) => patiently(url, asking(url, {}, { method: 'HEAD' }), undefined),
    async download(url, intake, signal) {
      await patiently(url, taking(url, intake), signal);
    },
    close() {
      closed.abort(new Error('The client was closed.'));
      return pipeline.close();
    },
  };
}

interface Trouble {
  message: string;
  status: number | undefined;
  /** How many tries it is worth. */
  tries: number;
  /** How long the host that answered asks for quiet. */
  pause?: { milliseconds: number; gate: Gate };
  silent?: boolean;
  /** It brought so much that it counts as no try. */
  progress?: boolean;
  cause?: unknown;
}

/** Milliseconds out of a Retry-After header, which gives seconds or a date; `date` is the server's own clock, its Date header. */
export function retryAfter(header: string | undefined, date?: string): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  if (Number.isNaN(until)) return undefined;
  const now = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
