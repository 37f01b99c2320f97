/** Limits the requests to one host: concurrency, rate and Retry-After delays. Lowers the concurrency after errors. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The gate of one host. */
export type Gate = ReturnType<typeof createGate>;

/** The time, as far as pauses depend on it. Tests have their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

/** Maximum milliseconds that a run waits for a host at a time. */
export const MAX_PAUSE_MS = 3_600_000;
/** Milliseconds to wait after a first refusal, unless the host demands another delay. */
const FIRST_REFUSAL_DELAY_MS = 10_000;

/** Number of consecutive errors after which requests are delayed. */
const ERRORS_BEFORE_DELAY = 5;
/** Milliseconds of that delay per further error, and its maximum. */
const ERROR_DELAY_MS = 25;
const MAX_ERROR_DELAY_MS = 250;

/** Milliseconds that a timer may be early or late on an idle computer. */
const TIMER_TOLERANCE_MS = 2;

/** Creates a gate for `concurrency` concurrent requests and `requestsPerSecond` requests per second, spread evenly. */
export function createGate(concurrency: number, requestsPerSecond = Number.POSITIVE_INFINITY, clock: Clock = SYSTEM_CLOCK) {
  let active = 0;
  /** The current concurrency limit: halved after each error, raised by one after that number of successes. */
  let currentLimit = concurrency;
  let spacing = 1000 / requestsPerSecond;
  let nextStart = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;
  let consecutiveErrors = 0;
  let unreachableSince: number | undefined;
  let hasResponded = false;
  /** Refusals since the last success, when the first was, and until when the last one delays requests. */
  let refusals = 0;
  let refusedSince = 0;
  let refusedUntil = 0;
  const closed = new AbortController();
  const waiting: Array<() => void> = [];

  /** Waits until all delays are over and the rate limit allows the next request. */
  async function waitForTurn(signal: AbortSignal): Promise<void> {
    for (let wait = pausedUntil - clock.now(); wait > 0; wait = pausedUntil - clock.now()) await clock.sleep(wait, signal);
    if (spacing <= 0) return;
    const start = Math.max(performance.now(), nextStart);
    nextStart = start + spacing;
    if (start > performance.now()) await sleep(start - performance.now(), undefined, { signal });
    // On a busy computer, timers are late and fire together. So each start also waits for its distance from the previous one.
    for (let remaining = remainingDistance(); remaining > 0; remaining = remainingDistance())
      await sleep(remaining, undefined, { signal });
    lastStart = performance.now();
    if (pausedUntil > clock.now()) await waitForTurn(signal);
  }

  /** Returns the milliseconds until the next request may start, less the tolerance of timers. */
  function remainingDistance(): number {
    return lastStart + spacing - performance.now() - TIMER_TOLERANCE_MS;
  }

  function releaseSlot(): void {
    active--;
    while (waiting.length > 0 && active < Math.floor(currentLimit)) {
      active++;
      waiting.shift()?.();
    }
  }

  return {
    /**
     * Waits for a slot. Each acquired slot must be released with `release`.
     * @throws {unknown} the reason of the signal if it is aborted. There is then no slot to release.
     */
    async acquire(signal?: AbortSignal) {
      signal?.throwIfAborted();
      if (active < Math.floor(currentLimit)) active++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal?.throwIfAborted();
        if (pausedUntil > clock.now() || spacing > 0)
          await waitForTurn(signal ? AbortSignal.any([signal, closed.signal]) : closed.signal);
        closed.signal.throwIfAborted();
      } catch (error) {
        releaseSlot();
        throw signal?.aborted ? error : (closed.signal.reason ?? error);
      }
    },
    /** Releases a slot. `error`: the host failed or sent Retry-After; `unreachable`: it accepts no connection. */
    release(outcome: 'ok' | 'error' | 'unreachable') {
      if (outcome === 'ok') {
        consecutiveErrors = 0;
        refusals = 0;
        currentLimit = Math.min(concurrency, currentLimit + 1 / currentLimit);
      } else {
        consecutiveErrors++;
        currentLimit = Math.max(1, currentLimit / 2);
        if (consecutiveErrors >= ERRORS_BEFORE_DELAY)
          this.pauseFor(Math.min(MAX_ERROR_DELAY_MS, ERROR_DELAY_MS * (consecutiveErrors - ERRORS_BEFORE_DELAY + 1)));
      }
      if (outcome === 'unreachable') unreachableSince ??= Date.now();
      else {
        unreachableSince = undefined;
        hasResponded = true;
      }
      releaseSlot();
    },
    /** Delays all further requests. Returns whether this is longer than they were delayed already. */
    pauseFor(milliseconds: number) {
      const until = clock.now() + milliseconds;
      const isLonger = until > pausedUntil;
      if (isLonger) pausedUntil = until;
      return isLonger;
    },
    /**
     * Returns the milliseconds to wait after HTTP 429: what the host demands, or 10 s. Each time that it refuses again after the
     * wait, they are at least doubled, up to 160 s. More than `MAX_PAUSE_MS` if it would then have refused everything for that
     * long.
     */
    refusalDelay(demanded: number = 0) {
      const now = clock.now();
      let minimum = refusedUntil - now;
      // Requests that were in flight together are refused together.
      if (minimum <= 0) {
        minimum = refusals === 0 && demanded > 0 ? 0 : FIRST_REFUSAL_DELAY_MS * 2 ** Math.min(refusals, 4);
        if (refusals++ === 0) refusedSince = now;
      }
      const delay = Math.max(minimum, demanded);
      refusedUntil = now + delay;
      return refusedUntil > refusedSince + MAX_PAUSE_MS ? Math.max(delay, MAX_PAUSE_MS + 1) : delay;
    },
    /** Ends all waiting. No further request starts: `acquire` throws `reason`. */
    close: (reason: Error) => closed.abort(reason),
    /** Lowers the rate limit, in requests per second. Never raises it. */
    limitRate(lower: number) {
      spacing = Math.max(spacing, 1000 / lower);
    },
    /** Returns when the host became unreachable, in milliseconds since 1970; undefined while it responds. */
    unreachableSince: () => unreachableSince,
    hasResponded: () => hasResponded,
  };
}
