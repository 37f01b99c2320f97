/** Purges records: permanently deletes them, all below them, their versions, files and list entries from a snapshot. */
import { hash } from 'node:crypto';
import { UserError } from '../model/errors.ts';
import { isObjectId } from '../model/ids.ts';
import { tryParse } from '../model/json.ts';
import { recordBasePath } from '../model/media/media-kinds.ts';
import { extractIdsFromSource } from '../model/mentions.ts';
import { LIST_KINDS, narratorPath, parseResourceKey } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import {
  findOrphanFiles,
  finishDeletions,
  hasPendingDeletions,
  markForDeletion,
  readPendingDeletions,
  UNFINISHED_PURGE_META_KEY,
} from '../snapshot/deletions.ts';
import { readAllNarrators } from '../snapshot/narrators.ts';
import { parseBody, readBaseUrls, readBodies, readMediaRows, readResourceNames } from '../snapshot/read.ts';
import { integer, selectTexts, texts } from '../snapshot/rows.ts';
import { runTransaction, type Store } from '../snapshot/store.ts';
import {
  createRedactionMarker,
  createWithdrawnResources,
  readWithdrawn,
  type WithdrawnResources,
} from '../snapshot/withdrawn.ts';
import { createNarratorFilter } from './people/narrators.ts';
import { findWithdrawnUrls } from './read/visible-store.ts';

/** A file that a purge deletes. */
export interface PurgedFile {
  /** Bytes; 0 if the file is not complete. */
  size: number;
  /** Undefined if the file is not complete. Derivatives are named after it. */
  sha256: string | undefined;
}

/** What a purge would delete. */
export type PurgePlan = ReturnType<typeof planPurge>;

/** How much a purge deleted. */
export type Purged = ReturnType<typeof purge>;

/**
 * Plans a purge without changing anything.
 * @throws {UserError} if the snapshot does not contain one of the IDs.
 */
export function planPurge(store: Store, ids: readonly string[]) {
  const known = readResourceNames(store, 'object').filter(isObjectId);
  const { idsOf: ancestorsOf } = createAncestry(store);
  const given = new Set(ids);
  const records = known.filter((id) => [...ancestorsOf(id)].some((ancestor) => given.has(ancestor)));
  const withdrawn = readWithdrawn(store);
  const unknown = ids.find(
    (id) => !records.some((record) => ancestorsOf(record).has(id)) && !withdrawn.has({ kind: 'object', name: id }),
  );
  if (unknown !== undefined) throw new UserError(`The snapshot has no record ${unknown}. Nothing was purged.`);
  const purgedIds = new Set(records);
  const baseUrls = readBaseUrls(store);
  const sources = [...readBodies(store, 'source')].flatMap((stored) => {
    const payload = parseBody(stored);
    return isObject(payload) && extractIdsFromSource(payload, stored.name, baseUrls).some((id) => purgedIds.has(id))
      ? [stored.name]
      : [];
  });
  const allNarrators = [...readAllNarrators(store).values()];
  const isNarratorPurged =
    records.length === 0 || allNarrators.length === 0
      ? () => false
      : createNarratorFilter(store, (id) => purgedIds.has(id), false);
  const narrators = allNarrators.filter(({ id }) => isNarratorPurged(narratorPath(id)));
  const rows = readMediaRows(store);
  const urls = new Set(findWithdrawnUrls(store, (id) => purgedIds.has(id)));
  for (const { portrait } of narrators) if (portrait !== undefined) urls.add(portrait);
  const purgedNames = new Set([...records, ...sources]);
  for (const { url, owner } of rows) if (purgedNames.has(owner)) urls.add(url);
  const { deleted = [], remaining = [] } = Object.groupBy(rows, ({ url }) => (urls.has(url) ? 'deleted' : 'remaining'));
  const remainingPaths = new Set(remaining.map(({ path }) => path));
  const files = new Map<string, PurgedFile>(findPartialFiles(store, [...purgedNames], urls).map((path) => [path, PARTIAL_FILE]));
  for (const { path, size, sha256 } of deleted)
    if (path !== null && !remainingPaths.has(path)) files.set(path, { size: size ?? 0, sha256: sha256 ?? undefined });
  const mentioned = (['article', 'author'] as const).flatMap((kind) =>
    [...readBodies(store, kind)]
      .filter(({ body }) => [...ids, ...records].some((id) => Buffer.from(body).includes(id)))
      .map(({ name }) => name),
  );
  return {
    /** Whether an earlier purge is not finished. */
    isUnfinished: hasPendingDeletions(store),
    /** IDs of the given records and of all records below them. Empty if all were purged before. */
    records,
    /** Names of the sources that refer to these records. */
    sources,
    /** Names of the resources of narrators whom only these records name. */
    narrators: narrators.map(({ id }) => narratorPath(id)),
    /** URLs of their media files, downloaded or not. */
    urls,
    /** Files that would be deleted, also partial ones, by path. */
    files,
    /** Number of files that remain because another record has the same bytes. */
    sharedFiles: new Set(deleted.map(({ path }) => path).filter((path) => path !== null && remainingPaths.has(path))).size,
    /** Names of guide pages and authors whose text mentions one of the records. Their text remains unchanged. */
    mentioned,
  };
}

const PARTIAL_FILE: PurgedFile = { size: 0, sha256: undefined };

/** Returns the partial files of URLs, and the files of records that a killed run of `media` left without a row. */
function findPartialFiles(store: Store, records: readonly string[], urls: ReadonlySet<string>): string[] {
  const downloads = store.db.prepare(`SELECT ${texts('url', 'path')} FROM download`).all();
  const partial = downloads.filter(({ url }) => urls.has(String(url))).map(({ path }) => String(path));
  const bases = new Set(records.map(recordBasePath));
  return [...partial, ...findOrphanFiles(store).filter((path) => bases.has(/^[^/]+\/([^.]+)/.exec(path)?.[1] ?? ''))];
}

/**
 * Carries out a plan, and deletes what an earlier purge could not. `store` must be open for writing. If nothing is pending, the
 * snapshot contains nothing that was purged. An interrupted purge is finished by the next call, whose plan may be empty.
 */
export function purge(store: Store, plan: PurgePlan, { reason, now }: { reason: string; now: string }) {
  const { db } = store;
  const named = { object: plan.records, source: plan.sources, narrator: plan.narrators };
  const keys = new Set(Object.entries(named).flatMap(([kind, names]) => names.map((name) => `${kind}:${name}`)));
  const withdrawn = createWithdrawnResources(keys, readBaseUrls(store));
  db.exec('PRAGMA secure_delete = ON');
  const purgeRows = () => {
    const bodies = deleteResources(store, withdrawn);
    const lists = redactLists(store, withdrawn, now);
    deleteMedia(store, plan);
    deleteUses(store, plan);
    const note = db.prepare('INSERT OR REPLACE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
    for (const key of keys) note.run(key, now, reason);
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(UNFINISHED_PURGE_META_KEY, now);
    return { bodies, lists };
  };
  const purged = plan.records.length === 0 ? { bodies: 0, lists: 0 } : runTransaction(db, purgeRows);
  /** What could not be deleted yet and what to do, as sentences. The same purge, or the next harvest, tries again. */
  const pending = finishDeletions(store);
  const files = new Map(plan.files);
  for (const path of readPendingDeletions(store).files) files.delete(path);
  return { records: plan.records.length, ...purged, files: files.size, bytes: bytesOf({ files }), pending };
}

/** Returns the total size of the files of a plan. */
export function bytesOf({ files }: Pick<PurgePlan, 'files'>): number {
  return [...files.values()].reduce((total, { size }) => total + size, 0);
}

/** Deletes the rows of purged resources and all of their bodies. Returns the number of bodies. */
function deleteResources({ db }: Store, withdrawn: WithdrawnResources): number {
  const keysIn = (table: string) =>
    selectTexts(db, `SELECT DISTINCT key FROM ${table}`).filter((key) => withdrawn.has(parseResourceKey(key)));
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
  const read = tryParse(String(json));
  return isObject(read) ? (read as Record<string, string>) : {}; // without readable headers, the body is decoded as UTF-8
}

/** Deletes rows of media, remembers hashes of their URLs, and marks their files for deletion. */
function deleteMedia({ db }: Store, { urls, files }: Pick<PurgePlan, 'urls' | 'files'>): void {
  const remember = db.prepare('INSERT OR IGNORE INTO withdrawn_url (sha256) VALUES (?)');
  const deletions = [
    'DELETE FROM media WHERE url = ?',
    'DELETE FROM download WHERE url = ?',
    'DELETE FROM exchange WHERE media = ?',
  ].map((sql) => db.prepare(sql));
  for (const url of urls) {
    remember.run(hash('sha256', url));
    for (const deletion of deletions) deletion.run(url);
  }
  const deleteBlob = db.prepare('DELETE FROM blob WHERE path = ?');
  for (const path of files.keys()) deleteBlob.run(path);
  markForDeletion(db, files.keys());
}

/** Deletes the uses of files by purged records, and of purged files by other records. */
function deleteUses({ db }: Store, { records, sources, urls }: Pick<PurgePlan, 'records' | 'sources' | 'urls'>): void {
  const purged = new Set([...records, ...sources]);
  const uses = db.prepare(`SELECT ${texts('record', 'url')} FROM usage`).all();
  const deleteUse = db.prepare('DELETE FROM usage WHERE record = ? AND url = ?');
  for (const { record, url } of uses)
    if (typeof record === 'string' && typeof url === 'string' && (purged.has(record) || urls.has(url)))
      deleteUse.run(record, url);
}
