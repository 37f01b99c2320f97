/** The door of the snapshot: each row is checked here when it is read. Anybody may have made a snapshot, so a row proves nothing by being there. */
import { hash } from 'node:crypto';
import { UserError } from '../model/errors.ts';
import { ALGORITHMS } from '../model/fixity.ts';
import { isObjectId } from '../model/ids.ts';
import { MEDIA_KINDS, type MediaKind } from '../model/media.ts';
import { RESOURCE_KINDS, type Resource, type ResourceKind } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { mediaPathProblem } from './media-path.ts';
import type { RunRow, StoredBody, StoredMedia } from './read.ts';
import type { DurablePart } from './write-media.ts';

/** A row as SQLite gives it: any column may hold anything. */
export type Row = Record<string, unknown>;

const SHA256 = /^[0-9a-f]{64}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const MIME_TYPE = /^[a-z0-9][\w.+-]{0,126}\/[a-z0-9][\w.+-]{0,126}$/;
const LONGEST_URL = 8_192;
/** What may stand in a header. */
const SENDABLE = /^[\x20-\x7e\x80-\xff]{1,4096}$/;
/** Conditional headers that a snapshot may make us send. */
const VALIDATORS: ReadonlySet<string> = new Set(['if-none-match', 'if-modified-since']);

/**
 * An integer column for a SELECT, as NULL where it holds anything else, or a number that JavaScript cannot hold: to read such a number throws.
 * `name` is the column's, `as` the result's.
 */
export function integer(name: string, as = name.replace(/^\w+\./, '')): string {
  return `iif(typeof(${name}) = 'integer' AND ${name} BETWEEN -9007199254740991 AND 9007199254740991, ${name}, NULL) AS ${as}`;
}

/** A column of text for a SELECT, as NULL where it holds anything else, for the same reason. */
export function text(name: string, as = name.replace(/^\w+\./, '')): string {
  return `iif(typeof(${name}) = 'text', ${name}, NULL) AS ${as}`;
}

/** Several columns of text. */
export function texts(...names: string[]): string {
  return names.map((name) => text(name)).join(', ');
}

/** A column of bytes for a SELECT, as NULL where it holds anything else. */
export function blob(name: string): string {
  return `iif(typeof(${name}) = 'blob', ${name}, NULL) AS ${name.replace(/^\w+\./, '')}`;
}

/** A column of a row of our own holds what we never put there. Rows that anybody may have made are checked instead, and left out. */
export class WrongColumn extends UserError {
  override name = 'WrongColumn';
  constructor(column: string, wanted: string, value: unknown) {
    const found =
      value === undefined ? 'nothing' : value === null ? 'NULL' : value instanceof Uint8Array ? 'bytes' : `a ${typeof value}`;
    super(
      `The column ${column} of a database holds ${found} where ${wanted} is wanted: something other than Microfiche changed it. Use a copy from before that.`,
    );
  }
}

/** Reads a column of one type. @throws WrongColumn for any other type, and if there is no row. */
type ReadColumn<T> = (row: Row | undefined, column: string) => T;

/** Reads text. @throws WrongColumn */
export const readText: ReadColumn<string> = (row, column) => {
  const value = row?.[column];
  if (typeof value !== 'string') throw new WrongColumn(column, 'text', value);
  return value;
};

/** Reads a whole number that JavaScript can hold. @throws WrongColumn */
export const readInteger: ReadColumn<number> = (row, column) => {
  const value = row?.[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new WrongColumn(column, 'a whole number', value);
  return value;
};

/** Reads bytes. @throws WrongColumn */
export const readBytes: ReadColumn<Uint8Array> = (row, column) => {
  const value = row?.[column];
  if (!(value instanceof Uint8Array)) throw new WrongColumn(column, 'bytes', value);
  return value;
};

/** As `readText`, for a column that may be NULL. */
export const readTextOrNull = orNull(readText);
/** As `readInteger`, for a column that may be NULL. */
export const readIntegerOrNull = orNull(readInteger);

function orNull<T>(read: ReadColumn<T>): ReadColumn<T | null> {
  return (row, column) => (row?.[column] === null ? null : read(row, column));
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && SHA256.test(value);
}

/** An absolute http(s) URL of a bearable length. */
export function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_URL && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** A moment in UTC as Microfiche writes it, ISO 8601. */
export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value));
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Why a row of `media` with its `blob` cannot be used; undefined if it can. */
export function mediaProblem(row: Row): string | undefined {
  const { url, owner, kind, state, path, sha256, size, mimetype } = row;
  if (!isWebUrl(url)) return 'its URL is not an http(s) URL';
  if (!isObjectId(owner)) return 'its owner is not an object ID';
  if (!isMediaKind(kind)) return 'its kind is not one of those that exist';
  if (mimetype !== null && !(typeof mimetype === 'string' && MIME_TYPE.test(mimetype))) return 'its media type is not one';
  if (!isTextOrNull(row['cause']) || !isTextOrNull(row['proven'])) return 'its cause or its proofs are not text';
  if (state === 'failed') return undefined;
  if (state !== 'stored' && state !== 'quarantined') return 'its state is not one of those that exist';
  if (typeof path !== 'string') return 'it has no path';
  if (!isSha256(sha256)) return 'its SHA-256 is not 64 hexadecimal digits';
  if (!isCount(size)) return 'its size is not a number of bytes';
  return mediaPathProblem(path, state);
}

/** A row of `media` with its `blob`; undefined where `mediaProblem` has an objection. */
export function mediaRow(row: Row): StoredMedia | undefined {
  if (mediaProblem(row) !== undefined) return undefined;
  const { state } = row;
  return {
    url: readText(row, 'url'),
    owner: readText(row, 'owner'),
    kind: readText(row, 'kind'),
    state: state === 'stored' || state === 'quarantined' ? state : 'failed',
    path: state === 'failed' ? null : readText(row, 'path'),
    sha256: readTextOrNull(row, 'sha256'),
    size: readIntegerOrNull(row, 'size'),
    mimetype: readTextOrNull(row, 'mimetype'),
    status: readIntegerOrNull(row, 'status'),
    cause: readTextOrNull(row, 'cause'),
    proven: provenIn(row['proven']),
  };
}

/** Why a row of `usage` cannot be used; undefined if it can. */
export function usageProblem({ record, url, kind }: Row): string | undefined {
  if (!isObjectId(record)) return 'its record is not an object ID';
  if (!isWebUrl(url)) return 'its URL is not an http(s) URL';
  return isMediaKind(kind) ? undefined : 'its kind is not one of those that exist';
}

function isMediaKind(value: unknown): value is MediaKind {
  return MEDIA_KINDS.some((known) => known === value);
}

/** The names of checksums in a JSON array; null for anything else. */
function provenIn(json: unknown): string | null {
  const read = typeof json === 'string' ? parse(json) : undefined;
  const named = Array.isArray(read) && read.length > 0 && read.every((name) => ALGORITHMS.some((known) => known === name));
  return named && typeof json === 'string' ? json : null;
}

/** Why a row of `resource` with its `response` cannot be used; undefined if it can. */
export function bodyProblem(row: Row): string | undefined {
  if (typeof row['key'] !== 'string' || typeof row['name'] !== 'string') return 'its key or its name is not text';
  if (!isWebUrl(row['url'])) return 'its URL is not an http(s) URL';
  if (!isMoment(row['fetchedAt'])) return 'the time at which it was fetched is not a time';
  if (!(row['body'] instanceof Uint8Array)) return 'its body is not bytes';
  return headersIn(row['headers']) === undefined ? 'its headers are not a JSON object of text' : undefined;
}

/** A stored body; undefined where `bodyProblem` has an objection. A checksum that is none is computed anew: the body itself may well be good. */
export function bodyRow(row: Row): StoredBody | undefined {
  if (bodyProblem(row) !== undefined) return undefined;
  const { sha256, goneAt, checkedAt } = row;
  const body = readBytes(row, 'body');
  return {
    key: readText(row, 'key'),
    name: readText(row, 'name'),
    url: readText(row, 'url'),
    fetchedAt: readText(row, 'fetchedAt'),
    sha256: isSha256(sha256) ? sha256 : hash('sha256', body),
    body,
    headers: readText(row, 'headers'),
    goneAt: isMoment(goneAt) ? goneAt : null,
    validators: validatorsIn(row['validators']),
    checkedAt: isMoment(checkedAt) ? checkedAt : null,
  };
}

function headersIn(json: unknown): Record<string, unknown> | undefined {
  const read = typeof json === 'string' ? parse(json) : undefined;
  return isObject(read) && Object.values(read).every((value) => typeof value === 'string') ? read : undefined;
}

/** JSON of conditional headers and of nothing else that could be sent; null for anything else. */
function validatorsIn(json: unknown): string | null {
  const headers = headersIn(json);
  const good =
    headers !== undefined &&
    Object.entries(headers).every(([name, value]) => VALIDATORS.has(name) && SENDABLE.test(String(value)));
  return good && typeof json === 'string' ? json : null;
}

export function isResourceKind(value: unknown): value is ResourceKind {
  return RESOURCE_KINDS.some((kind) => kind === value);
}

/** What a row of `resource` names, with columns read by `RESOURCE`; undefined where that is no resource. */
export function resourceRow({ kind, name, page_limit: limit, page_offset: offset, guess }: Row): Resource | undefined {
  if (!isResourceKind(kind) || typeof name !== 'string') return undefined;
  return {
    kind,
    name,
    ...(isCount(limit) && isCount(offset) ? { page: { limit, offset } } : {}),
    ...(guess === 1 ? { speculative: true } : {}),
  };
}

/** Columns for `resourceRow`. */
export const RESOURCE = [texts('kind', 'name'), ...['page_limit', 'page_offset', 'guess'].map((name) => integer(name))].join(
  ', ',
);

/** A row of `run`; undefined where it has no number or no beginning. A report that is no JSON is none. */
export function runRow(row: Row): RunRow | undefined {
  const { id, started_at, finished_at, report } = row;
  if (!isCount(id) || !isMoment(started_at)) return undefined;
  const read = typeof report === 'string' && isObject(parse(report)) ? report : null;
  return { id, started_at, finished_at: isMoment(finished_at) ? finished_at : null, report: read };
}

/** Why a path that a row of `download` or `orphan_file` has cannot be used; undefined if it can. */
export function partProblem({ path }: Row): string | undefined {
  return typeof path === 'string' ? mediaPathProblem(path) : 'it has no path';
}

/** A row of `download`; undefined if it cannot be used. A checkpoint that is none is left out: the file then begins anew. */
export function partRow(row: Row): DurablePart | undefined {
  const { url, path, validator, total, durable, sha256 } = row;
  if (!isWebUrl(url) || typeof path !== 'string' || partProblem(row) !== undefined) return undefined;
  if (typeof validator !== 'string' || !SENDABLE.test(validator)) return undefined;
  const checkpoint = isCount(durable) && isSha256(sha256) ? { durable, sha256 } : { durable: null, sha256: null };
  return { url, path, validator, total: isCount(total) ? total : null, ...checkpoint };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // no JSON: whoever asked says what that means
  }
}
