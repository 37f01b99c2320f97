/** Land that is cut in the plane is the land on the globe. */
import { geoContains } from 'd3-geo';
import { expect, it } from 'vitest';
import { createLandReader } from '../land-outlines.ts';
import { cutLand } from './land-window.ts';

const readLand = createLandReader();

/** Whether a point is in an odd number of rings. */
function isInside([x, y]: [number, number], rings: number[][][]): boolean {
  let isOdd = false;
  for (const ring of rings)
    for (const [i, [ax = 0, ay = 0]] of ring.entries()) {
      const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? [];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isOdd = !isOdd;
    }
  return isOdd;
}

it.each([
  ['Norway', { west: 8, east: 22, south: 62, north: 71 }],
  ['Greenland and Iceland', { west: -60, east: -10, south: 58, north: 75 }],
  ['Alaska and Chukotka', { west: -195, east: -130, south: 50, north: 74 }],
  ['Chukotka, from the west', { west: 160, east: 200, south: 60, north: 74 }],
  ['Wrangel Island', { west: 176, east: 184, south: 69, north: 72 }],
  ['Fiji', { west: 175, east: 183, south: -20, north: -15 }],
  ['Antarctica', { west: -190, east: -150, south: -88, north: -70 }],
  ['Seattle', { west: -126, east: -120, south: 45, north: 50 }],
])('in %s', (_, bounds) => {
  const land = readLand('50m', bounds);
  const rings = cutLand(land, bounds).coordinates.flat();
  const wrong: string[] = [];
  for (let i = 0; i < 300; i++) {
    const lng = bounds.west + ((i * 0.618034) % 1) * (bounds.east - bounds.west);
    const lat = bounds.south + ((i + 0.5) / 300) * (bounds.north - bounds.south);
    const isLand = geoContains(land, [((lng + 540) % 360) - 180, lat]);
    if (isInside([lng, lat], rings) !== isLand) wrong.push(`${lng.toFixed(2)} ${lat.toFixed(2)}`);
  }
  expect(wrong.length, wrong.join(', ')).toBeLessThan(6); // coasts are straight in the plane, not on the globe
});
