import { expect, it } from 'vitest';
import { createTestClock } from '../../tests/support/test-clock.ts';
import { createGate } from './gate.ts';

/** Counts the slots that can be acquired at the same time. */
async function countSlots(gate: ReturnType<typeof createGate>): Promise<number> {
  let acquired = 0;
  for (let n = 0; n < 20; n++) void gate.acquire().then(() => acquired++);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const slots = acquired;
  for (let n = 0; n < 20; n++) {
    gate.release('ok');
    await Promise.resolve();
  }
  return slots;
}

it('limits the concurrency', async () => expect(await countSlots(createGate(7))).toBe(7));

it('halves the limit after an error, to a minimum of 1, and raises it after successes', async () => {
  const gate = createGate(8);
  await gate.acquire();
  gate.release('error');
  expect(await countSlots(gate)).toBe(4);
  for (let n = 0; n < 4; n++) {
    await gate.acquire();
    gate.release('error');
  }
  // Twenty successes raised the limit to 8 again. Four errors would halve it to 0.5, but the minimum is 1.
  let acquired = 0;
  for (let n = 0; n < 3; n++) void gate.acquire().then(() => acquired++);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(acquired).toBe(1);
});

it('reports since when a host is unreachable, and whether it has responded', async () => {
  const gate = createGate(1);
  await gate.acquire();
  gate.release('unreachable');
  expect([typeof gate.unreachableSince(), gate.hasResponded()]).toEqual(['number', false]);
  await gate.acquire();
  gate.release('error');
  expect([gate.unreachableSince(), gate.hasResponded()]).toEqual([undefined, true]);
});

it('waits longer each time that a host refuses again, and an hour at most', async () => {
  const clock = createTestClock();
  const gate = createGate(4, undefined, clock);
  const refuse = async () => {
    await gate.acquire();
    gate.release('error');
    const delay = gate.refusalDelay();
    expect(gate.refusalDelay()).toBe(delay); // of another request that was in flight
    gate.pauseFor(delay);
    return delay / 1000;
  };
  const delays: number[] = [];
  while ((delays.at(-1) ?? 0) <= 3600) delays.push(await refuse());
  expect(delays.slice(0, 7)).toEqual([10, 20, 40, 80, 160, 160, 160]);
  expect(delays.slice(0, -1).reduce((total, delay) => total + delay, 0)).toBeGreaterThan(3400);
  await gate.acquire();
  gate.release('ok');
  expect(await refuse()).toBe(10);
});

it('obeys the delay that a host demands, and waits longer if it refuses again', async () => {
  const clock = createTestClock();
  const gate = createGate(4, undefined, clock);
  const delays: number[] = [];
  for (const demanded of [1_000, 1_000, 0, 90_000, 3_600_000]) {
    const delay = gate.refusalDelay(demanded);
    expect(gate.refusalDelay(demanded)).toBe(delay);
    delays.push(delay / 1000);
    await clock.sleep(delay, new AbortController().signal);
  }
  expect(delays).toEqual([1, 20, 40, 90, 3600.001]);
});

it('lets no request start after it was closed, and ends the waiting of others', async () => {
  const gate = createGate(1);
  gate.pauseFor(60_000);
  const waiting = gate.acquire();
  gate.close(new Error('closed until tomorrow'));
  await expect(waiting).rejects.toThrow('closed until tomorrow');
  await expect(gate.acquire()).rejects.toThrow('closed until tomorrow');
});

it('acquires no slot if waiting is aborted', async () => {
  const gate = createGate(1);
  gate.pauseFor(60_000);
  const stop = new AbortController();
  const waiting = gate.acquire(stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  await expect(gate.acquire(stop.signal)).rejects.toThrow(/abort/i);
});
