/** Parses records tolerantly: in forms that upstream specifies and in observed ones (docs/upstream-api.md, “Records API”). */
import { readPosition } from './coordinates.ts';
import { type DayOrder, resolveDays } from './dates/day-order.ts';
import { isObjectId, MODELS, type Model, parseId } from './ids.ts';
import { readMediaUrl } from './media/media-url.ts';
import { creators, persons, withNarratorNumber } from './people/record-people.ts';
import { languageCode } from './text/language-tag.ts';
import { toLegibleJson } from './text/legible.ts';
import { MAX_LIST_MEMBERS } from './text/limits.ts';
import { readTimestamp } from './timestamps.ts';
import { readTranslations } from './translations.ts';
import { fields, findTruncatedFields, isObject, list, number, type Reader, stated, text, verbatim } from './values.ts';

/** A term of a controlled vocabulary. If upstream gives only text, it has no ID. */
export interface Term {
  id: string | undefined;
  term: string;
}

const termFields = fields({ id: text, term: text });
const term: Reader<Term | undefined> = (value) => {
  const read = termFields(value);
  const words = read?.term ?? text(value);
  return words === undefined ? undefined : { id: read?.id, term: words };
};

/** A place, with its latitude and longitude in degrees: both, or none. */
export interface Place extends Term {
  geo_lat: number | undefined;
  geo_lng: number | undefined;
  /** The words of a position that cannot be used, such as `0, 0`. */
  unusablePosition?: string;
}

/** Returns an ID without the quotes and spaces around it. */
function stripQuotes(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  let [start, end] = [0, id.length];
  while (start < end && /["\s]/.test(id.charAt(start))) start++;
  while (end > start && /["\s]/.test(id.charAt(end - 1))) end--;
  return id.slice(start, end);
}

/** Parses a place. Upstream wraps its ID, a vocabulary URI, in literal double quotes (docs/upstream-api.md, “Terms”). */
const place: Reader<Place | undefined> = (value) => {
  const read = term(value);
  const { geo_lat, geo_lng } = isObject(value) ? value : {};
  const { position, unusable } = readPosition(geo_lat, geo_lng);
  return (
    read && {
      id: stripQuotes(read.id),
      term: read.term,
      geo_lat: position?.lat,
      geo_lng: position?.lng,
      ...(unusable === undefined ? {} : { unusablePosition: unusable }),
    }
  );
};

const periodFields = fields({ startdate: text, enddate: text, term: text });
const period: Reader<ReturnType<typeof periodFields>> = (value) => {
  const read = periodFields(value);
  return read?.term || read?.startdate ? read : undefined;
};

const breadcrumbFields = fields({ id: verbatim, model: text, label: stated });
/** Parses an ancestor of a record, or the record itself, as its breadcrumbs give it. */
const breadcrumb = (value: unknown) => {
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

/** Parses ia_meta (docs/upstream-api.md, “Media metadata”). Sizes are in bytes; durations stay as upstream writes them. */
const iaMeta = (value: unknown) => {
  const read = mediaFields(value);
  if (!read || !isObject(value) || Object.keys(value).length === 0) return undefined;
  const { ia_external_id: externalId, stream_only, ...rest } = read;
  const files = Object.entries(isObject(value['files']) ? value['files'] : {})
    .slice(0, MAX_LIST_MEMBERS)
    .flatMap(([format, descriptor]) => {
      const file = mediaFile(descriptor);
      return file ? [{ ...file, format: file.format ?? text(format) ?? '' }] : [];
    });
  return { ...rest, externalId, streamOnly: stream_only === 'true', files };
};

const links: Reader<Record<string, string>> = (value) =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {})
      .slice(0, MAX_LIST_MEMBERS)
      .filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== ''),
  );

const externalUrlFields = fields({ label: stated, url: verbatim });
const externalUrl: Reader<{ label: string | undefined; url: string } | undefined> = (value) => {
  const read = externalUrlFields(value);
  return read?.url === undefined ? undefined : { label: read.label, url: read.url };
};

/** The fields that name other resources. */
const LINKING_FIELDS = {
  id: verbatim,
  model: text,
  parent_id: verbatim,
  links,
  breadcrumbs: list(breadcrumb),
  creators,
  persons,
  narrator_id: number,
};
const linkingFields = fields(LINKING_FIELDS);

const recordFields = fields({
  ...LINKING_FIELDS,
  collection_id: verbatim,
  organization_id: verbatim,
  signature_id: verbatim,
  title: stated,
  description: text,
  record_lastmod: text,
  status: text,
  public: text,
  sort: number,
  creation: stated,
  unitdateinclusive: text,
  digitize_date: stated,
  record_created: text,
  genre: text,
  format: text,
  contributor: text,
  rights: text,
  language: list(text),
  topics: list(term),
  facility: list(term),
  chronology: list(period),
  geography: list(place),
  search_hidden: text,
  ia_meta: iaMeta,
  label: stated,
  basename_orig: text,
  alternate_id: text,
  prefercite: text,
  role: text,
  extent: text,
  mimetype: text,
  sha256: text,
  external_urls: list(externalUrl),
});

type RecordFields = NonNullable<ReturnType<typeof recordFields>>;

/**
 * A record with its structured fields parsed. All forms of “no value” are `undefined` (lists: empty), numbers are numbers, and
 * IDs have no quotes. Fields that are only shown are in `raw`.
 */
export interface ArchivalRecord extends Omit<RecordFields, 'id' | 'model' | 'public' | 'digitize_date'> {
  id: string;
  model: Model;
  /** False only if upstream declares `public: "0"`. */
  public: boolean;
  /** `creation` as the record states it: its day is not resolved. */
  statedCreation?: string | undefined;
  /** Like the other dates, with its day resolved if it could be two. */
  digitizeDate?: string;
  /** The order of days that the record's own dates show; `open` if that of the archive resolves them. */
  statedDayOrder?: DayOrder | 'open';
  /** The payload as received. Parse anything of it before showing it. */
  raw: Record<string, unknown>;
  /** Names of fields that are too long to be shown completely. */
  truncatedFields: string[];
}

const MEDIA_LINKS = new Set(['img', 'thumb', 'download']);

/**
 * Parses a record (docs/upstream-api.md, “Record fields”). Undefined if not an object with an object ID; never throws. `url` is
 * that of the response, to which addresses of media files may be relative; without it, the record’s own link is taken. `dayOrder`
 * is the order of days and months in the archive, for days that the record does not resolve.
 */
export function parseRecord(
  raw: unknown,
  { url, dayOrder }: { url?: string | undefined; dayOrder?: DayOrder | undefined } = {},
): ArchivalRecord | undefined {
  const read = recordFields(raw);
  if (!read || !isObject(raw) || !isObjectId(read.id)) return undefined;
  const base = url ?? read.links['json'];
  const media = read.ia_meta;
  const { digitize_date, ...rest } = read;
  const [created, modified] = [read.record_created, read.record_lastmod].map((time) =>
    readTimestamp(time)?.slice(0, 'YYYY-MM-DD'.length),
  );
  const { creation, unitdateinclusive, chronology } = read;
  const others = [unitdateinclusive, ...chronology.flatMap(({ startdate, enddate }) => [startdate, enddate])];
  const days = resolveDays({ creation, digitize_date, created, modified, others }, dayOrder);
  const [inclusive, ...ofPeriods] = days.others;
  return {
    ...rest,
    links: Object.fromEntries(
      Object.entries(read.links).flatMap(([name, link]) => {
        const address = MEDIA_LINKS.has(name) ? readMediaUrl(link, base) : link;
        return address === undefined ? [] : [[name, address]];
      }),
    ),
    ia_meta: media && {
      ...media,
      files: media.files.map((file) => ({ ...file, url: file.url && readMediaUrl(file.url, base) })),
    },
    creation: days.creation,
    statedCreation: read.creation,
    unitdateinclusive: inclusive,
    chronology: chronology.map((period, i) => ({ ...period, startdate: ofPeriods[2 * i], enddate: ofPeriods[2 * i + 1] })),
    ...(days.digitize_date === undefined ? {} : { digitizeDate: days.digitize_date }),
    ...(days.stated === undefined ? {} : { statedDayOrder: days.stated }),
    title: read.title ?? readTranslations(raw).find(({ title }) => title)?.title,
    id: read.id,
    creators: withNarratorNumber(read.creators, read.narrator_id),
    model: modelOf(read.model, read.id),
    language: [...new Set(read.language.map(languageCode))],
    public: read.public !== '0' && read.public !== 'false',
    raw,
    truncatedFields: findTruncatedFields(raw),
  };
}

/** Returns a record as received, without the text that is only for search: indented JSON without illegible characters. */
export function payloadJson({ raw }: Pick<ArchivalRecord, 'raw'>): string {
  return toLegibleJson(JSON.stringify({ ...raw, search_hidden: undefined }, undefined, 1));
}

/** Parses only what names other resources, which takes a fraction of the time. Returns undefined like `parseRecord`. */
export function parseRecordLinks(raw: unknown) {
  const read = linkingFields(raw);
  if (!read || !isObjectId(read.id)) return undefined;
  const creators = withNarratorNumber(read.creators, read.narrator_id);
  return { ...read, id: read.id, model: modelOf(read.model, read.id), creators };
}

const modelOf = (stated: string | undefined, id: string): Model => MODELS.find((name) => name === stated) ?? parseId(id).model;
