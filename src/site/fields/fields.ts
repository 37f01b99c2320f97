/** The table of record fields: where each is shown, how it is read, and whether it is searched. Labels are in the dictionary. */

import type { ArchivalRecord } from '../../model/records.ts';
import { MAX_FACT_LENGTH, MAX_LIST_MEMBERS } from '../../model/text/limits.ts';
import { cleanTitle, truncateWords } from '../../model/text/text.ts';
import { readTranslatedField } from '../../model/translations.ts';
import { codeLabel, type Locale } from '../language/locale.ts';
import {
  bulkDateParts,
  chronologyParts,
  codedField,
  creationParts,
  dateField,
  dateWordsParts,
  extentParts,
  externalUrlParts,
  type Facets,
  type FieldPart,
  facetField,
  htmlField,
  LINK_FIELD,
  linkParts,
  noteField,
  objectField,
  peopleIdParts,
  peopleParts,
  placeIdParts,
  placeParts,
  type Reader,
  rightsParts,
  textField,
  timeField,
} from './field-parts.ts';
import { joinedNames, noteParts } from './field-values.ts';

/**
 * The sections of fields on a record's page, in their order. The first one is beside the image: when, who, where, and whether it
 * may be used. The last one, for catalogers and programs, is folded.
 */
export const SECTIONS = ['summary', 'about', 'history', 'rights', 'technical'] as const;
/** One of `SECTIONS`. */
export type Section = (typeof SECTIONS)[number];

/** One row of the table. */
type Field = ReturnType<typeof defineField>;

/** Fields without a row on the page, and why. A test compares the sample's records with this list. */
export const UNLISTED_FIELDS: Readonly<Record<string, string>> = {
  title: 'is the heading',
  description: 'is shown below the heading',
  breadcrumbs: 'are shown as the breadcrumbs',
  ia_meta: 'has a table of its own',
  search_hidden: 'is for search alone (docs/upstream-api.md, “Record fields”)',
  index: 'is a position in a list, not a property of the record',
};

/** All known fields, in their order on the page. */
export const FIELDS: readonly Field[] = [
  defineField('creation', 'summary', creationParts, true),
  defineField('unitdateinclusive', 'summary', dateField('unitdateinclusive', 'unitdateinclusive'), true),
  defineField('unitdatebulk', 'summary', bulkDateParts, true),
  defineField('creators', 'summary', (record, ...rest) => peopleParts('creator', record.creators, ...rest), true),
  defineField('location', 'summary', noteField('location'), true),
  defineField('geography', 'summary', placeParts, true),
  defineField('facility', 'summary', facetField('facility'), true),
  defineField('rights', 'summary', rightsParts),

  defineField('genre', 'about', facetField('genre'), true),
  defineField('format', 'about', facetField('format'), true),
  defineField('extent', 'about', extentParts, true),
  defineField('language', 'about', facetField('language'), true),
  defineField('topics', 'about', facetField('topic'), true),
  defineField('chronology', 'about', chronologyParts, true),
  defineField('persons', 'about', (record, ...rest) => peopleParts('person', record.persons, ...rest), true),
  defineField('contributor', 'about', facetField('contributor'), true),
  defineField('label', 'about', htmlField('label'), true),
  defineField('external_urls', 'about', externalUrlParts),
  defineField('alternate_id', 'about', noteField('alternate_id'), true),

  ...defineFields('scopecontent bioghist custodhist acqinfo accruals processinfo', 'history', htmlField, true),
  defineField('physloc', 'history', noteField('physloc'), true),
  ...defineFields('relatedmaterial separatedmaterial notes', 'history', htmlField, true),

  defineField('rights_statement', 'rights', htmlField('rights_statement')),
  ...defineFields('accessrestrict userrestrict', 'rights', htmlField, true),
  ...defineFields('credit prefercite', 'rights', noteField),

  defineField('date_words', 'technical', dateWordsParts),
  defineField('role', 'technical', codedField('role')),
  ...defineFields(
    'mimetype size basename_orig access_rel download_large download_fullsize sha1 sha256 md5',
    'technical',
    textField,
  ),
  defineField('tech_notes', 'technical', htmlField('tech_notes')),
  defineField('xmp', 'technical', textField('xmp')),
  defineField('id', 'technical', textField('id'), true),
  defineField('model', 'technical', codedField('model')),
  defineField('parent_id', 'technical', objectField('parent_id')),
  defineField('parent', 'technical', textField('parent')),
  ...defineFields('collection_id organization_id signature_id', 'technical', objectField),
  defineField('sort', 'technical', textField('sort')),
  defineField('status', 'technical', codedField('status')),
  defineField('public', 'technical', codedField('public')),
  defineField('people_ids', 'technical', peopleIdParts),
  defineField('narrator_id', 'technical', textField('narrator_id')),
  defineField('place_ids', 'technical', placeIdParts),
  ...defineFields('topics_id facility_id', 'technical', textField),
  defineField('digitize_person', 'technical', noteField('digitize_person'), true),
  defineField('digitize_organization', 'technical', noteField('digitize_organization')),
  defineField('digitize_date', 'technical', timeField('digitize_date', 'digitizeDate')),
  ...defineFields('record_created record_lastmod', 'technical', timeField),
  defineField('template', 'technical', textField('template')),
  defineField('_fields', 'technical', (record) => joinedNames(record.raw['_fields'])),
  defineField('links', 'technical', linkParts),
];

/** Returns a record's fields that have a value. Unknown fields follow last, in the section `technical`, under their names. */
export function readFields(
  record: ArchivalRecord,
  facets: Facets,
  locale: Locale,
): Array<{ field: Field; label: string; parts: FieldPart[] }> {
  const labels: Readonly<Record<string, string>> = locale.t.fields;
  const known = FIELDS.map((row) => ({
    field: row,
    label: codeLabel(labels, row.name),
    parts: row.readParts(record, facets, locale),
  }));
  const unknown = Object.entries(record.raw)
    .filter(([name, value]) => !KNOWN_FIELDS.has(name) && !LINK_FIELD.test(name) && !readTranslatedField(name, value))
    .slice(0, MAX_LIST_MEMBERS)
    .map(([name, value]) => {
      const shown = truncateWords(cleanTitle(name), MAX_FACT_LENGTH);
      return { field: defineField(shown, 'technical', () => []), label: shown, parts: noteParts(value) };
    });
  return [...known, ...unknown].filter((line) => line.parts.length > 0);
}

const KNOWN_FIELDS = new Set([...FIELDS.map(({ name }) => name), ...Object.keys(UNLISTED_FIELDS)]);

/**
 * Defines a field. Its name is that in the record, or one of our own for a part of a field that has a row of its own. The values
 * of one that is searched are in the search document.
 */
function defineField(name: string, section: Section, readParts: Reader, isSearched = false) {
  return { name, section, readParts, isSearched };
}

/** Defines fields that are read in the same way. `names` are separated by spaces. */
function defineFields(names: string, section: Section, readerOf: (name: string) => Reader, isSearched = false): Field[] {
  return names.split(' ').map((name) => defineField(name, section, readerOf(name), isSearched));
}
