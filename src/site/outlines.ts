/** The outlines of the land, from Natural Earth (public domain) as the package world-atlas ships it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea } from 'd3-geo';
import type { MultiPolygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Scales of Natural Earth: 1:10 million, 1:50 million, 1:110 million. */
export type Scale = '10m' | '50m' | '110m';

/** The land at a scale, in degrees. Read from this program's own packages, which are found from here and from where Astro puts the bundled pages. */
export function landAt(scale: Scale): MultiPolygon {
  const found = known.get(scale) ?? readLand(scale);
  known.set(scale, found);
  return found;
}

/** Each language's map asks again. */
const known = new Map<Scale, MultiPolygon>();

function readLand(scale: Scale): MultiPolygon {
  const require = createRequire(import.meta.url);
  const topology = JSON.parse(readFileSync(require.resolve(`world-atlas/land-${scale}.json`), 'utf8')) as Topology<{
    land: GeometryCollection;
  }>;
  const { features } = feature(topology, topology.objects.land);
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  );
  return { type: 'MultiPolygon', coordinates: polygons.map(wound) };
}

/** A polygon that says it is more than half of the globe is wound the wrong way: so are three islands at 1:10 million. */
function wound(rings: Position[][]): Position[][] {
  return geoArea({ type: 'Polygon', coordinates: rings }) > 2 * Math.PI ? rings.map((ring) => ring.toReversed()) : rings;
}
