/** Sends every request through the same steps: allowed host, robots.txt, gate, send. A redirect is a request of its own. */
import type { LookupFunction } from 'node:net';
import { buildConnector, type Dispatcher, Pool, request } from 'undici';
import type { Exchange } from '../model/response.ts';
import { type AllowedHosts, createGuardedLookup, hostProblem } from './allowed-hosts.ts';
import { explainTransportError, FetchError, NonRetryableError, RETRYABLE_STATUS_CODES } from './errors.ts';
import type { Gate } from './gate.ts';
import { createProxyAgent } from './proxies.ts';
import { MAX_HEAD_BYTES, repairResponseHeads } from './response-heads.ts';
import type { RobotsRules } from './robots.ts';

/** Settings of a pipeline. */
export interface PipelineOptions {
  /** Hosts that requests may go to, redirects included. */
  hosts: AllowedHosts;
  gateFor: (host: string) => Gate;
  /** Returns the robots.txt rules of an origin (`https://host`). Undefined to ignore robots.txt. */
  robotsFor: ((origin: string) => Promise<RobotsRules>) | undefined;
  /** Maximum connections per host. */
  connections: number;
  /** Milliseconds to wait for a connection, and for the response headers. */
  timeoutMs: number;
  /** Milliseconds to wait for the next byte of a body. */
  bodyTimeoutMs: number;
}

/** State of one attempt of a request with its redirects, shared by the caller and all steps. */
export interface RequestContext {
  /** Ends the wait for a gate. */
  signal: AbortSignal | undefined;
  /** The host of the last request: `name:port`. After a redirect, it may differ from that of the first. */
  host: string;
  /** Requests sent: the first, and one per redirect. */
  requestCount: number;
  /** When the last request was sent: ISO 8601 in UTC. */
  sentAt: string;
  /** Bytes of response bodies received. */
  receivedBytes: number;
  /** The cookies that responses have set, by host and name. */
  cookies: Map<string, { host: string; name: string; value: string | undefined; isSecure: boolean }>;
  /** The exchanges whose response has begun. */
  exchanges: Exchange[];
}

/** How to send one request. */
export interface PipelineRequest {
  method: 'GET' | 'HEAD';
  headers: Record<string, string>;
  /** Set for robots.txt itself, which is fetched without checking robots.txt. */
  skipRobots: boolean;
}

/** Maximum bytes of a body to buffer before its host has to wait. */
const BUFFER_BYTES = 1024 * 1024;

/** Sends the requests of a client. */
export type Pipeline = ReturnType<typeof createPipeline>;

/** Creates a pipeline with connection pools of its own. */
export function createPipeline(options: PipelineOptions) {
  const { hosts, gateFor, robotsFor, connections, timeoutMs, bodyTimeoutMs } = options;
  const agent = createProxyAgent(
    (origin, shared) =>
      new Pool(origin, {
        ...shared,
        connections,
        maxHeaderSize: MAX_HEAD_BYTES,
        connect:
          typeof shared.connect === 'function'
            ? shared.connect
            : createConnector(timeoutMs, createGuardedLookup(new URL(origin).host, hosts)),
        headersTimeout: timeoutMs,
        bodyTimeout: bodyTimeoutMs,
      }),
  );
  /** Throws an error if robots.txt disallows a URL, and applies its crawl delay to the gate. */
  async function checkRobots({ origin, host, pathname, search }: URL, robots: typeof robotsFor): Promise<void> {
    const rules = await robots?.(origin);
    if (rules?.crawlDelaySeconds !== undefined) gateFor(host).limitRate(1 / rules.crawlDelaySeconds);
    const reason = rules?.disallowedReason(`${origin}${pathname}${search}`);
    if (rules === undefined || reason === undefined) return;
    throw rules.transient ? new FetchError(reason, undefined, 0, { transient: true }) : new NonRetryableError(reason);
  }
  return {
    /** Returns the response once its headers, a flat list of names and values, arrive. Errors are for `explainTransportError`. */
    async send(url: URL, { skipRobots, ...init }: PipelineRequest, context: RequestContext) {
      const { host } = url;
      context.host = host;
      const problem = hostProblem(host, hosts);
      if (problem !== undefined) throw new NonRetryableError(problem);
      if (!skipRobots) await checkRobots(url, robotsFor);
      const gate = gateFor(host);
      await gate.acquire(context.signal);
      context.requestCount++;
      context.sentAt = new Date().toISOString();
      const dispatcher = agent.compose((dispatch) => (opts, handler) => dispatch(opts, releaseGate(handler, gate, context)));
      return request(url, { ...init, dispatcher, highWaterMark: BUFFER_BYTES, responseHeaders: 'raw' });
    },
    /** Aborts all requests, also those in flight. */
    close: () => agent.destroy(),
  };
}

/** Returns a connector whose sockets have their response heads repaired. */
function createConnector(timeout: number, lookup: LookupFunction): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup } as buildConnector.BuildOptions);
  return (target, done) =>
    connect(target, (...result) => {
      if (result[1]) repairResponseHeads(result[1]);
      done(...result);
    });
}

/** Returns a handler that passes all events on, and releases the slot of the gate when the exchange has ended. */
function releaseGate(handler: Dispatcher.DispatchHandler, gate: Gate, context: RequestContext): Dispatcher.DispatchHandler {
  let outcome: Parameters<Gate['release']>[0] = 'ok';
  let holdsSlot = true;
  const release = (final: typeof outcome) => {
    if (holdsSlot) gate.release(final);
    holdsSlot = false;
  };
  return {
    onRequestStart: (controller, started) => handler.onRequestStart?.(controller, started),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart(controller, status, headers, message) {
      outcome = RETRYABLE_STATUS_CODES.has(status) ? 'error' : 'ok';
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      context.receivedBytes += chunk.length;
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      release(outcome);
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      const { hostUnreachable, retryable } = explainTransportError(error);
      release(hostUnreachable ? 'unreachable' : retryable ? 'error' : outcome);
      handler.onResponseError?.(controller, error);
    },
  };
}
