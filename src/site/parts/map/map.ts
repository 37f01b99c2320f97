/** The view model of the map of places. The map is an SVG of outlines from an npm package, so that nothing is fetched. */
import type { GeoProjection } from 'd3-geo';
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { facetValuePath, objectPath } from '../../../catalogue/urls.ts';
import type { IndexedPlace } from '../../../derivatives/copied-files.ts';
import { placeLabels } from '../../../formats/map-labels.ts';
import { type Cluster, clusterPoints, labelMark, type MapPoint, type MarkNames } from '../../../formats/place-clusters.ts';
import { pluralForms } from '../../../formats/plural-forms.ts';
import type { Position } from '../../../model/coordinates.ts';
import { createRecent, type Recent } from '../../../platform/recent.ts';
import type { Locale } from '../../language/locale.ts';
import { namedAs } from '../../pages/term/named-as.ts';
import { readTermLines, type TermLine } from '../../pages/term/term.ts';
import type { Site } from '../../site.ts';
import type { ReadLand } from './land-outlines.ts';
import { round, roundPosition } from './land-window.ts';
import { drawLand, type Frame, fitProjection } from './map-projection.ts';
import { moveTowardLand } from './toward-land.ts';

/** The map. */
export type MapView = ReturnType<typeof drawPlaces>;

/** Returns the templates of the names of marks. */
export function createMarkNames({ language, t: { map } }: Pick<Locale, 'language' | 't'>): MarkNames {
  const place = pluralForms(language, (count) => map.mark('{label}', count), '{n}');
  return { language, place, group: map.group('{label}', '{n}') };
}

/** A mark on the map: one place, or several that are too close together to be distinguished. */
export type MapSpot = ReturnType<typeof labelSpots>[number];

const WIDTH = 960;
const HEIGHT = 440;
const PADDING = 60;
/** Above and below a map that can be enlarged, and one that cannot: the style sheet shows a narrow one higher. */
const MARGINS = { zoomable: 220, fixed: 140 };
/** The size of a map that cannot be enlarged, in a narrow window: there, marks and labels have about the size of other texts. */
export const NARROW_SCALE = 0.44;
/** Decimals of positions. */
const DIGITS = 2;
const MAX_SPOTS = 120;
const MAX_PLACES = 12;
/** How many times the map can be enlarged. */
export const MAX_ZOOM = 16;
/** Limits the size of the page. */
const MAX_POINTS = 1200;
/**
 * `minSpan` is in degrees: a smaller map around one village would show nothing but sea or land, and that of a point shows where
 * in the world it is. `maxLength`, in characters, limits the size of the page, even with a thousand islands: a page with one
 * point has more than its map.
 */
const LIMITS = { places: { minSpan: 0.4, maxLength: 36_000 }, point: { minSpan: 12, maxLength: 24_000 } };

/** What a map shows. */
interface MapOptions {
  /** Whether it can be enlarged. Only such a map has points. */
  isZoomable?: boolean;
  /** The number of records of each place, by the path of its page, if it is not that of all records. */
  counts?: ReadonlyMap<string, number>;
}

/**
 * Returns the map of all places that have a position, or without any, of facilities; and of those in indexes. Undefined if there
 * are none.
 */
export function createMapView(
  positionsOfRecords: Iterable<ObjectEntry['positions']>,
  site: Site,
  land: ReadLand,
  { isZoomable = true, counts }: MapOptions = {},
) {
  const positions = new Map([...positionsOfRecords].flat().map(({ place, lat, lng }) => [place, [lng, lat] as [number, number]]));
  const lines = new Map(readTermLines(site, 'place').map((line) => [line.path, line]));
  const places = [...positions].flatMap(([slug, at]) => {
    const line = lines.get(facetValuePath('place', slug));
    const count = counts && line ? counts.get(line.path) : line?.count;
    return line && count !== undefined ? [{ line: { ...line, count }, at }] : [];
  });
  const located = places.length > 0 || counts ? places : listFacilities(site);
  const all = [...located, ...(counts ? [] : listMoments(site.indexed?.get('all') ?? [], site))];
  return all.length === 0 ? undefined : drawPlaces(all, { ...LIMITS.places, isZoomable }, land, site.locale);
}

/** Returns the facilities of which the guide says where they are. */
function listFacilities(site: Site): Place[] {
  return readTermLines(site, 'facility').flatMap((line): Place[] => {
    const term = site.relations.term('facility', line.slug);
    const position = term && namedAs(term, site).articles[0]?.position;
    return position ? [{ line, at: [position.lng, position.lat] }] : [];
  });
}

/** Returns the places in the indexes of recordings: each leads to the moment from which on it is spoken of. */
function listMoments(indexed: readonly IndexedPlace[], { relations }: Pick<Site, 'relations'>): Place[] {
  return indexed.flatMap(({ id, start, lat, lng, name }): Place[] => {
    const entry = relations.object(id);
    const played = entry?.model === 'file' ? relations.object(entry.parent ?? '') : entry;
    const path = played && `${objectPath(played.id)}#t=${start}`;
    return path === undefined ? [] : [{ line: { label: name, path, slug: '', sort: '', count: 1 }, at: [lng, lat] }];
  });
}

/** Returns the map of the places in the index of a recording; undefined without any. */
export function createMomentMap(indexed: readonly IndexedPlace[], site: Site, land: ReadLand): MapView | undefined {
  const places = listMoments(indexed, site);
  return places.length === 0 ? undefined : drawPlaces(places, { ...LIMITS.places, isZoomable: false }, land, site.locale);
}

/** Returns the map of one point, whose mark has a name and no link. */
export function createPointMap({ lat, lng }: Position, label: string, { locale }: Pick<Site, 'locale'>, land: ReadLand) {
  const line = { label, path: '', slug: '', sort: '', count: 0 };
  return drawPlaces([{ line, at: [lng, lat] }], { ...LIMITS.point, isZoomable: false }, land, locale);
}

/** A place, and its longitude and latitude in degrees. */
interface Place {
  line: TermLine;
  at: [number, number];
}

/** Returns the map of places. */
function drawPlaces(
  places: readonly Place[],
  { isZoomable, minSpan, maxLength }: { isZoomable: boolean; minSpan: number; maxLength: number },
  land: ReadLand,
  locale: Locale,
) {
  const margin = isZoomable ? MARGINS.zoomable : MARGINS.fixed;
  const frame = { width: WIDTH, height: HEIGHT, margin, padding: PADDING, minSpan };
  const positions = places.map(({ at }) => at);
  const { path, projection } = drawMap(positions, frame, land, maxLength);
  return {
    /** Size in units of the drawing. */
    width: WIDTH,
    height: HEIGHT,
    /** Height of what is drawn above and below it. */
    margin,
    /** The land as the `d` of an SVG path. */
    land: path,
    ...createSpots(placePoints(places, projection), { isZoomable, margin }, locale),
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
function placePoints(places: readonly Place[], projection: GeoProjection): Placed[] {
  return places
    .flatMap(({ line, at }): Placed[] => {
      const [x = Number.NaN, y = Number.NaN] = projection(at) ?? [];
      return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ x, y, line, count: line.count, label: line.label }];
    })
    .sort((a, b) => b.count - a.count || (a.line.path < b.line.path ? -1 : 1));
}

function createSpots(placed: readonly Placed[], { isZoomable, margin }: { isZoomable: boolean; margin: number }, locale: Locale) {
  const clusters = clusterPoints(placed, MAX_SPOTS);
  const lists = new Map(
    clusters.flatMap(({ points }, i) => points.map(({ line }) => [line, { number: i + 1, hasList: points.length > 1 }] as const)),
  );
  const narrow = isZoomable ? [] : scalePoints(placed, NARROW_SCALE);
  const narrowFrame = { width: WIDTH * NARROW_SCALE, height: HEIGHT * NARROW_SCALE, margin: margin * NARROW_SCALE };
  return {
    spots: labelSpots(clusters, lists, { width: WIDTH, height: HEIGHT }, locale),
    /** The marks of a map that cannot be enlarged, for a narrow window. */
    narrowSpots: labelSpots(clusterPoints(narrow, MAX_SPOTS), lists, narrowFrame, locale),
    points: isZoomable ? createPoints(placed, lists) : [],
  };
}

function scalePoints(placed: readonly Placed[], scale: number): Placed[] {
  return placed.map((place) => ({ ...place, x: place.x * scale, y: place.y * scale }));
}

/** The lists of places that share a mark, by place. */
type Lists = ReadonlyMap<TermLine, { number: number; hasList: boolean }>;

function labelSpots(
  clusters: ReadonlyArray<Cluster<Placed>>,
  lists: Lists,
  frame: Parameters<typeof placeLabels>[1],
  { formatNumber }: Locale,
) {
  const spots = clusters.flatMap(({ x, y, radius, count, points }) => {
    const [first] = points;
    if (!first) return [];
    const lines = points.map(({ line }) => line);
    return {
      x: round(x, DIGITS),
      y: round(y, DIGITS),
      radius,
      count,
      /** Of the place with the most records. */
      name: first.label,
      /** From 1: that of the list of its places, below the map of places. */
      number: 0,
      /** Whether there is such a list: the place with the most records shares a mark on that map. */
      hasList: false,
      ...lists.get(first.line),
      /** What is written at the mark, if there is space. */
      label: labelMark(first.label, lines.length, formatNumber),
      /** Those with the most records first. */
      places: lines.slice(0, MAX_PLACES),
      /** The number of further places. */
      morePlaces: Math.max(0, lines.length - MAX_PLACES),
    };
  });
  const positions = placeLabels(spots, frame);
  return spots.map((spot, i) => ({ ...spot, labelAt: positions[i] && roundPosition(positions[i], DIGITS) }));
}

/** Returns what the enlarged map shows: the places, as far as the greatest enlargement distinguishes them. */
function createPoints(placed: readonly Placed[], lists: Lists) {
  return clusterPoints(scalePoints(placed, MAX_ZOOM), MAX_POINTS).map(({ x, y, count, points }) => {
    const [first] = points;
    return {
      x: round(x / MAX_ZOOM, DIGITS),
      y: round(y / MAX_ZOOM, DIGITS),
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
