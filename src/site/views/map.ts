/** The view model of the map of places. The map is an SVG of outlines from an npm package, so that nothing is fetched. */
import { type GeoProjection, geoBounds, geoEquirectangular, geoMercator, geoPath } from 'd3-geo';
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { facetValuePath } from '../../catalogue/urls.ts';
import type { Bounds, MapScale, ReadLand } from '../land-outlines.ts';
import type { Site } from '../site.ts';
import type { NameLine } from './name-lists.ts';
import { readTermLines, type TermLine } from './term.ts';

/** The map. */
export interface MapView {
  /** Size in units of the drawing. */
  width: number;
  height: number;
  /** The land as the `d` of an SVG path. */
  land: string;
  spots: MapSpot[];
}

/** A mark on the map: one place, or several that are too close together to be distinguished. */
export interface MapSpot {
  /** From 1. */
  number: number;
  x: number;
  y: number;
  radius: number;
  label: string;
  /** Whether there is space for the label beside it. */
  isLabeled: boolean;
  /** The number of records of all its places. */
  count: number;
  /** Its places, those with the most records first; the first `MAX_PLACES`. */
  places: NameLine[];
  /** The number of further places. */
  morePlaces: number;
}

const WIDTH = 800;
const HEIGHT = 480;
const PADDING = 60;
/** Places closer than this share a mark; in units of the drawing. */
const MIN_DISTANCE = 22;
const MAX_SPOTS = 120;
const MAX_PLACES = 12;
/** Degrees. A smaller map around one village would show nothing but sea or land. */
const MIN_SPAN = 0.4;
/** Degrees of latitude beyond which Mercator distorts too much. */
const MAX_MERCATOR_LATITUDE = 75;

/** Returns the map of all places that have a position; undefined if none has. */
export function createMapView(
  positionsOfRecords: Iterable<ObjectEntry['positions']>,
  site: Site,
  land: ReadLand,
): MapView | undefined {
  const positions = new Map(
    Array.from(positionsOfRecords)
      .flat()
      .map(({ place, lat, lng }) => [place, [lng, lat] as [number, number]]),
  );
  const lines = new Map(readTermLines(site, 'place').map((line) => [line.path, line]));
  const places = [...positions].flatMap(([slug, at]) => {
    const line = lines.get(facetValuePath('place', slug));
    return line ? [{ line, at }] : [];
  });
  if (places.length === 0) return undefined;
  const { projection, span } = fitProjection(places.map(({ at }) => at));
  projection.clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  return { width: WIDTH, height: HEIGHT, land: landPath(projection, span, land), spots: createSpots(places, projection) };
}

/** Levels of detail, finest first: the scale of the outlines, decimals of a unit, and the span in degrees up to which they are used. */
const DETAIL_LEVELS: ReadonlyArray<{ scale: MapScale; digits: number; upTo: number }> = [
  { scale: '10m', digits: 1, upTo: 15 },
  { scale: '10m', digits: 0, upTo: 15 },
  { scale: '50m', digits: 1, upTo: 60 },
  { scale: '50m', digits: 0, upTo: 60 },
  { scale: '110m', digits: 0, upTo: Number.POSITIVE_INFINITY },
];
/** Characters. Limits the size of the page, also for a coast with a thousand islands. */
const MAX_PATH_LENGTH = 36_000;

function landPath(projection: GeoProjection, span: number, land: ReadLand): string {
  const bounds = boundsOf(projection);
  let path = '';
  for (const { scale, digits, upTo } of DETAIL_LEVELS) {
    if (span >= upTo) continue;
    path = geoPath(projection).digits(digits)(land(scale, bounds)) ?? '';
    if (path.length <= MAX_PATH_LENGTH) break;
  }
  return path;
}

/** Returns what the map shows, and a little more. */
function boundsOf(projection: GeoProjection): Bounds {
  const [rotation] = projection.rotate();
  const [top, bottom] = [projection.invert?.([WIDTH / 2, 0]), projection.invert?.([WIDTH / 2, HEIGHT])];
  // Both projections are cylindrical: degrees of longitude have one width everywhere.
  const perDegree = (projection.scale() * Math.PI) / 180;
  const half = WIDTH / 2 / perDegree + 1;
  return { west: -rotation - half, east: -rotation + half, south: (bottom?.[1] ?? -90) - 1, north: (top?.[1] ?? 90) + 1 };
}

/** Returns a projection that shows all points with a margin, and the span of the points in degrees. */
function fitProjection(points: Array<[number, number]>): { projection: GeoProjection; span: number } {
  const [[west, south], [east, north]] = geoBounds({ type: 'MultiPoint', coordinates: points });
  const width = east < west ? east + 360 - west : east - west; // crosses the antimeridian
  const [middle, level] = [west + width / 2, (south + north) / 2];
  const span = Math.max(width, north - south, MIN_SPAN);
  const projection = Math.max(Math.abs(south), Math.abs(north)) < MAX_MERCATOR_LATITUDE ? geoMercator() : geoEquirectangular();
  projection.rotate([-middle, 0]);
  const halfHeight = Math.max(MIN_SPAN / 2, (north - south) / 2);
  const halfWidth = Math.max(MIN_SPAN / 2, width / 2);
  const corners = [-halfWidth, halfWidth].flatMap((x) =>
    [-halfHeight, halfHeight].map((y): [number, number] => [middle + x, clampLatitude(level + y)]),
  );
  projection.fitExtent(
    [
      [PADDING, PADDING],
      [WIDTH - PADDING, HEIGHT - PADDING],
    ],
    { type: 'MultiPoint', coordinates: corners },
  );
  return { projection, span };
}

function clampLatitude(latitude: number): number {
  return Math.max(-90, Math.min(90, latitude));
}

function createSpots(places: Array<{ line: TermLine; at: [number, number] }>, projection: GeoProjection): MapSpot[] {
  const ordered = places.sort((a, b) => b.line.count - a.line.count || (a.line.path < b.line.path ? -1 : 1));
  const spots: Array<{ x: number; y: number; lines: TermLine[] }> = [];
  for (const { line, at } of ordered) {
    const [x, y] = projection(at) ?? [Number.NaN, Number.NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    const distance = (spot: { x: number; y: number }) => Math.hypot(spot.x - x, spot.y - y);
    const nearest = spots.reduce<(typeof spots)[number] | undefined>(
      (best, spot) => (best && distance(best) <= distance(spot) ? best : spot),
      undefined,
    );
    if (nearest && (distance(nearest) < MIN_DISTANCE || spots.length >= MAX_SPOTS)) nearest.lines.push(line);
    else spots.push({ x, y, lines: [line] });
  }
  const counts = spots.map(({ lines }) => lines.reduce((total, line) => total + line.count, 0));
  const maxCount = Math.max(1, ...counts);
  const labelBoxes: Array<[left: number, top: number, right: number, bottom: number]> = [];
  return spots.map(({ x, y, lines }, i): MapSpot => {
    const count = counts[i] ?? 0;
    const label = lines[0]?.label ?? '';
    const radius = Math.round(60 + 80 * Math.sqrt(count / maxCount)) / 10;
    return {
      number: i + 1,
      x: Math.round(x * 10) / 10,
      y: Math.round(y * 10) / 10,
      radius,
      label,
      isLabeled: placeLabel(labelBoxes, x + radius, y, label),
      count,
      places: lines.slice(0, MAX_PLACES),
      morePlaces: Math.max(0, lines.length - MAX_PLACES),
    };
  });
}

/** Reserves space for a label beside a mark. Returns false if another label is there. Widths are estimated from the number of letters. */
function placeLabel(labelBoxes: Array<[number, number, number, number]>, x: number, y: number, label: string): boolean {
  const letterWidth = /[\u3000-\u9fff\uac00-\ud7af]/.test(label) ? 15 : 8.5;
  const box: [number, number, number, number] = [x, y - 10, x + 8 + label.length * letterWidth, y + 10];
  if (box[2] > WIDTH || labelBoxes.some(([l, t, r, b]) => box[0] < r && box[2] > l && box[1] < b && box[3] > t)) return false;
  labelBoxes.push(box);
  return true;
}
