import { expect, it } from 'vitest';
import { facetValues } from '../../catalogue/lists/facets.ts';
import type { Facet } from '../../model/facets.ts';
import { parseRecord } from '../../model/records.ts';
import { createLocales, type Locale } from '../language/locale.ts';
import { facetLabel } from './facet-label.ts';

const values = (facet: Facet, raw: Record<string, unknown>) => {
  const record = parseRecord({ id: 'demo-org-1-2', ...raw });
  return record ? facetValues(facet, record).map((value) => [value.slug, facetLabel(english, facet, value)]) : [];
};
const [english] = createLocales(['en']) as [Locale];

it('labels known codes and shows unknown ones unchanged', () => {
  expect(values('genre', { genre: 'photograph' })).toEqual([['photograph', 'Photographs']]);
  expect(values('genre', { genre: 'zine' })).toEqual([['zine', 'zine']]);
  expect(values('language', { language: ['jpn', 'chi', 'xyz'] })).toEqual([
    ['jpn', 'Japanese'],
    ['chi', 'Chinese'],
    ['xyz', 'Unknown language (xyz)'],
  ]);
});

it('assigns a date to its decade and years, and falls back to the chronology', () => {
  expect(values('time', { creation: '1941-1942' }).map(([slug]) => slug)).toEqual(['1940s', '1941', '1942']);
  expect(
    values('time', { creation: 'n.d.', chronology: [{ startdate: '1947-02-01 00:00:00.0' }] }).map(([slug]) => slug),
  ).toEqual(['1940s', '1947']);
  expect(values('time', { creation: 'n.d.' })).toEqual([['undated', 'Undated']]);
});

it('lists each value once', () => {
  expect(values('topic', { topics: [{ id: '12', term: 'Fishing' }, { id: '12', term: 'Fishing' }, 'Plain'] })).toEqual([
    ['12', 'Fishing'],
    ['plain', 'Plain'],
  ]);
});

it('uses the right name if namepart and role are exchanged', () => {
  expect(values('creator', { creators: [{ namepart: 'photographer', role: 'Ada Quill' }] })).toEqual([
    ['ada-quill', 'Ada Quill'],
  ]);
});

it('labels people of one name with their IDs', () => {
  const person = { slug: 'x', label: 'Leif Vane', sharesName: true as const };
  expect(facetLabel(english, 'person', { ...person, ids: { oh: 3, nr: 'nr-1' } })).toBe('Leif Vane (narrator ID 3)');
  expect(facetLabel(english, 'person', { ...person, ids: { nr: 'nr-1' } })).toBe('Leif Vane (name record ID nr-1)');
  expect(facetLabel(english, 'person', { slug: 'x', label: 'Leif Vane', ids: { oh: 3 } })).toBe('Leif Vane');
});
