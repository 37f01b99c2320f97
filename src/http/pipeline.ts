/** Sends every request through the same steps: allowed host, robots.txt, gate, send. A redirect is a request of its own. */
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import type { Exchange } from '../model/response.ts';
import { type AllowedHosts, createGuardedLookup, hostProblem } from './allowed-hosts.ts';
import { explainTransportError, FetchError, HostError, NonRetryableError, RETRYABLE_STATUS_CODES } from './errors.ts';
import type { Gate } from './gate.ts';
import { MAX_HEAD_BYTES, repairResponseHeads } from './response-heads.ts';
import type { RobotsRules } from './robots.ts';

/** Settings of a pipeline. */
export interface PipelineOptions {
  /** Hosts that requests may go to. */
  hosts: AllowedHosts;
  /** Returns the gate of a host. */
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

/** State of one request with its redirects, shared by the caller and all steps. */
export interface RequestContext {
  /** Ends the wait for a gate. */
  signal: AbortSignal | undefined;
  /** Requests sent: the first, and one per redirect. */
  requestCount: number;
  /** When the last request was sent: ISO 8601 in UTC. */
  sentAt: string;
  /** Bytes of response bodies received. */
  receivedBytes: number;
  /** The exchanges whose response has begun. */
  exchanges: Exchange[];
}

/** The dispatchers of a client. */
export interface Pipeline {
  /** Runs all steps. */
  full: Dispatcher;
  /** Runs all steps except robots.txt; for robots.txt itself. */
  withoutRobots: Dispatcher;
  /** Aborts all requests, also those in flight. */
  close(): Promise<void>;
}

/** The context is part of the request options, which undici passes from step to step. */
const CONTEXT = Symbol('context');
type Options = Dispatcher.DispatchOptions & { [CONTEXT]?: RequestContext };

/** Returns options for undici's `request` that contain a context. */
export function withContext(context: RequestContext): object {
  return { [CONTEXT]: context };
}

/** Creates the dispatchers, with connection pools of their own. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { hosts, gateFor, robotsFor, connections, timeoutMs, bodyTimeoutMs } = options;
  const agent = new Agent({
    factory: (origin, shared) =>
      new Pool(origin, {
        ...(shared as Pool.Options),
        connections,
        maxHeaderSize: MAX_HEAD_BYTES,
        connect: createConnector(timeoutMs, createGuardedLookup(hostOfOrigin(origin), hosts)),
        headersTimeout: timeoutMs,
        bodyTimeout: bodyTimeoutMs,
      }),
  });
  // The first step in this list is the last one before the network.
  const gate = limitByGate(gateFor);
  const allowed = enforceAllowedHosts(hosts);
  return {
    full: agent.compose(...[gate, ...(robotsFor ? [checkRobots(robotsFor, gateFor)] : []), allowed]),
    withoutRobots: agent.compose(gate, allowed),
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

function hostOfOrigin(origin: string | URL | undefined): string {
  return new URL(String(origin)).host;
}

function enforceAllowedHosts(hosts: AllowedHosts): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const problem = hostProblem(hostOfOrigin(opts.origin), hosts);
    if (problem === undefined) return dispatch(opts, handler);
    return failUnsent(handler, new NonRetryableError(problem));
  };
}

/** Rejects requests that robots.txt disallows, and applies its crawl delay to the gate. */
function checkRobots(
  rulesOf: (origin: string) => Promise<RobotsRules>,
  gateOf: (host: string) => Gate,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const { origin, host } = new URL(String(opts.origin));
    const redirects = (opts as Options)[CONTEXT]?.requestCount ?? 0;
    rulesOf(origin).then(
      (rules) => {
        if (rules.crawlDelaySeconds !== undefined) gateOf(host).limitRate(1 / rules.crawlDelaySeconds);
        const reason = rules.disallowedReason(`${origin}${opts.path}`);
        if (reason !== undefined)
          return failUnsent(
            handler,
            rules.transient ? new FetchError(reason, undefined, redirects, { transient: true }) : new NonRetryableError(reason),
          );
        return forward(dispatch, opts, handler);
      },
      (error: Error) => failUnsent(handler, afterRedirects(error, host, redirects)),
    );
    return true;
  };
}

/** Returns the failure of a redirect’s target, with the name of its host. The requested host may be reachable. */
function afterRedirects(cause: Error, host: string, redirects: number): Error {
  if (redirects === 0 || !(cause instanceof FetchError)) return cause;
  return new FetchError(`${host}: ${cause.message}`, cause.status, redirects + cause.attempts, {
    cause,
    transient: cause.transient,
  });
}

/** Sends each request when the gate of its host has a slot. */
function limitByGate(gateOf: (host: string) => Gate): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const host = hostOfOrigin(opts.origin);
    const gate = gateOf(host);
    const context = (opts as Options)[CONTEXT];
    gate.acquire(context?.signal).then(
      () => {
        if (context) {
          context.requestCount++;
          context.sentAt = new Date().toISOString();
        }
        forward(dispatch, opts, releaseGate(handler, gate, host, context));
      },
      (error: Error) => failUnsent(handler, afterRedirects(error, host, context?.requestCount ?? 0)),
    );
    return true;
  };
}

/** Returns a handler that passes all events on, and releases the slot of the gate when the exchange has ended. */
function releaseGate(
  handler: Dispatcher.DispatchHandler,
  gate: Gate,
  host: string,
  context: RequestContext | undefined,
): Dispatcher.DispatchHandler {
  let outcome: Parameters<Gate['release']>[0] = 'ok';
  let holdsSlot = true;
  const releaseOnce = (final: typeof outcome) => {
    if (holdsSlot) gate.release(final);
    holdsSlot = false;
  };
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart(controller, status, headers, message) {
      outcome = RETRYABLE_STATUS_CODES.has(status) ? 'error' : 'ok';
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      if (context) context.receivedBytes += chunk.length;
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      releaseOnce(outcome);
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      const { hostUnreachable, retryable } = explainTransportError(error);
      releaseOnce(hostUnreachable ? 'unreachable' : retryable ? 'error' : outcome);
      handler.onResponseError?.(controller, error instanceof FetchError ? error : new HostError(host, error));
    },
  };
}

function forward(dispatch: Dispatcher.Dispatch, opts: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
  try {
    dispatch(opts, handler);
  } catch (error) {
    failUnsent(handler, error as Error);
  }
}

/** Fails a request that was not sent. undici has no controller for it yet. */
function failUnsent(handler: Dispatcher.DispatchHandler, error: Error): true {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, error);
  return true;
}
