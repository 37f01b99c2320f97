/** What build, serve, status and verify read from a snapshot. Bodies come back as they were received. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { isFileRole, MODELS } from '../model/ids.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { type BaseUrls, keyOf, parseBaseUrl, type ResourceKind, urlOf } from '../model/resources.ts';
import { blob, bodyRow, integer, isResourceKind, mediaRow, type Row, readInteger, runRow, text, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** A stored body. `fetchedAt` is ISO 8601 in UTC. */
export interface StoredBody {
  key: string;
  name: string;
  url: string;
  fetchedAt: string;
  sha256: string;
  body: Uint8Array;
  /** JSON object. */
  headers: string;
  /** When upstream was found not to have it any longer (ISO 8601 in UTC); null while it has. */
  goneAt: string | null;
  /** JSON object of conditional headers; null where upstream gave no validators. */
  validators: string | null;
  /** When upstream last answered with this body or said that it is unchanged (ISO 8601 in UTC); null where it has failed to since. */
  checkedAt: string | null;
}

/** A resource that could not be had. */
export interface Failure {
  key: string;
  kind: ResourceKind;
  name: string;
  url: string;
  /** Null where no answer came. */
  status: number | null;
  cause: string;
  /** Requests made; 0 where it was refused before any. */
  attempts: number;
  /** The key of the resource that named it; null where the user or the harvest itself did. */
  referrer: string | null;
  /** An earlier harvest had it, and its body is kept. */
  kept: boolean;
}

/** What became of one URL, and its file. */
export interface StoredMedia {
  url: string;
  /** The ID of the record that the file was named after. */
  owner: string;
  /** What it was downloaded as. */
  kind: string;
  /** `quarantined`: its bytes are there, and are not what upstream says of them. */
  state: 'stored' | 'failed' | 'quarantined';
  /** Below the snapshot; URLs with the same content share a file. */
  path: string | null;
  sha256: string | null;
  size: number | null;
  mimetype: string | null;
  status: number | null;
  cause: string | null;
  /** JSON array: the declared checksums that its bytes agreed with; null where none was declared. */
  proven: string | null;
}

export interface RunRow {
  id: number;
  started_at: string;
  finished_at: string | null;
  report: string | null;
}

/** What `bodyRow` takes of a body. */
export const STORED_BODY_COLUMNS = `${texts('r.key', 'r.name', 'p.url')}, ${text('p.fetched_at', 'fetchedAt')}, ${texts('p.sha256', 'p.headers')}, ${blob('p.body')}`;
/** Asks for bodies, each the last good one of its resource, for `bodyRow` to check. */
export const SELECT_BODY = `SELECT ${STORED_BODY_COLUMNS}, ${text('r.gone_at', 'goneAt')}, ${texts('r.validators')}, ${text('r.checked_at', 'checkedAt')}
  FROM resource r JOIN response p ON p.id = r.response`;

export function readMeta(store: Store, key: string): string | undefined {
  const value = prepareStatement(store, `SELECT ${text('value')} FROM meta WHERE key = ?`).get(key)?.['value'];
  return typeof value === 'string' ? value : undefined;
}

/** A base for a snapshot that does not say where it is from: a name that no network has (RFC 6761). */
export const UNKNOWN_BASE_URL = 'http://unknown.invalid';

/** The base URLs that the snapshot was harvested from, as it says itself. */
export function readBaseUrls(store: Store): BaseUrls {
  const base = (key: string) => parseBaseUrl(readMeta(store, key) ?? '') ?? UNKNOWN_BASE_URL;
  return { authors: base('authors_url'), catalog: base('catalog_url') };
}

/** The last good body of one resource that is no list. */
export function readBody(store: Store, kind: ResourceKind, name: string): StoredBody | undefined {
  const stored = readBodyByKey(store, keyOf({ kind, name }));
  return stored && applyFilter(store, kind, stored);
}

/** A body as the view of the snapshot has it: without what is withheld in it, or not at all. */
function applyFilter({ filter }: Store, kind: ResourceKind, stored: StoredBody): StoredBody | undefined {
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

/** The last good body of any resource, pages of lists too. */
export function readBodyByKey(store: Store, key: string): StoredBody | undefined {
  const row = prepareStatement(store, `${SELECT_BODY} WHERE r.key = ?`).get(key);
  return row && bodyRow(row);
}

/** What the last good body of a resource says, parsed; undefined where there is none, or it is no JSON. */
export function readPayload(store: Store, kind: ResourceKind, name: string): unknown {
  const stored = readBody(store, kind, name);
  return stored && parseBody(stored);
}

/** Every last good body of a kind, in the order of names; lists in the order of their pages. */
export function* readBodies(store: Store, kind: ResourceKind): Generator<StoredBody> {
  // Prepared anew: a generator holds its statement until it is done.
  const rows = store.db.prepare(`${SELECT_BODY} WHERE r.kind = ? ORDER BY r.name, r.page_limit, r.page_offset`).iterate(kind);
  for (const row of rows) {
    const stored = bodyRow(row);
    const shown = stored && applyFilter(store, kind, stored);
    if (shown) yield shown;
  }
}

/** The names of every resource of a kind that a harvest heard of, whatever came of it. */
export function readResourceNames(store: Store, kind: ResourceKind): string[] {
  return prepareStatement(store, `SELECT DISTINCT ${texts('name')} FROM resource WHERE kind = ? ORDER BY 1`)
    .all(kind)
    .flatMap(({ name }) => (typeof name === 'string' && !store.filter?.hides(kind, name) ? [name] : []));
}

/** What a stored body says; undefined when it is no JSON. */
export function parseBody(stored: Pick<StoredBody, 'body' | 'headers'>): unknown {
  return parseJson(bodyText(stored));
}

/** A stored body's text. */
export function bodyText({ body, headers }: Pick<StoredBody, 'body' | 'headers'>): string {
  return decodeBody(body, isUtf8(body) ? undefined : (JSON.parse(headers) as Record<string, string>)['content-type']);
}

/** What somebody named and could not be had, save what upstream once had and has no longer, and file roles, which are no records. */
export function readFailures(store: Store): Failure[] {
  const baseUrls = readBaseUrls(store);
  return prepareStatement(
    store,
    `SELECT ${texts('key', 'kind', 'name', 'cause', 'referrer')}, ${integer('page_limit')}, ${integer('page_offset')}, ${integer('status')}, ${integer('attempts')},
      response IS NOT NULL AS kept FROM resource WHERE state = 'failed' AND guess = 0 AND gone_at IS NULL ORDER BY key`,
  )
    .all()
    .flatMap((row) => parseFailure(row, baseUrls) ?? [])
    .filter(({ kind, name }) => !store.filter?.hides(kind, name));
}

/** A row of `resource` that failed; undefined for what is no resource. */
function parseFailure(row: Row, baseUrls: BaseUrls): Failure | undefined {
  const { key, kind, name, page_limit: limit, page_offset: offset, status, cause, attempts, referrer, kept } = row;
  if (typeof key !== 'string' || !isResourceKind(kind) || typeof name !== 'string' || isFileRole(name)) return undefined;
  const page = typeof limit === 'number' && typeof offset === 'number' ? { page: { limit, offset } } : {};
  return {
    key,
    kind,
    name,
    status: typeof status === 'number' ? status : null,
    cause: typeof cause === 'string' ? cause : 'unknown',
    attempts: typeof attempts === 'number' ? attempts : 0,
    referrer: typeof referrer === 'string' ? referrer : null,
    kept: kept === 1,
    url: urlOf({ kind, name, ...page }, baseUrls),
  };
}

/** Asks for rows of media, for `mediaRow` to check. */
export const SELECT_MEDIA = `SELECT ${texts('m.url', 'm.owner', 'm.kind', 'm.state', 'm.path', 'b.sha256', 'b.mimetype', 'm.cause', 'm.proven')},
  ${integer('b.size')}, ${integer('m.status')} FROM media m LEFT JOIN blob b ON b.path = m.path`;

/** Every row of media that can be used, in the order of URLs. */
export function readMediaRows(store: Store): StoredMedia[] {
  return prepareStatement(store, `${SELECT_MEDIA} ORDER BY m.url`)
    .all()
    .flatMap((row) => mediaRow(row) ?? [])
    .filter((row) => !store.filter?.hidesMedia(row));
}

export function readMediaByUrl(store: Store, url: string): StoredMedia | undefined {
  const row = prepareStatement(store, `${SELECT_MEDIA} WHERE m.url = ?`).get(url);
  const stored = row && mediaRow(row);
  return stored && store.filter?.hidesMedia(stored) ? undefined : stored;
}

/** What `runRow` takes. */
export const RUN_COLUMNS = `${integer('id')}, ${texts('started_at', 'finished_at', 'report')}`;

export function readLastRun(store: Store): RunRow | undefined {
  const row = prepareStatement(store, `SELECT ${RUN_COLUMNS} FROM run ORDER BY run.id DESC LIMIT 1`).get();
  return row && runRow(row);
}

/** The report that the last finished harvest left, of any shape; undefined where there is none. */
export function readLastReport(store: Store): unknown {
  const row = prepareStatement(
    store,
    `SELECT ${RUN_COLUMNS} FROM run WHERE finished_at IS NOT NULL ORDER BY run.id DESC LIMIT 1`,
  ).get();
  const report = row && runRow(row)?.report;
  return report ? (JSON.parse(report) as unknown) : undefined;
}

/** What the snapshot holds: `author: 60, collection: 5, …`. Objects count under their model, a list's pages not at all. */
export function countResources(store: Store): Record<string, number> {
  const rows = prepareStatement(
    store,
    `SELECT ${text('coalesce(model, kind)', 'kind')}, count(*) AS count FROM resource
    WHERE response IS NOT NULL AND kind IN ('author', 'article', 'source', 'object') GROUP BY 1 ORDER BY 1`,
  ).all();
  const known = new Set<unknown>(['author', 'article', 'source', 'object', ...MODELS]);
  return Object.fromEntries(rows.flatMap(({ kind, count }) => (known.has(kind) ? [[String(kind), Number(count)]] : [])));
}

/** How many resources the last run still has to ask for. */
export function countQueued(store: Store): number {
  return readInteger(prepareStatement(store, `SELECT count(*) AS count FROM resource WHERE state = 'queued'`).get(), 'count');
}
