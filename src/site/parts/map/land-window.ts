/** Cuts the outlines of land to a window, in the plane: d3-geo clips on the sphere, which takes it a hundred times as long. */
import { type GeoProjection, geoPath } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import type { Bounds } from './land-outlines.ts';

/** Returns the land within bounds as the `d` of an SVG path, with `digits` decimals. The bounds cut straight edges. */
export function landInWindow(land: MultiPolygon, bounds: Bounds, projection: GeoProjection, digits: number): string {
  const rings = cutLand(land, bounds).coordinates.flat();
  return rings.map((ring) => ringPath(ring, projection, digits)).join('');
}

/** Returns the parts of the land within bounds. Rings do not repeat their first point. */
export function cutLand({ coordinates }: MultiPolygon, bounds: Bounds): MultiPolygon {
  return {
    type: 'MultiPolygon',
    coordinates: coordinates.map((polygon) => polygon.flatMap((ring) => cutRing(ring, bounds))),
  };
}

/** Returns the share of a window that is land, on a map on which all degrees have one size. */
export function landShare(land: MultiPolygon, bounds: Bounds): number {
  const { west, east, south, north } = bounds;
  const close = (ring: Position[]) => [...ring, ...ring.slice(0, 1)];
  const coordinates = cutLand(land, bounds).coordinates.map((rings) => rings.map(close));
  // Without a projection, the area is that of the plane.
  return geoPath().area({ type: 'MultiPolygon', coordinates }) / ((east - west) * (north - south));
}

/** By the ring of the outlines, which all maps have. */
const planeRings = new WeakMap<Position[], { points: Position[]; west: number; east: number }>();

/**
 * Returns a ring in the plane: its longitudes may be beyond ±180 degrees, so that none is far from the one before it. One around
 * a pole is closed along the edge of the map.
 */
function toPlane(ring: Position[]) {
  const known = planeRings.get(ring);
  if (known) return known;
  let turn = 0;
  let before = ring[0]?.[0] ?? 0;
  const points = ring.map(([lng = 0, lat = 0]) => {
    if (Math.abs(lng - before) > 180) turn += lng > before ? -360 : 360; // over the antimeridian
    before = lng;
    return [lng + turn, lat];
  });
  const [[first = 0, latitude = 0] = [], [last = 0] = []] = [points[0], points[points.length - 1]];
  if (Math.abs(last - first) > 180) points.push([last, Math.sign(latitude) * 90], [first, Math.sign(latitude) * 90]);
  const plane = { points, west: Number.POSITIVE_INFINITY, east: Number.NEGATIVE_INFINITY };
  for (const [lng = 0] of points) {
    plane.west = Math.min(plane.west, lng);
    plane.east = Math.max(plane.east, lng);
  }
  planeRings.set(ring, plane);
  return plane;
}

/** Returns the parts of a ring that are within bounds. These may be beyond ±180 degrees. */
function cutRing(ring: Position[], { west, east, south, north }: Bounds): Position[][] {
  const plane = toPlane(ring);
  const turns = [-720, -360, 0, 360, 720].filter((turn) => plane.west + turn <= east && plane.east + turn >= west);
  return turns.flatMap((turn) => {
    const edges: Edge[] = [
      { axis: 0, limit: west - turn, sign: 1 },
      { axis: 0, limit: east - turn, sign: -1 },
      { axis: 1, limit: south, sign: 1 },
      { axis: 1, limit: north, sign: -1 },
    ];
    const cut = edges.reduce(cutAt, plane.points);
    return cut.length > 2 ? [cut.map(([lng = 0, lat = 0]) => [lng + turn, lat])] : [];
  });
}

/** One side of a window: inside, the longitude (axis 0) or latitude (1) exceeds the limit, or is less if the sign is -1. */
interface Edge {
  axis: 0 | 1;
  limit: number;
  sign: 1 | -1;
}

/** Cuts a ring at one side: the algorithm of Sutherland and Hodgman. */
function cutAt(ring: Position[], { axis, limit, sign }: Edge): Position[] {
  const kept: Position[] = [];
  let before = ring.at(-1);
  let wasInside = before !== undefined && sign * ((before[axis] as number) - limit) >= 0;
  for (const point of ring) {
    const isInside = sign * ((point[axis] as number) - limit) >= 0;
    if (before && isInside !== wasInside) kept.push(crossing(before, point, axis, limit));
    if (isInside) kept.push(point);
    before = point;
    wasInside = isInside;
  }
  return kept;
}

/** Returns the point between two points that is on a side of the window. */
function crossing(a: Position, b: Position, axis: 0 | 1, limit: number): Position {
  const share = (limit - (a[axis] as number)) / ((b[axis] as number) - (a[axis] as number));
  const other = axis === 0 ? 1 : 0;
  const at = (a[other] as number) + share * ((b[other] as number) - (a[other] as number));
  return axis === 0 ? [limit, at] : [at, limit];
}

/** Returns a ring as a part of a path; empty if all of its points are one after rounding. */
function ringPath(ring: Position[], projection: GeoProjection, digits: number): string {
  const points: string[] = [];
  for (const [lng = 0, lat = 0] of ring) {
    const [x = 0, y = 0] = projection([lng, lat]) ?? [];
    const point = `${round(x, digits)},${round(y, digits)}`;
    if (point !== points.at(-1)) points.push(point);
  }
  return points.length > 2 ? `M${points.join('L')}Z` : '';
}

/** Returns a number with so many decimals. */
export function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}

/** Returns a position on a drawing with so many decimals. */
export function roundPosition<T extends { x: number; y: number }>(position: T, digits: number): T {
  return { ...position, x: round(position.x, digits), y: round(position.y, digits) };
}
