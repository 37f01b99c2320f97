/** How maps project places, and the outlines of land on them. */
import { type GeoProjection, geoBounds, geoEquirectangular, geoMercator, geoPath } from 'd3-geo';
import type { Bounds, MapScale, ReadLand } from './land-outlines.ts';
import { landInWindow } from './land-window.ts';

/** The size of a map, in units of the drawing. */
export interface Frame {
  width: number;
  height: number;
  /** Height of what is drawn above and below it. */
  margin: number;
  /** Around the places. */
  padding: number;
  /** The least that it shows, in degrees. */
  minSpan: number;
}

/** A projection, and the span of the places in degrees. */
export type Fitted = ReturnType<typeof fitProjection>;

/** Degrees of latitude beyond which Mercator distorts too much. */
const MAX_MERCATOR_LATITUDE = 75;

/** Returns a projection that shows all points (longitude and latitude in degrees) with a margin. */
export function fitProjection(points: Array<[number, number]>, { width, height, margin, padding, minSpan }: Frame) {
  const [[west, south], [east, north]] = geoBounds({ type: 'MultiPoint', coordinates: points });
  const degrees = east < west ? east + 360 - west : east - west; // crosses the antimeridian
  const [middle, level] = [west + degrees / 2, (south + north) / 2];
  const span = Math.max(degrees, north - south, minSpan);
  const projection = Math.max(Math.abs(south), Math.abs(north)) < MAX_MERCATOR_LATITUDE ? geoMercator() : geoEquirectangular();
  projection.rotate([-middle, 0]);
  const halfHeight = Math.max(minSpan / 2, (north - south) / 2);
  const halfWidth = Math.max(minSpan / 2, degrees / 2);
  const corners = [-halfWidth, halfWidth].flatMap((x) =>
    [-halfHeight, halfHeight].map((y): [number, number] => [middle + x, Math.max(-90, Math.min(90, level + y))]),
  );
  projection.fitExtent(
    [
      [padding, padding],
      [width - padding, height - padding],
    ],
    { type: 'MultiPoint', coordinates: corners },
  );
  projection.clipExtent([
    [0, -margin],
    [width, height + margin],
  ]);
  return { projection, span };
}

/** Levels of detail, finest first: scale of the outlines, decimals of a unit, and the span in degrees up to which they apply. */
const DETAIL_LEVELS: ReadonlyArray<{ scale: MapScale; digits: number; upTo: number }> = [
  { scale: '10m', digits: 1, upTo: 15 },
  { scale: '10m', digits: 0, upTo: 15 },
  { scale: '50m', digits: 1, upTo: 60 },
  { scale: '50m', digits: 0, upTo: 60 },
  { scale: '110m', digits: 0, upTo: Number.POSITIVE_INFINITY },
];

/** As far beyond the frame, in units of the drawing, land is cut: the frame hides the edges. */
const HIDDEN = 4;

/** Returns the land as the `d` of an SVG path: with the finest outlines that take up to `maxLength` characters. */
export function drawLand({ projection, span }: Fitted, frame: Frame, land: ReadLand, maxLength: number): string {
  const bounds = boundsOf(projection, frame, HIDDEN);
  let path = '';
  for (const { scale, digits, upTo } of DETAIL_LEVELS) {
    if (span >= upTo) continue;
    // The coarsest outlines are few, and maps of the whole world have those: a window would be wider than the world.
    path =
      scale === '110m'
        ? (geoPath(projection).digits(digits)(land(scale, bounds)) ?? '')
        : landInWindow(land(scale, bounds), bounds, projection, digits);
    if (path.length <= maxLength) break;
  }
  return path;
}

/** Returns what the map shows, with `more` units of the drawing around it. */
export function boundsOf(
  projection: GeoProjection,
  { width, height, margin }: Pick<Frame, 'width' | 'height' | 'margin'>,
  more = 0,
): Bounds {
  const [rotation] = projection.rotate();
  const [top, bottom] = [-margin - more, height + margin + more].map((y) => projection.invert?.([width / 2, y]));
  // Both projections are cylindrical: degrees of longitude have one width everywhere.
  const perDegree = (projection.scale() * Math.PI) / 180;
  const half = (width / 2 + more) / perDegree;
  const middle = -rotation + (width / 2 - projection.translate()[0]) / perDegree;
  return { west: middle - half, east: middle + half, south: bottom?.[1] ?? -90, north: top?.[1] ?? 90 };
}
