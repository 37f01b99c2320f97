import { geoContains } from 'd3-geo';
import { expect, it } from 'vitest';
import { createLandReader } from './land-outlines.ts';
import { cutLand, landInWindow } from './land-window.ts';
import { fitProjection } from './map-projection.ts';

const readLand = createLandReader();
const FRAME = { width: 352, height: 208, margin: 0, padding: 44, minSpan: 3 };

/** Whether a point is in the area of a path, by the rule “evenodd”. */
function isInPath(path: string, point: [number, number]): boolean {
  const rings = path
    .split('Z')
    .filter(Boolean)
    .map((ring) =>
      ring
        .slice(1)
        .split('L')
        .map((corner) => corner.split(',').map(Number)),
    );
  return isInRings(point, rings);
}

/** Whether a point is in an odd number of rings. */
function isInRings([x, y]: [number, number], rings: number[][][]): boolean {
  let isOdd = false;
  for (const ring of rings)
    for (const [i, [ax = 0, ay = 0]] of ring.entries()) {
      const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? [];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isOdd = !isOdd;
    }
  return isOdd;
}

it.each([
  ['a peninsula', [-63.5, 44.6]],
  ['the antimeridian, seen from the west', [179.5, -17]],
  ['the antimeridian, seen from the east', [-179.5, -17]],
  ['an inland sea', [51, 42]],
  ['the open sea', [-30, 40]],
  ['the middle of a continent', [90, 50]],
] as const)('draws the land of the window: %s', (_, [lng, lat]) => {
  const { projection } = fitProjection([[lng, lat]], FRAME);
  const bounds = { west: lng - 4, east: lng + 4, south: lat - 3, north: lat + 3 };
  const land = readLand('50m', bounds);
  const path = landInWindow(land, bounds, projection, 1);
  const points = [-2.3, -1.1, 0, 1.2, 2.4].flatMap((x) =>
    [-1.6, -0.5, 0.7, 1.9].map((y): [number, number] => [lng + x, lat + y]),
  );
  const isLand = (point: [number, number]) => geoContains(land, [((point[0] + 540) % 360) - 180, point[1]]);
  expect(points.map((point) => isInPath(path, projection(point) as [number, number]))).toEqual(points.map(isLand));
});

it('has nothing of land outside the window, and edges where the window cuts it', () => {
  const square = {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [0, 0],
          [0, 10],
          [10, 10],
          [10, 0],
          [0, 0],
        ],
      ],
    ],
  } as const;
  const { projection } = fitProjection([[9, 9]], FRAME);
  const cut = (bounds: { west: number; east: number; south: number; north: number }) =>
    landInWindow(square as unknown as Parameters<typeof landInWindow>[0], bounds, projection, 0);
  expect(cut({ west: 11, east: 14, south: 0, north: 5 })).toBe('');
  const corner = (cut({ west: 8, east: 12, south: 8, north: 12 }).match(/-?\d+,-?\d+/g) ?? []).map((point) =>
    point.split(',').map(Number),
  );
  const expected = [
    [8, 8],
    [8, 10],
    [10, 10],
    [10, 8],
  ].map((point) => (projection(point as [number, number]) ?? []).map(Math.round));
  expect(new Set(corner.map(String))).toEqual(new Set(expected.map(String)));
});

it.each([
  ['Norway', { west: 8, east: 22, south: 62, north: 71 }],
  ['Greenland and Iceland', { west: -60, east: -10, south: 58, north: 75 }],
  ['Alaska and Chukotka', { west: -195, east: -130, south: 50, north: 74 }],
  ['Chukotka, from the west', { west: 160, east: 200, south: 60, north: 74 }],
  ['Wrangel Island', { west: 176, east: 184, south: 69, north: 72 }],
  ['Fiji', { west: 175, east: 183, south: -20, north: -15 }],
  ['Antarctica', { west: -190, east: -150, south: -88, north: -70 }],
  ['Seattle', { west: -126, east: -120, south: 45, north: 50 }],
])('is the land on the globe, also over the antimeridian and around a pole: %s', (_, bounds) => {
  const land = readLand('50m', bounds);
  const rings = cutLand(land, bounds).coordinates.flat();
  const wrong: string[] = [];
  for (let i = 0; i < 300; i++) {
    const lng = bounds.west + ((i * 0.618034) % 1) * (bounds.east - bounds.west);
    const lat = bounds.south + ((i + 0.5) / 300) * (bounds.north - bounds.south);
    const isLand = geoContains(land, [((lng + 540) % 360) - 180, lat]);
    if (isInRings([lng, lat], rings) !== isLand) wrong.push(`${lng.toFixed(2)} ${lat.toFixed(2)}`);
  }
  expect(wrong.length, wrong.join(', ')).toBeLessThan(6); // coasts are straight in the plane, not on the globe
});
