/** The one way out: every request, and every redirect hop of it, passes the same steps: host allowed → robots.txt → gate → send. */
import { Agent, type Dispatcher, interceptors, Pool } from 'undici';
import { type AllowedHosts, guardedLookup, hostProblem } from './addresses.ts';
import { AtHost, explainExchange, FetchFailure, PASSING_STATUS, Refused } from './failure.ts';
import type { Gate } from './gate.ts';
import type { Rules } from './robots.ts';

export interface PipelineOptions {
  hosts: AllowedHosts;
  /** The gate of a host. */
  gateOf: (host: string) => Gate;
  /** What robots.txt of an origin (`https://host`) says; undefined: robots.txt is ignored. */
  rulesOf: ((origin: string) => Promise<Rules>) | undefined;
  /** Connections at once to a host. */
  connections: number;
  /** Milliseconds to wait for a connection, and for the headers of an answer. */
  timeout: number;
  /** Milliseconds that may pass without a byte of the body. */
  bodyTimeout: number;
  maxRedirects: number;
}

/** What one request tells the steps, and they tell it. */
export interface Trip {
  /** Ends the waiting for a gate. */
  signal: AbortSignal | undefined;
  /** Requests that were sent: one, and one for each redirect that was followed. */
  sent: number;
  /** Bytes of bodies that have come. */
  received: number;
}

export interface Pipeline {
  /** All steps. */
  polite: Dispatcher;
  /** All steps but robots.txt: for robots.txt itself. */
  plain: Dispatcher;
  /** Ends everything, also what is under way. */
  close(): Promise<void>;
}

/** The trip of a request travels in its options, which undici hands from hop to hop. */
const TRIP = Symbol('trip');
type Options = Dispatcher.DispatchOptions & { [TRIP]?: Trip };

/** Options for undici's `request` that carry a trip. */
export function onTrip(trip: Trip): object {
  return { [TRIP]: trip };
}

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
  // The first step listed is the last before the wire.
  const sending = gated(gateOf);
  const following = interceptors.redirect({ maxRedirections: maxRedirects, throwOnMaxRedirect: true });
  const allowed = allowedHosts(hosts);
  return {
    polite: agent.compose(...[sending, ...(rulesOf ? [welcome(rulesOf, gateOf)] : []), allowed, following]),
    plain: agent.compose(sending, allowed, following),
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
    return ends(handler, new Refused(problem));
  };
}

function welcome(
  rulesOf: (origin: string) => Promise<Rules>,
  gateOf: (host: string) => Gate,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const { origin, host } = new URL(String(opts.origin));
    const hops = (opts as Options)[TRIP]?.sent ?? 0;
    rulesOf(origin).then(
      (rules) => {
        if (rules.crawlDelay !== undefined) gateOf(host).slowTo(1 / rules.crawlDelay);
        const refusal = rules.refusal(`${origin}${opts.path}`);
        if (refusal !== undefined) return ends(handler, new Refused(refusal));
        return passOn(dispatch, opts, handler);
      },
      (error: Error) => ends(handler, hops > 0 && error instanceof FetchFailure ? behindRedirect(error, host, hops) : error),
    );
    return true;
  };
}

/** A redirect leads to a host whose robots.txt cannot be read: that says nothing of the host that was asked. */
function behindRedirect(cause: FetchFailure, host: string, hops: number): FetchFailure {
  return new FetchFailure(`${host}: ${cause.message}`, cause.status, hops + cause.attempts, { cause });
}

function gated(gateOf: (host: string) => Gate): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (opts, handler) => {
    const host = hostOf(opts.origin);
    const gate = gateOf(host);
    const trip = (opts as Options)[TRIP];
    gate.enter(trip?.signal).then(
      () => {
        if (trip) trip.sent++;
        passOn(dispatch, opts, leaving(handler, gate, host, trip));
      },
      (error: Error) => ends(handler, error),
    );
    return true;
  };
}

/** Hands everything on, and leaves the gate when the exchange has ended. */
function leaving(
  handler: Dispatcher.DispatchHandler,
  gate: Gate,
  host: string,
  trip: Trip | undefined,
): Dispatcher.DispatchHandler {
  let verdict: Parameters<Gate['leave']>[0] = 'good';
  let inside = true;
  const leave = (final: typeof verdict) => {
    if (inside) gate.leave(final);
    inside = false;
  };
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStart(controller, status, headers, message) {
      verdict = PASSING_STATUS.has(status) ? 'trouble' : 'good';
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      if (trip) trip.received += chunk.length;
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      leave(verdict);
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError(controller, error) {
      const { silent, passing } = explainExchange(error);
      leave(silent ? 'silence' : passing ? 'trouble' : verdict);
      handler.onResponseError?.(controller, error instanceof FetchFailure ? error : new AtHost(host, error));
    },
  };
}

function passOn(dispatch: Dispatcher.Dispatch, opts: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
  try {
    dispatch(opts, handler);
  } catch (error) {
    ends(handler, error as Error);
  }
}

/** Ends a request that was not sent. undici has no controller for it yet: what it would control has not begun. */
function ends(handler: Dispatcher.DispatchHandler, error: Error): true {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, error);
  return true;
}
