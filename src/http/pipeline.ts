/** Sends every request, and every redirect of it, through the same steps: allowed host, robots.txt, gate, send. */
import { Agent, type Dispatcher, interceptors, Pool } from 'undici';
import { type AllowedHosts, guardedLookup, hostProblem } from './addresses.ts';
import { AtHost, explainExchange, FetchFailure, PASSING_STATUS, Refused } from './failure.ts';
import type { Gate } from './gate.ts';
import type { Rules } from './robots.ts';

/** Settings of a pipeline. */
export interface PipelineOptions {
  /** Hosts that requests may go to. */
  hosts: AllowedHosts;
  /** Returns the gate of a host. */
  gateOf: (host: string) => Gate;
  /** Returns the robots.txt rules of an origin (`https://host`). Undefined to ignore robots.txt. */
  rulesOf: ((origin: string) => Promise<Rules>) | undefined;
  /** Maximum connections per host. */
  connections: number;
  /** Milliseconds to wait for a connection, and for the response headers. */
  timeout: number;
  /** Milliseconds to wait for the next byte of a body. */
  bodyTimeout: number;
  /** Maximum redirects per request. */
  maxRedirects: number;
}

/** State of one request with its redirects, shared by the caller and all steps. */
export interface Trip {
  /** Ends the wait for a gate. */
  signal: AbortSignal | undefined;
  /** Requests sent: the first, and one per redirect. */
  sent: number;
  /** Bytes of response bodies received. */
  received: number;
}

/** The dispatchers of a client. */
export interface Pipeline {
  /** Runs all steps. */
  polite: Dispatcher;
  /** Runs all steps except robots.txt; for robots.txt itself. */
  plain: Dispatcher;
  /** Aborts all requests, also those in flight. */
  close(): Promise<void>;
}

/** The trip is part of the request options, which undici passes from redirect to redirect. */
const TRIP = Symbol('trip');
type Options = Dispatcher.DispatchOptions & { [TRIP]?: Trip };

/** Returns options for undici's `request` that contain a trip. */
export function onTrip(trip: Trip): object {
  return { [TRIP]: trip };
}

/** Creates the dispatchers, with connection pools of their own. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { hosts, gateOf, rulesOf, connections, timeout, bodyTimeout, maxRedirects } = options;
  const agent = new Agent({
    factory: (origin, shared) =>
      new Pool(origin, {
        ...(shared as Pool.Options),
        connections,
        connect: { timeout, lookup: guardedLookup(hostOf(origin), hosts) },
        headersTimeout: timeout,
        bodyTimeout,
      }),
  });
  // The first step in this list is the last one before the network.
  const gate = limitByGate(gateOf);
  const redirect = interceptors.redirect({ maxRedirections: maxRedirects, throwOnMaxRedirect: true });
  const allowed = allowedHosts(hosts);
  return {
    polite: agent.compose(...[gate, ...(rulesOf ? [checkRobots(rulesOf, gateOf)] : []), allowed, redirect]),
    plain: agent.compose(gate, allowed, redirect),
    close: () => agent.destroy(),
  };
}

function hostOf(origin: string | URL | undefined): string {
  return new URL(String(origin)).host;
}

function allowedHosts(hosts: AllowedHosts): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const problem = hostProblem(hostOf(opts.origin), hosts);
    if (problem === undefined) return dispatch(opts, handler);
    return failUnsent(handler, new Refused(problem));
  };
}

/** Refuses requests that robots.txt disallows, and applies its crawl delay to the gate. */
function checkRobots(
  rulesOf: (origin: string) => Promise<Rules>,
  gateOf: (host: string) => Gate,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const { origin, host } = new URL(String(opts.origin));
    const redirects = (opts as Options)[TRIP]?.sent ?? 0;
    rulesOf(origin).then(
      (rules) => {
        if (rules.crawlDelay !== undefined) gateOf(host).slowTo(1 / rules.crawlDelay);
        const refusal = rules.refusal(`${origin}${opts.path}`);
        if (refusal !== undefined) return failUnsent(handler, new Refused(refusal));
        return forward(dispatch, opts, handler);
      },
      (error: Error) =>
        failUnsent(
          handler,
          redirects > 0 && error instanceof FetchFailure ? failureAfterRedirect(error, host, redirects) : error,
        ),
    );
    return true;
  };
}

/** Returns a failure that names the host behind a redirect whose robots.txt cannot be read. The requested host may be reachable. */
function failureAfterRedirect(cause: FetchFailure, host: string, redirects: number): FetchFailure {
  return new FetchFailure(`${host}: ${cause.message}`, cause.status, redirects + cause.attempts, { cause });
}

/** Sends each request when the gate of its host has a slot. */
function limitByGate(gateOf: (host: string) => Gate): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const host = hostOf(opts.origin);
    const gate = gateOf(host);
    const trip = (opts as Options)[TRIP];
    gate.enter(trip?.signal).then(
      () => {
        if (trip) trip.sent++;
        forward(dispatch, opts, releaseGate(handler, gate, host, trip));
      },
      (error: Error) => failUnsent(handler, error),
    );
    return true;
  };
}

/** Returns a handler that passes everything on, and releases the slot of the gate when the exchange has ended. */
function releaseGate(
  handler: Dispatcher.DispatchHandler,
  gate: Gate,
  host: string,
  trip: Trip | undefined,
): Dispatcher.DispatchHandler {
  let outcome: Parameters<Gate['leave']>[0] = 'ok';
  let holdsSlot = true;
  const leave = (final: typeof outcome) => {
    if (holdsSlot) gate.leave(final);
    holdsSlot = false;
  };
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart(controller, status, headers, message) {
      outcome = PASSING_STATUS.has(status) ? 'error' : 'ok';
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      if (trip) trip.received += chunk.length;
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      leave(outcome);
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      const { silent, passing } = explainExchange(error);
      leave(silent ? 'unreachable' : passing ? 'error' : outcome);
      handler.onResponseError?.(controller, error instanceof FetchFailure ? error : new AtHost(host, error));
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

/** Fails a request that was not sent. undici has no controller for it yet, since nothing has begun. */
function failUnsent(handler: Dispatcher.DispatchHandler, error: Error): true {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, error);
  return true;
}
