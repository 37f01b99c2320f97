/** Repairs a snapshot: downloads missing and corrupted items again, and stores them only if their SHA-256 is the recorded one. */
import { hash } from 'node:crypto';
import type { Client } from '../http/client.ts';
import { FetchError } from '../http/errors.ts';
import type { MediaKind } from '../model/media/media-kinds.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import type { Damage } from '../snapshot/audit.ts';
import { mediaPathProblem, moveIntoPlace } from '../snapshot/media-files.ts';
import { readMediaRows } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import { isWebUrl, text, texts } from '../snapshot/rows.ts';
import { createSnapshot, type Store } from '../snapshot/store.ts';
import { type MediaWriter, openMediaWriter } from '../snapshot/write-media.ts';
import { type DiskThreads, startDiskThreads } from './disk-threads.ts';
import { deletePart, downloadFile, type FileBudget } from './download-file.ts';
import { allowedHostsOf, announceSnapshotHosts, createMediaClient, type DownloadPolicy } from './download-media.ts';
import type { WantedFile } from './plan-files.ts';

/**
 * The result of a repair: paths of media files, resource keys of response bodies, and paths and resource keys that could not be
 * repaired, with the reason.
 */
export type Repairs = Awaited<ReturnType<typeof repairSnapshot>>;

/**
 * Repairs files and response bodies of a snapshot, as far as upstream still has the same bytes.
 * @throws {UserError} if another process writes to the snapshot
 */
export async function repairSnapshot(snapshot: string, damage: Damage, policy: DownloadPolicy) {
  using store = createSnapshot(snapshot);
  const hosts = allowedHostsOf(store, policy);
  announceSnapshotHosts(findSources(damage, store), hosts, policy);
  using writer = openMediaWriter(store);
  const safeDir = toSafeDirectory(store.dir);
  await using disk = startDiskThreads(safeDir.root);
  await using client = createMediaClient(hosts, policy);
  await using api = createMediaClient(hosts, policy, { accept: 'application/json', maxBodyBytes: MAX_BODY_BYTES });
  const files: string[] = [];
  const bodies: string[] = [];
  const failures: Array<{ what: string; cause: string }> = [];
  const rows = Map.groupBy(readMediaRows(store), ({ path }) => path);
  for (const path of damage.files) {
    const cause = await repairFile(path, rows.get(path) ?? [], { safeDir, disk, client, writer });
    if (cause === undefined) files.push(path);
    else failures.push({ what: path, cause });
  }
  for (const id of damage.responses) {
    const { key, cause } = await repairBody(id, store, api);
    if (cause === undefined) bodies.push(key);
    else failures.push({ what: key, cause });
  }
  // A resource may have several responses, of which only some could be repaired.
  const notRepaired = new Set(failures.map(({ what }) => what));
  return { files, bodies: [...new Set(bodies)].filter((key) => !notRepaired.has(key)), failures };
}

/** Returns the URLs that the damaged items were received from. */
function findSources({ files, responses }: Damage, store: Store): Array<{ url: string }> {
  const damaged = new Set(files);
  const media = readMediaRows(store).filter(({ path, state }) => path !== null && damaged.has(path) && state === 'stored');
  const body = store.db.prepare(`SELECT ${text('url')} FROM response WHERE id = ?`);
  const bodies = responses.map((id) => body.get(id)?.['url']).filter(isWebUrl);
  return [...media.map(({ url }) => url), ...bodies].map((url) => ({ url }));
}

/** Maximum size of a response body that can be repaired. */
const MAX_BODY_BYTES = 100_000_000;

const UNLIMITED_BUDGET: FileBudget = { expect() {}, count() {} };

/** Downloads a file from each URL that had these bytes, until one responds with them. Returns why not, or undefined. */
async function repairFile(
  path: string,
  rows: StoredMedia[],
  { safeDir, ...context }: { safeDir: SafeDirectory; disk: DiskThreads; client: Client; writer: MediaWriter },
): Promise<string | undefined> {
  const problem = mediaPathProblem(path, 'stored');
  if (problem !== undefined) return problem;
  let cause = 'the snapshot does not contain its URL';
  for (const { url, owner, kind, sha256 } of rows.filter(({ state }) => state === 'stored')) {
    const file: WantedFile = { url, owner, kind: kind as MediaKind, basePath: path, declarations: [], size: undefined };
    try {
      const signal = new AbortController().signal;
      const downloaded = await (
        await downloadFile(file, context.client, { safeDir, ...context, fileBudget: UNLIMITED_BUDGET, signal })
      )();
      if (downloaded.measured.sha256 === sha256) {
        moveIntoPlace(safeDir, downloaded.partPath, path);
        context.writer.placed(path);
        context.writer.dropPart(url);
        return undefined;
      }
      cause = `upstream now has different bytes (SHA-256 ${downloaded.measured.sha256}); to store those, move the file away and run "microfiche media"`;
      deletePart(file, safeDir, context.writer);
    } catch (error) {
      if (!(error instanceof FetchError || error instanceof UnsafePathError)) throw error;
      cause = error.message;
    }
  }
  return cause;
}

async function repairBody(id: number, store: Store, client: Client): Promise<{ key: string; cause: string | undefined }> {
  const row = store.db.prepare(`SELECT ${texts('key', 'url', 'sha256')} FROM response WHERE id = ?`).get(id);
  const [key, url, sha256] = [String(row?.['key']), row?.['url'], row?.['sha256']];
  if (!isWebUrl(url)) return { key, cause: 'the snapshot does not contain its URL' };
  try {
    const { body } = await client.get(url);
    if (hash('sha256', body) !== sha256)
      return { key, cause: 'upstream now has another version; run "microfiche harvest" to store it' };
    store.db.prepare('UPDATE response SET body = ? WHERE id = ?').run(body, id);
    return { key, cause: undefined };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { key, cause: error.message };
  }
}
