/** What build, serve, status and verify read from a snapshot. Bodies come back as they were received. */
import { isUtf8 } from 'node:buffer';
import { isFileRole, parseId } from '../model/ids.ts';
import { decodeBody, parseJson } from '../model/json.ts';
import { entryName, type ListPage, readListPage } from '../model/lists.ts';
import { type Bases, keyOf, LIST_KINDS, type ListKind, type Resource, type ResourceKind, urlOf } from '../model/resources.ts';
import { type Store, statement } from './store.ts';

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

export interface StoredMedia {
  url: string;
  owner: string;
  kind: string;
  /** `quarantined`: its bytes are there, and are not what upstream says of them. */
  state: 'stored' | 'failed' | 'quarantined';
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

const BODY = `SELECT r.key, r.name, p.url, p.fetched_at AS fetchedAt, p.sha256, p.body, p.headers, r.gone_at AS goneAt, r.validators, r.checked_at AS checkedAt
  FROM resource r JOIN response p ON p.id = r.response`;

export function meta(store: Store, key: string): string | undefined {
  return (statement(store, 'SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined)?.value;
}

/** The addresses that the snapshot was harvested from. */
export function basesOf(store: Store): Bases {
  return { authors: meta(store, 'authors_url') ?? '', catalog: meta(store, 'catalog_url') ?? '' };
}

/** The last good body of one resource that is no list. */
export function bodyOf(store: Store, kind: ResourceKind, name: string): StoredBody | undefined {
  return bodyByKey(store, keyOf({ kind, name }));
}

/** The last good body of any resource, pages of lists too. */
export function bodyByKey(store: Store, key: string): StoredBody | undefined {
  return statement(store, `${BODY} WHERE r.key = ?`).get(key) as unknown as StoredBody | undefined;
}

/** What the last good body of a resource says, parsed; undefined where there is none, or it is no JSON. */
export function payloadOf(store: Store, kind: ResourceKind, name: string): unknown {
  const stored = bodyOf(store, kind, name);
  return stored && parseBody(stored);
}

/** Every last good body of a kind, in the order of names; lists in the order of their pages. */
export function* bodiesOf(store: Store, kind: ResourceKind): Generator<StoredBody> {
  // Prepared anew: a generator holds its statement until it is done.
  const rows = store.db.prepare(`${BODY} WHERE r.kind = ? ORDER BY r.name, r.page_limit, r.page_offset`).iterate(kind);
  for (const row of rows) yield row as unknown as StoredBody;
}

/** The names of every resource of a kind that a harvest heard of, whatever came of it. */
export function namesOf(store: Store, kind: ResourceKind): string[] {
  return statement(store, 'SELECT DISTINCT name FROM resource WHERE kind = ? ORDER BY name')
    .all(kind)
    .map((row) => String(row['name']));
}

/**
 * The members of a list, each once, in the server's order: from the pages that the last finished harvest read of it, and those that one
 * under way has read since. Members that nothing identifies are left out.
 */
export function listItems(store: Store, kind: ListKind, name: string): Record<string, unknown>[] {
  const lists = memoryOf(store);
  const key = keyOf({ kind, name });
  const items = lists.get(key) ?? readItems(store, kind, name);
  if (!lists.has(key) && lists.size >= LISTS_IN_MEMORY) lists.clear();
  lists.set(key, items);
  return items;
}

/** Lists that were put together last: whoever reads one mostly reads it again, page by page or member by member. */
const LISTS_IN_MEMORY = 64;
const memory = new WeakMap<Store, { version: number; lists: Map<string, Record<string, unknown>[]> }>();

/** What is remembered of a snapshot's lists, as long as nobody else writes to it. */
function memoryOf(store: Store): Map<string, Record<string, unknown>[]> {
  const version = Number(statement(store, 'PRAGMA data_version').get()?.['data_version']);
  const known = memory.get(store);
  if (known?.version === version) return known.lists;
  const lists = new Map<string, Record<string, unknown>[]>();
  memory.set(store, { version, lists });
  return lists;
}

function readItems(store: Store, kind: ListKind, name: string): Record<string, unknown>[] {
  const rows = statement(
    store,
    `SELECT p.body, p.headers FROM resource r JOIN response p ON p.id = r.response
    WHERE r.kind = ?1 AND r.name = ?2
      AND r.run >= coalesce((SELECT max(run) FROM resource WHERE kind = ?1 AND name = ?2 AND response IS NOT NULL
        AND run NOT IN (SELECT id FROM run WHERE finished_at IS NULL)), 0)
    ORDER BY r.run DESC, r.page_limit DESC, r.page_offset`,
  ).all(kind, name);
  const items = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    for (const item of readListPage(parseBody(row as unknown as StoredBody))?.items ?? []) {
      const identity = entryName(item);
      if (identity !== undefined && !items.has(identity)) items.set(identity, item);
    }
  }
  return [...items.values()];
}

/** The entries of a list that the snapshot holds, whoever named them: authors, or the children or files of a record by the shape of their ids. */
export function* storedEntries(store: Store, list: ListKind, name: string): Generator<string> {
  if (list === 'authors') {
    yield* statement(store, `SELECT name FROM resource WHERE kind = 'author' AND response IS NOT NULL`)
      .all()
      .map((row) => String(row['name']));
    return;
  }
  if (list !== 'children' && list !== 'files') return;
  const rows = statement(
    store,
    `SELECT name FROM resource WHERE kind = 'object' AND response IS NOT NULL AND name > ? AND name < ?`,
  );
  for (const row of rows.all(`${name}-`, `${name}.`)) {
    const { id, parent, model } = parseId(String(row['name']));
    if (parent === name && (model === 'file') === (list === 'files')) yield id;
  }
}

/** The pages of lists that one run has asked for, list by list in the order of reading; `page` is undefined where it could not be had. */
export function* pagesOfRun(store: Store, run: number): Generator<{ resource: Resource; page: ListPage | undefined }> {
  // Prepared anew: a generator holds its statement until it is done.
  const rows = store.db
    .prepare(
      `SELECT r.kind, r.name, r.page_limit, r.page_offset, r.state, p.body, p.headers FROM resource r LEFT JOIN response p ON p.id = r.response
    WHERE r.kind IN (${LIST_KINDS.map((kind) => `'${kind}'`).join(', ')}) AND r.state <> 'queued' AND r.run = ?
    ORDER BY r.kind, r.name, r.page_limit DESC, r.page_offset`,
    )
    .iterate(run);
  for (const row of rows) {
    const page = row['state'] === 'stored' ? readListPage(parseBody(row as unknown as StoredBody)) : undefined;
    yield {
      resource: {
        kind: row['kind'] as ResourceKind,
        name: String(row['name']),
        page: { limit: Number(row['page_limit']), offset: Number(row['page_offset']) },
      },
      page,
    };
  }
}

/** What a stored body says; undefined when it is no JSON. */
export function parseBody(stored: Pick<StoredBody, 'body' | 'headers'>): unknown {
  return parseJson(textOf(stored));
}

/** A stored body's text. */
export function textOf({ body, headers }: Pick<StoredBody, 'body' | 'headers'>): string {
  return decodeBody(body, isUtf8(body) ? undefined : (JSON.parse(headers) as Record<string, string>)['content-type']);
}

/** What somebody named and could not be had, save what upstream once had and has no longer, and file roles, which are no records. */
export function failures(store: Store): Failure[] {
  const bases = basesOf(store);
  return statement(
    store,
    `SELECT key, kind, name, page_limit, page_offset, status, cause, attempts, referrer, response IS NOT NULL AS kept FROM resource
    WHERE state = 'failed' AND guess = 0 AND gone_at IS NULL ORDER BY key`,
  )
    .all()
    .filter((row) => !isFileRole(String(row['name'])))
    .map((row) => {
      const {
        page_limit: limit,
        page_offset: offset,
        kept,
        ...failure
      } = row as unknown as Omit<Failure, 'url' | 'kept'> & PageColumns;
      const page = limit === null || offset === null ? {} : { page: { limit, offset } };
      return { ...failure, kept: kept === 1, url: urlOf({ kind: failure.kind, name: failure.name, ...page }, bases) };
    });
}

interface PageColumns {
  kept: number;
  page_limit: number | null;
  page_offset: number | null;
}

/** Asks for rows of media as `StoredMedia` has them. */
export const MEDIA = 'SELECT url, owner, kind, state, path, sha256, size, mimetype, status, cause, proven FROM media';

export function mediaRows(store: Store): StoredMedia[] {
  return statement(store, `${MEDIA} ORDER BY url`).all() as unknown as StoredMedia[];
}

export function mediaByUrl(store: Store, url: string): StoredMedia | undefined {
  return statement(store, `${MEDIA} WHERE url = ?`).get(url) as unknown as StoredMedia | undefined;
}

export function lastRun(store: Store): RunRow | undefined {
  return statement(store, 'SELECT id, started_at, finished_at, report FROM run ORDER BY id DESC LIMIT 1').get() as unknown as
    | RunRow
    | undefined;
}

/** The report that the last finished harvest left; its maker knows its shape. */
export function lastReport<Report>(store: Store): Report | undefined {
  const row = statement(store, 'SELECT report FROM run WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1').get();
  return typeof row?.['report'] === 'string' ? (JSON.parse(row['report']) as Report) : undefined;
}

/** What the snapshot holds: `author: 60, collection: 5, …`. Objects count under their model, a list's pages not at all. */
export function counts(store: Store): Record<string, number> {
  const rows = statement(
    store,
    `SELECT coalesce(model, kind) AS kind, count(*) AS count FROM resource
    WHERE response IS NOT NULL AND kind IN ('author', 'article', 'source', 'object') GROUP BY 1 ORDER BY 1`,
  ).all();
  return Object.fromEntries(rows.map((row) => [String(row['kind']), Number(row['count'])]));
}

/** How many resources the last run still has to ask for. */
export function queuedCount(store: Store): number {
  return (statement(store, `SELECT count(*) AS count FROM resource WHERE state = 'queued'`).get() as { count: number }).count;
}
