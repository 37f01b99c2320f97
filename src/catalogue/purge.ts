/** Takes records out of a snapshot for good: their bodies, old versions and files, with everything below them, and their entries in lists. */
import { hash } from 'node:crypto';
import { UserError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { idsInSource } from '../model/mentions.ts';
import { LIST_KINDS, resourceInKey } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { containedIn } from '../platform/contained.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { removeMedia } from '../snapshot/media-files.ts';
import { basesOf, bodiesOf, mediaRows, namesOf, parseBody, type StoredMedia } from '../snapshot/read.ts';
import { forgetInReport } from '../snapshot/report-file.ts';
import { integer, isSha256, texts } from '../snapshot/rows.ts';
import { type Store, transaction } from '../snapshot/store.ts';
import { redactionMarker, type WithdrawnResources, withdrawnBy } from '../snapshot/withdrawn.ts';
import { withdrawnUrls } from './view.ts';

/** What a purge takes out. */
export interface PurgePlan {
  /** IDs of records: those that were named, and all below them. */
  records: string[];
  /** Names of sources of the guide that came from these records. */
  sources: string[];
  /** Rows of media that go. */
  media: StoredMedia[];
  /** Files that stay, since another record has the same bytes. */
  sharedFiles: number;
  /** Names of guide pages and authors whose text links to one of the records: they stay as they are. */
  mentioned: string[];
}

export interface Purged {
  records: number;
  /** Bodies, old versions included. */
  bodies: number;
  /** Files, and their bytes. */
  files: number;
  bytes: number;
  /** Bodies of lists that the records' entries were taken out of. */
  lists: number;
  /** SHA-256 of the files: what was made of them can be deleted too. */
  sha256: string[];
}

/** @throws UserError for an ID that the snapshot does not know. */
export function planPurge(store: Store, ids: readonly string[]): PurgePlan {
  const known = namesOf(store, 'object').filter(isObjectId);
  const { of: above } = createAncestry(store);
  const named = new Set(ids);
  const records = known.filter((id) => [...above(id)].some((one) => named.has(one)));
  const unknown = ids.find((id) => !records.some((one) => above(one).has(id)));
  if (unknown !== undefined) throw new UserError(`The snapshot knows no record ${unknown}: nothing was purged.`);
  const gone = new Set(records);
  const bases = basesOf(store);
  const sources = [...bodiesOf(store, 'source')].flatMap((stored) => {
    const payload = parseBody(stored);
    return isObject(payload) && idsInSource(payload, stored.name, bases).some((id) => gone.has(id)) ? [stored.name] : [];
  });
  const urls = withdrawnUrls(store, (id) => gone.has(id));
  const rows = mediaRows(store);
  const media = rows.filter(({ url, owner }) => urls.has(url) || gone.has(owner));
  const leaving = new Set(media.map(({ url }) => url));
  const staying = new Set(rows.flatMap(({ url, path }) => (path !== null && !leaving.has(url) ? [path] : [])));
  const mentioned = (['article', 'author'] as const).flatMap((kind) =>
    [...bodiesOf(store, kind)].filter(({ body }) => records.some((id) => Buffer.from(body).includes(id))).map(({ name }) => name),
  );
  return {
    records,
    sources,
    media,
    sharedFiles: new Set(media.flatMap(({ path }) => (path !== null && staying.has(path) ? [path] : []))).size,
    mentioned,
  };
}

/** `store` must be open for writing. When this returns, the database has been rewritten without what was purged. */
export function purge(store: Store, plan: PurgePlan, { reason, now }: { reason: string; now: string }): Purged {
  const { db } = store;
  const keys = new Set([...plan.records.map((id) => `object:${id}`), ...plan.sources.map((name) => `source:${name}`)]);
  const withdrawn = withdrawnBy(keys, basesOf(store));
  db.exec('PRAGMA secure_delete = ON');
  const purged = transaction(db, () => {
    const bodies = deleteResources(store, withdrawn);
    const lists = redactLists(store, withdrawn, now);
    const files = deleteMedia(store, plan.media);
    deleteUses(store, plan);
    const note = db.prepare('INSERT OR REPLACE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
    for (const key of keys) note.run(key, now, reason);
    return { bodies, lists, files };
  });
  const inside = containedIn(store.dir);
  for (const { path } of purged.files) removeMedia(inside, path);
  for (const folder of new Set(purged.files.map(({ path }) => path.slice(0, path.lastIndexOf('/')))))
    inside.removeEmptyFolders(folder);
  forgetInReport(store.dir, plan.records);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  return {
    records: plan.records.length,
    bodies: purged.bodies,
    files: purged.files.length,
    bytes: purged.files.reduce((sum, { size }) => sum + size, 0),
    lists: purged.lists,
    sha256: [...new Set(purged.files.flatMap(({ sha256 }) => (isSha256(sha256) ? [sha256] : [])))],
  };
}

/** Deletes the rows of purged resources and all of their bodies. Returns how many bodies. */
function deleteResources({ db }: Store, withdrawn: WithdrawnResources): number {
  const keysIn = (table: string) =>
    db
      .prepare(`SELECT DISTINCT key FROM ${table}`)
      .all()
      .map(({ key }) => String(key))
      .filter((key) => withdrawn.has(resourceInKey(key)));
  const dropRow = db.prepare('DELETE FROM resource WHERE key = ?');
  for (const key of keysIn('resource')) dropRow.run(key);
  const dropBodies = db.prepare('DELETE FROM response WHERE key = ?');
  const bodies = keysIn('response').reduce((sum, key) => sum + Number(dropBodies.run(key).changes), 0);
  db.exec('DELETE FROM redaction WHERE response NOT IN (SELECT id FROM response)');
  return bodies;
}

/** Takes the entries of purged records out of stored lists, old versions included. Returns how many bodies changed. */
function redactLists({ db }: Store, withdrawn: WithdrawnResources, now: string): number {
  const update = db.prepare('UPDATE response SET body = ?, sha256 = ?, headers = ? WHERE id = ?');
  const markRedacted = redactionMarker(db);
  const kinds = LIST_KINDS.map((kind) => `key GLOB '${kind}:*'`).join(' OR ');
  const ids = db.prepare(`SELECT ${integer('id')} FROM response WHERE ${kinds}`).all();
  const read = db.prepare('SELECT key, headers, body FROM response WHERE id = ?');
  let changed = 0;
  for (const { id } of ids) {
    if (typeof id !== 'number') continue;
    const row = read.get(id);
    if (!row || !(row['body'] instanceof Uint8Array)) continue;
    const { kind } = resourceInKey(String(row['key']));
    const redacted = withdrawn.redact(kind, { body: row['body'], headers: headersIn(row['headers']) });
    if (!redacted) continue;
    markRedacted(id, now, row['body']);
    update.run(redacted.body, hash('sha256', redacted.body), JSON.stringify(redacted.headers), id);
    changed++;
  }
  return changed;
}

function headersIn(json: unknown): Record<string, string> {
  try {
    const read: unknown = JSON.parse(String(json));
    return isObject(read) ? (read as Record<string, string>) : {};
  } catch {
    return {}; // a body whose headers are no JSON is read as UTF-8
  }
}

/** Deletes rows of media, remembers their URLs, and gives the files that no URL has any more. */
function deleteMedia({ db }: Store, rows: readonly StoredMedia[]): Array<{ path: string; size: number; sha256: string | null }> {
  const remember = db.prepare('INSERT OR IGNORE INTO withdrawn_url (sha256) VALUES (?)');
  const drops = ['media', 'download'].map((table) => db.prepare(`DELETE FROM ${table} WHERE url = ?`));
  const parts = db.prepare('SELECT path FROM download WHERE url = ?');
  const files = new Map<string, { path: string; size: number; sha256: string | null }>();
  for (const { url, path, size, sha256 } of rows) {
    if (path !== null) files.set(path, { path, size: size ?? 0, sha256 });
    const part = parts.get(url)?.['path'];
    if (typeof part === 'string') files.set(part, { path: part, size: 0, sha256: null });
    remember.run(hash('sha256', url));
    for (const drop of drops) drop.run(url);
  }
  const named = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const orphans = [...files.values()].filter(({ path }) => named.get(path) === undefined);
  const drop = db.prepare('DELETE FROM blob WHERE path = ?');
  for (const { path } of orphans) drop.run(path);
  return orphans;
}

/** Deletes what is known of the files that purged records name, and of the records that name purged files. */
function deleteUses({ db }: Store, { records, media }: Pick<PurgePlan, 'records' | 'media'>): void {
  const [gone, urls] = [new Set(records), new Set(media.map(({ url }) => url))];
  const uses = db.prepare(`SELECT ${texts('record', 'url')} FROM usage`).all();
  const drop = db.prepare('DELETE FROM usage WHERE record = ? AND url = ?');
  for (const { record, url } of uses)
    if (typeof record === 'string' && typeof url === 'string' && (gone.has(record) || urls.has(url))) drop.run(record, url);
}
