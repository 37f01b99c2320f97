/** The facet values of a record. The page of a value is `browse/<facet>/<slug>.html`. */
import { coveredYears, outerYears } from '../../model/dates/coverage.ts';
import { FACET_VALUES, type Facet } from '../../model/facets.ts';
import { formatNameWithId, type PersonIds, personIds } from '../../model/name-with-id.ts';
import { readRecordDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { statedRights } from '../../model/rights-terms.ts';
import { MAX_LABEL_LENGTH } from '../../model/text/limits.ts';
import { codeSlug, nameSlug, termSlug } from '../../model/text/slug.ts';
import { comparisonForm, toPlainText, truncateWords } from '../../model/text/text.ts';

/** One value of a facet. */
export interface FacetValue {
  slug: string;
  /** Text of the archive, or a code for which a dictionary has a label (`facetLabel` returns it). */
  label: string;
  /** The complete text, if the label is shortened. */
  fullLabel?: string;
  ids?: PersonIds;
  /** Name pages of a person, beside the person's own: of a name that several share, or of another form of the name. */
  names?: Array<Pick<FacetValue, 'slug' | 'label'>>;
  /** Of a place: other slugs that the record's own places have (src/catalogue/lists/places.ts). */
  aliases?: string[];
  /** Of the first decade of a date, if the date’s years are not all values: the first and the last of them. */
  span?: [first: number, last: number];
  /** Set for a person whose name others have too, so that the label needs an ID. */
  sharesName?: true;
  /** The years of the interviews with someone whose name others have too, if no one else of the name has the same. */
  interviewed?: number[];
}

/** What the label of a facet value depends on. */
export type LabeledValue = Pick<FacetValue, 'slug' | 'label' | 'ids' | 'sharesName' | 'interviewed'>;

/** Returns the values of a field by what they are. */
const READERS: Readonly<Record<'term' | 'code' | 'person' | 'name', (field: unknown) => FacetValue[]>> = {
  term: (field) => (field as ArchivalRecord['topics']).map((term) => facetValue(termSlug(term), term.term)),
  code: (field) => [field].flat().flatMap((code) => (code ? [codeValue(code as string)] : [])),
  person: (field) => (field as ArchivalRecord['persons']).map(personValue),
  name: (field) => (field ? [nameValue(field as string)] : []),
};

/** Returns the values of a facet. A record states its rights in several fields. */
function readValues(facet: Facet, record: ArchivalRecord): FacetValue[] {
  if (facet === 'rights') return READERS.code(statedRights(record));
  const values = FACET_VALUES[facet];
  return values.kind === 'time' ? dateValues(record) : READERS[values.kind](record[values.field]);
}

const codeValue = (code: string): FacetValue => facetValue(codeSlug(code), code);
const nameValue = (name: string): FacetValue => facetValue(nameSlug(name), name);
function personValue({ namepart, oh_id: oh, nr_id: nr }: ArchivalRecord['persons'][number]): FacetValue {
  if (oh === undefined && nr === undefined) return nameValue(namepart);
  return { ...nameValue(namepart), ids: personIds(oh, nr) };
}
/** Slug of the facet value for records without a readable date. */
export const UNDATED = 'undated';

function facetValue(slug: string, text: string): FacetValue {
  const complete = toPlainText(text);
  return complete.length > MAX_LABEL_LENGTH
    ? { slug, label: truncateWords(complete, MAX_LABEL_LENGTH), fullLabel: complete }
    : { slug, label: complete };
}

/** Returns the values of a facet that a record has, each once; two people of one name are two values (`identifyPeople`). */
export function facetValues(facet: Facet, record: ArchivalRecord): FacetValue[] {
  const distinct = new Map(
    readValues(facet, record).map((value) => [`${value.slug} ${value.ids?.oh ?? ''} ${value.ids?.nr ?? ''}`, value]),
  );
  return [...distinct.values()].filter((value) => value.label !== '');
}

/** Returns the decades and years of a record. */
function dateValues(record: ArchivalRecord): FacetValue[] {
  const { reading, words } = readRecordDates(record);
  if (!reading) return words === undefined ? [] : [{ slug: UNDATED, label: UNDATED }];
  const { decades, years } = coveredYears(reading);
  const span = outerYears(reading);
  const [first, ...others] = [...decades.map((decade) => `${decade}s`), ...years.map(String)].map(
    (name): FacetValue => ({ slug: name, label: name }),
  );
  if (!first) return [];
  return [span.every((year) => years.includes(year)) ? first : { ...first, span }, ...others];
}

/** Returns the text of a facet value by which search results are filtered: with an ID if several people have the name. */
export function filterValue({ label, ids, sharesName }: Pick<FacetValue, 'label' | 'ids' | 'sharesName'>): string {
  const name = comparisonForm(label);
  return sharesName ? formatNameWithId(name, ids ?? {}) : name;
}
