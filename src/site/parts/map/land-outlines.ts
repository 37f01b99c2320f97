/** The outlines of land: Natural Earth (public domain), from the npm package world-atlas. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Scales of Natural Earth: 1:10 million, 1:50 million, 1:110 million. */
export type MapScale = '10m' | '50m' | '110m';

/** A part of the globe, in degrees. `west` and `east` may be beyond ±180: around the antimeridian, 170 to 190, for example. */
export type Bounds = Record<'west' | 'south' | 'east' | 'north', number>;

/** Returns the land at a scale, in degrees: all, or the polygons of which something may be within bounds. */
export type ReadLand = (scale: MapScale, bounds?: Bounds) => MultiPolygon;

/** Returns a reader that reads each scale once: the maps of all languages need the same outlines. */
export function createLandReader(): ReadLand {
  const outlinesByScale = new Map<MapScale, ReturnType<typeof readOutlines>>();
  return (scale, bounds) => {
    const outlines = outlinesByScale.get(scale) ?? readOutlines(scale);
    outlinesByScale.set(scale, outlines);
    const within = bounds ? outlines.filter((outline) => mayOverlap(outline.bounds, bounds)) : outlines;
    for (const outline of within) outline.corrected ??= withCorrectWinding(outline.rings);
    return { type: 'MultiPolygon', coordinates: within.map(({ corrected, rings }) => corrected ?? rings) };
  };
}

function readOutlines(scale: MapScale) {
  const require = createRequire(import.meta.url); // also resolves from where Astro puts the bundled pages
  const topology = JSON.parse(readFileSync(require.resolve(`world-atlas/land-${scale}.json`), 'utf8')) as Topology<{
    land: GeometryCollection;
  }>;
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  );
  return polygons.map((rings) => ({
    /** As they are in the package. */
    rings,
    /** With correct winding, once they were needed. */
    corrected: undefined as Position[][] | undefined,
    bounds: boundsOf(rings),
  }));
}

/** Returns bounds of a polygon. One over the antimeridian, or a pole, is taken to go around the globe and contain a pole. */
function boundsOf(rings: Position[][]): Bounds {
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  for (const [lng = 0, lat = 0] of rings[0] ?? []) {
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
  }
  if (bounds.east - bounds.west < 359) return bounds;
  return bounds.south + bounds.north < 0 ? { ...bounds, south: -90 } : { ...bounds, north: 90 };
}

function mayOverlap(a: Bounds, b: Bounds): boolean {
  if (a.north < b.south || a.south > b.north) return false;
  return [-360, 0, 360].some((turn) => a.west + turn <= b.east && a.east + turn >= b.west);
}

/** Reverses a polygon that covers more than half of the globe: its winding is wrong, as for three islands at 1:10 million. */
function withCorrectWinding(rings: Position[][]): Position[][] {
  return geoArea({ type: 'Polygon', coordinates: rings }) > 2 * Math.PI ? rings.map((ring) => ring.toReversed()) : rings;
}
