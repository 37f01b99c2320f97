/** Limits the requests to one host: concurrency, rate and Retry-After delays. Lowers the concurrency after errors. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The gate of one host. */
export interface Gate {
  /**
   * Waits for a slot. Each acquired slot must be released with `release`.
   * @throws {unknown} the reason of the signal if it is aborted. There is then no slot to release.
   */
  acquire(signal?: AbortSignal): Promise<void>;
  /** Releases a slot. `error`: the host failed or sent Retry-After; `unreachable`: it accepts no connection. */
  release(outcome: 'ok' | 'error' | 'unreachable'): void;
  /** Delays all further requests. */
  pauseFor(milliseconds: number): void;
  /** Lowers the rate limit, in requests per second. Never raises it. */
  limitRate(requestsPerSecond: number): void;
  /** Returns when the host became unreachable, in milliseconds since 1970; undefined while it responds. */
  unreachableSince(): number | undefined;
  /** Returns whether the host has responded before. */
  hasResponded(): boolean;
}

/** Number of consecutive errors after which requests are delayed. */
const ERRORS_BEFORE_DELAY = 5;
/** Milliseconds of that delay per further error, and its maximum. */
const ERROR_DELAY_MS = 25;
const MAX_ERROR_DELAY_MS = 250;

/** Milliseconds that a timer may be early or late on an idle computer. */
const TIMER_TOLERANCE_MS = 2;

/** Creates a gate for `concurrency` concurrent requests and `requestsPerSecond` requests per second, spread evenly. */
export function createGate(concurrency: number, requestsPerSecond = Number.POSITIVE_INFINITY): Gate {
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
  const waiting: Array<() => void> = [];

  /** Waits until all delays are over and the rate limit allows the next request. */
  async function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    for (let wait = pausedUntil - Date.now(); wait > 0; wait = pausedUntil - Date.now()) {
      await sleep(wait, undefined, { signal });
    }
    if (spacing <= 0) return;
    const start = Math.max(performance.now(), nextStart);
    nextStart = start + spacing;
    if (start > performance.now()) await sleep(start - performance.now(), undefined, { signal });
    // On a busy computer, timers are late and fire together. So each start also waits for its distance from the previous one.
    for (let remaining = remainingDistance(); remaining > 0; remaining = remainingDistance())
      await sleep(remaining, undefined, { signal });
    lastStart = performance.now();
    if (pausedUntil > Date.now()) await waitForTurn(signal);
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
    async acquire(signal) {
      signal?.throwIfAborted();
      if (active < Math.floor(currentLimit)) active++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal?.throwIfAborted();
        if (pausedUntil > 0 || spacing > 0) await waitForTurn(signal);
      } catch (error) {
        releaseSlot();
        throw error;
      }
    },
    release(outcome) {
      if (outcome === 'ok') {
        consecutiveErrors = 0;
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
    pauseFor(milliseconds) {
      pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
    },
    limitRate(lower) {
      spacing = Math.max(spacing, 1000 / lower);
    },
    unreachableSince: () => unreachableSince,
    hasResponded: () => hasResponded,
  };
}
