/** Fetches again what was found lost or damaged, and takes it only where it has the very bytes that were received once. */
import { hash } from 'node:crypto';
import type { Client } from '../http/client.ts';
import { FetchFailure } from '../http/failure.ts';
import type { MediaKind } from '../model/media.ts';
import { type Contained, containedIn, UnsafePath } from '../platform/contained.ts';
import { placeMedia } from '../snapshot/media-files.ts';
import { mediaPathProblem } from '../snapshot/media-shape.ts';
import { mediaRows, type StoredMedia } from '../snapshot/read.ts';
import { isWebUrl, text, texts } from '../snapshot/rows.ts';
import { createSnapshot, type Store } from '../snapshot/store.ts';
import { type MediaWriter, openMediaWriter } from '../snapshot/write-media.ts';
import { type Disk, openDisk } from './disk.ts';
import { announceMentioned, createMediaClient, hostsOf, type Manners } from './fetch.ts';
import type { WantedFile } from './plan.ts';
import { type Allowance, discard, receive } from './receive.ts';

export interface Repairs {
  /** Paths of media files that are as they were received again. */
  files: string[];
  /** Keys of resources whose bodies are. */
  bodies: string[];
  /** What could not be mended, and why. */
  failures: Array<{ what: string; cause: string }>;
}

export interface Damage {
  files: string[];
  /** Numbers of responses. */
  responses: number[];
}

/** @throws UserError when another process writes to the snapshot. */
export async function repairSnapshot(snapshot: string, damage: Damage, manners: Manners): Promise<Repairs> {
  const store = createSnapshot(snapshot);
  const hosts = hostsOf(store, manners);
  announceMentioned(sourcesOf(damage, store), hosts, manners);
  const client = createMediaClient(hosts, manners);
  const api = createMediaClient(hosts, manners, { accept: 'application/json', maxBytes: LARGEST_BODY });
  const repairs: Repairs = { files: [], bodies: [], failures: [] };
  const writer = openMediaWriter(store);
  const inside = containedIn(store.dir);
  const disk = openDisk(inside.root);
  try {
    const rows = Map.groupBy(mediaRows(store), ({ path }) => path);
    for (const path of damage.files) {
      const cause = await repairFile(path, rows.get(path) ?? [], { inside, disk, client, writer });
      if (cause === undefined) repairs.files.push(path);
      else repairs.failures.push({ what: path, cause });
    }
    for (const id of damage.responses) {
      const { key, cause } = await repairBody(id, store, api);
      if (cause === undefined) repairs.bodies.push(key);
      else repairs.failures.push({ what: key, cause });
    }
  } finally {
    await Promise.all([client.close(), api.close(), disk.close()]);
    writer.close();
    store.close();
  }
  // A resource may have been received more than once.
  const stillBad = new Set(repairs.failures.map(({ what }) => what));
  return { ...repairs, bodies: [...new Set(repairs.bodies)].filter((key) => !stillBad.has(key)) };
}

/** The URLs that what is damaged came from. */
function sourcesOf({ files, responses }: Damage, store: Store): Array<{ url: string }> {
  const damaged = new Set(files);
  const media = mediaRows(store).filter(({ path, state }) => path !== null && damaged.has(path) && state === 'stored');
  const body = store.db.prepare(`SELECT ${text('url')} FROM response WHERE id = ?`);
  const bodies = responses.map((id) => body.get(id)?.['url']).filter(isWebUrl);
  return [...media.map(({ url }) => url), ...bodies].map((url) => ({ url }));
}

/** Bytes. */
const LARGEST_BODY = 100_000_000;

const UNLIMITED: Allowance = { expect() {}, count() {} };

interface Mending {
  inside: Contained;
  disk: Disk;
  client: Client;
  writer: MediaWriter;
}

/** Asks each address that has had these bytes, until one has them still. Says why none has. */
async function repairFile(path: string, rows: StoredMedia[], { inside, ...means }: Mending): Promise<string | undefined> {
  const problem = mediaPathProblem(path, 'stored');
  if (problem !== undefined) return problem;
  let cause = 'nobody knows where it came from';
  for (const { url, owner, kind, sha256 } of rows.filter(({ state }) => state === 'stored')) {
    const file: WantedFile = { url, owner, kind: kind as MediaKind, base: path, declarations: [], size: undefined };
    try {
      const signal = new AbortController().signal;
      const received = await (await receive(file, means.client, { inside, ...means, allowance: UNLIMITED, signal }))();
      if (received.measured.sha256 === sha256) {
        placeMedia(inside, received.part, path);
        means.writer.placed(path);
        means.writer.dropPart(url);
        return undefined;
      }
      cause = `upstream has other bytes by now (SHA-256 ${received.measured.sha256}); to take those, move the file away and run “microfiche media”`;
      discard(file, inside, means.writer);
    } catch (error) {
      if (!(error instanceof FetchFailure || error instanceof UnsafePath)) throw error;
      cause = error.message;
    }
  }
  return cause;
}

async function repairBody(id: number, store: Store, client: Client): Promise<{ key: string; cause: string | undefined }> {
  const row = store.db.prepare(`SELECT ${texts('key', 'url', 'sha256')} FROM response WHERE id = ?`).get(id);
  const [key, url, sha256] = [String(row?.['key']), row?.['url'], row?.['sha256']];
  if (!isWebUrl(url)) return { key, cause: 'the snapshot does not say where it came from' };
  try {
    const { body } = await client.get(url);
    if (hash('sha256', body) !== sha256)
      return { key, cause: 'upstream has another version by now; “microfiche harvest” takes it' };
    store.db.prepare('UPDATE response SET body = ? WHERE id = ?').run(body, id);
    return { key, cause: undefined };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { key, cause: error.message };
  }
}
