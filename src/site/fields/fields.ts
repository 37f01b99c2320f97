/** The table of record fields: where each is shown, how it is read, and whether it is searched. Labels are in the dictionary. */
import type { ArchivalRecord } from '../../model/records.ts';
import { MAX_FACT_LENGTH, MAX_LIST_MEMBERS } from '../../model/text/limits.ts';
import { cleanTitle, truncateWords } from '../../model/text/text.ts';
import { readTranslatedField } from '../../model/translations.ts';
import { codeLabel, type Locale } from '../language/locale.ts';
import * as parts from './field-parts.ts';
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
  defineField('creation', 'summary', parts.creationParts, true),
  defineField('unitdateinclusive', 'summary', parts.dateField('unitdateinclusive', 'unitdateinclusive'), true),
  defineField('unitdatebulk', 'summary', parts.bulkDateParts, true),
  defineField('creators', 'summary', parts.creatorParts, true),
  defineField('location', 'summary', parts.noteField('location'), true),
  defineField('geography', 'summary', parts.placeParts, true),
  defineField('facility', 'summary', parts.facetField('facility'), true),
  defineField('rights', 'summary', parts.rightsParts),

  defineField('genre', 'about', parts.facetField('genre'), true),
  defineField('format', 'about', parts.facetField('format'), true),
  defineField('extent', 'about', parts.extentParts, true),
  defineField('language', 'about', parts.facetField('language'), true),
  defineField('topics', 'about', parts.facetField('topic'), true),
  defineField('chronology', 'about', parts.chronologyParts, true),
  defineField('persons', 'about', (record, ...rest) => parts.peopleParts('person', record.persons, ...rest), true),
  defineField('contributor', 'about', parts.facetField('contributor'), true),
  defineField('label', 'about', parts.htmlField('label'), true),
  defineField('external_urls', 'about', parts.externalUrlParts),
  defineField('alternate_id', 'about', parts.noteField('alternate_id'), true),

  ...defineFields('scopecontent bioghist custodhist acqinfo accruals processinfo', 'history', parts.htmlField, true),
  defineField('physloc', 'history', parts.noteField('physloc'), true),
  ...defineFields('relatedmaterial separatedmaterial notes', 'history', parts.htmlField, true),

  defineField('rights_statement', 'rights', parts.htmlField('rights_statement')),
  ...defineFields('accessrestrict userrestrict', 'rights', parts.htmlField, true),
  ...defineFields('credit prefercite', 'rights', parts.noteField),

  defineField('date_words', 'technical', parts.dateWordsParts),
  defineField('role', 'technical', parts.codedField('role')),
  ...defineFields(
    'mimetype size basename_orig access_rel download_large download_fullsize sha1 sha256 md5',
    'technical',
    parts.textField,
  ),
  defineField('tech_notes', 'technical', parts.htmlField('tech_notes')),
  defineField('xmp', 'technical', parts.textField('xmp')),
  defineField('id', 'technical', parts.textField('id'), true),
  defineField('model', 'technical', parts.codedField('model')),
  defineField('parent_id', 'technical', parts.objectField('parent_id')),
  defineField('parent', 'technical', parts.textField('parent')),
  ...defineFields('collection_id organization_id signature_id', 'technical', parts.objectField),
  defineField('sort', 'technical', parts.textField('sort')),
  defineField('status', 'technical', parts.codedField('status')),
  defineField('public', 'technical', parts.codedField('public')),
  defineField('people_ids', 'technical', parts.peopleIdParts),
  defineField('narrator_id', 'technical', parts.textField('narrator_id')),
  defineField('place_ids', 'technical', parts.placeIdParts),
  ...defineFields('topics_id facility_id', 'technical', parts.textField),
  defineField('digitize_person', 'technical', parts.noteField('digitize_person'), true),
  defineField('digitize_organization', 'technical', parts.noteField('digitize_organization')),
  defineField('digitize_date', 'technical', parts.timeField('digitize_date', 'digitizeDate')),
  ...defineFields('record_created record_lastmod', 'technical', parts.timeField),
  defineField('template', 'technical', parts.textField('template')),
  defineField('_fields', 'technical', (record) => joinedNames(record.raw['_fields'])),
  defineField('links', 'technical', parts.linkParts),
];

/** Returns a record's fields that have a value. Unknown fields follow last, in the section `technical`, under their names. */
export function readFields(
  record: ArchivalRecord,
  facets: parts.Facets,
  locale: Locale,
): Array<{ field: Field; label: string; parts: parts.FieldPart[] }> {
  const labels: Readonly<Record<string, string>> = locale.t.fields;
  const known = FIELDS.map((row) => ({
    field: row,
    label: codeLabel(labels, row.name),
    parts: row.readParts(record, facets, locale),
  }));
  const unknown = Object.entries(record.raw)
    .filter(([name, value]) => !KNOWN_FIELDS.has(name) && !parts.LINK_FIELD.test(name) && !readTranslatedField(name, value))
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
function defineField(name: string, section: Section, readParts: parts.Reader, isSearched = false) {
  return { name, section, readParts, isSearched };
}

/** Defines fields that are read in the same way. `names` are separated by spaces. */
function defineFields(names: string, section: Section, readerOf: (name: string) => parts.Reader, isSearched = false): Field[] {
  return names.split(' ').map((name) => defineField(name, section, readerOf(name), isSearched));
}
