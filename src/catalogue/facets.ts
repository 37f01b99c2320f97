/** The ways to browse: for each facet the values that a record has. The address is `browse/<name>/<slug>.html`. */
import { parseDateRange, yearsOf } from '../model/dates.ts';
import { LONGEST_LABEL } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { codeSlug, slugOf, termSlug } from '../model/slug.ts';
import { plainText, shorten } from '../model/text.ts';

export const FACETS = [
  'topic',
  'facility',
  'place',
  'time',
  'genre',
  'format',
  'language',
  'creator',
  'person',
  'contributor',
  'rights',
] as const;
export type Facet = (typeof FACETS)[number];

export interface FacetValue {
  slug: string;
  /** The archive's own words, or the code behind which a dictionary has some: `facetLabel` says what to show. */
  label: string;
  /** All of the words, where the label has only the first of them. */
  whole?: string;
}

const terms = (list: ArchivalRecord['topics']) => list.map((term) => facetValue(termSlug(term), term.term));

const VALUES: Readonly<Record<Facet, (record: ArchivalRecord) => FacetValue[]>> = {
  topic: (record) => terms(record.topics),
  facility: (record) => terms(record.facility),
  place: (record) => terms(record.geography),
  time: times,
  genre: ({ genre }) => (genre ? [facetValue(codeSlug(genre), genre)] : []),
  format: ({ format }) => (format ? [facetValue(codeSlug(format), format)] : []),
  language: (record) => record.language.map((code) => facetValue(codeSlug(code), code)),
  creator: (record) => record.creators.map(({ namepart }) => named(namepart)),
  person: (record) => record.persons.map(({ namepart }) => named(namepart)),
  contributor: ({ contributor }) => (contributor ? [named(contributor)] : []),
  rights: ({ rights }) => (rights ? [facetValue(codeSlug(rights), rights)] : []),
};
const named = (name: string): FacetValue => facetValue(slugOf(name), name);
/** The slug of what has no date. */
export const UNDATED = 'undated';

function facetValue(slug: string, words: string): FacetValue {
  const whole = plainText(words);
  return whole.length > LONGEST_LABEL ? { slug, label: shorten(whole, LONGEST_LABEL), whole } : { slug, label: whole };
}

/** A record's values of a facet, each once. */
export function facetValues(facet: Facet, record: ArchivalRecord): FacetValue[] {
  const bySlug = new Map(VALUES[facet](record).map((value) => [value.slug, value]));
  return [...bySlug.values()].filter((value) => value.label !== '');
}

/** Decades and years of creation; where that cannot be read, of the chronology. */
function times(record: ArchivalRecord): FacetValue[] {
  const ranges = [parseDateRange(record.creation)];
  if (!ranges[0])
    ranges.push(...record.chronology.flatMap(({ startdate, enddate }) => [parseDateRange(startdate), parseDateRange(enddate)]));
  const found = ranges.flatMap((range) => (range ? [yearsOf(range)] : []));
  if (found.length === 0) return record.creation ? [{ slug: UNDATED, label: UNDATED }] : [];
  return [
    ...found.flatMap(({ decades }) => decades).map((decade) => ({ slug: `${decade}s`, label: `${decade}s` })),
    ...found.flatMap(({ years }) => years).map((year) => ({ slug: `${year}`, label: `${year}` })),
  ];
}
