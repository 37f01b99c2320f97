import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createLandReader, type ReadLand } from './land-outlines.ts';
import { createMapView } from './map.ts';

const readLand = createLandReader();

/** A place with a number of records. */
type Place = [slug: string, lat: number, lng: number, count?: number];

/** Returns the map of an archive with these places. */
function createMap(places: Place[], land: ReadLand = readLand) {
  const entry = (place: string, lat: number, lng: number) => [{ place, lat, lng }];
  const terms: Term[] = places.map(([slug, , , count = 1]) => ({
    facet: 'place',
    slug,
    label: slug,
    count,
    people: [],
    names: [],
  }));
  const termsOf = (facet: string) => (facet === 'place' ? terms : []);
  const site = { relations: { terms: termsOf }, locale: createLocales(['en'])[0] } as unknown as Site;
  return createMapView(
    places.map(([slug, lat, lng]) => entry(slug, lat, lng)),
    site,
    land,
  );
}

it('returns no map if no place has a position', () => {
  expect(createMap([])).toBeUndefined();
});

it('shows facilities where the guide places them, if no record has a position', () => {
  const cannery = { facet: 'facility', slug: '3', label: 'Cannery', count: 2, people: [], names: [] };
  const relations = {
    terms: (facet: string) => (facet === 'facility' ? [cannery] : []),
    term: () => cannery,
    named: () => ({ articles: [{ position: { lat: 44.3, lng: -63 } }], terms: [] }),
  };
  const map = createMapView([], { relations, locale: createLocales(['en'])[0] } as unknown as Site, readLand);
  expect(map?.points).toMatchObject([{ label: 'Cannery', path: 'browse/facility/3.html', count: 2 }]);
});

it.each([
  ['one village', [['a', 44.3, -63.0]]],
  [
    'a coast',
    [
      ['a', 44.3, -63.0],
      ['b', 47, -60],
    ],
  ],
  [
    'both sides of the antimeridian',
    [
      ['a', 52, 177],
      ['b', 53, -168],
    ],
  ],
  [
    'the whole world',
    [
      ['a', 60, -150],
      ['b', -40, 170],
      ['c', 10, 0],
      ['d', 70, 100],
    ],
  ],
  [
    'a coast of a thousand islands',
    [
      ['a', -42, -74],
      ['b', -54, -70],
    ],
  ],
  [
    'the far north',
    [
      ['a', 82, 10],
      ['b', 60, 20],
    ],
  ],
  [
    'the poles',
    [
      ['a', 90, 0],
      ['b', -90, 0],
    ],
  ],
] as const)('shows %s within its frame', (_, places) => {
  const map = createMap(places.map((place) => [...place]));
  expect(map?.spots).toHaveLength(places.length);
  for (const { x, y } of map?.spots ?? []) {
    expect([x >= 0, x <= (map?.width ?? 0), y >= 0, y <= (map?.height ?? 0)]).toEqual([true, true, true, true]);
  }
  expect(map?.land).not.toMatch(/NaN/);
  expect(map?.land.length ?? 0).toBeLessThan(40_000);
});

it('shows east on the right and north at the top', () => {
  const spots =
    createMap([
      ['west', 10, 0],
      ['east', 12, 5],
    ])?.spots ?? [];
  const at = (label: string) => spots.find((spot) => spot.label === label);
  expect((at('west')?.x ?? 0) < (at('east')?.x ?? 0)).toBe(true);
  expect((at('west')?.y ?? 0) > (at('east')?.y ?? 0)).toBe(true);
});

it('merges places that are too close together, and limits the number of marks', () => {
  const near = createMap([
    ['a', 10, 10, 5],
    ['b', 10.001, 10, 2],
    ['far', 30, 30],
  ]);
  expect(near?.spots.map(({ label, count, places }) => [label, count, places.map((place) => place.label)])).toEqual([
    ['a +1', 7, ['a', 'b']],
    ['far', 1, ['far']],
  ]);
  const many = createMap(Array.from({ length: 3000 }, (_, i) => [`p${i}`, (i % 60) - 30, ((i * 7) % 300) - 150]));
  expect(many?.spots.length).toBeLessThanOrEqual(120);
  expect(many?.spots.reduce((total, { places, morePlaces }) => total + places.length + morePlaces, 0)).toBe(3000);
});

it('draws the same land as if it projected that of the whole globe', () => {
  const position = fc.record({ lat: fc.integer({ min: -90, max: 90 }), lng: fc.integer({ min: -180, max: 180 }) });
  fc.assert(
    fc.property(position, fc.double({ min: 0, max: 120, noNaN: true }), ({ lat, lng }, span) => {
      const places: Place[] = [
        ['a', lat, lng],
        ['b', Math.max(-90, lat - span / 2), ((lng + span + 540) % 360) - 180],
      ];
      expect(createMap(places)).toEqual(createMap(places, (scale) => readLand(scale)));
    }),
    { numRuns: 8 },
  );
});
