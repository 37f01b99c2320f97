/** The table of record fields: where each is shown, how it is read, and whether it is searched. Labels are in the dictionary. */

import type { ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import { findPerson } from '../catalogue/people.ts';
import { MAX_FACT_LENGTH, MAX_LIST_MEMBERS } from '../model/limits.ts';
import type { ArchivalRecord, Creator } from '../model/records.ts';
import { rightsTermsUrl } from '../model/rights-terms.ts';
import { slugOf, termSlug } from '../model/slug.ts';
import { cleanTitle, truncateWords } from '../model/text.ts';
import { facetLabel } from './facet-label.ts';
import { joinedNames, jsonParts, noteParts, plainValue } from './field-values.ts';
import { codeLabel, type Locale } from './language/locale.ts';

/** The sections of fields on a record's page, in their order. */
export const SECTIONS = ['about', 'people', 'subjects', 'history', 'rights', 'file', 'record'] as const;
/** One of `SECTIONS`. */
export type Section = (typeof SECTIONS)[number];

/** One value of a field. `facet`, `object` and `url` make it a link. */
export interface FieldPart {
  text: string;
  /** Untrusted HTML, which is sanitized and shown instead of `text`. */
  html?: string;
  facet?: { facet: Facet; slug: string };
  /** A record's ID. */
  object?: string;
  /** A URL outside the site. */
  url?: string;
  /** Whether the URL is a link in the record’s text, which stays in the site if it has the page. */
  isTextLink?: true;
}

/** One row of the table. */
export interface Field {
  /** As in the record. */
  name: string;
  section: Section;
  /** Returns the field's values; none if the record does not have it. */
  readParts: (record: ArchivalRecord, facets: Facets, locale: Locale) => FieldPart[];
  /** Whether the values are in the search document. */
  isSearched: boolean;
}

/** Fields without a row on the page, and why. A test compares the sample's records with this list. */
export const UNLISTED_FIELDS: Readonly<Record<string, string>> = {
  title: 'is the heading',
  description: 'is shown below the heading',
  breadcrumbs: 'are shown as the breadcrumbs',
  ia_meta: 'has a table of its own',
  search_hidden: 'is for search alone (docs/upstream-api.md, “Record fields”)',
  index: 'is a position in a list, not a property of the record',
};

type Reader = Field['readParts'];
/** The facet values of a record, as its entry has them. */
type Facets = ObjectEntry['facets'];

const textField: (name: string) => Reader = (name) => (record) => jsonParts(record.raw[name]);
const noteField: (name: string) => Reader = (name) => (record) => noteParts(record.raw[name]);
const htmlField: (name: string) => Reader = (name) => (record) =>
  jsonParts(record.raw[name]).map((part) => ({ ...part, html: part.text }));
const codedField: (name: 'model' | 'status' | 'public') => Reader = (name) => (record, _, locale) =>
  jsonParts(record.raw[name]).map(({ text }) => ({ text: codeLabel(locale.t.codes[name], text) }));
const objectField: (name: string) => Reader = (name) => (record) =>
  jsonParts(record.raw[name]).map(({ text }) => ({ text, object: text }));
const facetField: (facet: Facet) => Reader = (facet) => (_, facets, locale) =>
  (facets[facet] ?? []).map((value) => ({
    text: value.fullLabel ?? facetLabel(locale, facet, value),
    facet: { facet, slug: value.slug },
  }));

/** All known fields, in their order on the page. */
export const FIELDS: readonly Field[] = [
  defineField('creation', 'about', creationParts, true),
  defineField('unitdateinclusive', 'about', noteField('unitdateinclusive'), true),
  defineField('unitdatebulk', 'about', noteField('unitdatebulk'), true),
  defineField('location', 'about', noteField('location'), true),
  defineField('genre', 'about', facetField('genre'), true),
  defineField('format', 'about', facetField('format'), true),
  defineField('extent', 'about', noteField('extent'), true),
  defineField('language', 'about', facetField('language'), true),
  defineField('alternate_id', 'about', noteField('alternate_id'), true),

  defineField('creators', 'people', (record, ...rest) => peopleParts('creator', record.creators, ...rest), true),
  defineField('persons', 'people', (record, ...rest) => peopleParts('person', record.persons, ...rest), true),
  defineField('contributor', 'people', facetField('contributor'), true),

  defineField('topics', 'subjects', facetField('topic'), true),
  defineField('facility', 'subjects', facetField('facility'), true),
  defineField('geography', 'subjects', placeParts, true),
  defineField('chronology', 'subjects', chronologyParts, true),

  defineField('scopecontent', 'history', htmlField('scopecontent'), true),
  defineField('bioghist', 'history', htmlField('bioghist'), true),
  defineField('custodhist', 'history', htmlField('custodhist'), true),
  defineField('acqinfo', 'history', htmlField('acqinfo'), true),
  defineField('accruals', 'history', htmlField('accruals'), true),
  defineField('processinfo', 'history', htmlField('processinfo'), true),
  defineField('physloc', 'history', noteField('physloc'), true),
  defineField('relatedmaterial', 'history', htmlField('relatedmaterial'), true),
  defineField('separatedmaterial', 'history', htmlField('separatedmaterial'), true),
  defineField('notes', 'history', htmlField('notes'), true),

  defineField('rights', 'rights', rightsParts),
  defineField('rights_statement', 'rights', htmlField('rights_statement')),
  defineField('accessrestrict', 'rights', htmlField('accessrestrict'), true),
  defineField('userrestrict', 'rights', htmlField('userrestrict'), true),
  defineField('credit', 'rights', noteField('credit'), true),
  defineField('prefercite', 'rights', noteField('prefercite')),

  defineField('role', 'file', textField('role')),
  defineField('label', 'file', htmlField('label'), true),
  defineField('mimetype', 'file', textField('mimetype')),
  defineField('size', 'file', textField('size')),
  defineField('basename_orig', 'file', textField('basename_orig')),
  defineField('access_rel', 'file', textField('access_rel')),
  defineField('download_large', 'file', textField('download_large')),
  defineField('download_fullsize', 'file', textField('download_fullsize')),
  defineField('sha1', 'file', textField('sha1')),
  defineField('sha256', 'file', textField('sha256')),
  defineField('md5', 'file', textField('md5')),
  defineField('external_urls', 'file', externalUrlParts),
  defineField('tech_notes', 'file', htmlField('tech_notes')),
  defineField('xmp', 'file', textField('xmp')),

  defineField('id', 'record', textField('id'), true),
  defineField('model', 'record', codedField('model')),
  defineField('parent_id', 'record', objectField('parent_id')),
  defineField('parent', 'record', textField('parent')),
  defineField('collection_id', 'record', objectField('collection_id')),
  defineField('organization_id', 'record', objectField('organization_id')),
  defineField('signature_id', 'record', objectField('signature_id')),
  defineField('sort', 'record', textField('sort')),
  defineField('status', 'record', codedField('status')),
  defineField('public', 'record', codedField('public')),
  defineField('digitize_person', 'record', noteField('digitize_person'), true),
  defineField('digitize_organization', 'record', noteField('digitize_organization')),
  defineField('digitize_date', 'record', textField('digitize_date')),
  defineField('record_created', 'record', textField('record_created')),
  defineField('record_lastmod', 'record', textField('record_lastmod')),
  defineField('template', 'record', textField('template')),
  defineField('topics_id', 'record', textField('topics_id')),
  defineField('facility_id', 'record', textField('facility_id')),
  defineField('_fields', 'record', (record) => joinedNames(record.raw['_fields'])),
  defineField('links', 'record', linkParts),
];

/** Returns the fields of a record that have a value. Unknown fields follow last, in the section `record`, under their own names. */
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
    .filter(([name]) => !KNOWN_FIELDS.has(name))
    .slice(0, MAX_LIST_MEMBERS)
    .map(([name, value]) => {
      const shown = truncateWords(cleanTitle(name), MAX_FACT_LENGTH);
      return { field: defineField(shown, 'record', () => []), label: shown, parts: noteParts(value) };
    });
  return [...known, ...unknown].filter((line) => line.parts.length > 0);
}

const KNOWN_FIELDS = new Set([...FIELDS.map(({ name }) => name), ...Object.keys(UNLISTED_FIELDS)]);

function defineField(name: string, section: Section, read: Reader, isSearched = false): Field {
  return { name, section, readParts: read, isSearched };
}

/** Links the date to its year, or to its first decade if it has several years. */
function creationParts(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const times = facets.time ?? [];
  const years = times.filter(({ slug }) => /^\d+$/.test(slug));
  const target = years.length === 1 ? years[0] : times[0];
  return jsonParts(record.creation).map(({ text }) =>
    target ? { text: plainValue(text), facet: { facet: 'time' as const, slug: target.slug } } : { text: plainValue(text) },
  );
}

/** Someone in the lists `creators` and `persons` of a record, with all roles. */
interface Named {
  name: string;
  roles: string[];
  oh_id: number | undefined;
  nr_id: string | undefined;
  slug: string | undefined;
}

/** Returns the people of a list, each once: entries with one facet value, or with the same name and no value, are one person. */
function namedPeople(
  facet: 'creator' | 'person',
  people: ReadonlyArray<Omit<Creator, 'role'> & { role?: string | undefined }>,
  facets: Facets,
): Named[] {
  const named = new Map<string, Named>();
  for (const { namepart, role, oh_id, nr_id } of people) {
    const slug = findPerson(facets[facet], { slug: slugOf(namepart), oh_id, nr_id })?.slug;
    const key = slug ?? `\n${namepart}`;
    const one = named.get(key) ?? { name: namepart, roles: [], oh_id, nr_id, slug };
    named.set(key, one);
    if (role !== undefined && !one.roles.includes(role)) one.roles.push(role);
    one.oh_id ??= oh_id;
    one.nr_id ??= nr_id;
  }
  return [...named.values()];
}

function peopleParts(
  facet: 'creator' | 'person',
  people: Parameters<typeof namedPeople>[1],
  facets: Facets,
  { t }: Locale,
): FieldPart[] {
  return namedPeople(facet, people, facets).map(({ name, roles, oh_id, nr_id, slug }) => {
    const ids = [nr_id && t.nameRecord(nr_id), oh_id !== undefined && t.narrator(oh_id)].filter(Boolean);
    const labels = roles.map((role) => codeLabel(t.codes.creatorRole, role));
    const text = `${[plainValue(name), ...labels].join(', ')}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}`;
    return slug === undefined ? { text } : { text, facet: { facet, slug } };
  });
}

/** Returns the label of the rights code, linked to its terms, and a sentence that explains it. */
function rightsParts(record: ArchivalRecord, _: Facets, { t }: Locale): FieldPart[] {
  return jsonParts(record.raw['rights']).flatMap(({ text: code }): FieldPart[] => {
    const terms = rightsTermsUrl(record.raw);
    const note = code === 'cc' && terms === undefined ? t.unnamedLicense : codeLabel(t.rightsNotes, code);
    return [
      { text: codeLabel(t.codes.rights, code), ...(terms ? { url: terms } : {}) },
      ...(note === code ? [] : [{ text: note }]),
    ];
  });
}

function placeParts(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const slugs = facets.place ?? [];
  return record.geography.flatMap(({ id, term, geo_lat, geo_lng }) => {
    const own = termSlug({ id, term });
    const slug = slugs.find((value) => value.slug === own)?.slug;
    const position = geo_lat === undefined || geo_lng === undefined ? '' : ` (${geo_lat}, ${geo_lng})`;
    const place: FieldPart = slug
      ? { text: `${plainValue(term)}${position}`, facet: { facet: 'place', slug } }
      : { text: `${plainValue(term)}${position}` };
    return id ? [place, { text: id, url: id }] : [place];
  });
}

function chronologyParts(record: ArchivalRecord, _: Facets, { t }: Locale): FieldPart[] {
  const day = (date: string | undefined) => date?.replace(/[ T]00:00:00(?:\.0)?$/, '');
  return record.chronology.map(({ term: words, startdate, enddate }) => {
    const term = words && plainValue(words);
    const [from, to] = [day(startdate), day(enddate)];
    const dates = from && to ? t.dateRange(from, to) : (from ?? to ?? '');
    return { text: term && dates ? `${term} (${dates})` : (term ?? dates) };
  });
}

function externalUrlParts(record: ArchivalRecord): FieldPart[] {
  return record.external_urls.map(({ label, url }) => ({
    text: label === undefined ? url : plainValue(label),
    url,
    isTextLink: true as const,
  }));
}

function linkParts(record: ArchivalRecord, _: Facets, { t }: Locale): FieldPart[] {
  return Object.entries(record.links).map(([name, url]) => ({ text: `${codeLabel(t.links, name)}: ${url}`, url }));
}
