import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createMemoryLimiter, estimateMemory } from './memory-limiter.ts';

it('limits the memory of running tasks, runs a larger task alone, and completes all tasks', async () => {
  const limiter = createMemoryLimiter(100);
  let [inUse, max, done] = [0, 0, 0];
  const work = (bytes: number) => async () => {
    inUse += bytes;
    max = Math.max(max, inUse);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inUse -= bytes;
    done++;
  };
  await Promise.all([40, 60, 90, 10, 20, 100, 5].map((bytes) => limiter.run(bytes, work(bytes))));
  expect([max, done]).toEqual([100, 7]);
  await limiter.run(500, work(500));
  await expect(limiter.run(500, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  await limiter.run(100, work(100));
  expect(done).toBe(9);
});

it('counts all rows of an image that must be rotated, or whose decoder holds it whole', async () => {
  const plain = sharp({ create: { width: 3000, height: 4000, channels: 3, background: '#888' } });
  const upright = sharp(await plain.clone().toColorspace('rgb16').png().toBuffer());
  const rotated = sharp(await plain.clone().toColorspace('rgb16').withMetadata({ orientation: 6 }).png().toBuffer());
  expect(await estimateMemory(rotated)).toBe(3000 * 4000 * 3 * 2);
  expect(await estimateMemory(upright)).toBe(3000 * 1000 * 3 * 2);
  expect(await estimateMemory(sharp(await plain.clone().webp({ effort: 0 }).toBuffer()))).toBe(3000 * 4000 * 3);
});
