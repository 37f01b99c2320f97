import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createMemoryLimiter, estimateMemory } from './memory-limiter.ts';

it('S19: keeps the total below the limit, runs larger work alone, and completes all of it', async () => {
  const scale = createMemoryLimiter(100);
  let [now, max, done] = [0, 0, 0];
  const work = (bytes: number) => async () => {
    now += bytes;
    max = Math.max(max, now);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now -= bytes;
    done++;
  };
  await Promise.all([40, 60, 90, 10, 20, 100, 5].map((bytes) => scale.run(bytes, work(bytes))));
  expect([max, done]).toEqual([100, 7]);
  await scale.run(500, work(500));
  await expect(scale.run(500, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  await scale.run(100, work(100));
  expect(done).toBe(9);
});

it('S19: counts all pixels of an image that must be rotated', async () => {
  const plain = sharp({ create: { width: 3000, height: 4000, channels: 3, background: '#888' } });
  const upright = sharp(await plain.clone().toColorspace('rgb16').png().toBuffer());
  const turned = sharp(await plain.clone().toColorspace('rgb16').withMetadata({ orientation: 6 }).png().toBuffer());
  expect(await estimateMemory(turned)).toBe(3000 * 4000 * 3 * 2);
  expect(await estimateMemory(upright)).toBe(3000 * 1000 * 3 * 2);
});
