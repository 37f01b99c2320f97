/** The outlines of land: Natural Earth (public domain), from the npm package world-atlas. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Scales of Natural Earth: 1:10 million, 1:50 million, 1:110 million. */
export type MapScale = '10m' | '50m' | '110m';

/** Returns the land at a scale, in degrees. */
export type ReadLand = (scale: MapScale) => MultiPolygon;

/** Returns a reader that reads each scale once: the maps of all languages need the same outlines. */
export function createLandReader(): ReadLand {
  const outlinesByScale = new Map<MapScale, MultiPolygon>();
  return (scale) => {
    const found = outlinesByScale.get(scale) ?? readLand(scale);
    outlinesByScale.set(scale, found);
    return found;
  };
}

function readLand(scale: MapScale): MultiPolygon {
  const require = createRequire(import.meta.url); // also resolves from where Astro puts the bundled pages
  const topology = JSON.parse(readFileSync(require.resolve(`world-atlas/land-${scale}.json`), 'utf8')) as Topology<{
    land: GeometryCollection;
  }>;
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  );
  return { type: 'MultiPolygon', coordinates: polygons.map(withCorrectWinding) };
}

/** Reverses a polygon that covers more than half of the globe: its winding is wrong, as for three islands at 1:10 million. */
function withCorrectWinding(rings: Position[][]): Position[][] {
  return geoArea({ type: 'Polygon', coordinates: rings }) > 2 * Math.PI ? rings.map((ring) => ring.toReversed()) : rings;
}
