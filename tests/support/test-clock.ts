/** A clock that a test can move: who sleeps by it wakes at once, and later. */
import type { Clock } from '../../src/http/gate.ts';

/** Creates a clock. `slept` has the milliseconds of each sleep. */
export function createTestClock(): Clock & { slept: number[] } {
  let now = Date.now();
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(milliseconds, signal) {
      const until = now + milliseconds;
      slept.push(milliseconds);
      await Promise.resolve();
      signal.throwIfAborted();
      now = Math.max(now, until);
    },
  };
}
