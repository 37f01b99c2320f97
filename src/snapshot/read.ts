/** What build, serve, status and verify read from a snapshot. Bodies come back as they were received. */
import { type ListPage, readListPage } from '../model/lists.ts';
import { type Bases, keyOf, type Resource, type ResourceKind } from '../model/resources.ts';
import { type Store, statement } from './store.ts';

/** A stored body. `fetchedAt` is ISO 8601 in UTC. */
export interface StoredBody {
  key: string;
  name: string;
  url: string;
  fetchedAt: string;
  sha256: string;
  body: Uint8Array;
}

/** A resource that could not be had. */
export interface Failure {
  key: string;
  kind: ResourceKind;
  name: string;
  status: number | null;
  cause: string;
  attempts: number;
  referrer: string | null;
}

export interface StoredMedia {
  url: string;
  owner: string;
  kind: string;
  state: 'stored' | 'failed';
  path: string | null;
  sha256: string | null;
  size: number | null;
  mimetype: string | null;
  status: number | null;
  cause: string | null;
}

export interface RunRow {
  id: number;
  started_at: string;
  finished_at: string | null;
  report: string | null;
}

const BODY = `SELECT r.key, r.name, p.url, p.fetched_at AS fetchedAt, p.sha256, p.body
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
  return statement(store, `${BODY} WHERE r.key = ?`).get(keyOf({ kind, name })) as unknown as StoredBody | undefined;
}

/** What the last good body of a resource says, parsed; undefined where there is none, or it is no JSON. */
export function payloadOf(store: Store, kind: ResourceKind, name: string): unknown {
  const stored = bodyOf(store, kind, name);
  return stored && parseBody(stored.body);
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
 * The members of a list, each once, in the server's order: from the pages that the list's last harvest read.
 * `identity` names a member; members without one are left out.
 */
export function listItems(store: Store, kind: 'authors' | 'children' | 'files', name: string): Record<string, unknown>[] {
  const rows = statement(
    store,
    `SELECT p.body FROM resource r JOIN response p ON p.id = r.response
    WHERE r.kind = ? AND r.name = ? AND r.run = (SELECT max(run) FROM resource WHERE kind = ? AND name = ? AND response IS NOT NULL)
    ORDER BY r.page_limit DESC, r.page_offset`,
  ).all(kind, name, kind, name);
  const items = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    for (const item of readListPage(parseBody(row['body'] as Uint8Array))?.items ?? []) {
      const identity = item['id'] ?? item['title'];
      if (typeof identity === 'string' && !items.has(identity)) items.set(identity, item);
    }
  }
  return [...items.values()];
}

/** The pages of lists that one run has read. */
export function* pagesOfRun(store: Store, run: number): Generator<{ resource: Resource; page: ListPage }> {
  // Prepared anew: a generator holds its statement until it is done.
  const rows = store.db
    .prepare(
      `SELECT r.kind, r.name, r.page_limit, r.page_offset, p.body FROM resource r JOIN response p ON p.id = r.response
    WHERE r.kind IN ('authors', 'children', 'files') AND r.state = 'stored' AND r.run = ?`,
    )
    .iterate(run);
  for (const row of rows) {
    const page = readListPage(parseBody(row['body'] as Uint8Array));
    if (!page) continue;
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

/** Parses a stored body as JSON: UTF-8, bad bytes replaced; undefined when it is no JSON. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined; // the harvest has reported such a body; every reader treats it as “no record”
  }
}

export function failures(store: Store): Failure[] {
  return statement(
    store,
    `SELECT key, kind, name, status, cause, attempts, referrer FROM resource WHERE state = 'failed' ORDER BY key`,
  ).all() as unknown as Failure[];
}

export function mediaRows(store: Store): StoredMedia[] {
  return statement(
    store,
    'SELECT url, owner, kind, state, path, sha256, size, mimetype, status, cause FROM media ORDER BY url',
  ).all() as unknown as StoredMedia[];
}

export function mediaByUrl(store: Store, url: string): StoredMedia | undefined {
  return statement(
    store,
    'SELECT url, owner, kind, state, path, sha256, size, mimetype, status, cause FROM media WHERE url = ?',
  ).get(url) as unknown as StoredMedia | undefined;
}

export function lastRun(store: Store): RunRow | undefined {
  return statement(store, 'SELECT id, started_at, finished_at, report FROM run ORDER BY id DESC LIMIT 1').get() as unknown as
    | RunRow
    | undefined;
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
