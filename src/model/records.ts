/** What an archival record is: the tolerant schema of api.md §2.3–2.5, with the likely shapes of upstream-facts. */
import { z } from 'zod';
import { isObjectId, MODELS, type Model, parseId } from './ids.ts';
import { fields, isObject, list, number, object, text } from './values.ts';

const ROLES = new Set([
  'narrator',
  'author',
  'interviewer',
  'photographer',
  'publisher',
  'videographer',
  'artist',
  'illustrator',
  'editor',
  'creator',
  'translator',
  'correspondent',
  'recipient',
]);

/** A creator. In some records upstream exchanges `namepart` and `role` (api.md §2.3); they are put right here. */
const creator = z
  .union([
    z.string().transform((name) => ({ namepart: text.parse(name), role: undefined, oh_id: undefined })),
    fields({ namepart: text, role: text, oh_id: number }).transform((raw) => {
      const swapped = ROLES.has((raw.namepart ?? '').toLowerCase()) && !ROLES.has((raw.role ?? '').toLowerCase());
      return { namepart: swapped ? raw.role : raw.namepart, role: swapped ? raw.namepart : raw.role, oh_id: raw.oh_id };
    }),
  ])
  .transform((read) => (read.namepart ? { ...read, namepart: read.namepart } : undefined));

const person = z
  .union([
    z.string().transform((name) => ({ namepart: text.parse(name), nr_id: undefined, oh_id: undefined })),
    fields({ namepart: text, nr_id: text, oh_id: number }),
  ])
  .transform((read) => (read.namepart ? { ...read, namepart: read.namepart } : undefined));

/** A controlled term; a plain string is a term without an id. */
const term = z
  .union([z.string().transform((words) => ({ id: undefined, term: text.parse(words) })), fields({ id: text, term: text })])
  .transform((read) => (read.term ? { id: read.id, term: read.term } : undefined));

/** A place. Its id is a vocabulary URI wrapped in literal double quotes (api.md §2.3); the quotes go here. */
const place = z
  .union([
    z.string().transform((words) => ({ id: undefined, term: text.parse(words), geo_lat: undefined, geo_lng: undefined })),
    fields({ id: text, term: text, geo_lat: number, geo_lng: number }),
  ])
  .transform((read) => (read.term ? { ...read, id: read.id?.replace(/^["\s]+|["\s]+$/g, ''), term: read.term } : undefined));

const period = fields({ startdate: text, enddate: text, term: text }).transform((read) =>
  read.term || read.startdate ? read : undefined,
);

const breadcrumb = fields({ id: text, model: text, idpart: text, label: text, api_url: text, url: text }).transform((read) =>
  isObjectId(read.id) ? { ...read, id: read.id } : undefined,
);

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
  url: text,
  bitrate: text,
});

const iaMeta = z.unknown().transform((raw) => {
  if (!isObject(raw) || Object.keys(raw).length === 0) return undefined;
  const files = Object.entries(object.parse(raw['files'])).flatMap(([format, descriptor]) => {
    const read = mediaFile.safeParse(descriptor);
    return read.success ? [{ ...read.data, format: read.data.format ?? format }] : [];
  });
  return {
    id: text.parse(raw['id']),
    original: text.parse(raw['original']),
    mimetype: text.parse(raw['mimetype']),
    streamOnly: raw['stream_only'] === true || raw['stream_only'] === 'true',
    externalId: text.parse(raw['ia_external_id']),
    files,
  };
});

const links = z
  .unknown()
  .transform(
    (raw): Record<string, string> =>
      isObject(raw)
        ? Object.fromEntries(
            Object.entries(raw).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''),
          )
        : {},
  );

const externalUrl = fields({ label: text, url: text }).transform((read) =>
  read.url ? { label: read.label, url: read.url } : undefined,
);

const schema = fields({
  id: text,
  model: text,
  collection_id: text,
  parent_id: text,
  organization_id: text,
  signature_id: text,
  links,
  title: text,
  description: text,
  breadcrumbs: list(breadcrumb),
  record_created: text,
  record_lastmod: text,
  status: text,
  public: text,
  sort: number,
  creation: text,
  location: text,
  extent: text,
  genre: text,
  format: text,
  contributor: text,
  creators: list(creator),
  language: list(text),
  topics: list(term),
  facility: list(term),
  persons: list(person),
  chronology: list(period),
  geography: list(place),
  credit: text,
  rights: text,
  rights_statement: text,
  search_hidden: text,
  ia_meta: iaMeta,
  role: text,
  label: text,
  mimetype: text,
  size: number,
  sha1: text,
  sha256: text,
  md5: text,
  basename_orig: text,
  external_urls: list(externalUrl),
});

/** A record with every field read even-handedly: no value is `undefined` (lists: empty), numbers are numbers, ids have no quotes. */
export interface ArchivalRecord extends Omit<z.output<typeof schema>, 'id' | 'model' | 'public'> {
  id: string;
  model: Model;
  /** False only where upstream says `public: "0"`. */
  public: boolean;
  /** The payload as it came. */
  raw: Record<string, unknown>;
}
export type MediaFile = z.output<typeof mediaFile>;

/** Reads one record (api.md §2.3). Undefined when the payload is no object with an object id; never throws. */
export function readRecord(raw: unknown): ArchivalRecord | undefined {
  if (!isObject(raw)) return undefined;
  const { id, model, public: flag, ...rest } = schema.parse(raw);
  if (!isObjectId(id)) return undefined;
  const known = MODELS.find((name) => name === model);
  return { ...rest, id, model: known ?? parseId(id).model, public: flag !== '0' && flag !== 'false', raw };
}

/** The ids from the collection down to the record itself, from its breadcrumbs, or from the shape of its id where it has none. */
export function ancestry(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string[] {
  const fromCrumbs = record.breadcrumbs.map((crumb) => crumb.id).filter((id) => id !== record.id);
  if (fromCrumbs.length > 0) return [...fromCrumbs, record.id];
  const chain = [record.id];
  let next = isObjectId(record.parent_id) ? record.parent_id : parseId(record.id).parent;
  while (next && next.split('-').length >= 3 && !chain.includes(next)) {
    chain.unshift(next);
    next = parseId(next).parent;
  }
  return chain;
}

/** The parent's id: the record's own word first, its breadcrumbs, then the shape of its id. */
export function parentOf(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string | undefined {
  if (isObjectId(record.parent_id) && record.parent_id !== record.id) return record.parent_id;
  const chain = ancestry(record);
  return chain.length > 1 ? chain[chain.length - 2] : parseId(record.id).parent;
}
