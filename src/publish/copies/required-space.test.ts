import { expect, it } from 'vitest';
import { requiredSpace } from './copy-site.ts';

it('computes the disk space for 200,000 files', () => {
  const files = Array.from({ length: 200_000 }, (_, n) => ({ path: `${n}.html`, size: 1 }));
  const needed = requiredSpace(files, 4096, () => 0);
  expect(needed).toBeGreaterThan(200_001 * 4096);
  expect(needed).toBeLessThan(220_000 * 4096);
});
