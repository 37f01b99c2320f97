/** Facets, and the facet values of a record. The page of a value is `browse/<facet>/<slug>.html`. */
import { coveredYears } from '../model/dates/coverage.ts';
import { readRecordDates } from '../model/dates/record-dates.ts';
import { MAX_LABEL_LENGTH } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { codeSlug, slugOf, termSlug } from '../model/slug.ts';
import { toPlainText, truncateWords } from '../model/text.ts';

/** All facets, in the order in which pages list them. */
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
/** One of `FACETS`. */
export type Facet = (typeof FACETS)[number];

/** One value of a facet. */
export interface FacetValue {
  slug: string;
  /** Text of the archive, or a code for which a dictionary has a label (`facetLabel` returns it). */
  label: string;
  /** The complete text, if the label is shortened. */
  fullLabel?: string;
}

const termValues = (list: ArchivalRecord['topics']) => list.map((term) => facetValue(termSlug(term), term.term));

const READ_VALUES: Readonly<Record<Facet, (record: ArchivalRecord) => FacetValue[]>> = {
  topic: (record) => termValues(record.topics),
  facility: (record) => termValues(record.facility),
  place: (record) => termValues(record.geography),
  time: dateValues,
  genre: ({ genre }) => (genre ? [facetValue(codeSlug(genre), genre)] : []),
  format: ({ format }) => (format ? [facetValue(codeSlug(format), format)] : []),
  language: (record) => record.language.map((code) => facetValue(codeSlug(code), code)),
  creator: (record) => record.creators.map(({ namepart }) => nameValue(namepart)),
  person: (record) => record.persons.map(({ namepart }) => nameValue(namepart)),
  contributor: ({ contributor }) => (contributor ? [nameValue(contributor)] : []),
  rights: ({ rights }) => (rights ? [facetValue(codeSlug(rights), rights)] : []),
};
const nameValue = (name: string): FacetValue => facetValue(slugOf(name), name);
/** Slug of the facet value for records without a readable date. */
export const UNDATED = 'undated';

function facetValue(slug: string, text: string): FacetValue {
  const complete = toPlainText(text);
  return complete.length > MAX_LABEL_LENGTH
    ? { slug, label: truncateWords(complete, MAX_LABEL_LENGTH), fullLabel: complete }
    : { slug, label: complete };
}

/** Returns the values of a facet that a record has, each once. */
export function facetValues(facet: Facet, record: ArchivalRecord): FacetValue[] {
  const bySlug = new Map(READ_VALUES[facet](record).map((value) => [value.slug, value]));
  return [...bySlug.values()].filter((value) => value.label !== '');
}

/** Returns the decades and years of a record. */
function dateValues(record: ArchivalRecord): FacetValue[] {
  const { reading, words } = readRecordDates(record);
  if (!reading) return words === undefined ? [] : [{ slug: UNDATED, label: UNDATED }];
  const { decades, years } = coveredYears(reading);
  return [...decades.map((decade) => `${decade}s`), ...years.map(String)].map((name) => ({ slug: name, label: name }));
}
