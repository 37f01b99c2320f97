import { expect, it } from 'vitest';
import { createGate } from './gate.ts';

/** Counts how many may enter at once. */
async function width(gate: ReturnType<typeof createGate>): Promise<number> {
  let inside = 0;
  for (let n = 0; n < 20; n++) void gate.enter().then(() => inside++);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const most = inside;
  for (let n = 0; n < 20; n++) {
    gate.leave('good');
    await Promise.resolve();
  }
  return most;
}

it('lets so many in at once', async () => expect(await width(createGate(7))).toBe(7));

it('lets half as many in after trouble, one at least, and more again as things go well', async () => {
  const gate = createGate(8);
  await gate.enter();
  gate.leave('trouble');
  expect(await width(gate)).toBe(4);
  for (let n = 0; n < 4; n++) {
    await gate.enter();
    gate.leave('trouble');
  }
  // Twenty good answers in between had brought it back to 8: four troubles halve it to 0.5, and one is the least.
  let inside = 0;
  for (let n = 0; n < 3; n++) void gate.enter().then(() => inside++);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(inside).toBe(1);
});

it('knows since when a host is silent, and that it once answered', async () => {
  const gate = createGate(1);
  await gate.enter();
  gate.leave('silence');
  expect([typeof gate.silentSince(), gate.known()]).toEqual(['number', false]);
  await gate.enter();
  gate.leave('trouble');
  expect([gate.silentSince(), gate.known()]).toEqual([undefined, true]);
});

it('leaves nothing behind when waiting is given up', async () => {
  const gate = createGate(1);
  gate.pause(60_000);
  const stop = new AbortController();
  const waiting = gate.enter(stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  await expect(gate.enter(stop.signal)).rejects.toThrow(/abort/i);
});
