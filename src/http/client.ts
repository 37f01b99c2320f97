/** HTTP client for upstream. Applies limits, retries with backoff, obeys robots.txt, and contacts only allowed hosts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamResponse } from '../model/response.ts';
import { formatCount } from '../platform/text-lines.ts';
import { createRefusal, type Delay, explainTransportError, FetchError, LocalError, RETRYABLE_STATUS_CODES } from './errors.ts';
import { type Clock, createGate, type Gate, MAX_PAUSE_MS } from './gate.ts';
import { createPipeline, type RequestContext } from './pipeline.ts';
import { parseRetryAfter } from './retry-after.ts';
import { createRobotsCache } from './robots.ts';
import { createTransport, type StreamingResponse, type TransportLimits, type TransportRequest } from './transport.ts';

/** What an operator decides about requests. */
export interface RequestPolicy {
  /** Maximum concurrent requests per host. */
  concurrency: number;
  /** Maximum requests per second and host; unlimited if undefined. */
  maxRequestsPerSecond?: number | undefined;
  /** The User-Agent header. Its part before `/` is the name that robots.txt rules are for. */
  userAgent: string;
  /** Whether to ignore robots.txt, including Crawl-delay. */
  ignoreRobots: boolean;
}

/** Settings of a client. */
export interface ClientOptions extends TransportLimits, RequestPolicy {
  /** Maximum failed attempts per request, at least 1. Unusable responses, HTTP 429 and Retry-After delays are counted apart. */
  maxAttempts: number;
  /** Maximum delays that it waits for per request, if fewer than ten. Of more, the refusal is the result. */
  maxDelays?: number | undefined;
  /** Milliseconds before the first retry. Doubles with each retry, up to 30 s. */
  initialBackoffMs: number;
  /** Milliseconds that a host which has responded before may be unreachable before requests to it fail. */
  unreachableTimeoutMs: number;
  /** The Accept header. Default: `application/json`. */
  accept?: string;
  /** Receives a sentence when a host demands a delay of some seconds. */
  onDelay?: ((sentence: string) => void) | undefined;
  /** Ends the wait for robots.txt. */
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  /** Headers of a conditional request. A 304 response is then a success. */
  conditionalHeaders?: Record<string, string> | undefined;
  /** Returns what is wrong with a successful response, if anything. */
  validate?: (received: UpstreamResponse) => ValidationProblem | undefined;
  /** Maximum attempts, if fewer than those of the client. */
  maxAttempts?: number | undefined;
  /** Maximum delays to wait for, instead of ten. */
  maxDelays?: number | undefined;
  /** Ends all waiting. A request in flight is completed. */
  signal?: AbortSignal | undefined;
}

/** Why a successful response is unusable. */
export interface ValidationProblem {
  /** Says what is wrong, as a clause for a report. */
  message: string;
  /** Whether a retry may help. Such a response is requested again up to twice. */
  retryable: boolean;
}

/** Receives a body that is too large for memory, and resumes it after a failure. */
export interface DownloadSink {
  /** Returns the headers of the next attempt, such as `Range`. */
  requestHeaders(): Record<string, string>;
  /** Reads a 200, 203, 206 or 416 response to its end. May throw `NonRetryableError`, `LocalError`, or any error for a retry. */
  consume(response: StreamingResponse): Promise<void>;
  /** Returns the bytes received so far. After an attempt that adds enough bytes, earlier failures no longer count. */
  receivedBytes(): number;
}

/** A response, with the number of attempts that it took. */
export type ClientResponse = UpstreamResponse & { attempts: number };

/** Requests to all hosts of a harvest or download run. */
export type Client = ReturnType<typeof createClient>;

const MAX_BACKOFF_MS = 30_000;
/** Maximum number of delays per request that its host demands, by HTTP 429 or Retry-After, unless the request says otherwise. */
const MAX_DELAYS = 10;
/** A request that is not needed. What it gets the first time is the result, a refusal too: nothing else waits because of it. */
export const PROBE: RequestOptions = { maxAttempts: 1, maxDelays: 0 };
/** Shorter delays are not worth a message. */
const MIN_REPORTED_DELAY_MS = 5_000;
/** Maximum attempts whose responses arrive but are unusable. */
const MAX_UNUSABLE_ATTEMPTS = 3;
/** After a download attempt that adds this many bytes, earlier failures no longer count. */
const MIN_PROGRESS_BYTES = 1_000_000;
const DOWNLOAD_STATUS = new Set([200, 203, 206, 416]);
/** Some servers send a record with a status for other purposes. What is no record is requested again: it may follow. */
const USABLE_STATUS = new Set([200, 201, 202, 203, 226]);

/** Creates a client with its own connections. Close it after use. */
export function createClient(options: ClientOptions) {
  const headers = { accept: options.accept ?? 'application/json', 'user-agent': options.userAgent };
  const closed = new AbortController();
  const gates = new Map<string, Gate>();
  const gateFor = (host: string): Gate => {
    const gate = gates.get(host) ?? createGate(options.concurrency, options.maxRequestsPerSecond, options.clock);
    gates.set(host, gate);
    return gate;
  };
  const robots = createRobotsCache(
    // Without it nothing is requested, so that it is waited for until the host has refused everything for an hour.
    (url) =>
      withRetries(url, requestAttempt(url, {}, { skipRobots: true }), {
        signal: options.signal,
        maxDelays: Number.POSITIVE_INFINITY,
      }),
    options.userAgent.split('/')[0] ?? '',
  );
  const pipeline = createPipeline({
    ...options,
    gateFor,
    robotsFor: options.ignoreRobots ? undefined : robots,
    // undici frees a connection one turn of the event loop after the response, so the pool needs a few more. The gate limits the
    // requests in flight.
    connections: options.concurrency + Math.floor(options.concurrency / 8),
  });
  const transport = createTransport(options, pipeline);

  /** One attempt: returns the response, or why it failed and whether to retry. */
  type Attempt<T> = (context: RequestContext) => Promise<T | AttemptFailure>;

  function connectionFailure(url: string, cause: unknown, { host, requestCount }: RequestContext): AttemptFailure {
    // If the target of a redirect is unreachable, the host of the URL need not be.
    const isOther = host !== new URL(url).host;
    const inFull = (message: string) => (isOther && !message.includes(host) ? `${host}: ${message}` : message);
    if (cause instanceof FetchError) {
      // robots.txt failed, after its own retries, or the gate is closed.
      if (!isOther) throw cause;
      const { message, status, attempts, transient } = cause;
      throw new FetchError(inFull(message), status, requestCount + attempts, { cause, transient });
    }
    const { message, hostUnreachable, retryable } = explainTransportError(cause);
    const kind = retryable ? 'error' : undefined;
    return { message: inFull(message), status: undefined, kind, isUnreachable: hostUnreachable && !isOther, cause };
  }

  function statusFailure(response: Pick<UpstreamResponse, 'url' | 'status' | 'headers'>): AttemptFailure {
    const { status, headers: received } = response;
    const isRetryable = RETRYABLE_STATUS_CODES.has(status);
    const { host } = new URL(response.url);
    // A delay of nothing is none.
    const demanded = (isRetryable && parseRetryAfter(received['retry-after'], received['date'])) || undefined;
    const delay = status === 429 || demanded !== undefined ? gateFor(host).refusalDelay(demanded) : undefined;
    return {
      message: `HTTP ${status}`,
      status,
      kind: isRetryable ? 'error' : undefined,
      ...(delay === undefined ? {} : { delay: { milliseconds: delay, host } }),
    };
  }

  /** Pauses a host for as long as it demands. If that is too long, closes its gate: all requests to it fail. */
  function pause(delay: Delay, message: string): void {
    const { milliseconds, host } = delay;
    const gate = gateFor(host);
    if (milliseconds <= MAX_PAUSE_MS) {
      const sentence = `${host} asks us to wait ${formatCount(Math.ceil(milliseconds / 1000), 'second')} (${message}).`;
      if (gate.pauseFor(milliseconds) && milliseconds >= MIN_REPORTED_DELAY_MS) options.onDelay?.(sentence);
      return;
    }
    gate.close(createRefusal(delay, message, options.clock?.now()));
  }

  function requestAttempt(
    url: string,
    { conditionalHeaders, validate }: RequestOptions,
    how: Pick<TransportRequest, 'method' | 'skipRobots'> = {},
  ): Attempt<UpstreamResponse> {
    return async (context) => {
      let received: UpstreamResponse;
      try {
        received = await transport.request(url, { headers: { ...headers, ...conditionalHeaders }, context, ...how });
      } catch (cause) {
        return connectionFailure(url, cause, context);
      }
      const { status } = received;
      if (status === 304 && conditionalHeaders !== undefined) return received;
      if (!USABLE_STATUS.has(status)) return statusFailure(received);
      const unusable = validate?.(received);
      return unusable ? { message: unusable.message, status, kind: unusable.retryable ? 'unusable' : undefined } : received;
    };
  }

  function downloadAttempt(url: string, sink: DownloadSink): Attempt<object> {
    return async (context) => {
      const sizeBefore = sink.receivedBytes();
      try {
        const response = await transport.stream(url, { headers: { ...headers, ...sink.requestHeaders() }, context });
        if (DOWNLOAD_STATUS.has(response.status)) await sink.consume(response);
        else {
          response.destroy();
          return statusFailure(response);
        }
      } catch (cause) {
        if (cause instanceof LocalError) throw cause.cause;
        const madeProgress = sink.receivedBytes() - sizeBefore >= MIN_PROGRESS_BYTES;
        return { ...connectionFailure(url, cause, context), madeProgress };
      }
      return {};
    };
  }

  /** Repeats an attempt with exponential backoff until it succeeds or must not be retried. */
  async function withRetries<T extends object>(
    url: string,
    runAttempt: Attempt<T>,
    { signal, maxAttempts = options.maxAttempts, maxDelays = MAX_DELAYS }: RequestOptions,
  ): Promise<T & { attempts: number }> {
    const { host } = new URL(url);
    const gate = gateFor(host);
    const delays = Math.min(maxDelays, options.maxDelays ?? maxDelays);
    const maxFailures = { error: maxAttempts, unusable: Math.min(maxAttempts, MAX_UNUSABLE_ATTEMPTS), delay: delays + 1 };
    // A retry sends the cookies of the attempts before it, which some servers demand.
    const cookies: RequestContext['cookies'] = new Map();
    let failures = { error: 0, unusable: 0, delay: 0 };
    /** Counts a failure. Failures of one kind do not use up the retries of another. */
    const mayRetry = (kind: keyof typeof failures) => ++failures[kind] < maxFailures[kind];
    for (let attempts = 1, backoffs = 0; ; attempts++) {
      signal?.throwIfAborted();
      closed.signal.throwIfAborted();
      const hadResponded = gate.hasResponded();
      const hadCookies = cookies.size > 0;
      const context: RequestContext = { signal, host, requestCount: 0, sentAt: '', receivedBytes: 0, cookies, exchanges: [] };
      const result = await runAttempt(context);
      if (!('message' in result)) return { ...result, attempts };
      if (signal?.aborted && context.requestCount === 0) throw signal.reason; // it was waiting at the gate
      if (result.madeProgress) [failures, backoffs] = [{ error: 0, unusable: 0, delay: 0 }, 0];
      const { message, status, isUnreachable = false, delay, cause } = result;
      // Some servers refuse who has not got their cookies. The second attempt has them.
      const lacksCookies = !hadCookies && cookies.size > 0 && (status === 401 || status === 403);
      const kind = lacksCookies ? 'unusable' : result.kind;
      const requests = attempts - (context.requestCount === 0 ? 1 : 0);
      const fail = () =>
        new FetchError(message, status, requests, {
          cause,
          hostUnreachable: isUnreachable,
          transient: result.kind !== undefined || (status ?? 0) >= 500,
        });
      let wait = Math.min(MAX_BACKOFF_MS, options.initialBackoffMs * 2 ** Math.min(16, backoffs));
      if (delay !== undefined) {
        if (delays === 0) throw createRefusal(delay, message, options.clock?.now());
        if (!mayRetry('delay')) throw fail();
        pause(delay, message);
        wait = 0;
      } else if (isUnreachable && hadResponded) {
        // The host responded earlier, so wait for it to recover. Other requests to it would fail too.
        if (Date.now() - (gate.unreachableSince() ?? Date.now()) >= options.unreachableTimeoutMs) throw fail();
        wait = Math.min(wait, options.unreachableTimeoutMs / 4);
      } else if (kind === undefined || !mayRetry(kind)) throw fail();
      if (wait > 0) backoffs++;
      const ending = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal;
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { signal: ending });
    }
  }

  const close = () => {
    const reason = new Error('The client was closed.');
    closed.abort(reason);
    for (const gate of gates.values()) gate.close(reason);
    return pipeline.close();
  };
  return {
    /**
     * Returns a response of a `USABLE_STATUS`, or 304 for a conditional request.
     * @throws {FetchError} after the last attempt, or the reason of the signal.
     */
    get: (url: string, init: RequestOptions = {}) => withRetries(url, requestAttempt(url, init), init),
    /**
     * Returns the status and headers of a HEAD request.
     * @throws {FetchError} after the last attempt.
     */
    head: (url: string) => withRetries(url, requestAttempt(url, {}, { method: 'HEAD' }), {}),
    /**
     * Downloads a response of any size into a sink.
     * @throws {FetchError} after the last attempt, or the cause of a `LocalError`, or the reason of the signal.
     */
    async download(url: string, sink: DownloadSink, signal?: AbortSignal) {
      await withRetries(url, downloadAttempt(url, sink), { signal });
    },
    /** Aborts all requests, also those in flight. Later ones fail. */
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Why an attempt failed, and what to do about it. */
interface AttemptFailure {
  message: string;
  status: number | undefined;
  /** The kind of failure; undefined if a retry cannot help. */
  kind: 'error' | 'unusable' | undefined;
  /** The delay that the host which responded demands. */
  delay?: Delay;
  /** Whether the requested host could not be reached. */
  isUnreachable?: boolean;
  /** Whether enough bytes arrived, so that earlier failures no longer count. */
  madeProgress?: boolean;
  cause?: unknown;
}
