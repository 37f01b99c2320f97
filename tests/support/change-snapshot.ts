/** Changes a snapshot as a harvest of changed records does. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A body or a part of it. */
export type Json = Record<string, unknown>;

/** When changes are received. */
export const LATER = '2027-02-03T04:05:06.000Z';

/** Opens the database of the snapshot in a directory, to change it. Returns what `change` returns. */
export function changeSnapshot<Result>(directory: string, change: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(join(directory, 'snapshot.sqlite'));
  try {
    return change(db);
  } finally {
    db.close();
  }
}

/** Replaces the body of a resource, given its key. */
export function rewriteBody(db: DatabaseSync, key: string, change: (payload: Json) => Json): void {
  const { id, body } = db
    .prepare('SELECT p.id, p.body FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?')
    .get(key) as unknown as { id: number; body: Uint8Array };
  const changed = Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(body).toString()) as Json)));
  db.prepare('UPDATE response SET body = ?, sha256 = ? WHERE id = ?').run(changed, hash('sha256', changed), id);
}

/** Returns the latest body of a resource; empty if it has none, or one that cannot be parsed. */
export function bodyOf(db: DatabaseSync, key: string): Json {
  const row = db.prepare('SELECT p.body FROM resource r JOIN response p ON p.id = r.response WHERE r.key = ?').get(key);
  try {
    return JSON.parse(Buffer.from((row?.['body'] ?? '{}') as Uint8Array).toString()) as Json;
  } catch {
    return {}; // the sample has bodies that are not JSON
  }
}

/** Stores a body as the latest version of a resource, which is new if it has none. */
export function storeBody(db: DatabaseSync, key: string, body: Json): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const [kind = '', ...rest] = key.split(':');
  const { lastInsertRowid } = db
    .prepare(`INSERT INTO response (key, url, fetched_at, status, headers, sha256, body) VALUES (?, ?, ?, 200, '{}', ?, ?)`)
    .run(key, `http://127.0.0.1/${encodeURIComponent(key)}`, LATER, hash('sha256', bytes), bytes);
  db.prepare(`INSERT OR IGNORE INTO resource (key, kind, name, state, run) VALUES (?, ?, ?, 'stored', 1)`).run(
    ...([key, kind, rest.join(':')] as const),
  );
  db.prepare(`UPDATE resource SET response = ?, state = 'stored', cause = NULL, removed_at = NULL WHERE key = ?`).run(
    lastInsertRowid,
    key,
  );
}

/** Adds copies of a record to its collection, under new IDs. */
export function addCopies(db: DatabaseSync, [of, count]: readonly [string, number]): void {
  const body = bodyOf(db, `object:${of}`);
  const collection = of.slice(0, of.lastIndexOf('-'));
  for (let n = 0; n < count; n++) {
    const id = `${collection}-${900 + n}`;
    storeBody(db, `object:${id}`, { ...body, id, breadcrumbs: [], title: `${String(body['title'])}, copy ${n}`, sort: 900 + n });
  }
}
