/** The tables of what a record lists: people, subjects, places, periods and other fields. */
import { findPerson } from '../../catalogue/people/find-person.ts';
import { facetValuePath } from '../../catalogue/urls.ts';
import type { Facet } from '../../model/facets.ts';
import { parseName } from '../../model/names/names.ts';
import { roleOf } from '../../model/names/roles.ts';
import type { ArchivalRecord, Term } from '../../model/records.ts';
import { MAX_FACT_LENGTH } from '../../model/text/limits.ts';
import { hasTextMarkup } from '../../model/text/markup.ts';
import { nameSlug, termSlug } from '../../model/text/slug.ts';
import { cleanTitle, toPlainText, truncateWords } from '../../model/text/text.ts';
import { jsonParts } from '../../site/fields/field-values.ts';
import { type RecordItem, toRecord } from './records.ts';
import { type ColumnsOf, defineTable, type Table, type TableInfo } from './table.ts';

/** A member of a list in a record. */
export interface Line<T> {
  item: RecordItem;
  position: number;
  value: T;
}

/** Returns the members of a list, numbered from 1. */
export function linesOf<T>(item: RecordItem, values: readonly T[]): Array<Line<T>> {
  return values.map((value, i) => ({ item, position: i + 1, value }));
}

const POSITION: ColumnsOf<Line<unknown>> = {
  record_id: ['Record that lists it.', ({ item }) => item.entry.id],
  position: ['Position in the list, from 1.', ({ position }) => position, 'integer'],
};

/** Defines a table of what records list. `values` returns that of a record. */
export function defineList<T>({
  values,
  columns,
  ...info
}: Omit<TableInfo, 'columns' | 'primaryKey' | 'foreignKeys'> & {
  values: (item: RecordItem) => readonly T[];
  columns: ColumnsOf<Line<T>>;
}): Table<RecordItem> {
  return defineTable<RecordItem, Line<T>>({
    ...info,
    primaryKey: ['record_id', 'position'],
    foreignKeys: [toRecord('record_id')],
    lines: (item) => linesOf(item, values(item)),
    columns: { ...POSITION, ...columns },
  });
}

/** Returns the path of the page of a facet value, if the record has the value. */
function pageOf({ item }: Line<unknown>, facet: Facet, slug: string): string | undefined {
  const found = item.entry.facets[facet]?.find((value) => value.slug === slug || value.aliases?.includes(slug));
  return found && facetValuePath(facet, found.slug);
}

type Named = ArchivalRecord['persons'][number];
const personSlug = ({ item, value: { namepart, oh_id, nr_id } }: Line<Named>, facet: 'creator' | 'person') =>
  findPerson(item.entry.facets[facet], { slug: nameSlug(namepart), oh_id, nr_id })?.slug;
const personColumns = (facet: 'creator' | 'person'): ColumnsOf<Line<Named>> => ({
  name: ['Name, as the record writes it.', ({ value }) => toPlainText(value.namepart)],
  person_id: [
    'What identifies the person in these tables: the same for each form of the name.',
    (line) => personSlug(line, facet),
  ],
  kind: ['person, organization or family, as read from the name.', ({ value }) => parseName(toPlainText(value.namepart)).kind],
  narrator_number: ['Number of the narrator in the archive (oh_id).', ({ value }) => value.oh_id, 'integer'],
  name_record: ['ID of the name record in the archive (nr_id).', ({ value }) => value.nr_id],
  page: [
    'Path of the person’s page in the offline copy.',
    (line) => {
      const slug = personSlug(line, facet);
      return slug === undefined ? undefined : facetValuePath(facet, slug);
    },
  ],
});

/** One row per creator of a record. */
export const CREATORS = defineList<ArchivalRecord['creators'][number]>({
  name: 'creators',
  title: 'Creators',
  description: 'One row per creator of a record: photographers, narrators, interviewers, authors and so on.',
  indexed: ['person_id'],
  searched: ['name'],
  facets: ['role_name', 'kind'],
  values: (item) => item.record.creators,
  columns: {
    role: ['Role, as the record writes it.', ({ value }) => toPlainText(value.role)],
    role_name: [
      'The role in English, if it is known, so that “narrador” and “語り手” are narrators too.',
      ({ value }) => (value.role === undefined ? undefined : roleOf(value.role).name),
    ],
    ...personColumns('creator'),
  },
});

/** One row per person that a record mentions. */
export const PERSONS = defineList<Named>({
  name: 'persons',
  title: 'Persons',
  description: 'One row per person, organization or family that a record mentions.',
  indexed: ['person_id'],
  searched: ['name'],
  facets: ['kind'],
  values: (item) => item.record.persons,
  columns: personColumns('person'),
});

const termColumns = (name: 'topic' | 'facility' | 'place', ids: string): ColumnsOf<Line<Term>> => ({
  [`${name}_id`]: [ids, ({ value }) => value.id],
  term: [name === 'topic' ? 'Topic, with its hierarchy joined by “ -- ”.' : 'Name.', ({ value }) => toPlainText(value.term)],
  page: ['Path of its page in the offline copy.', (line) => pageOf(line, name, termSlug(line.value))],
});

/** One row per topic of a record. */
export const TOPICS = defineList<Term>({
  name: 'topics',
  title: 'Topics',
  description: 'One row per topic of a record, from the archive’s controlled vocabulary.',
  indexed: ['topic_id'],
  facets: ['term'],
  values: (item) => item.record.topics,
  columns: termColumns('topic', 'ID of the topic in the archive’s vocabulary.'),
});

/** One row per facility of a record. */
export const FACILITIES = defineList<Term>({
  name: 'facilities',
  title: 'Facilities',
  description: 'One row per facility that a record is about, from the archive’s controlled vocabulary.',
  indexed: ['facility_id'],
  facets: ['term'],
  values: (item) => item.record.facility,
  columns: termColumns('facility', 'ID of the facility in the archive’s vocabulary.'),
});

/** One row per place of a record. */
export const PLACES = defineList<ArchivalRecord['geography'][number]>({
  name: 'places',
  title: 'Places',
  description: 'One row per place of a record.',
  indexed: ['place_id'],
  facets: ['term'],
  values: (item) => item.record.geography,
  columns: {
    ...termColumns('place', 'URI of the place in a vocabulary, such as the Getty Thesaurus of Geographic Names.'),
    latitude: ['Latitude in degrees (WGS 84).', ({ value }) => value.geo_lat, 'number'],
    longitude: ['Longitude in degrees (WGS 84).', ({ value }) => value.geo_lng, 'number'],
  },
});

/** One row per period of a record. */
export const PERIODS = defineList<ArchivalRecord['chronology'][number]>({
  name: 'periods',
  title: 'Periods',
  description: 'One row per period that a record is about (its chronology).',
  facets: ['term'],
  values: (item) => item.record.chronology,
  columns: {
    term: ['Name of the period.', ({ value }) => toPlainText(value?.term)],
    start: ['Beginning, as the archive writes it.', ({ value }) => toPlainText(value?.startdate)],
    end: ['End, as the archive writes it.', ({ value }) => toPlainText(value?.enddate)],
  },
});

/** Fields that other columns or tables contain, or that do not describe the item. Text that is only for search is in no table. */
const FIELDS_ELSEWHERE: ReadonlySet<string> = new Set(
  `id model collection_id organization_id parent_id parent signature_id links title description breadcrumbs record_created record_lastmod status
  public sort creation location creators persons language genre format extent contributor alternate_id credit rights rights_statement topics
  topics_id facility facility_id chronology geography ia_meta role search_hidden _fields index template`.split(/\s+/),
);

/** One row per value of any other field. */
export const NOTES = defineList<{ field: string; text: string }>({
  name: 'notes',
  title: 'Notes',
  description:
    'One row per value of any other field of a record, such as scopecontent, bioghist, userrestrict or digitize_date: nothing that its page shows is left out.',
  indexed: ['field'],
  searched: ['text'],
  facets: ['field'],
  values: (item) => notesOf(item.record),
  columns: {
    field: ['Name of the field, as in the record.', ({ value }) => value.field],
    text: ['Value as plain text; a value with a structure as JSON.', ({ value }) => value.text],
  },
});

function notesOf({ raw }: ArchivalRecord): Array<{ field: string; text: string }> {
  return Object.entries(raw)
    .filter(([name]) => !FIELDS_ELSEWHERE.has(name))
    .flatMap(([name, value]) => {
      const field = truncateWords(cleanTitle(name), MAX_FACT_LENGTH);
      return jsonParts(value).map(({ text, isJson }) => ({
        field,
        text: hasTextMarkup(text) && !isJson ? toPlainText(text) : text,
      }));
    });
}
