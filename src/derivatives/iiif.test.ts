import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeTiles, scaleFactors, TILE_SIZE } from './iiif.ts';

it('has scale factors up to the one that fits the entire image into one tile', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), (width, height) => {
      const factors = scaleFactors({ width, height });
      const last = factors.at(-1) as number;
      expect(factors).toEqual(factors.map((_, n) => 2 ** n));
      expect(Math.max(width, height) / last).toBeLessThanOrEqual(TILE_SIZE);
      if (factors.length > 1) expect(Math.max(width, height) / (last / 2)).toBeGreaterThan(TILE_SIZE);
      const { sizes } = JSON.parse(describeTiles({ path: 'x', width, height }, undefined));
      expect(sizes).toEqual([{ width: Math.ceil(width / last), height: Math.ceil(height / last) }]);
    }),
  );
});
