/** The ways to browse: for each facet its label, and the values that a record has. The address is `browse/<name>/<slug>.html`. */
import { parseDateRange, yearsOf } from '../model/dates.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { codeSlug, slugOf, termSlug } from '../model/slug.ts';
import { plainText } from '../model/text.ts';
import { FORMAT, GENRE, label, languageName } from '../model/vocabularies.ts';

export const FACETS = ['topic', 'facility', 'place', 'time', 'genre', 'format', 'language', 'creator'] as const;
export type Facet = (typeof FACETS)[number];

export interface FacetValue {
  slug: string;
  label: string;
}

interface FacetDefinition {
  /** Plural, for headings. */
  label: string;
  /** Singular, for one value's page. */
  one: string;
  values: (record: ArchivalRecord) => FacetValue[];
}

const terms = (list: ArchivalRecord['topics']) => list.map((term) => ({ slug: termSlug(term), label: plainText(term.term) }));

export const FACET: Readonly<Record<Facet, FacetDefinition>> = {
  topic: { label: 'Topics', one: 'Topic', values: (record) => terms(record.topics) },
  facility: { label: 'Facilities', one: 'Facility', values: (record) => terms(record.facility) },
  place: {
    label: 'Places',
    one: 'Place',
    values: (record) => record.geography.map(({ id, term }) => ({ slug: termSlug({ id, term }), label: plainText(term) })),
  },
  time: { label: 'Time', one: 'Time', values: times },
  genre: {
    label: 'Genres',
    one: 'Genre',
    values: ({ genre }) => (genre ? [{ slug: codeSlug(genre), label: label(GENRE, genre) }] : []),
  },
  format: {
    label: 'Formats',
    one: 'Format',
    values: ({ format }) => (format ? [{ slug: codeSlug(format), label: label(FORMAT, format) }] : []),
  },
  language: {
    label: 'Languages',
    one: 'Language',
    values: (record) => record.language.map((code) => ({ slug: codeSlug(code), label: languageName(code) })),
  },
  creator: {
    label: 'Creators',
    one: 'Creator',
    values: (record) => record.creators.map(({ namepart }) => ({ slug: slugOf(namepart), label: plainText(namepart) })),
  },
};

/** A record's values of a facet, each once. */
export function facetValues(facet: Facet, record: ArchivalRecord): FacetValue[] {
  const bySlug = new Map(FACET[facet].values(record).map((value) => [value.slug, value]));
  return [...bySlug.values()].filter((value) => value.label !== '');
}

/** Decades and years of creation; where that cannot be read, of the chronology. */
function times(record: ArchivalRecord): FacetValue[] {
  const ranges = [parseDateRange(record.creation)];
  if (!ranges[0])
    ranges.push(...record.chronology.flatMap(({ startdate, enddate }) => [parseDateRange(startdate), parseDateRange(enddate)]));
  const found = ranges.flatMap((range) => (range ? [yearsOf(range)] : []));
  if (found.length === 0) return record.creation ? [{ slug: 'undated', label: 'Without a date that can be read' }] : [];
  return [
    ...found.flatMap(({ decades }) => decades).map((decade) => ({ slug: `${decade}s`, label: `${decade}s` })),
    ...found.flatMap(({ years }) => years).map((year) => ({ slug: `${year}`, label: `${year}` })),
  ];
}
