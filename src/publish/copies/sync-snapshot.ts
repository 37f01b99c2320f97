/**
 * Brings a copy of a snapshot up to date with another one: the database as a whole, and the media files that differ. Nothing that
 * only the copy has is lost, and nothing that was purged from it comes back. Both are untrusted.
 */
import { realpathSync, renameSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../../model/errors.ts';
import { parseResourceKey } from '../../model/resources.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import { formatCount, listNames } from '../../platform/text-lines.ts';
import { deleteMarkedFiles, markForDeletion } from '../../snapshot/deletions.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { DATABASE_FILE } from '../../snapshot/file-names.ts';
import { statMediaFile } from '../../snapshot/media-files.ts';
import { isWithdrawnUrl } from '../../snapshot/purged.ts';
import { readMediaRows } from '../../snapshot/read.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import {
  createSnapshot,
  hasSnapshot,
  lend,
  lockSnapshot,
  openSnapshot,
  runTransaction,
  type SnapshotLock,
  type Store,
} from '../../snapshot/store.ts';
import { readWithdrawn } from '../../snapshot/withdrawn.ts';
import { readWithheldFile, type WithheldFile, writeWithheldFile } from '../../snapshot/withheld-file.ts';
import { describeArchive, isSameArchive, readArchiveIdentity } from '../site-identity.ts';
import { writeVerified } from './copied-files.ts';
import type { SyncOptions } from './sync-site.ts';

/** The new database, until it replaces the old one. */
const NEW_DATABASE = `${DATABASE_FILE}-new`;
/** Names in messages. */
const MAX_NAMES = 3;

/**
 * Makes the snapshot in the directory `to` the same as that in `from`. Returns numbers of media files, and in `damaged` the paths
 * of those that could not be copied, because they are missing or corrupted in `from`.
 * @throws {UserError} if `to` has another archive, or something that `from` does not have
 */
export async function syncSnapshot(from: string, to: string, { force, onProgress }: SyncOptions) {
  using source = openSnapshot(from);
  using lock = lockSnapshot(to);
  if (realpathSync(from) === realpathSync(to)) throw new UserError('Both names are of the same snapshot.');
  const withheld = mergeWithheld(from, to);
  const safeDir = toSafeDirectory(to);
  for (const name of [NEW_DATABASE, `${NEW_DATABASE}-journal`]) safeDir.delete(name);
  const newFile = join(safeDir.root, NEW_DATABASE);
  const { media, missing, damaged, obsolete } = await stage(source, to, newFile, { lock, force, onProgress });
  if (withheld) writeWithheldFile(to, withheld);
  renameSync(newFile, join(safeDir.root, DATABASE_FILE));
  syncDirectory(safeDir.root);
  using updated = createSnapshot(to, lend(lock));
  const failed = deleteMarkedFiles(updated);
  return {
    files: media.size,
    bytes: [...media.values()].reduce((total, { size }) => total + (size ?? 0), 0),
    copied: missing.length - damaged.length,
    unchanged: media.size - missing.length,
    removed: obsolete.length - failed.length,
    damaged,
  };
}

/** Writes the new database next to the old one, and copies the media files that it names. */
async function stage(
  source: Store,
  to: string,
  newFile: string,
  { lock, force, onProgress }: SyncOptions & { lock: SnapshotLock },
) {
  using copy = hasSnapshot(to) ? openConsolidated(to, lock) : undefined;
  if (copy) assertMayReplace(source, copy, force);
  source.db.prepare('VACUUM INTO ?').run(newFile);
  const media = new Map(
    readMediaRows(source).flatMap((row) => (row.path === null || row.state === 'failed' ? [] : [[row.path, row] as const])),
  );
  const missing: StoredMedia[] = [];
  for (const row of media.values()) if (!(await isPresent(row, copy, to))) missing.push(row);
  const damaged: string[] = [];
  for (const [i, row] of missing.entries()) {
    if (!(await copyMedia(row, source.dir, to))) damaged.push(row.path as string);
    onProgress?.(i + 1, missing.length);
  }
  const obsolete = copy ? storedPaths(copy).filter((path) => !media.has(path)) : [];
  completeDatabase(newFile, copy, obsolete);
  return { media, missing, damaged, obsolete };
}

/** Opens a snapshot after SQLite has finished what an interrupted process left, so that its database is one file. */
function openConsolidated(dir: string, lock: SnapshotLock): Store {
  createSnapshot(dir, lend(lock)).close();
  return openSnapshot(dir);
}

function assertMayReplace(source: Store, copy: Store, force: boolean): void {
  const [own, present] = [readArchiveIdentity(source), readArchiveIdentity(copy)];
  if (!isSameArchive(own, present))
    throw new UserError(
      `${copy.dir} contains ${describeArchive(present)}, not ${describeArchive(own)}. Name the copy of the same archive.`,
    );
  const purged = readWithdrawn(copy);
  const returning = source.db
    .prepare('SELECT key FROM resource WHERE response IS NOT NULL')
    .all()
    .map(({ key }) => parseResourceKey(String(key)))
    .filter((resource) => purged.has(resource))
    .map(({ name }) => name);
  if (returning.length > 0)
    throw new UserError(
      `${copy.dir} does not have what was purged from it, but ${source.dir} still does: ${listNames([...new Set(returning)], MAX_NAMES)}. Run "microfiche purge" with their IDs and --snapshot ${source.dir}, then run this command again.`,
    );
  const [bodies, files] = [countLostBodies(source, copy), countLostMedia(source, copy)];
  if (bodies + files === 0 || force) return;
  const lost = [
    ...(bodies > 0 ? [formatCount(bodies, 'response body', 'response bodies')] : []),
    ...(files > 0 ? [formatCount(files, 'media file')] : []),
  ];
  throw new UserError(
    `${copy.dir} has ${lost.join(' and ')} that ${source.dir} does not have. If it is the newer one, name them in the other order. To lose what only it has, add --force.`,
  );
}

/** Returns how many bodies only the copy has, without those that were purged from the source or changed by a purge. */
function countLostBodies(source: Store, copy: Store): number {
  const purged = readWithdrawn(source);
  const find = source.db.prepare(
    `SELECT 1 FROM response WHERE key = ?1 AND (sha256 = ?2
    OR id IN (SELECT response FROM redaction WHERE received_sha256 = ?2))`,
  );
  const read = copy.db.prepare('SELECT headers, body FROM response WHERE id = ?');
  let lost = 0;
  for (const { id, key, sha256 } of copy.db.prepare('SELECT id, key, sha256 FROM response').iterate()) {
    const resource = parseResourceKey(String(key));
    if (find.get(key as string, sha256 as string) || purged.has(resource)) continue;
    const { headers, body } = read.get(id as number) as { headers: string; body: Uint8Array };
    if (!purged.claimsBody(resource, { headers: JSON.parse(headers), body })) lost++;
  }
  return lost;
}

/** Returns how many URLs have a file only in the copy, without those that were purged from the source. */
function countLostMedia(source: Store, copy: Store): number {
  const stored = new Set(readMediaRows(source).flatMap(({ url, state }) => (state === 'failed' ? [] : [url])));
  const isPurged = isWithdrawnUrl(source);
  return readMediaRows(copy).filter(({ url, state }) => state !== 'failed' && !stored.has(url) && !isPurged(url)).length;
}

/** Whether a file is in the copy: as its database says, or because an interrupted run of this command left it. */
async function isPresent({ path, sha256, size }: StoredMedia, copy: Store | undefined, to: string): Promise<boolean> {
  const safeDir = toSafeDirectory(to);
  if (statMediaFile(safeDir, path as string)?.size !== size) return false;
  const known = copy?.db.prepare('SELECT sha256 FROM blob WHERE path = ?').get(path)?.['sha256'];
  return known === sha256 || (await sha256OfFile(safeDir.resolve(path as string))) === sha256;
}

/** Copies a media file. Returns false if it is missing or damaged. */
async function copyMedia({ path, sha256 }: StoredMedia, from: string, to: string): Promise<boolean> {
  const [source, target] = [toSafeDirectory(from), path as string];
  if (!statMediaFile(source, target)) return false;
  const file = { partial: `${target}.part`, target, sha256: sha256 as string };
  return await writeVerified(toSafeDirectory(to), file, (partial) => copyFile(source.resolve(target), partial));
}

/** Returns the paths of the files that a snapshot names: stored, partly downloaded, or marked for deletion. */
function storedPaths({ db }: Store): string[] {
  return db
    .prepare('SELECT path FROM blob UNION SELECT path FROM download UNION SELECT path FROM orphan_file')
    .all()
    .map(({ path }) => String(path));
}

/** Adds what the copy alone knows to the new database: what was purged from it, and which of its files are to be deleted. */
function completeDatabase(file: string, copy: Store | undefined, obsolete: readonly string[]): void {
  using db = new DatabaseSync(file, { defensive: true });
  const insert = db.prepare('INSERT OR IGNORE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
  const insertUrl = db.prepare('INSERT OR IGNORE INTO withdrawn_url (sha256) VALUES (?)');
  const [records, urls] = ['key, withdrawn_at, reason FROM withdrawn', 'sha256 FROM withdrawn_url'].map(
    (what) => copy?.db.prepare(`SELECT ${what}`).all() ?? [],
  );
  runTransaction(db, () => {
    db.exec('DELETE FROM download; DELETE FROM orphan_file');
    for (const { key, withdrawn_at: at, reason } of records ?? []) insert.run(String(key), String(at), String(reason));
    for (const { sha256 } of urls ?? []) insertUrl.run(String(sha256));
    markForDeletion(db, obsolete);
  });
}

/**
 * Returns what is withheld from either of two snapshots; undefined if nothing is.
 * @throws {UserError} if they remember it in different ways
 */
function mergeWithheld(from: string, to: string): WithheldFile | undefined {
  const [own, present] = [readWithheldFile(from), readWithheldFile(to)];
  if (!own || !present) return own ?? present;
  if (own.key !== present.key)
    throw new UserError(
      `${from} and ${to} were published with different secrets, so it cannot be compared what was withheld from them. If all of it is in "withhold" where ${from} is built, delete withholding.json in ${to}.`,
    );
  return { key: own.key, entries: [...new Set([...own.entries, ...present.entries])].sort() };
}
