import { expect, it } from 'vitest';
import type { Term } from '../../../catalogue/lists/relations.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createLandReader } from './land-outlines.ts';
import { createSmallMap } from './small-map.ts';

const facility: Term = { facet: 'facility', slug: '7', label: 'Quayside Cannery', count: 3, people: [], names: [] };
const place: Term = { facet: 'place', slug: 'tern-hill', label: 'Tern Hill', count: 2, people: [], names: [] };
const STATED = { lat: 44.31, lng: -63.1 };

function mapOf(spots: object[], stated: typeof STATED | undefined) {
  const relations = { summary: () => ({ spots }), term: () => place };
  const site = { relations, locale: createLocales(['en'])[0] } as unknown as Site;
  return createSmallMap(facility, stated, site, createLandReader());
}

it('shows the places that the records of a facility name', () => {
  const map = mapOf([{ place: 'tern-hill', lat: 44.36, lng: -63, count: 2 }], STATED);
  expect(map?.marks).toMatchObject([{ name: 'Tern Hill', count: 2, path: 'browse/place/tern-hill.html' }]);
});

it('shows where the guide says that a facility is, if its records do not', () => {
  expect(mapOf([], STATED)?.marks).toMatchObject([{ name: 'Quayside Cannery', count: 3, path: 'browse/place/index.html' }]);
  expect(mapOf([], undefined)).toBeUndefined();
});
