import { geoArea, geoContains } from 'd3-geo';
import { expect, it } from 'vitest';
import { createLandReader } from './land-outlines.ts';

it.each(['10m', '50m', '110m'] as const)('distinguishes land from sea at %s', (scale) => {
  const land = createLandReader()(scale);
  expect(geoArea(land) / (4 * Math.PI)).toBeCloseTo(0.29, 2);
  expect(
    [
      [-0.1, 51.6], // north of London
      [139.5, 36], // Kantō
      [134, -25], // the middle of Australia
      [-30, 40], // the Atlantic
      [-150, 0], // the Pacific
    ].map((point) => geoContains(land, point as [number, number])),
  ).toEqual([true, true, true, false, false]);
});
