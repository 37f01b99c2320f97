/** Changes a snapshot as a harvest of changed records does. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Json = Record<string, unknown>;

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
