import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLandReader } from './land-outlines.ts';
import { landShare } from './land-window.ts';
import { boundsOf, type Fitted, fitProjection } from './map-projection.ts';
import { moveTowardLand } from './toward-land.ts';

const readLand = createLandReader();
const FRAME = { width: 960, height: 440, margin: 220, padding: 60, minSpan: 0.4 };
type Points = Array<[number, number]>;

const shareOf = ({ projection }: Fitted) => {
  const bounds = boundsOf(projection, { ...FRAME, margin: 0 }, 0);
  return landShare(readLand('10m', bounds), bounds);
};

function fit(points: Points): { before: number; after: number; fitted: Fitted } {
  const fitted = fitProjection(points, FRAME);
  const before = shareOf(fitted);
  moveTowardLand(fitted, points, FRAME, readLand);
  return { before, after: shareOf(fitted), fitted };
}

it('shows more of the coast beside islands', () => {
  const { before, after } = fit([
    [-63.02, 44.31],
    [-63.2, 44.4],
  ]);
  expect(before).toBeLessThan(0.1);
  expect(after).toBeGreaterThan(2 * before);
});

it.each([
  ['an ocean without land', [-140, -40]],
  ['the middle of a country', [10, 50]],
] as const)('is not moved in %s', (_, [lng, lat]) => {
  const fitted = fitProjection([[lng, lat]], FRAME);
  const at = fitted.projection.translate();
  moveTowardLand(fitted, [[lng, lat]], FRAME, readLand);
  expect(fitted.projection.translate()).toEqual(at);
});

it('keeps all points within the padding, and never shows less land', () => {
  const point = fc.tuple(fc.double({ min: -180, max: 179, noNaN: true }), fc.double({ min: -70, max: 70, noNaN: true }));
  const near = fc.array(fc.tuple(fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ min: 0, max: 5, noNaN: true })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(point, near, ([lng, lat], offsets) => {
      const points = offsets.map(([x, y]): [number, number] => [((lng + x + 180) % 360) - 180, lat + y]);
      const { before, after, fitted } = fit(points);
      expect(after).toBeGreaterThanOrEqual(before);
      for (const at of points) {
        const [x = Number.NaN, y = Number.NaN] = fitted.projection(at) ?? [];
        for (const [value, size] of [
          [x, FRAME.width],
          [y, FRAME.height],
        ] as const) {
          expect(value).toBeGreaterThan(FRAME.padding - 1);
          expect(value).toBeLessThan(size - FRAME.padding + 1);
        }
      }
    }),
    { numRuns: 40 },
  );
});
