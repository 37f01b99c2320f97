/** Validates each row that is read from a snapshot. A snapshot is untrusted: any column can contain anything. */
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { UserError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { tryParse } from '../model/json.ts';
import { ALGORITHMS } from '../model/media/fixity.ts';
import { MEDIA_KINDS, type MediaKind } from '../model/media/media-kinds.ts';
import { RESOURCE_KINDS, type Resource, type ResourceKind } from '../model/resources.ts';
import { MAX_VALUE_BYTES } from '../model/text/limits.ts';
import { isObject } from '../model/values.ts';
import { mediaPathProblem } from './media-files.ts';
import type { DurablePart, RunRow, StoredBody, StoredMedia } from './row-types.ts';

/** A row as SQLite returns it, not validated. */
export type Row = Record<string, unknown>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const MIME_TYPE = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/;
const MAX_URL_LENGTH = 8_192;
/** Values that may be sent in a header. */
const HEADER_VALUE = /^[\x20-\x7e\x80-\xff]{1,4096}$/;
/** Names of the headers that a snapshot may add to requests. */
const CONDITIONAL_HEADERS: ReadonlySet<string> = new Set(['if-none-match', 'if-modified-since']);

/**
 * SQL: an integer column for a SELECT. Other values become NULL, and so do integers beyond the safe range of JavaScript, since
 * reading them throws. `name` is the column; `as` names the result.
 */
export function integer(name: string, as = name.replace(/^\w+\./, '')): string {
  return `iif(typeof(${name}) = 'integer' AND ${name} BETWEEN -9007199254740991 AND 9007199254740991, ${name}, NULL) AS ${as}`;
}

/** SQL: several integer columns for a SELECT. */
export const integers = (...names: string[]): string => names.map((name) => integer(name)).join(', ');

/** SQL: a text column for a SELECT. Other values become NULL, and so does text of more than `MAX_VALUE_BYTES`. */
export function text(name: string, as = name.replace(/^\w+\./, '')): string {
  return `iif(typeof(${name}) = 'text' AND octet_length(${name}) <= ${MAX_VALUE_BYTES}, ${name}, NULL) AS ${as}`;
}

/** SQL: several text columns for a SELECT. */
export const texts = (...names: string[]): string => names.map((name) => text(name)).join(', ');

/** SQL: values of our own for `IN`, as a list without the parentheses. */
export const sqlList = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** SQL: a blob column for a SELECT. Other values become NULL, and so do blobs of more than `MAX_VALUE_BYTES`. */
export function blob(name: string): string {
  return `iif(typeof(${name}) = 'blob' AND octet_length(${name}) <= ${MAX_VALUE_BYTES}, ${name}, NULL) AS ${name.replace(/^\w+\./, '')}`;
}

/** A column that only Microfiche writes has a wrong type. Not for untrusted rows: those are validated and ignored. */
export class WrongColumn extends UserError {
  override name = 'WrongColumn';
  constructor(column: string, expected: string, value: unknown) {
    const found =
      value === undefined ? 'nothing' : value === null ? 'NULL' : value instanceof Uint8Array ? 'bytes' : `a ${typeof value}`;
    super(
      `The database column ${column} contains ${found} instead of ${expected}. Another program changed the database. Restore it from a backup.`,
    );
  }
}

/**
 * Reads a column of one type.
 * @throws {WrongColumn} if the value has another type, or the row is undefined
 */
type ReadColumn<T> = (row: Row | undefined, column: string) => T;

/** Reads a text column. */
export const readText: ReadColumn<string> = (row, column) => {
  const value = row?.[column];
  if (typeof value !== 'string') throw new WrongColumn(column, 'text', value);
  return value;
};

/** Reads a column with a safe integer. */
export const readInteger: ReadColumn<number> = (row, column) => {
  const value = row?.[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new WrongColumn(column, 'an integer', value);
  return value;
};

/** Reads the result of `SELECT count(*) AS count`. */
export const readCount = (row: Row | undefined): number => readInteger(row, 'count');

/** Reads a blob column. */
export const readBytes: ReadColumn<Uint8Array> = (row, column) => {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw new WrongColumn(column, 'bytes', value);
  return value;
};

/** Returns the values of a query's only column as text. */
export function selectTexts(db: DatabaseSync, sql: string, ...values: string[]): string[] {
  return Array.from(db.prepare(sql).iterate(...values), (row) => String(Object.values(row)[0]));
}

/** Returns whether a value is a SHA-256 checksum: 64 lower-case hexadecimal digits. */
export const isSha256 = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Returns whether a value is an absolute http(s) URL of at most `MAX_URL_LENGTH` characters. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Returns whether a value is a time as Microfiche writes it: ISO 8601 in UTC. */
export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Returns why a row of `media` with its `blob` is invalid; undefined if it is valid. */
export function mediaProblem(row: Row): string | undefined {
  const { url, owner, kind, state, path, sha256, size, mimetype } = row;
  if (!isWebUrl(url)) return 'its URL is not an http(s) URL';
  if (!isObjectId(owner)) return 'its owner is not an object ID';
  if (!isMediaKind(kind)) return 'its kind is unknown';
  if (mimetype !== null && !(typeof mimetype === 'string' && MIME_TYPE.test(mimetype))) return 'its media type is not valid';
  if (!isTextOrNull(row['cause']) || !isTextOrNull(row['verified']))
    return 'its cause or its list of verified checksums is not text';
  if (state === 'failed') return undefined;
  if (state !== 'stored' && state !== 'quarantined') return 'its state is unknown';
  if (typeof path !== 'string') return 'it has no path';
  if (!isSha256(sha256)) return 'its SHA-256 is not 64 hexadecimal digits';
  if (!isCount(size)) return 'its size is not a number of bytes';
  return mediaPathProblem(path, state);
}

/** Returns a row of `media` with its `blob`, as `SELECT_MEDIA` selects it; undefined if it is invalid (`mediaProblem`). */
export function mediaRow(row: Row): StoredMedia | undefined {
  if (mediaProblem(row) !== undefined) return undefined;
  const media = row as unknown as StoredMedia;
  return { ...media, path: media.state === 'failed' ? null : media.path, verified: algorithmsIn(media.verified) };
}

/** Returns why a row of `usage` is invalid; undefined if it is valid. */
export function usageProblem({ record, url, kind }: Row): string | undefined {
  if (!isObjectId(record)) return 'its record is not an object ID';
  if (!isWebUrl(url)) return 'its URL is not an http(s) URL';
  return isMediaKind(kind) ? undefined : 'its kind is unknown';
}

const isMediaKind = (value: unknown): value is MediaKind => MEDIA_KINDS.some((known) => known === value);

/** Returns JSON unchanged if it is an array of checksum algorithms that is not empty; otherwise null. */
function algorithmsIn(json: unknown): string | null {
  const read = typeof json === 'string' ? tryParse(json) : undefined;
  const isValid = Array.isArray(read) && read.length > 0 && read.every((name) => ALGORITHMS.some((known) => known === name));
  return isValid && typeof json === 'string' ? json : null;
}

/** Returns why a row of `resource` with its `response` is invalid; undefined if it is valid. */
export function bodyProblem(row: Row): string | undefined {
  if (typeof row['key'] !== 'string' || typeof row['name'] !== 'string') return 'its key or its name is not text';
  if (!isWebUrl(row['url'])) return 'its URL is not an http(s) URL';
  if (!isMoment(row['fetchedAt'])) return 'its fetch time is not a valid time';
  if (!(row['body'] instanceof Uint8Array)) return 'its body is not bytes, or has more than 256 MB';
  return headersIn(row['headers']) === undefined ? 'its headers are not a JSON object with text values' : undefined;
}

/** Returns a stored body; undefined if its row is invalid (`bodyProblem`). Recomputes invalid checksums: it may be intact. */
export function bodyRow(row: Row): StoredBody | undefined {
  if (bodyProblem(row) !== undefined) return undefined;
  const { key, name, url, fetchedAt, sha256, body, headers, removedAt, validators, checkedAt } = row as unknown as StoredBody;
  return {
    ...{ key, name, url, fetchedAt, body, headers },
    sha256: isSha256(sha256) ? sha256 : hash('sha256', body),
    removedAt: isMoment(removedAt) ? removedAt : null,
    validators: validatorsIn(validators),
    checkedAt: isMoment(checkedAt) ? checkedAt : null,
  };
}

function headersIn(json: unknown): Record<string, unknown> | undefined {
  const read = typeof json === 'string' ? tryParse(json) : undefined;
  return isObject(read) && Object.values(read).every((value) => typeof value === 'string') ? read : undefined;
}

/** Returns JSON unchanged if it is an object with conditional headers only; otherwise null. */
function validatorsIn(json: unknown): string | null {
  const headers = headersIn(json);
  const isValid =
    headers !== undefined &&
    Object.entries(headers).every(([name, value]) => CONDITIONAL_HEADERS.has(name) && HEADER_VALUE.test(String(value)));
  return isValid && typeof json === 'string' ? json : null;
}

/** Returns whether a value is a kind of resource. */
export const isResourceKind = (value: unknown): value is ResourceKind => RESOURCE_KINDS.some((kind) => kind === value);

/** Returns the resource that a row of `resource` names; undefined if the row is invalid. The row needs the columns `RESOURCE`. */
export function resourceRow({ kind, name, page_limit: limit, page_offset: offset, speculative }: Row): Resource | undefined {
  if (!isResourceKind(kind) || typeof name !== 'string') return undefined;
  return {
    kind,
    name,
    ...(isCount(limit) && isCount(offset) ? { page: { limit, offset } } : {}),
    ...(speculative === 1 ? { speculative: true } : {}),
  };
}

/** SQL: the columns that `resourceRow` reads. */
export const RESOURCE = `${texts('kind', 'name')}, ${integers('page_limit', 'page_offset', 'speculative')}`;

/** Returns a row of `run`; undefined if its ID or start time is invalid. A report that is not a JSON object becomes null. */
export function runRow(row: Row): RunRow | undefined {
  const { id, started_at, finished_at, report } = row;
  if (!isCount(id) || !isMoment(started_at)) return undefined;
  const read = typeof report === 'string' && isObject(tryParse(report)) ? report : null;
  return { id, started_at, finished_at: isMoment(finished_at) ? finished_at : null, report: read };
}

/** Returns why the path in a row of `download` or `orphan_file` is invalid; undefined if it is valid. */
export function partProblem({ path }: Row): string | undefined {
  return typeof path === 'string' ? mediaPathProblem(path) : 'it has no path';
}

/** Returns a row of `download`; undefined if invalid. An invalid checkpoint becomes null, so that the download starts over. */
export function partRow(row: Row): DurablePart | undefined {
  const { url, path, validator, total, durable, sha256 } = row;
  if (!isWebUrl(url) || typeof path !== 'string' || partProblem(row) !== undefined) return undefined;
  if (typeof validator !== 'string' || !HEADER_VALUE.test(validator)) return undefined;
  const checkpoint = isCount(durable) && isSha256(sha256) ? { durable, sha256 } : { durable: null, sha256: null };
  return { url, path, validator, total: isCount(total) ? total : null, ...checkpoint };
}
