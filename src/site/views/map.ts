/** The places of the archive on a map that is drawn here, from shipped outlines: nothing is fetched. */
import { type GeoProjection, geoBounds, geoEquirectangular, geoMercator, geoPath } from 'd3-geo';
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { facetValuePath } from '../../catalogue/urls.ts';
import { landAt, type Scale } from '../outlines.ts';
import type { Site } from '../site.ts';
import type { NameLine } from './names.ts';
import { type TermLine, termLines } from './term.ts';

export interface MapView {
  /** Units of the drawing. */
  width: number;
  height: number;
  /** The land as the `d` of an SVG path. */
  land: string;
  spots: Spot[];
}

/** One place on the map, or several that stand too near one another to be told apart. */
export interface Spot {
  /** From 1. */
  number: number;
  x: number;
  y: number;
  radius: number;
  label: string;
  /** Whether there is room for the label beside it. */
  labelled: boolean;
  /** Records in all its places. */
  count: number;
  /** The places with the most records, most first. */
  places: NameLine[];
  /** How many more places there are. */
  more: number;
}

const WIDTH = 800;
const HEIGHT = 480;
const PADDING = 60;
/** Places nearer than this are one spot; in units of the drawing. */
const NEAR = 22;
const MOST_SPOTS = 120;
const MOST_PLACES = 12;
/** Degrees that a map shows at least: around one village there would be nothing but sea or land. */
const LEAST = 0.4;
/** Beyond this latitude Mercator stretches too far. */
const FAR_NORTH = 75;

/** Undefined where no place has a position. */
export function mapOf(objects: ReadonlyArray<Pick<ObjectEntry, 'positions'>>, site: Site): MapView | undefined {
  const positions = new Map(
    objects.flatMap((entry) => entry.positions).map(({ place, lat, lng }) => [place, [lng, lat] as [number, number]]),
  );
  const lines = new Map(termLines(site, 'place').map((line) => [line.path, line]));
  const places = [...positions].flatMap(([slug, at]) => {
    const line = lines.get(facetValuePath('place', slug));
    return line ? [{ line, at }] : [];
  });
  if (places.length === 0) return undefined;
  const { projection, span } = frame(places.map(({ at }) => at));
  projection.clipExtent([
    [0, 0],
    [WIDTH, HEIGHT],
  ]);
  return { width: WIDTH, height: HEIGHT, land: landIn(projection, span), spots: spotsOf(places, projection) };
}

/** How finely land is drawn, finest first: the scale of the outlines, decimals of a unit, and the degrees up to which it is of use. */
const FINENESS: ReadonlyArray<{ scale: Scale; digits: number; upTo: number }> = [
  { scale: '10m', digits: 1, upTo: 15 },
  { scale: '10m', digits: 0, upTo: 15 },
  { scale: '50m', digits: 1, upTo: 60 },
  { scale: '50m', digits: 0, upTo: 60 },
  { scale: '110m', digits: 0, upTo: Number.POSITIVE_INFINITY },
];
/** Characters of a path at most: a page stays light, also on a coast of a thousand islands. */
const LONGEST_PATH = 36_000;

function landIn(projection: GeoProjection, span: number): string {
  let path = '';
  for (const { scale, digits, upTo } of FINENESS) {
    if (span >= upTo) continue;
    path = geoPath(projection).digits(digits)(landAt(scale)) ?? '';
    if (path.length <= LONGEST_PATH) break;
  }
  return path;
}

/** A projection in which all the points have room, and how many degrees they span. */
function frame(points: Array<[number, number]>): { projection: GeoProjection; span: number } {
  const [[west, south], [east, north]] = geoBounds({ type: 'MultiPoint', coordinates: points });
  const width = east < west ? east + 360 - west : east - west; // over the antimeridian
  const [middle, level] = [west + width / 2, (south + north) / 2];
  const span = Math.max(width, north - south, LEAST);
  const projection = Math.max(Math.abs(south), Math.abs(north)) < FAR_NORTH ? geoMercator() : geoEquirectangular();
  projection.rotate([-middle, 0]);
  const half = Math.max(LEAST / 2, (north - south) / 2);
  const wide = Math.max(LEAST / 2, width / 2);
  const corners = [-wide, wide].flatMap((x) => [-half, half].map((y): [number, number] => [middle + x, within(level + y)]));
  projection.fitExtent(
    [
      [PADDING, PADDING],
      [WIDTH - PADDING, HEIGHT - PADDING],
    ],
    { type: 'MultiPoint', coordinates: corners },
  );
  return { projection, span };
}

function within(latitude: number): number {
  return Math.max(-90, Math.min(90, latitude));
}

function spotsOf(places: Array<{ line: TermLine; at: [number, number] }>, projection: GeoProjection): Spot[] {
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
    if (nearest && (distance(nearest) < NEAR || spots.length >= MOST_SPOTS)) nearest.lines.push(line);
    else spots.push({ x, y, lines: [line] });
  }
  const counts = spots.map(({ lines }) => lines.reduce((sum, line) => sum + line.count, 0));
  const most = Math.max(1, ...counts);
  const written: Array<[left: number, top: number, right: number, bottom: number]> = [];
  return spots.map(({ x, y, lines }, i): Spot => {
    const count = counts[i] ?? 0;
    const label = lines[0]?.label ?? '';
    const radius = Math.round(60 + 80 * Math.sqrt(count / most)) / 10;
    return {
      number: i + 1,
      x: Math.round(x * 10) / 10,
      y: Math.round(y * 10) / 10,
      radius,
      label,
      labelled: hasRoom(written, x + radius, y, label),
      count,
      places: lines.slice(0, MOST_PLACES),
      more: Math.max(0, lines.length - MOST_PLACES),
    };
  });
}

/** Takes the room for a label beside a spot, where no other label stands; widths are guessed from the number of letters. */
function hasRoom(written: Array<[number, number, number, number]>, x: number, y: number, label: string): boolean {
  const wide = /[\u3000-\u9fff\uac00-\ud7af]/.test(label) ? 15 : 8.5;
  const box: [number, number, number, number] = [x, y - 10, x + 8 + label.length * wide, y + 10];
  if (box[2] > WIDTH || written.some(([l, t, r, b]) => box[0] < r && box[2] > l && box[1] < b && box[3] > t)) return false;
  written.push(box);
  return true;
}
