/** The view model of the map of places. The map is an SVG of outlines from an npm package, so that nothing is fetched. */
import type { GeoProjection } from 'd3-geo';
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { facetValuePath } from '../../../catalogue/urls.ts';
import { type LabelPosition, placeLabels } from '../../../formats/map-labels.ts';
import { type Cluster, clusterPoints, labelMark, type MapPoint, type MarkNames } from '../../../formats/place-clusters.ts';
import { pluralForms } from '../../../formats/plural-forms.ts';
import type { Position } from '../../../model/coordinates.ts';
import { createRecent, type Recent } from '../../../platform/recent.ts';
import type { Locale } from '../../language/locale.ts';
import { readTermLines, type TermLine } from '../../pages/term/term.ts';
import type { Site } from '../../site.ts';
import type { NameLine } from '../names/name-lists.ts';
import type { ReadLand } from './land-outlines.ts';
import { drawLand, type Frame, fitProjection } from './map-projection.ts';
import { moveTowardLand } from './toward-land.ts';

/** The map. */
export interface MapView {
  /** Size in units of the drawing. */
  width: number;
  height: number;
  /** Height of what is drawn above and below it. */
  margin: number;
  /** The land as the `d` of an SVG path. */
  land: string;
  spots: MapSpot[];
  /** The marks of a map that cannot be enlarged, for a narrow window. */
  narrowSpots: MapSpot[];
  points: ReturnType<typeof createPoints>;
}

/** Returns the templates of the names of marks. */
export function createMarkNames({ language, t: { map } }: Pick<Locale, 'language' | 't'>): MarkNames {
  const place = pluralForms(language, (count) => map.mark('{label}', count), '{n}');
  return { language, place, group: map.group('{label}', '{n}') };
}

/** A mark on the map: one place, or several that are too close together to be distinguished. */
export interface MapSpot extends Pick<Cluster<MapPoint>, 'x' | 'y' | 'radius' | 'count'> {
  /** From 1: that of the list of its places, below the map of places. */
  number: number;
  /** Whether there is such a list: the place with the most records shares a mark on that map. */
  hasList: boolean;
  /** Of the place with the most records. */
  name: string;
  /** What is written at the mark, if there is space. */
  label: string;
  labelAt: LabelPosition | undefined;
  /** Its places, those with the most records first; the first `MAX_PLACES`. */
  places: NameLine[];
  /** The number of further places. */
  morePlaces: number;
}

const WIDTH = 960;
const HEIGHT = 440;
const PADDING = 60;
/** Above and below a map that can be enlarged, and one that cannot: the style sheet shows a narrow one higher. */
const MARGINS = { zoomable: 220, fixed: 140 };
/** The size of a map that cannot be enlarged, in a narrow window: there, marks and labels have about the size of other texts. */
export const NARROW_SCALE = 0.44;
const MAX_SPOTS = 120;
const MAX_PLACES = 12;
/** How many times the map can be enlarged. */
export const MAX_ZOOM = 16;
/** Limits the size of the page. */
const MAX_POINTS = 1200;
/** Degrees. A smaller map around one village would show nothing but sea or land. */
const MIN_SPAN = 0.4;
/** The same for a map of one point, so that it shows where in the world that is. */
const POINT_SPAN = 12;
/** Characters. Limits the size of the page, even with a thousand islands. A page with one point has more than its map. */
const MAX_PATH_LENGTH = { places: 36_000, point: 24_000 };

/** What a map shows. */
interface MapOptions {
  /** Whether it can be enlarged. Only such a map has points. */
  isZoomable?: boolean;
  /** The number of records of each place, by the path of its page, if it is not that of all records. */
  counts?: ReadonlyMap<string, number>;
}

/** Returns the map of all places that have a position; undefined if none has. */
export function createMapView(
  positionsOfRecords: Iterable<ObjectEntry['positions']>,
  site: Site,
  land: ReadLand,
  { isZoomable = true, counts }: MapOptions = {},
): MapView | undefined {
  const positions = new Map(
    Array.from(positionsOfRecords)
      .flat()
      .map(({ place, lat, lng }) => [place, [lng, lat] as [number, number]]),
  );
  const lines = new Map(readTermLines(site, 'place').map((line) => [line.path, line]));
  const places = [...positions].flatMap(([slug, at]) => {
    const line = lines.get(facetValuePath('place', slug));
    const count = counts && line ? counts.get(line.path) : line?.count;
    return line && count !== undefined ? [{ line: { ...line, count }, at }] : [];
  });
  if (places.length === 0) return undefined;
  const margin = isZoomable ? MARGINS.zoomable : MARGINS.fixed;
  const frame = { width: WIDTH, height: HEIGHT, margin, padding: PADDING, minSpan: MIN_SPAN };
  const drawn = drawMap(
    places.map(({ at }) => at),
    frame,
    land,
    MAX_PATH_LENGTH.places,
  );
  return {
    width: WIDTH,
    height: HEIGHT,
    margin,
    land: drawn.path,
    ...createSpots(placePoints(places, drawn.projection), { isZoomable, margin }, site.locale),
  };
}

/** Returns the map of one point, whose mark has a name and no link. */
export function createPointMap({ lat, lng }: Position, label: string, { locale }: Pick<Site, 'locale'>, land: ReadLand): MapView {
  const margin = MARGINS.fixed;
  const frame = { width: WIDTH, height: HEIGHT, margin, padding: PADDING, minSpan: POINT_SPAN };
  const drawn = drawMap([[lng, lat]], frame, land, MAX_PATH_LENGTH.point);
  const placed = placePoints([{ line: { label, path: '', sort: '', count: 0 } as TermLine, at: [lng, lat] }], drawn.projection);
  return {
    width: WIDTH,
    height: HEIGHT,
    margin,
    land: drawn.path,
    ...createSpots(placed, { isZoomable: false, margin }, locale),
  };
}

/** Of each reader of outlines, by what a map shows: the maps of all languages have the same land, which takes long to draw. */
const drawnMaps = new WeakMap<ReadLand, Recent<string, { projection: GeoProjection; path: string }>>();
const MAX_DRAWN = 8;

/** Draws the land around points (longitude and latitude in degrees). Returns it, and where places are on it. */
function drawMap(points: Array<[number, number]>, frame: Frame, land: ReadLand, maxLength: number) {
  const drawn = drawnMaps.get(land) ?? createRecent(MAX_DRAWN);
  drawnMaps.set(land, drawn);
  return drawn.get(JSON.stringify([points, frame, maxLength]), () => {
    const fitted = fitProjection(points, frame);
    moveTowardLand(fitted, points, frame, land);
    return { projection: fitted.projection, path: drawLand(fitted, frame, land, maxLength) };
  });
}

/** A place on the map. */
type Placed = MapPoint & { line: TermLine };

/** Returns the places on the map, those with the most records first. */
function placePoints(places: Array<{ line: TermLine; at: [number, number] }>, projection: GeoProjection): Placed[] {
  return places
    .flatMap(({ line, at }): Placed[] => {
      const [x = Number.NaN, y = Number.NaN] = projection(at) ?? [];
      return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ x, y, line, count: line.count, label: line.label }];
    })
    .sort((a, b) => b.count - a.count || (a.line.path < b.line.path ? -1 : 1));
}

function createSpots(
  placed: readonly Placed[],
  { isZoomable, margin }: { isZoomable: boolean; margin: number },
  locale: Locale,
): Pick<MapView, 'spots' | 'narrowSpots' | 'points'> {
  const clusters = clusterPoints(placed, MAX_SPOTS);
  const lists = new Map(
    clusters.flatMap(({ points }, i) => points.map(({ line }) => [line, { number: i + 1, hasList: points.length > 1 }] as const)),
  );
  const spots = labelSpots(clusters, lists, { width: WIDTH, height: HEIGHT }, locale);
  if (isZoomable) return { spots, narrowSpots: [], points: createPoints(placed, lists) };
  const narrow = placed.map((place) => ({ ...place, x: place.x * NARROW_SCALE, y: place.y * NARROW_SCALE }));
  const [width, height, narrowMargin] = [WIDTH, HEIGHT, margin].map((size) => size * NARROW_SCALE) as [number, number, number];
  const narrowSpots = labelSpots(clusterPoints(narrow, MAX_SPOTS), lists, { width, height, margin: narrowMargin }, locale);
  return { spots, narrowSpots, points: [] };
}

/** The lists of places that share a mark, by place. */
type Lists = ReadonlyMap<TermLine, Pick<MapSpot, 'number' | 'hasList'>>;

function labelSpots(
  clusters: ReadonlyArray<Cluster<Placed>>,
  lists: Lists,
  frame: Parameters<typeof placeLabels>[1],
  { formatNumber }: Locale,
): MapSpot[] {
  const spots = clusters.flatMap(({ x, y, radius, count, points }) => {
    const [first] = points;
    if (!first) return [];
    const lines = points.map(({ line }) => line);
    return {
      x: round(x),
      y: round(y),
      radius,
      count,
      name: first.label,
      number: 0,
      hasList: false,
      ...lists.get(first.line),
      label: labelMark(first.label, lines.length, formatNumber),
      places: lines.slice(0, MAX_PLACES),
      morePlaces: Math.max(0, lines.length - MAX_PLACES),
    };
  });
  const positions = placeLabels(spots, frame);
  return spots.map((spot, i) => ({ ...spot, labelAt: positions[i] && roundPosition(positions[i]) }));
}

function roundPosition({ x, y, anchor }: LabelPosition): LabelPosition {
  return { x: round(x), y: round(y), anchor };
}

/** Returns what the enlarged map shows: the places, as far as the greatest enlargement distinguishes them. */
function createPoints(placed: readonly Placed[], lists: Lists) {
  const large = placed.map((place) => ({ ...place, x: place.x * MAX_ZOOM, y: place.y * MAX_ZOOM }));
  return clusterPoints(large, MAX_POINTS).map(({ x, y, count, points }) => {
    const [first] = points;
    return {
      x: round(x / MAX_ZOOM),
      y: round(y / MAX_ZOOM),
      count,
      label: first?.label ?? '',
      /** The number of places. */
      places: points.length,
      /** The page of the only place. */
      path: points.length === 1 ? first?.line.path : undefined,
      /** The number of the mark that it belongs to before the map is enlarged. */
      spot: (first && lists.get(first.line)?.number) ?? 1,
    };
  });
}

const round = (value: number) => Math.round(value * 100) / 100;
