import { geoContains } from 'd3-geo';
import { expect, it } from 'vitest';
import { createLandReader } from '../land-outlines.ts';
import { landInWindow } from './land-window.ts';
import { fitProjection } from './map-projection.ts';

const readLand = createLandReader();
const FRAME = { width: 352, height: 208, margin: 0, padding: 44, minSpan: 3 };

/** Whether a point is in the area of a path, by the rule “evenodd”. */
function isInPath(path: string, [x, y]: [number, number]): boolean {
  const rings = path
    .split('Z')
    .filter(Boolean)
    .map((ring) =>
      ring
        .slice(1)
        .split('L')
        .map((point) => point.split(',').map(Number) as [number, number]),
    );
  const crossings = rings.flatMap((ring) =>
    ring.filter(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length] as [number, number];
      return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax);
    }),
  );
  return crossings.length % 2 === 1;
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
