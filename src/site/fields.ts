/** One table that says for every field of a record: its label, where it is shown, how it is read, and whether it is searched. */
import { parseId } from '../model/ids.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { hasValue, isObject } from '../model/values.ts';
import { label, MODEL, PUBLIC, RIGHTS, STATUS } from '../model/vocabularies.ts';
import type { ObjectEntry } from './entries.ts';
import type { Facet } from './facets.ts';

export const SECTIONS = {
  about: 'About this item',
  people: 'People',
  subjects: 'Subjects and places',
  history: 'Scope and history',
  rights: 'Rights and credit',
  file: 'The file',
  record: 'The record',
} as const;
export type Section = keyof typeof SECTIONS;

/** One thing that a field says. `facet` and `object` make it a link. */
export interface FieldPart {
  text: string;
  /** Untrusted HTML that is shown sanitised, in place of `text`. */
  html?: string;
  facet?: { facet: Facet; slug: string };
  object?: string;
  /** An address outside the mirror. */
  url?: string;
}

export interface Field {
  name: string;
  label: string;
  section: Section;
  parts: (record: ArchivalRecord, facets: Facets) => FieldPart[];
  searched: boolean;
}

/** Fields that have no line of their own, and why. A test holds the sample's records against this list. */
export const NOT_LISTED: Readonly<Record<string, string>> = {
  title: 'is the heading',
  description: 'stands below the heading',
  breadcrumbs: 'are the breadcrumbs',
  ia_meta: 'has a table of its own',
  search_hidden: 'is for search alone (api.md §2.3)',
  index: 'is a place in a list, not a fact about the record',
};

type Reader = Field['parts'];
/** The facet values of a record, as its entry has them. */
type Facets = ObjectEntry['facets'];

const words: (name: string) => Reader = (name) => (record) => parts(record.raw[name]);
const prose: (name: string) => Reader = (name) => (record) =>
  parts(record.raw[name]).map((part) => ({ ...part, html: part.text }));
const coded: (name: string, vocabulary: Readonly<Record<string, string>>) => Reader = (name, vocabulary) => (record) =>
  parts(record.raw[name]).map(({ text }) => ({ text: label(vocabulary, text) }));
const object: (name: string) => Reader = (name) => (record) =>
  parts(record.raw[name]).map(({ text }) => ({ text, object: text }));
const browse: (facet: Facet) => Reader = (facet) => (_, facets) =>
  (facets[facet] ?? []).map(({ slug, label: text }) => ({ text, facet: { facet, slug } }));

/** In the order of reading. */
export const FIELDS: readonly Field[] = [
  field('creation', 'Date', 'about', creation, true),
  field('unitdateinclusive', 'Dates', 'about', words('unitdateinclusive')),
  field('unitdatebulk', 'Most of it from', 'about', words('unitdatebulk')),
  field('location', 'Place', 'about', words('location'), true),
  field('genre', 'Genre', 'about', browse('genre')),
  field('format', 'Format', 'about', browse('format')),
  field('extent', 'Extent', 'about', words('extent')),
  field('language', 'Language', 'about', browse('language')),
  field('alternate_id', 'Other identifier', 'about', words('alternate_id'), true),

  field('creators', 'Creators', 'people', creators, true),
  field('persons', 'People named', 'people', persons, true),
  field('contributor', 'Contributed by', 'people', words('contributor'), true),

  field('topics', 'Topics', 'subjects', browse('topic'), true),
  field('facility', 'Facility', 'subjects', browse('facility'), true),
  field('geography', 'Geography', 'subjects', geography, true),
  field('chronology', 'Period', 'subjects', chronology, true),

  field('scopecontent', 'Scope and content', 'history', prose('scopecontent'), true),
  field('bioghist', 'History', 'history', prose('bioghist'), true),
  field('custodhist', 'Custody', 'history', prose('custodhist')),
  field('acqinfo', 'Acquisition', 'history', prose('acqinfo')),
  field('accruals', 'Accruals', 'history', prose('accruals')),
  field('processinfo', 'Processing', 'history', prose('processinfo')),
  field('physloc', 'Physical location', 'history', words('physloc')),
  field('relatedmaterial', 'Related material', 'history', prose('relatedmaterial')),
  field('separatedmaterial', 'Separated material', 'history', prose('separatedmaterial')),
  field('notes', 'Notes', 'history', prose('notes'), true),

  field('rights', 'Rights', 'rights', coded('rights', RIGHTS)),
  field('rights_statement', 'Rights statement', 'rights', prose('rights_statement')),
  field('accessrestrict', 'Access', 'rights', prose('accessrestrict')),
  field('userrestrict', 'Use', 'rights', prose('userrestrict')),
  field('credit', 'Credit line', 'rights', words('credit')),
  field('prefercite', 'Preferred citation', 'rights', words('prefercite')),

  field('role', 'Role', 'file', words('role')),
  field('label', 'Label', 'file', prose('label')),
  field('mimetype', 'Media type', 'file', words('mimetype')),
  field('size', 'Size in bytes', 'file', words('size')),
  field('basename_orig', 'Original file name', 'file', words('basename_orig')),
  field('access_rel', 'Access copy', 'file', words('access_rel')),
  field('download_large', 'Large image', 'file', words('download_large')),
  field('download_fullsize', 'Full-size file', 'file', words('download_fullsize')),
  field('sha1', 'SHA-1', 'file', words('sha1')),
  field('sha256', 'SHA-256', 'file', words('sha256')),
  field('md5', 'MD5', 'file', words('md5')),
  field('external_urls', 'Elsewhere', 'file', externalUrls),
  field('tech_notes', 'Technical notes', 'file', prose('tech_notes')),
  field('xmp', 'Embedded metadata (XMP)', 'file', words('xmp')),

  field('id', 'Identifier', 'record', words('id'), true),
  field('model', 'Kind of record', 'record', coded('model', MODEL)),
  field('parent_id', 'Belongs to', 'record', object('parent_id')),
  field('parent', 'Parent', 'record', words('parent')),
  field('collection_id', 'Collection', 'record', object('collection_id')),
  field('organization_id', 'Organization', 'record', object('organization_id')),
  field('signature_id', 'Representative file', 'record', object('signature_id')),
  field('sort', 'Position among its siblings', 'record', words('sort')),
  field('status', 'Status', 'record', coded('status', STATUS)),
  field('public', 'Visibility', 'record', coded('public', PUBLIC)),
  field('digitize_person', 'Digitized by', 'record', words('digitize_person')),
  field('digitize_organization', 'Digitizing organization', 'record', words('digitize_organization')),
  field('digitize_date', 'Digitized on', 'record', words('digitize_date')),
  field('record_created', 'Record created', 'record', words('record_created')),
  field('record_lastmod', 'Record last changed', 'record', words('record_lastmod')),
  field('template', 'Display template', 'record', words('template')),
  field('topics_id', 'Topic numbers', 'record', words('topics_id')),
  field('facility_id', 'Facility numbers', 'record', words('facility_id')),
  field('_fields', 'Fields of this kind of record', 'record', (record) => joined(record.raw['_fields'])),
  field('links', 'Addresses in the living archive', 'record', links),
];

/** The lines of a record, by section; fields that no table knows stand last in “The record”, under their own names. */
export function fieldsOf(record: ArchivalRecord, facets: Facets): Array<{ field: Field; parts: FieldPart[] }> {
  const known = FIELDS.map((one) => ({ field: one, parts: one.parts(record, facets) }));
  const unknown = Object.entries(record.raw)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) => ({ field: field(name, name, 'record', () => []), parts: parts(value) }));
  return [...known, ...unknown].filter((line) => line.parts.length > 0);
}

const KNOWN = new Set([...FIELDS.map(({ name }) => name), ...Object.keys(NOT_LISTED)]);

function field(name: string, text: string, section: Section, read: Reader, searched = false): Field {
  return { name, label: text, section, parts: read, searched };
}

/** Whatever JSON a field holds, as lines of text. */
function parts(value: unknown): FieldPart[] {
  if (!hasValue(value)) return [];
  if (Array.isArray(value)) return value.flatMap(parts);
  if (isObject(value)) return [{ text: JSON.stringify(value) }];
  return [{ text: String(value) }];
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

function creators(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const slugs = new Map((facets.creator ?? []).map(({ label: name, slug }) => [name, slug]));
  return record.creators.map(({ namepart, role, oh_id }) => {
    const slug = slugs.get(namepart);
    const text = `${namepart}${role ? `, ${role}` : ''}${oh_id === undefined ? '' : ` (narrator no. ${oh_id})`}`;
    return slug ? { text, facet: { facet: 'creator', slug } } : { text };
  });
}

function persons(record: ArchivalRecord): FieldPart[] {
  return record.persons.map(({ namepart, nr_id, oh_id }) => {
    const ids = [nr_id && `name record ${nr_id}`, oh_id !== undefined && `narrator no. ${oh_id}`].filter(Boolean);
    return { text: `${namepart}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}` };
  });
}

function geography(record: ArchivalRecord, facets: Facets): FieldPart[] {
  const slugs = facets.place ?? [];
  return record.geography.flatMap(({ id, term, geo_lat, geo_lng }) => {
    const slug = slugs.find((value) => value.label === term)?.slug;
    const position = geo_lat === undefined || geo_lng === undefined ? '' : ` (${geo_lat}, ${geo_lng})`;
    const place: FieldPart = slug
      ? { text: `${term}${position}`, facet: { facet: 'place', slug } }
      : { text: `${term}${position}` };
    return id ? [place, { text: id, url: id }] : [place];
  });
}

function chronology(record: ArchivalRecord): FieldPart[] {
  const day = (date: string | undefined) => date?.replace(/[ T]00:00:00(?:\.0)?$/, '');
  return record.chronology.map(({ term, startdate, enddate }) => {
    const dates = [day(startdate), day(enddate)].filter((date) => date !== undefined).join(' to ');
    return { text: term && dates ? `${term} (${dates})` : (term ?? dates) };
  });
}

function externalUrls(record: ArchivalRecord): FieldPart[] {
  return record.external_urls.map(({ label: text, url }) => ({ text: text ?? url, url }));
}

function links(record: ArchivalRecord): FieldPart[] {
  return Object.entries(record.links).map(([name, url]) => ({ text: `${LINK_LABELS[name] ?? name}: ${url}`, url }));
}

const LINK_LABELS: Readonly<Record<string, string>> = {
  html: 'Page',
  json: 'Record',
  img: 'Image',
  thumb: 'Thumbnail',
  download: 'Download',
  parent: 'Parent',
  children: 'Children',
  'children-objects': 'Children',
  'children-files': 'Files',
};

/** The id that a page of an object needs at least: used where a record is no more than its breadcrumb. */
export function bareRecord(id: string): ArchivalRecord['raw'] {
  const { model, parent, collection } = parseId(id);
  return { id, model, parent_id: parent, collection_id: collection };
}
