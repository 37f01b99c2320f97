/**
 * Brings a copy of a snapshot up to date with another one: the database as a whole, and the media files that differ. Nothing that
 * only the copy has is lost, and nothing that was purged from it comes back. Both are untrusted.
 */
import { hash } from 'node:crypto';
import { fsyncSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../../model/errors.ts';
import { tryParse } from '../../model/json.ts';
import { parseResourceKey } from '../../model/resources.ts';
import { isObject } from '../../model/values.ts';
import { type SafeDirectory, toSafeDirectory, usingDescriptor } from '../../platform/safe-directory.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import { formatCount, lineIf, listNames } from '../../platform/text-lines.ts';
import { finishDeletions, markForDeletion, readPendingDeletions, UNFINISHED_PURGE_META_KEY } from '../../snapshot/deletions.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { DATABASE_FILE } from '../../snapshot/file-names.ts';
import { statMediaFile } from '../../snapshot/media-files.ts';
import { createFormerUrls, createMover } from '../../snapshot/moves.ts';
import { isWithdrawnUrl } from '../../snapshot/purged.ts';
import { readBaseUrls, readLastRun, readMediaRows } from '../../snapshot/read.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import { readCount, selectTexts } from '../../snapshot/rows.ts';
import * as snapshots from '../../snapshot/store.ts';
import { createWithdrawnResources, readWithdrawn } from '../../snapshot/withdrawn.ts';
import { readWithheldFile, type WithheldFile, writeWithheldFile } from '../../snapshot/withheld-file.ts';
import { describeArchive, isSameArchive, readArchiveIdentity } from '../site-identity.ts';
import { countWithheldLess } from '../withheld-before.ts';
import { assertApart, copyBytes, writeVerified } from './copied-files.ts';
import type { SyncOptions } from './sync-site.ts';

/** The new database, until it replaces the old one. */
const NEW_DATABASE = `${DATABASE_FILE}-new`;
/** Names in messages. */
const MAX_NAMES = 3;

/** Returns how messages name a snapshot, and what to do if it has what was purged from its copy. */
const wordsOf = (name: string) => ({
  name,
  howToPurge: `Run "microfiche purge" with the IDs of the records and --snapshot ${name}, then run this command again.`,
});

/**
 * Makes the snapshot in the directory `to` the same as that in `from`. Returns numbers of media files, and in `damaged` the paths
 * of those that could not be copied, because they are missing or corrupted in `from`.
 * @throws {UserError} if `to` has another archive, or something that `from` does not have
 */
export async function syncSnapshot(from: string, to: string, { force, onProgress }: SyncOptions, words = wordsOf(from)) {
  assertApart(from, to);
  using source = snapshots.openSnapshot(from);
  using lock = snapshots.lockSnapshot(to);
  const withheld = mergeWithheld(from, to);
  const safeDir = toSafeDirectory(to);
  for (const name of [NEW_DATABASE, `${NEW_DATABASE}-journal`]) safeDir.delete(name);
  const newFile = join(safeDir.root, NEW_DATABASE);
  const { media, missing, damaged, obsolete } = await stage(source, to, newFile, { lock, force, onProgress, words }).catch(
    (error) => {
      safeDir.delete(NEW_DATABASE);
      throw error;
    },
  );
  usingDescriptor(openSync(newFile, 'r+'), fsyncSync);
  if (withheld) writeWithheldFile(to, withheld);
  renameSync(newFile, join(safeDir.root, DATABASE_FILE));
  syncDirectory(safeDir.root);
  using updated = snapshots.createSnapshot(to, snapshots.lend(lock));
  const problems = finishDeletions(updated);
  return {
    files: media.size,
    bytes: [...media.values()].reduce((total, { size }) => total + (size ?? 0), 0),
    copied: missing.length - damaged.length,
    unchanged: media.size - missing.length,
    removed: obsolete.length - readPendingDeletions(updated).files.length,
    damaged,
    problems,
  };
}

/** Writes the new database next to the old one, and copies the media files that it names. */
async function stage(
  source: snapshots.Store,
  to: string,
  newFile: string,
  { lock, force, onProgress, words }: SyncOptions & { lock: snapshots.SnapshotLock; words: ReturnType<typeof wordsOf> },
) {
  using copy = snapshots.hasSnapshot(to) ? openConsolidated(to, lock) : undefined;
  if (copy) assertMayReplace(source, copy, force, words);
  source.db.prepare('VACUUM INTO ?').run(newFile);
  // A harvest may change the source at any time.
  using db = new DatabaseSync(newFile, { readOnly: true, defensive: true });
  const media = new Map(
    readMediaRows({ ...source, db }).flatMap((row) =>
      row.path === null || row.state === 'failed' ? [] : [[row.path, row] as const],
    ),
  );
  const [sourceDir, copyDir] = [source.dir, to].map(toSafeDirectory) as [SafeDirectory, SafeDirectory];
  const findSha256 = copy?.db.prepare('SELECT sha256 FROM blob WHERE path = ?');
  const missing: StoredMedia[] = [];
  for (const row of media.values()) {
    const known = findSha256?.get(row.path)?.['sha256'];
    if (!(await isPresent(row, copyDir, known))) missing.push(row);
  }
  const damaged: string[] = [];
  for (const [i, row] of missing.entries()) {
    if (!(await copyMedia(row, sourceDir, copyDir))) damaged.push(row.path as string);
    onProgress?.(i + 1, missing.length);
  }
  if (copy && damaged.length > 0 && !force)
    throw new UserError(
      `${formatCount(damaged.length, 'file')} of ${words.name} are missing or corrupted: ${listNames(damaged, MAX_NAMES)}. Repair it first with "microfiche verify --repair", or add --force to copy the rest.`,
    );
  // Stored, partly downloaded, or marked for deletion.
  const paths = 'SELECT path FROM blob UNION SELECT path FROM download UNION SELECT path FROM orphan_file';
  const obsolete = copy ? selectTexts(copy.db, paths).filter((path) => !media.has(path)) : [];
  completeDatabase(newFile, copy, obsolete);
  return { media, missing, damaged, obsolete };
}

/**
 * Opens a snapshot after SQLite has finished what an interrupted process left, so that its database is one file.
 * @throws {UserError} if another program reads it, so that it is not
 */
function openConsolidated(dir: string, lock: snapshots.SnapshotLock): snapshots.Store {
  snapshots.createSnapshot(dir, snapshots.lend(lock)).close();
  if ((statSync(join(dir, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new UserError(`Another program is reading the snapshot in ${dir}. Wait until it has finished.`);
  return snapshots.openSnapshot(dir);
}

function assertMayReplace(
  source: snapshots.Store,
  copy: snapshots.Store,
  force: boolean,
  words: ReturnType<typeof wordsOf>,
): void {
  const [own, present] = [readArchiveIdentity(source), readArchiveIdentity(copy)];
  if (!isSameArchive(own, present))
    throw new UserError(
      `${copy.dir} contains ${describeArchive(present)}, not ${describeArchive(own)}. Name the copy of the same archive.`,
    );
  assertNothingReturns(source, copy, words);
  const [last, before] = [source, copy].map((store) => readLastRun(store)?.started_at ?? '') as [string, string];
  if (last < before && !force)
    throw new UserError(
      `${copy.dir} is newer than ${words.name}: harvested ${before}, not ${last || 'at an unknown time'}. To update the older one, name them in the other order; to replace the newer one, add --force.`,
    );
  const [bodies, files] = [countLostBodies(source, copy), countLostMedia(source, copy)];
  if (bodies + files === 0 || force) return;
  const lostBodies = lineIf(bodies, formatCount(bodies, 'response body', 'response bodies'));
  const lost = [...lostBodies, ...lineIf(files, formatCount(files, 'media file'))];
  throw new UserError(
    `${copy.dir} has ${lost.join(' and ')} that ${words.name} does not have. If it is the newer one, name them in the other order. To discard what only it has, add --force.`,
  );
}

/**
 * Checks that nothing comes back that was purged from a copy, or withheld from the package of which it was made.
 * @throws {UserError} if something would
 */
export function assertNothingReturns(source: snapshots.Store, copy: snapshots.Store, words: ReturnType<typeof wordsOf>): void {
  const returning = findReturning(source, copy);
  if (returning.length > 0)
    throw new UserError(
      `${copy.dir} does not have what was purged from it, but ${words.name} still does: ${listNames(returning, MAX_NAMES)}. ${words.howToPurge}`,
    );
  const count = countWithheldLess(source, copy);
  if (count > 0)
    throw new UserError(
      `${formatCount(count, 'entry', 'entries')} of "withhold" with which ${copy.dir} was made may not be withheld from ${words.name}. Ask the archive for a newer one, or use a new directory.`,
    );
}

/** Returns what was purged from the copy and is in the source: IDs of records, and URLs of files. */
function findReturning(source: snapshots.Store, copy: snapshots.Store): string[] {
  const [purgedFromCopy, purgedFromSource] = [copy, source].map(({ db }) => selectTexts(db, 'SELECT key FROM withdrawn'));
  const onlyInCopy = new Set(purgedFromCopy).difference(new Set(purgedFromSource));
  const [isPurged, wasPurged] = [isWithdrawnUrl(copy), isWithdrawnUrl(source)];
  const formerUrls = createFormerUrls(source);
  const urls = readMediaRows(source).filter(
    ({ url, state }) => state !== 'failed' && [url, ...formerUrls(url)].some(isPurged) && !wasPurged(url),
  );
  const purged = createWithdrawnResources(onlyInCopy, readBaseUrls(copy));
  const bodies = onlyInCopy.size === 0 ? [] : source.db.prepare('SELECT key, headers, body FROM response').iterate();
  for (const row of bodies) {
    const { resource, received } = readReceived(row);
    if (purged.has(resource) || purged.claimsBody(resource, received) || purged.redact(resource.kind, received))
      return [...onlyInCopy].map((key) => parseResourceKey(key).name);
  }
  return urls.map(({ url }) => url);
}

function readReceived({ key, headers, body }: Record<string, unknown>) {
  const parsed = tryParse(String(headers));
  const type = isObject(parsed) ? parsed['content-type'] : undefined;
  const received = { headers: { ...(typeof type === 'string' && { 'content-type': type }) }, body: body as Uint8Array };
  return { resource: parseResourceKey(String(key)), received };
}

/** Returns how many bodies only the copy has, without those that were purged from the source, or changed by a purge or move. */
function countLostBodies(source: snapshots.Store, copy: snapshots.Store): number {
  const purged = readWithdrawn(source);
  const find = source.db.prepare(
    `SELECT 1 FROM response WHERE key = ?1 AND (sha256 = ?2
    OR id IN (SELECT response FROM redaction WHERE received_sha256 = ?2))`,
  );
  const read = copy.db.prepare('SELECT key, headers, body FROM response WHERE id = ?');
  const move = createMover(source);
  const isKnown = (key: unknown, body: Uint8Array) =>
    find.get(key as string, hash('sha256', Buffer.from(move(Buffer.from(body).toString('latin1')), 'latin1'))) !== undefined;
  let lost = 0;
  for (const { id, key, sha256 } of copy.db.prepare('SELECT id, key, sha256 FROM response').iterate()) {
    if (find.get(key as string, sha256 as string) || purged.has(parseResourceKey(String(key)))) continue;
    const { resource, received } = readReceived(read.get(id as number) ?? {});
    const redacted = purged.redact(resource.kind, received);
    if (isKnown(key, received.body) || (redacted && isKnown(key, redacted.body))) continue;
    if (!purged.claimsBody(resource, received)) lost++;
  }
  return lost;
}

/** Returns how many URLs have a file only in the copy, without those that were purged from the source. */
function countLostMedia(source: snapshots.Store, copy: snapshots.Store): number {
  const formerUrls = createFormerUrls(source);
  const stored = new Set(
    readMediaRows(source).flatMap(({ url, state }) => (state === 'failed' ? [] : [url, ...formerUrls(url)])),
  );
  const isPurged = isWithdrawnUrl(source);
  return readMediaRows(copy).filter(({ url, state }) => state !== 'failed' && !stored.has(url) && !isPurged(url)).length;
}

/** Whether a file is in the copy: as its database says with `known`, or because an interrupted run of this command left it. */
async function isPresent({ path, sha256, size }: StoredMedia, copy: SafeDirectory, known: unknown): Promise<boolean> {
  if (statMediaFile(copy, path as string)?.size !== size) return false;
  return known === sha256 || (await sha256OfFile(copy.resolve(path as string))) === sha256;
}

/** Copies a media file. Returns false if it is missing or damaged. */
async function copyMedia({ path, sha256 }: StoredMedia, source: SafeDirectory, copy: SafeDirectory): Promise<boolean> {
  const target = path as string;
  if (!statMediaFile(source, target)) return false;
  const file = { partial: `${target}.part`, target, sha256: sha256 as string };
  return await writeVerified(copy, file, (partial) => copyBytes(source.resolve(target), partial));
}

/** Adds what the copy alone knows to the new database: what was purged from it, and which of its files are to be deleted. */
function completeDatabase(file: string, copy: snapshots.Store | undefined, obsolete: readonly string[]): void {
  using db = new DatabaseSync(file, { defensive: true });
  const purgedBefore = copy ? readCount(copy.db.prepare('SELECT count(*) AS count FROM withdrawn').get()) : undefined;
  const insert = db.prepare('INSERT OR IGNORE INTO withdrawn (key, withdrawn_at, reason) VALUES (?, ?, ?)');
  const insertUrl = db.prepare('INSERT OR IGNORE INTO withdrawn_url (sha256) VALUES (?)');
  const [records, urls] = ['key, withdrawn_at, reason FROM withdrawn', 'sha256 FROM withdrawn_url'].map(
    (what) => copy?.db.prepare(`SELECT ${what}`).all() ?? [],
  );
  snapshots.runTransaction(db, () => {
    db.exec('DELETE FROM download; DELETE FROM orphan_file');
    for (const { key, withdrawn_at: at, reason } of records ?? []) insert.run(String(key), String(at), String(reason));
    for (const { sha256 } of urls ?? []) insertUrl.run(String(sha256));
    markForDeletion(db, obsolete);
    // The report of the copy may have what was purged since.
    const { count } = db.prepare('SELECT count(*) AS count FROM withdrawn').get() ?? {};
    if (purgedBefore !== undefined && count !== purgedBefore)
      snapshots.writeMeta(db, UNFINISHED_PURGE_META_KEY, new Date().toISOString());
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
