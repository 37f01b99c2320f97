/** How one host is asked: so many requests at once, so many a second, not at all while it asks for quiet, and fewer when it has trouble. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Gate {
  /** Waits until one more request may start. @throws the signal's reason when it is aborted meanwhile; nothing is then to be left. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Ends what `enter` began. `trouble`: the host failed or asked for quiet; `silence`: it could not be reached at all. */
  leave(verdict: 'good' | 'trouble' | 'silence'): void;
  /** Nobody starts a request for so many milliseconds. */
  pause(milliseconds: number): void;
  /** Lowers the rate to so many requests a second; never raises it. */
  slowTo(rate: number): void;
  /** When the host became unreachable, in milliseconds of the clock; undefined while it answers. */
  silentSince(): number | undefined;
  /** Whether it ever answered. */
  known(): boolean;
}

/** Troubles in a row from which on the host is given a rest before each request. */
const PATIENCE = 5;
/** Milliseconds of that rest for each trouble more, and at most. */
const REST = 25;
const LONGEST_REST = 250;

/** Milliseconds by which a timer may be early or late on a machine that is not busy. */
const TIMER = 2;

/** `concurrency` requests at once; `rate` requests a second at most, spread evenly. */
export function createGate(concurrency: number, rate = Number.POSITIVE_INFINITY): Gate {
  let active = 0;
  /** Requests at once that the host seems to bear: halved with each trouble, raised by one for as many good answers as it counts. */
  let bearable = concurrency;
  let spacing = 1000 / rate;
  let nextStart = 0;
  let lastStart = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;
  let troubles = 0;
  let silence: number | undefined;
  let everAnswered = false;
  const waiting: Array<() => void> = [];

  async function delays(signal: AbortSignal | undefined): Promise<void> {
    for (let wait = pausedUntil - Date.now(); wait > 0; wait = pausedUntil - Date.now()) {
      await sleep(wait, undefined, { signal });
    }
    if (spacing <= 0) return;
    const start = Math.max(performance.now(), nextStart);
    nextStart = start + spacing;
    if (start > performance.now()) await sleep(start - performance.now(), undefined, { signal });
    // On a busy machine timers are late and come together: each start keeps its distance from the one before all the same.
    for (let early = distance(); early > 0; early = distance()) await sleep(early, undefined, { signal });
    lastStart = performance.now();
    if (pausedUntil > Date.now()) await delays(signal);
  }

  /** Milliseconds until the next start has its distance, as far as timers are exact. */
  function distance(): number {
    return lastStart + spacing - performance.now() - TIMER;
  }

  function free(): void {
    active--;
    while (waiting.length > 0 && active < Math.floor(bearable)) {
      active++;
      waiting.shift()?.();
    }
  }

  return {
    async enter(signal) {
      signal?.throwIfAborted();
      if (active < Math.floor(bearable)) active++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal?.throwIfAborted();
        if (pausedUntil > 0 || spacing > 0) await delays(signal);
      } catch (error) {
        free();
        throw error;
      }
    },
    leave(verdict) {
      if (verdict === 'good') {
        troubles = 0;
        bearable = Math.min(concurrency, bearable + 1 / bearable);
      } else {
        troubles++;
        bearable = Math.max(1, bearable / 2);
        if (troubles >= PATIENCE) this.pause(Math.min(LONGEST_REST, REST * (troubles - PATIENCE + 1)));
      }
      if (verdict === 'silence') silence ??= Date.now();
      else {
        silence = undefined;
        everAnswered = true;
      }
      free();
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
    },
    slowTo(lower) {
      spacing = Math.max(spacing, 1000 / lower);
    },
    silentSince: () => silence,
    known: () => everAnswered,
  };
}
