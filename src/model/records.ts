/** What an archival record is: a tolerant reading of what upstream specifies, and of what was observed (docs/upstream-api.md, “Records API”). */
import { isFileRole, isObjectId, MODELS, type Model, parseId } from './ids.ts';
import { MOST_MEMBERS } from './limits.ts';
import { cutFields, fields, isObject, list, number, type Reader, text, verbatim } from './values.ts';

const ROLES = new Set(
  'narrator author interviewer photographer publisher videographer artist illustrator editor creator translator correspondent recipient'.split(
    ' ',
  ),
);

export interface Creator {
  namepart: string;
  role: string | undefined;
  oh_id: number | undefined;
}

const creatorFields = fields({ namepart: text, role: text, oh_id: number });

/** A creator. In some records upstream exchanges `namepart` and `role` (docs/upstream-api.md, “People”); they are put right here. */
const creator: Reader<Creator | undefined> = (value) => {
  const { namepart, role, oh_id } = creatorFields(value) ?? { namepart: text(value), role: undefined, oh_id: undefined };
  const swapped = ROLES.has((namepart ?? '').toLowerCase()) && !ROLES.has((role ?? '').toLowerCase());
  const name = swapped ? role : namepart;
  return name === undefined ? undefined : { namepart: name, role: swapped ? namepart : role, oh_id };
};

export interface Person {
  namepart: string;
  nr_id: string | undefined;
  oh_id: number | undefined;
}

const personFields = fields({ namepart: text, nr_id: text, oh_id: number });
const person: Reader<Person | undefined> = (value) => {
  const { namepart, ...ids } = personFields(value) ?? { namepart: text(value), nr_id: undefined, oh_id: undefined };
  return namepart === undefined ? undefined : { namepart, ...ids };
};

/** A controlled term; a plain string is a term without an id. */
export interface Term {
  id: string | undefined;
  term: string;
}

const termFields = fields({ id: text, term: text });
const term: Reader<Term | undefined> = (value) => {
  const read = termFields(value) ?? { id: undefined, term: text(value) };
  return read.term === undefined ? undefined : { id: read.id, term: read.term };
};

/** A place; latitude and longitude in degrees. */
export interface Place extends Term {
  geo_lat: number | undefined;
  geo_lng: number | undefined;
}

const coordinates = fields({ geo_lat: number, geo_lng: number });

/** Without the quotes and spaces around it. */
function unquoted(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  let [start, end] = [0, id.length];
  while (start < end && /["\s]/.test(id.charAt(start))) start++;
  while (end > start && /["\s]/.test(id.charAt(end - 1))) end--;
  return id.slice(start, end);
}

/** Its id is a vocabulary URI wrapped in literal double quotes (docs/upstream-api.md, “Terms”); the quotes go here. */
const place: Reader<Place | undefined> = (value) => {
  const read = term(value);
  const { geo_lat, geo_lng } = coordinates(value) ?? { geo_lat: undefined, geo_lng: undefined };
  return read && { id: unquoted(read.id), term: read.term, geo_lat, geo_lng };
};

const periodFields = fields({ startdate: text, enddate: text, term: text });
const period: Reader<ReturnType<typeof periodFields>> = (value) => {
  const read = periodFields(value);
  return read?.term || read?.startdate ? read : undefined;
};

export interface Breadcrumb {
  id: string;
  model: string | undefined;
  label: string | undefined;
}

const breadcrumbFields = fields({ id: verbatim, model: text, label: text });
const breadcrumb: Reader<Breadcrumb | undefined> = (value) => {
  const read = breadcrumbFields(value);
  return read && isObjectId(read.id) ? { ...read, id: read.id } : undefined;
};

const mediaFile = fields({
  name: text,
  source: text,
  format: text,
  original: text,
  mtime: number,
  size: number,
  md5: text,
  crc32: text,
  sha1: text,
  length: text,
  height: number,
  width: number,
  mimetype: text,
  url: verbatim,
  bitrate: text,
});

const mediaFields = fields({ id: text, original: text, mimetype: text, ia_external_id: text, stream_only: text });

/** ia_meta (docs/upstream-api.md, “Media metadata”). Sizes in bytes, lengths as upstream writes them. */
const iaMeta = (value: unknown) => {
  const read = mediaFields(value);
  if (!read || !isObject(value) || Object.keys(value).length === 0) return undefined;
  const { ia_external_id: externalId, stream_only, ...rest } = read;
  const files = Object.entries(isObject(value['files']) ? value['files'] : {})
    .slice(0, MOST_MEMBERS)
    .flatMap(([format, descriptor]) => {
      const file = mediaFile(descriptor);
      return file ? [{ ...file, format: file.format ?? text(format) ?? '' }] : [];
    });
  return { ...rest, externalId, streamOnly: stream_only === 'true', files };
};

const links: Reader<Record<string, string>> = (value) =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {})
      .slice(0, MOST_MEMBERS)
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''),
  );

const externalUrlFields = fields({ label: text, url: verbatim });
const externalUrl: Reader<{ label: string | undefined; url: string } | undefined> = (value) => {
  const read = externalUrlFields(value);
  return read?.url === undefined ? undefined : { label: read.label, url: read.url };
};

const recordFields = fields({
  id: verbatim,
  model: text,
  collection_id: verbatim,
  parent_id: verbatim,
  organization_id: verbatim,
  signature_id: verbatim,
  links,
  title: text,
  description: text,
  breadcrumbs: list(breadcrumb),
  record_lastmod: text,
  status: text,
  public: text,
  sort: number,
  creation: text,
  genre: text,
  format: text,
  contributor: text,
  rights: text,
  creators: list(creator),
  language: list(text),
  topics: list(term),
  facility: list(term),
  persons: list(person),
  chronology: list(period),
  geography: list(place),
  search_hidden: text,
  ia_meta: iaMeta,
  label: text,
  external_urls: list(externalUrl),
});

type RecordFields = NonNullable<ReturnType<typeof recordFields>>;

/**
 * A record whose structured fields are read even-handedly: no value is `undefined` (lists: empty), numbers are numbers, ids have no quotes.
 * Fields that are only ever shown stand in `raw`.
 */
export interface ArchivalRecord extends Omit<RecordFields, 'id' | 'model' | 'public'> {
  id: string;
  model: Model;
  /** False only where upstream says `public: "0"`. */
  public: boolean;
  /** The payload as it came: what of it is shown must go through a reader first. */
  raw: Record<string, unknown>;
  /** Names of fields that are too long to be shown whole. */
  cut: string[];
}

/** Reads one record (docs/upstream-api.md, “Record fields”). Undefined when the payload is no object with an object id; never throws. */
export function readRecord(raw: unknown): ArchivalRecord | undefined {
  const read = recordFields(raw);
  if (!read || !isObject(raw) || !isObjectId(read.id)) return undefined;
  const known = MODELS.find((name) => name === read.model);
  return {
    ...read,
    id: read.id,
    model: known ?? parseId(read.id).model,
    public: read.public !== '0' && read.public !== 'false',
    raw,
    cut: cutFields(raw),
  };
}

/** The ids from the collection down to the record itself, from its breadcrumbs, or from the shape of its id where it has none. File roles are left out. */
export function ancestry(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string[] {
  const fromCrumbs = record.breadcrumbs.map((crumb) => crumb.id).filter((id) => id !== record.id && !isFileRole(id));
  if (fromCrumbs.length > 0) return [...fromCrumbs, record.id];
  const chain = [record.id];
  let next = isObjectId(record.parent_id) ? itemOf(record.parent_id) : parseId(record.id).parent;
  while (next && next.split('-').length >= 3 && !chain.includes(next)) {
    chain.unshift(next);
    next = parseId(next).parent;
  }
  return chain;
}

/** The parent's id: the record's own word first, its breadcrumbs, then the shape of its id. Where that is a file role, the item that the role belongs to. */
export function parentOf(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string | undefined {
  if (isObjectId(record.parent_id) && record.parent_id !== record.id) return itemOf(record.parent_id);
  const chain = ancestry(record);
  return chain.length > 1 ? chain[chain.length - 2] : parseId(record.id).parent;
}

/** IDs of what a record stands below: by its breadcrumbs, its parent and the shape of its ID. What stands above those is read from their own records. */
export function idsAbove(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string[] {
  const above = [...ancestry(record), parentOf(record) ?? '', ...idsAboveByShape(record.id)];
  return [...new Set(above)].filter((one) => one !== record.id && isObjectId(one));
}

/** The ID that the shape of an ID puts above it; those further up follow from that one. */
export function idsAboveByShape(id: string): string[] {
  const { parent } = parseId(id);
  return parent === undefined ? [] : [parent];
}

/** The file role in a record's breadcrumbs, such as `mezzanine`: text between its item and itself. Undefined where there is none. */
export function fileRoleAbove(record: Pick<ArchivalRecord, 'breadcrumbs'>): string | undefined {
  const role = record.breadcrumbs.findLast((crumb) => isFileRole(crumb.id));
  return role && parseId(role.id).role;
}

function itemOf(id: string): string | undefined {
  return isFileRole(id) ? parseId(id).parent : id;
}
