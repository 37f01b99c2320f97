/** The table of record fields: where each is shown, how it is read, and whether it is searched. Labels are in the dictionary. */

import type { ObjectEntry } from '../catalogue/entries.ts';
import type { Facet } from '../catalogue/facets.ts';
import { LONGEST_FACT, LONGEST_TEXT, MOST_MEMBERS } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { slugOf, termSlug } from '../model/slug.ts';
import { clean, shorten } from '../model/text.ts';
import { hasValue, isObject, text as readText } from '../model/values.ts';
import { facetLabel } from './facet-label.ts';
import { type Edition, label } from './language/edition.ts';
import { termsOf } from './rights.ts';

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
}

/** One row of the table. */
export interface Field {
  /** As in the record. */
  name: string;
  section: Section;
  /** Returns the field's values; none if the record does not have it. */
  parts: (record: ArchivalRecord, facets: Facets, locale: Edition) => FieldPart[];
  /** Whether the values are in the search document. */
  searched: boolean;
}

/** Fields without a row on the page, and why. A test compares the sample's records with this list. */
export const NOT_LISTED: Readonly<Record<string, string>> = {
  title: 'is the heading',
  description: 'is shown below the heading',
  breadcrumbs: 'are shown as the breadcrumbs',
  ia_meta: 'has a table of its own',
  search_hidden: 'is for search alone (docs/upstream-api.md, “Record fields”)',
  index: 'is a position in a list, not a property of the record',
};

type Reader = Field['parts'];
/** The facet values of a record, as its entry has them. */
type Facets = ObjectEntry['facets'];

const words: (name: string) => Reader = (name) => (record) => parts(record.raw[name]);
const prose: (name: string) => Reader = (name) => (record) =>
  parts(record.raw[name]).map((part) => ({ ...part, html: part.text }));
const coded: (name: 'model' | 'status' | 'public') => Reader = (name) => (record, _, locale) =>
  parts(record.raw[name]).map(({ text }) => ({ text: label(locale.t.codes[name], text) }));
const object: (name: string) => Reader = (name) => (record) =>
  parts(record.raw[name]).map(({ text }) => ({ text, object: text }));
const browse: (facet: Facet) => Reader = (facet) => (_, facets, locale) =>
  (facets[facet] ?? []).map((value) => ({
    text: value.whole ?? facetLabel(locale, facet, value),
    facet: { facet, slug: value.slug },
  }));

/** All known fields, in their order on the page. */
export const FIELDS: readonly Field[] = [
  field('creation', 'about', creation, true),
  field('unitdateinclusive', 'about', words('unitdateinclusive')),
  field('unitdatebulk', 'about', words('unitdatebulk')),
  field('location', 'about', words('location'), true),
  field('genre', 'about', browse('genre')),
  field('format', 'about', browse('format')),
  field('extent', 'about', words('extent')),
  field('language', 'about', browse('language')),
  field('alternate_id', 'about', words('alternate_id'), true),

  field('creators', 'people', creators, true),
  field('persons', 'people', persons, true),
  field('contributor', 'people', browse('contributor'), true),

  field('topics', 'subjects', browse('topic'), true),
  field('facility', 'subjects', browse('facility'), true),
  field('geography', 'subjects', geography, true),
  field('chronology', 'subjects', chronology, true),

  field('scopecontent', 'history', prose('scopecontent'), true),
  field('bioghist', 'history', prose('bioghist'), true),
  field('custodhist', 'history', prose('custodhist')),
  field('acqinfo', 'history', prose('acqinfo')),
  field('accruals', 'history', prose('accruals')),
  field('processinfo', 'history', prose('processinfo')),
  field('physloc', 'history', words('physloc')),
  field('relatedmaterial', 'history', prose('relatedmaterial')),
  field('separatedmaterial', 'history', prose('separatedmaterial')),
  field('notes', 'history', prose('notes'), true),

  field('rights', 'rights', rights),
  field('rights_statement', 'rights', prose('rights_statement')),
  field('accessrestrict', 'rights', prose('accessrestrict')),
  field('userrestrict', 'rights', prose('userrestrict')),
  field('credit', 'rights', words('credit')),
  field('prefercite', 'rights', words('prefercite')),

  field('role', 'file', words('role')),
  field('label', 'file', prose('label')),
  field('mimetype', 'file', words('mimetype')),
  field('size', 'file', words('size')),
  field('basename_orig', 'file', words('basename_orig')),
  field('access_rel', 'file', words('access_rel')),
  field('download_large', 'file', words('download_large')),
  field('download_fullsize', 'file', words('download_fullsize')),
  field('sha1', 'file', words('sha1')),
  field('sha256', 'file', words('sha256')),
  field('md5', 'file', words('md5')),
  field('external_urls', 'file', externalUrls),
  field('tech_notes', 'file', prose('tech_notes')),
  field('xmp', 'file', words('xmp')),

  field('id', 'record', words('id'), true),
  field('model', 'record', coded('model')),
  field('parent_id', 'record', object('parent_id')),
  field('parent', 'record', words('parent')),
  field('collection_id', 'record', object('collection_id')),
  field('organization_id', 'record', object('organization_id')),
  field('signature_id', 'record', object('signature_id')),
  field('sort', 'record', words('sort')),
  field('status', 'record', coded('status')),
  field('public', 'record', coded('public')),
  field('digitize_person', 'record', words('digitize_person')),
  field('digitize_organization', 'record', words('digitize_organization')),
  field('digitize_date', 'record', words('digitize_date')),
  field('record_created', 'record', words('record_created')),
  field('record_lastmod', 'record', words('record_lastmod')),
  field('template', 'record', words('template')),
  field('topics_id', 'record', words('topics_id')),
  field('facility_id', 'record', words('facility_id')),
  field('_fields', 'record', (record) => joined(record.raw['_fields'])),
  field('links', 'record', links),
];

/** Returns the fields of a record that have a value. Unknown fields follow last, in the section `record`, under their own names. */
export function fieldsOf(
  record: ArchivalRecord,
  facets: Facets,
  locale: Edition,
): Array<{ field: Field; label: string; parts: FieldPart[] }> {
  const labels: Readonly<Record<string, string>> = locale.t.fields;
  const known = FIELDS.map((row) => ({ field: row, label: label(labels, row.name), parts: row.parts(record, facets, locale) }));
  const unknown = Object.entries(record.raw)
    .filter(([name]) => !KNOWN.has(name))
    .slice(0, MOST_MEMBERS)
    .map(([name, value]) => {
      const shown = shorten(clean(name), LONGEST_FACT);
      return { field: field(shown, 'record', () => []), label: shown, parts: parts(value) };
    });
  return [...known, ...unknown].filter((line) => line.parts.length > 0);
}

const KNOWN = new Set([...FIELDS.map(({ name }) => name), ...Object.keys(NOT_LISTED)]);

function field(name: string, section: Section, read: Reader, searched = false): Field {
  return { name, section, parts: read, searched };
}

/** Returns any JSON value as lines of text: one per element of a list. */
function parts(value: unknown): FieldPart[] {
  const lines: FieldPart[] = [];
  // A loop instead of recursion: lists may be nested thousands of levels deep.
  const pending: unknown[] = [value];
  while (pending.length > 0 && lines.length < MOST_MEMBERS) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const element of next.slice(0, MOST_MEMBERS).reverse()) pending.push(element);
    else if (hasValue(next)) {
      const line = readText(isObject(next) ? JSON.stringify(next).slice(0, LONGEST_TEXT) : next);
      if (line !== undefined) lines.push({ text: line });
    }
  }
  return lines;
}

function joined(value: unknown): FieldPart[] {
  const names = parts(value).map(({ text }) => text);
  return names.length > 0 ? [{ text: names.join(', ') }] : [];
}

function creation(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const [first, ...more] = facets.time ?? [];
  const precise = more.at(-1) ?? first;
  return parts(record.creation).map((part) =>
    precise ? { ...part, facet: { facet: 'time' as const, slug: precise.slug } } : part,
  );
}

/** Returns a value that links to the facet value of a name, if it exists. */
function named(text: string, facet: 'creator' | 'person', name: string, facets: Facets): FieldPart {
  const slug = slugOf(name);
  return facets[facet]?.some((value) => value.slug === slug) ? { text, facet: { facet, slug } } : { text };
}

function creators(record: ArchivalRecord, facets: Facets, { t }: Edition): FieldPart[] {
  return record.creators.map(({ namepart, role, oh_id }) => {
    const text = `${namepart}${role ? `, ${role}` : ''}${oh_id === undefined ? '' : ` (${t.narrator(oh_id)})`}`;
    return named(text, 'creator', namepart, facets);
  });
}

function persons(record: ArchivalRecord, facets: Facets, { t }: Edition): FieldPart[] {
  return record.persons.map(({ namepart, nr_id, oh_id }) => {
    const ids = [nr_id && t.nameRecord(nr_id), oh_id !== undefined && t.narrator(oh_id)].filter(Boolean);
    const text = `${namepart}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}`;
    return named(text, 'person', namepart, facets);
  });
}

/** Returns the label of the rights code, linked to its terms, and a sentence that explains it. */
function rights(record: ArchivalRecord, _: Facets, { t }: Edition): FieldPart[] {
  return parts(record.raw['rights']).flatMap(({ text: code }): FieldPart[] => {
    const terms = termsOf(code, record.raw['rights_statement']);
    const note = label(t.rightsNotes, code);
    return [{ text: label(t.codes.rights, code), ...(terms ? { url: terms } : {}) }, ...(note === code ? [] : [{ text: note }])];
  });
}

function geography(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const slugs = facets.place ?? [];
  return record.geography.flatMap(({ id, term, geo_lat, geo_lng }) => {
    const own = termSlug({ id, term });
    const slug = slugs.find((value) => value.slug === own)?.slug;
    const position = geo_lat === undefined || geo_lng === undefined ? '' : ` (${geo_lat}, ${geo_lng})`;
    const place: FieldPart = slug
      ? { text: `${term}${position}`, facet: { facet: 'place', slug } }
      : { text: `${term}${position}` };
    return id ? [place, { text: id, url: id }] : [place];
  });
}

function chronology(record: ArchivalRecord, _: Facets, { t }: Edition): FieldPart[] {
  const day = (date: string | undefined) => date?.replace(/[ T]00:00:00(?:\.0)?$/, '');
  return record.chronology.map(({ term, startdate, enddate }) => {
    const [from, to] = [day(startdate), day(enddate)];
    const dates = from && to ? t.dateRange(from, to) : (from ?? to ?? '');
    return { text: term && dates ? `${term} (${dates})` : (term ?? dates) };
  });
}

function externalUrls(record: ArchivalRecord): FieldPart[] {
  return record.external_urls.map(({ label: text, url }) => ({ text: text ?? url, url }));
}

function links(record: ArchivalRecord, _: Facets, { t }: Edition): FieldPart[] {
  return Object.entries(record.links).map(([name, url]) => ({ text: `${label(t.links, name)}: ${url}`, url }));
}
