import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createScale, weightOf } from './scale.ts';

it('S19: opens no more at once than the limit, large ones alone, and all of them in the end', async () => {
  const scale = createScale(100);
  let [now, most, done] = [0, 0, 0];
  const work = (bytes: number) => async () => {
    now += bytes;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now -= bytes;
    done++;
  };
  await Promise.all([40, 60, 90, 10, 20, 100, 5].map((bytes) => scale.weigh(bytes, work(bytes))));
  expect([most, done]).toEqual([100, 7]);
  await scale.weigh(500, work(500));
  await expect(scale.weigh(500, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  await scale.weigh(100, work(100));
  expect(done).toBe(9);
});

it('S19: weighs a picture that must be turned by all of its pixels', async () => {
  const plain = sharp({ create: { width: 3000, height: 4000, channels: 3, background: '#888' } });
  const upright = sharp(await plain.clone().toColourspace('rgb16').png().toBuffer());
  const turned = sharp(await plain.clone().toColourspace('rgb16').withMetadata({ orientation: 6 }).png().toBuffer());
  expect(await weightOf(turned)).toBe(3000 * 4000 * 3 * 2);
  expect(await weightOf(upright)).toBe(3000 * 1000 * 3 * 2);
});
