/** Purges records: permanently deletes them, everything below them, their versions, their files and their list entries from a snapshot. */
import { hash } from 'node:crypto';
import { UserError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { extractIdsFromSource } from '../model/mentions.ts';
import { LIST_KINDS, parseResourceKey } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { deleteMediaFile } from '../snapshot/media-files.ts';
import { parseBody, readBaseUrls, readBodies, readMediaRows, readResourceNames } from '../snapshot/read.ts';
import { deleteFromReport } from '../snapshot/report-file.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import { integer, isSha256, texts } from '../snapshot/rows.ts';
import { runTransaction, type Store } from '../snapshot/store.ts';
import { createRedactionMarker, createWithdrawnResources, type WithdrawnResources } from '../snapshot/withdrawn.ts';
import { findWithdrawnUrls } from './visible-store.ts';

/** What a purge would delete. */
export interface PurgePlan {
  /** IDs of the given records and of all records below them. */
  records: string[];
  /** Names of the sources that refer to these records. */
  sources: string[];
  /** Rows of media that would be deleted. */
  media: StoredMedia[];
  /** Number of files that remain because another record has the same bytes. */
  sharedFiles: number;
  /** Names of guide pages and authors whose text mentions one of the records. Their text remains unchanged. */
  mentioned: string[];
}

/** What a purge deleted. */
export interface Purged {
  /** Number of records. */
  records: number;
  /** Number of bodies, including earlier versions. */
  bodies: number;
  /** Number of files. */
  files: number;
  /** Bytes of these files. */
  bytes: number;
  /** Number of list bodies from which entries of the records were removed. */
  lists: number;
  /** SHA-256 of the files. Derivatives made from them can be deleted too. */
  sha256: string[];
}

/**
 * Plans a purge without changing anything.
 * @throws {UserError} if the snapshot does not contain one of the IDs.
 */
export function planPurge(store: Store, ids: readonly string[]): PurgePlan {
  const known = readResourceNames(store, 'object').filter(isObjectId);
  const { idsOf: ancestorsOf } = createAncestry(store);
  const given = new Set(ids);
  const records = known.filter((id) => [...ancestorsOf(id)].some((ancestor) => given.has(ancestor)));
  const unknown = ids.find((id) => !records.some((record) => ancestorsOf(record).has(id)));
  if (unknown !== undefined) throw new UserError(`The snapshot has no record ${unknown}. Nothing was purged.`);
  const purgedIds = new Set(records);
  const baseUrls = readBaseUrls(store);
  const sources = [...readBodies(store, 'source')].flatMap((stored) => {
    const payload = parseBody(stored);
    return isObject(payload) && extractIdsFromSource(payload, stored.name, baseUrls).some((id) => purgedIds.has(id))
      ? [stored.name]
      : [];
  });
  const urls = findWithdrawnUrls(store, (id) => purgedIds.has(id));
  const rows = readMediaRows(store);
  const media = rows.filter(({ url, owner }) => urls.has(url) || purgedIds.has(owner));
  const deletedUrls = new Set(media.map(({ url }) => url));
  const remainingPaths = new Set(rows.flatMap(({ url, path }) => (path !== null && !deletedUrls.has(url) ? [path] : [])));
  const mentioned = (['article', 'author'] as const).flatMap((kind) =>
    [...readBodies(store, kind)]
      .filter(({ body }) => records.some((id) => Buffer.from(body).includes(id)))
      .map(({ name }) => name),
  );
  return {
    records,
    sources,
    media,
    sharedFiles: new Set(media.flatMap(({ path }) => (path !== null && remainingPaths.has(path) ? [path] : []))).size,
    mentioned,
  };
}

/** Carries out a plan. `store` must be open for writing. Afterwards, the database file contains nothing that was purged. */
export function purge(store: Store, plan: PurgePlan, { reason, now }: { reason: string; now: string }): Purged {
  const { db } = store;
  const keys = new Set([...plan.records.map((id) => `object:${id}`), ...plan.sources.map((name) => `source:${name}`)]);
  const withdrawn = createWithdrawnResources(keys, readBaseUrls(store));
  db.exec('PRAGMA secure_delete = ON');
  const purged = runTransaction(db, () => {
    const bodies = deleteResources(store, withdrawn);
    const lists = redactLists(store, withdrawn, now);
    const files = deleteMedia(store, plan.media);
    deleteUses(store, plan);
    const note = db.prepare('INSERT OR REPLACE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
    for (const key of keys) note.run(key, now, reason);
    return { bodies, lists, files };
  });
  const safeDir = toSafeDirectory(store.dir);
  for (const { path } of purged.files) deleteMediaFile(safeDir, path);
  for (const directory of new Set(purged.files.map(({ path }) => path.slice(0, path.lastIndexOf('/')))))
    safeDir.deleteEmptyDirectories(directory);
  deleteFromReport(store.dir, plan.records);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  return {
    records: plan.records.length,
    bodies: purged.bodies,
    files: purged.files.length,
    bytes: purged.files.reduce((total, { size }) => total + size, 0),
    lists: purged.lists,
    sha256: [...new Set(purged.files.flatMap(({ sha256 }) => (isSha256(sha256) ? [sha256] : [])))],
  };
}

/** Deletes the rows of purged resources and all of their bodies. Returns the number of bodies. */
function deleteResources({ db }: Store, withdrawn: WithdrawnResources): number {
  const keysIn = (table: string) =>
    db
      .prepare(`SELECT DISTINCT key FROM ${table}`)
      .all()
      .map(({ key }) => String(key))
      .filter((key) => withdrawn.has(parseResourceKey(key)));
  const deleteRow = db.prepare('DELETE FROM resource WHERE key = ?');
  for (const key of keysIn('resource')) deleteRow.run(key);
  const deleteBodies = db.prepare('DELETE FROM response WHERE key = ?');
  const bodies = keysIn('response').reduce((total, key) => total + Number(deleteBodies.run(key).changes), 0);
  db.exec(`DELETE FROM redaction WHERE response NOT IN (SELECT id FROM response);
    DELETE FROM exchange WHERE response IS NOT NULL AND response NOT IN (SELECT id FROM response)`);
  return bodies;
}

/** Removes the entries of purged records from stored lists, including earlier versions. Returns the number of changed bodies. */
function redactLists({ db }: Store, withdrawn: WithdrawnResources, now: string): number {
  const update = db.prepare('UPDATE response SET body = ?, sha256 = ?, headers = ? WHERE id = ?');
  const markRedacted = createRedactionMarker(db);
  const kinds = LIST_KINDS.map((kind) => `key GLOB '${kind}:*'`).join(' OR ');
  const ids = db.prepare(`SELECT ${integer('id')} FROM response WHERE ${kinds}`).all();
  const read = db.prepare('SELECT key, headers, body FROM response WHERE id = ?');
  let changed = 0;
  for (const { id } of ids) {
    if (typeof id !== 'number') continue;
    const row = read.get(id);
    if (!row || !(row['body'] instanceof Uint8Array)) continue;
    const { kind } = parseResourceKey(String(row['key']));
    const redacted = withdrawn.redact(kind, { body: row['body'], headers: parseHeaders(row['headers']) });
    if (!redacted) continue;
    markRedacted(id, now, row['body']);
    update.run(redacted.body, hash('sha256', redacted.body), JSON.stringify(redacted.headers), id);
    changed++;
  }
  return changed;
}

function parseHeaders(json: unknown): Record<string, string> {
  try {
    const read: unknown = JSON.parse(String(json));
    return isObject(read) ? (read as Record<string, string>) : {};
  } catch {
    return {}; // without readable headers, the body is decoded as UTF-8
  }
}

/** Deletes rows of media, remembers hashes of their URLs, and returns the files that no URL refers to any more. */
function deleteMedia({ db }: Store, rows: readonly StoredMedia[]): Array<{ path: string; size: number; sha256: string | null }> {
  const remember = db.prepare('INSERT OR IGNORE INTO withdrawn_url (sha256) VALUES (?)');
  const deletions = [
    'DELETE FROM media WHERE url = ?',
    'DELETE FROM download WHERE url = ?',
    'DELETE FROM exchange WHERE media = ?',
  ].map((sql) => db.prepare(sql));
  const partialFiles = db.prepare('SELECT path FROM download WHERE url = ?');
  const files = new Map<string, { path: string; size: number; sha256: string | null }>();
  for (const { url, path, size, sha256 } of rows) {
    if (path !== null) files.set(path, { path, size: size ?? 0, sha256 });
    const partialFile = partialFiles.get(url)?.['path'];
    if (typeof partialFile === 'string') files.set(partialFile, { path: partialFile, size: 0, sha256: null });
    remember.run(hash('sha256', url));
    for (const deletion of deletions) deletion.run(url);
  }
  const findUse = db.prepare('SELECT 1 FROM media WHERE path = ?');
  const orphans = [...files.values()].filter(({ path }) => findUse.get(path) === undefined);
  const deleteBlob = db.prepare('DELETE FROM blob WHERE path = ?');
  for (const { path } of orphans) deleteBlob.run(path);
  return orphans;
}

/** Deletes the uses of files by purged records, and of purged files by other records. */
function deleteUses({ db }: Store, { records, media }: Pick<PurgePlan, 'records' | 'media'>): void {
  const [purged, urls] = [new Set(records), new Set(media.map(({ url }) => url))];
  const uses = db.prepare(`SELECT ${texts('record', 'url')} FROM usage`).all();
  const deleteUse = db.prepare('DELETE FROM usage WHERE record = ? AND url = ?');
  for (const { record, url } of uses)
    if (typeof record === 'string' && typeof url === 'string' && (purged.has(record) || urls.has(url)))
      deleteUse.run(record, url);
}
