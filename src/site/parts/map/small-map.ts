/** The view model of the small map in the head of a place's or facility's page. */
import type { Term } from '../../../catalogue/lists/relations.ts';
import { facetPath, facetValuePath } from '../../../catalogue/urls.ts';
import { placeLabels } from '../../../formats/map-labels.ts';
import { clusterPoints, labelMark } from '../../../formats/place-clusters.ts';
import type { Position } from '../../../model/coordinates.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { Site } from '../../site.ts';
import type { ReadLand } from './land-outlines.ts';
import { roundPosition } from './land-window.ts';
import { drawLand, fitProjection } from './map-projection.ts';

/** A small map. */
export type SmallMapView = NonNullable<ReturnType<typeof createSmallMap>>;

const FRAME = { width: 352, height: 208, margin: 0, padding: 44 };
/** Degrees. Of one place, the map shows the region, of several the surroundings: as much as it takes to see a coast. */
const MIN_SPANS = { one: [3, 12, 30], several: [0.4, 3, 12, 30] };
/** Characters of a path that is no more than the frame. */
const FRAME_PATH_LENGTH = 60;
const MAX_MARKS = 12;
/** Characters. */
const MAX_PATH_LENGTH = 6_000;

/**
 * Returns the map of a place, or of the places that a facility's records name; without these, of where the guide says that it is,
 * `stated`; undefined if nothing has a position.
 */
export function createSmallMap(term: Term, stated: Position | undefined, site: Site, land: ReadLand) {
  const { facet, slug, count: total } = term;
  if (facet !== 'place' && facet !== 'facility') return undefined;
  const { relations, locale } = site;
  const all = relations.summary(facet, slug)?.spots ?? [];
  const own = facet === 'place' ? all.filter(({ place }) => place === slug) : all;
  const named = own.flatMap((spot) => {
    const place = relations.term('place', spot.place);
    return place ? [{ ...spot, label: facetLabel(locale, 'place', place) }] : [];
  });
  const spots =
    named.length > 0 || !stated ? named : [{ place: '', ...stated, count: total, label: facetLabel(locale, facet, term) }];
  if (spots.length === 0) return undefined;
  const positions = spots.map(({ lat, lng }): [number, number] => [lng, lat]);
  const { frame, fitted, outlines } = fitToCoast(positions, spots.length === 1 ? MIN_SPANS.one : MIN_SPANS.several, land);
  const points = spots.flatMap(({ place, lat, lng, count, label }) => {
    const [x = Number.NaN, y = Number.NaN] = fitted.projection([lng, lat]) ?? [];
    return Number.isNaN(x) || Number.isNaN(y) ? [] : [{ x, y, count, place, label }];
  });
  const marks = clusterPoints(points, MAX_MARKS).map(({ points: own, ...cluster }) => {
    const [first] = own;
    const isElsewhere = own.length === 1 && first && first.place !== '' && facet !== 'place';
    return {
      ...cluster,
      name: first?.label ?? '',
      places: own.length,
      label: labelMark(first?.label ?? '', own.length, locale.formatNumber),
      path: isElsewhere ? facetValuePath('place', first.place) : facetPath('place'),
    };
  });
  const labels = placeLabels(marks, frame);
  return {
    width: FRAME.width,
    height: FRAME.height,
    land: outlines,
    marks: marks.map((mark, i) => ({ ...roundPosition(mark, 1), labelAt: labels[i] && roundPosition(labels[i], 1) })),
  };
}

/** Returns the map of the first span in which there is a coast; without any, of the last. */
function fitToCoast(positions: Array<[number, number]>, [minSpan = 0, ...wider]: number[], land: ReadLand) {
  const frame = { ...FRAME, minSpan };
  const fitted = fitProjection(positions, frame);
  const outlines = drawLand(fitted, frame, land, MAX_PATH_LENGTH);
  if (outlines.length <= FRAME_PATH_LENGTH && wider.length > 0) return fitToCoast(positions, wider, land);
  return { frame, fitted, outlines };
}
