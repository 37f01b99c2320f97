/** Reads bodies, failures, media rows and runs of a snapshot. Bodies are as received, or redacted if the store has a filter. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isFileRole, MODELS } from '../model/ids.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type BaseUrls, isListKind, keyOf, parseBaseUrl, type ResourceKind, urlOf } from '../model/resources.ts';
import { RUNS_UNTIL_DEAD } from './dead-resources.ts';
import type { RunRow, StoredBody, StoredMedia } from './row-types.ts';
import {
  blob,
  bodyRow,
  integer,
  integers,
  isMoment,
  isResourceKind,
  isSha256,
  mediaRow,
  type Row,
  readCount,
  runRow,
  sqlList,
  text,
  texts,
} from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** A resource that failed. */
export type Failure = NonNullable<ReturnType<typeof parseFailure>>;

/** SQL: the columns of a body that `bodyRow` reads. */
export const STORED_BODY_COLUMNS = `${texts('r.key', 'r.name', 'p.url')}, ${text('p.fetched_at', 'fetchedAt')}, ${texts('p.sha256', 'p.headers')}, ${blob('p.body')}`;
/** SQL: selects the latest valid version of each body, for `bodyRow` to check. */
export const SELECT_BODY = `SELECT ${STORED_BODY_COLUMNS}, ${text('r.removed_at', 'removedAt')}, ${texts('r.validators')}, ${text('r.checked_at', 'checkedAt')}
  FROM resource r JOIN response p ON p.id = r.response`;

/** Returns a value of the table `meta`; undefined if it is missing or not text. */
export function readMeta(store: Store, key: string): string | undefined {
  const value = prepareStatement(store, `SELECT ${text('value')} FROM meta WHERE key = ?`).get(key)?.['value'];
  return typeof value === 'string' ? value : undefined;
}

/** Base URL for a snapshot that does not contain one. No host has this name (RFC 6761). */
export const UNKNOWN_BASE_URL = 'http://unknown.invalid';

/** Returns the base URLs that the snapshot names as its upstream; `UNKNOWN_BASE_URL` for each that is missing or invalid. */
export function readBaseUrls(store: Store): BaseUrls {
  const base = (key: string) => parseBaseUrl(readMeta(store, key) ?? '') ?? UNKNOWN_BASE_URL;
  return { authors: base('authors_url'), catalog: base('catalog_url') };
}

/** Returns the latest valid version of the body of a resource other than a list; undefined if there is none or it is withheld. */
export function readBody(store: Store, kind: ResourceKind, name: string): StoredBody | undefined {
  return readShownBody(store, kind, keyOf({ kind, name }));
}

/** Returns a body as the visible snapshot shows it: redacted, or undefined if the resource is withheld. */
export function applyFilter({ filter }: Store, kind: ResourceKind, stored: StoredBody): StoredBody | undefined {
  if (!filter) return stored;
  if (filter.hides(kind, stored.name)) return undefined;
  const text = bodyText(stored);
  if (!filter.mayConcern(kind, stored.name, text)) return stored;
  const payload = parseJson(text);
  const redacted = filter.redact(kind, stored.name, payload);
  if (redacted === payload) return stored;
  const body = Buffer.from(JSON.stringify(redacted));
  return { ...stored, body, sha256: hash('sha256', body), headers: '{"content-type":"application/json"}' };
}

/** Returns the latest valid version of the body of any resource, list pages included. Does not apply the store's filter. */
export function readBodyByKey(store: Store, key: string): StoredBody | undefined {
  const row = prepareStatement(store, `${SELECT_BODY} WHERE r.key = ?`).get(key);
  return row && bodyRow(row);
}

/** As `readBody`, by key. */
export function readShownBody(store: Store, kind: ResourceKind, key: string): StoredBody | undefined {
  const stored = readBodyByKey(store, key);
  return stored && applyFilter(store, kind, stored);
}

/** A body that was not read. */
export interface BodyVersion {
  key: string;
  /** Name of the resource within its kind. */
  name: string;
  /** Differs if the body, or what `StoredBody` has for a site, may differ. Undefined if unknown without reading it. */
  version: string | undefined;
}

/** Yields the versions of all bodies of a kind, in the order of `readBodies`, without reading or filtering bodies. */
export function* readBodyVersions(store: Store, kind: ResourceKind): Generator<BodyVersion> {
  // Some at a time: a harvest could not begin while a statement is being read.
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const from = after === undefined ? '' : ' AND r.name > ?';
    const values = after === undefined ? [kind] : [kind, after];
    const found = prepareStatement(
      store,
      `SELECT ${text('r.name')} FROM resource r WHERE r.kind = ?${from} ORDER BY r.name LIMIT 1 OFFSET ${VERSIONS_AT_A_TIME - 1}`,
    ).get(...values)?.['name'];
    const last = typeof found === 'string' ? found : undefined;
    const to = last === undefined ? '' : ' AND r.name <= ?';
    const select = prepareStatement(
      store,
      `SELECT ${texts('r.key', 'r.name', 'p.url', 'p.fetched_at', 'p.sha256', 'p.headers', 'r.removed_at')}, ${integer('p.id')}
      FROM resource r JOIN response p ON p.id = r.response WHERE r.kind = ?${from}${to} ORDER BY r.name, r.page_limit, r.page_offset`,
    );
    select.setReturnArrays(true);
    for (const row of select.all(...values, ...(last === undefined ? [] : [last])) as unknown[]) {
      const [key, name, url, fetchedAt, sha256, headers, removedAt, id] = row as unknown[];
      if (typeof key !== 'string' || typeof name !== 'string') continue;
      const version = `${id} ${sha256} ${fetchedAt} ${removedAt ?? ''} ${crc32(`${url}\n${headers}`)}`;
      yield { key, name, version: isSha256(sha256) ? version : undefined };
    }
    isLast = last === undefined;
    after = last;
  }
}

const VERSIONS_AT_A_TIME = 5_000;

/** Returns the parsed body of a resource; undefined if there is none, it is withheld, or it is not JSON. */
export function readPayload(store: Store, kind: ResourceKind, name: string): unknown {
  const stored = readBody(store, kind, name);
  return stored && parseBody(stored);
}

/** Yields the latest valid version of each body of a kind, sorted by name; list pages in reading order. */
export function* readBodies(store: Store, kind: ResourceKind): Generator<StoredBody> {
  // Not a shared statement: a generator uses its statement until it ends.
  const rows = store.db.prepare(`${SELECT_BODY} WHERE r.kind = ? ORDER BY r.name, r.page_limit, r.page_offset`).iterate(kind);
  for (const row of rows) {
    const stored = bodyRow(row);
    const shown = stored && applyFilter(store, kind, stored);
    if (shown) yield shown;
  }
}

/** Returns the sorted names of all discovered resources of a kind, fetched or not. Leaves out withheld ones. */
export function readResourceNames(store: Store, kind: ResourceKind): string[] {
  return prepareStatement(store, `SELECT DISTINCT ${texts('name')} FROM resource WHERE kind = ? ORDER BY 1`)
    .all(kind)
    .flatMap(({ name }) => (typeof name === 'string' && !store.filter?.hides(kind, name) ? [name] : []));
}

/** Parses a stored body; undefined if it is not JSON. */
export const parseBody = (stored: Pick<StoredBody, 'body' | 'headers'>): unknown => parseJson(bodyText(stored));

/** Decodes a stored body to text. */
export function bodyText({ body, headers }: Pick<StoredBody, 'body' | 'headers'>): string {
  return decodeBody(body, isUtf8(body) ? undefined : (JSON.parse(headers) as Record<string, string>)['content-type']);
}

/** Returns failures by key, without speculative requests, removed and withheld resources, and file roles (no records). */
export function readFailures(store: Store): Failure[] {
  const baseUrls = readBaseUrls(store);
  return prepareStatement(
    store,
    `SELECT ${texts('key', 'kind', 'name', 'cause', 'referrer', 'failed_since')}, ${integers('page_limit', 'page_offset', 'status', 'attempts', 'transient', 'failed_runs', 'missing_since')},
      response IS NOT NULL AS hasEarlierVersion FROM resource WHERE state = 'failed' AND speculative = 0 AND removed_at IS NULL ORDER BY key`,
  )
    .all()
    .flatMap((row) => parseFailure(row, baseUrls) ?? [])
    .filter(({ kind, name }) => !store.filter?.hides(kind, name));
}

/** Returns the failure in a row of `resource`; undefined if the row is invalid or names a file role. */
function parseFailure(row: Row, baseUrls: BaseUrls) {
  const { key, kind, name, page_limit: limit, page_offset: offset, status, cause, attempts, referrer, hasEarlierVersion } = row;
  if (typeof key !== 'string' || !isResourceKind(kind) || typeof name !== 'string' || isFileRole(name)) return undefined;
  const page = typeof limit === 'number' && typeof offset === 'number' ? { page: { limit, offset } } : {};
  const isDead = Number(row['failed_runs']) >= RUNS_UNTIL_DEAD && (kind !== 'object' || row['missing_since'] !== null);
  return {
    key,
    kind,
    name,
    /** HTTP status; null if upstream did not respond. */
    status: typeof status === 'number' ? status : null,
    /** Why it failed, in words. */
    cause: typeof cause === 'string' ? cause : 'unknown',
    /** Whether a later request may succeed. */
    transient: row['transient'] === 1,
    /** Number of requests; 0 if it failed before the first one. */
    attempts: typeof attempts === 'number' ? attempts : 0,
    /** Key of the resource that named it; null if the operator or the harvest itself did. */
    referrer: typeof referrer === 'string' ? referrer : null,
    /** Whether the snapshot has a body from an earlier harvest. */
    hasEarlierVersion: hasEarlierVersion === 1,
    /** When it first failed since the last success: ISO 8601 in UTC; null if that is not known. */
    since: isMoment(row['failed_since']) ? row['failed_since'] : null,
    /** Whether upstream never had it: 404, 410, or in each of two harvests what it sends instead; never 500 for a list. */
    missing: hasEarlierVersion === 0 && (status === 404 || status === 410 || (status === 500 && isDead && !isListKind(kind))),
    url: urlOf({ kind, name, ...page }, baseUrls),
  };
}

/** SQL: selects rows of `media` with their `blob`, for `mediaRow` to check. */
export const SELECT_MEDIA = `SELECT ${texts('m.url', 'm.owner', 'm.kind', 'm.state', 'm.path', 'b.sha256', 'b.mimetype', 'm.cause', 'm.verified')},
  ${integer('b.size')}, ${integer('m.status')} FROM media m LEFT JOIN blob b ON b.path = m.path`;

/** Returns all valid rows of `media`, sorted by URL, without those that are withheld. */
export function readMediaRows(store: Store): StoredMedia[] {
  return prepareStatement(store, `${SELECT_MEDIA} ORDER BY m.url`)
    .all()
    .flatMap((row) => mediaRow(row) ?? [])
    .filter((row) => !store.filter?.hidesMedia(row));
}

/** Returns the row of `media` for a URL; undefined if it is missing, invalid or withheld. */
export function readMediaByUrl(store: Store, url: string): StoredMedia | undefined {
  const row = prepareStatement(store, `${SELECT_MEDIA} WHERE m.url = ?`).get(url);
  const stored = row && mediaRow(row);
  return stored && store.filter?.hidesMedia(stored) ? undefined : stored;
}

/** SQL: the columns that `runRow` reads. */
export const RUN_COLUMNS = `${integer('id')}, ${texts('started_at', 'finished_at', 'report')}`;

/** Returns the last run, finished or not unless `isFinished`; undefined if there is none or its row is invalid. */
export function readLastRun(store: Store, { isFinished = false } = {}): RunRow | undefined {
  const condition = isFinished ? 'WHERE finished_at IS NOT NULL' : '';
  const row = prepareStatement(store, `SELECT ${RUN_COLUMNS} FROM run ${condition} ORDER BY run.id DESC LIMIT 1`).get();
  return row && runRow(row);
}

/** Returns the parsed report of the last finished harvest; undefined if there is none. Its properties are not checked. */
export function readLastReport(store: Store): unknown {
  const report = readLastRun(store, { isFinished: true })?.report;
  return report ? (JSON.parse(report) as unknown) : undefined;
}

/** Returns whether a harvest was completed. One that was interrupted and not resumed has no report. */
export function hasCompletedHarvest({ db }: Store): boolean {
  return db.prepare('SELECT 1 FROM run WHERE finished_at IS NOT NULL AND report IS NOT NULL LIMIT 1').get() !== undefined;
}

/** Returns whether any resource of some kinds is stored. */
export function hasStored(store: Store, kinds: readonly ResourceKind[]): boolean {
  const sql = `SELECT 1 FROM resource WHERE kind IN (${sqlList(kinds)}) AND response IS NOT NULL LIMIT 1`;
  return prepareStatement(store, sql).get() !== undefined;
}

/** Counts the stored resources by kind, records by model: `{ author: 60, collection: 5, … }`. List pages are not counted. */
export function countResources(store: Store): Record<string, number> {
  const rows = prepareStatement(
    store,
    `SELECT ${text('coalesce(model, kind)', 'kind')}, count(*) AS count FROM resource
    WHERE response IS NOT NULL AND kind IN ('author', 'article', 'source', 'object') GROUP BY 1 ORDER BY 1`,
  ).all();
  const known = new Set<unknown>(['author', 'article', 'source', 'object', ...MODELS]);
  return Object.fromEntries(rows.flatMap(({ kind, count }) => (known.has(kind) ? [[String(kind), Number(count)]] : [])));
}

/** Returns the number of resources in the crawl frontier of the last run. */
export function countQueued(store: Store): number {
  return readCount(prepareStatement(store, `SELECT count(*) AS count FROM resource WHERE state = 'queued'`).get());
}

/** Versions of one resource. */
const MAX_VERSIONS = 20;

/** Returns the earlier versions of the body of a resource other than a list, the latest first; none if it is withheld. */
export function readEarlierVersions(store: Store, kind: ResourceKind, name: string): StoredBody[] {
  const rows = prepareStatement(
    store,
    `SELECT ${STORED_BODY_COLUMNS} FROM resource r JOIN response p ON p.key = r.key AND p.id <> r.response
    WHERE r.key = ? ORDER BY p.id DESC LIMIT ${MAX_VERSIONS}`,
  ).all(keyOf({ kind, name }));
  return rows.flatMap((row) => {
    const stored = bodyRow(row);
    return (stored && applyFilter(store, kind, stored)) ?? [];
  });
}
