/** Fetches again what was found lost or damaged, and takes it only where it has the very bytes that were received once. */
import { hash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '../../http/client.ts';
import { FetchFailure } from '../../http/failure.ts';
import type { MediaKind } from '../../model/media.ts';
import { mediaRows, type StoredMedia } from '../../snapshot/read.ts';
import { createSnapshot, type Store } from '../../snapshot/store.ts';
import { type MediaWriter, openMediaWriter } from '../../snapshot/write-media.ts';
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
  try {
    const rows = Map.groupBy(mediaRows(store), ({ path }) => path);
    for (const path of damage.files) {
      const cause = await repairFile(path, rows.get(path) ?? [], { store, client, writer });
      if (cause === undefined) repairs.files.push(path);
      else repairs.failures.push({ what: path, cause });
    }
    for (const id of damage.responses) {
      const { key, cause } = await repairBody(id, store, api);
      if (cause === undefined) repairs.bodies.push(key);
      else repairs.failures.push({ what: key, cause });
    }
  } finally {
    await Promise.all([client.close(), api.close()]);
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
  const body = store.db.prepare('SELECT url FROM response WHERE id = ?');
  const bodies = responses.map((id) => String(body.get(id)?.['url']));
  return [...media.map(({ url }) => url), ...bodies].filter((url) => URL.canParse(url)).map((url) => ({ url }));
}

/** Bytes. */
const LARGEST_BODY = 100_000_000;

const UNLIMITED: Allowance = { expect() {}, count() {} };

/** Asks each address that has had these bytes, until one has them still. Says why none has. */
async function repairFile(
  path: string,
  rows: StoredMedia[],
  { store, client, writer }: { store: Store; client: Client; writer: MediaWriter },
): Promise<string | undefined> {
  let cause = 'nobody knows where it came from';
  for (const { url, owner, kind, sha256 } of rows.filter(({ state }) => state === 'stored')) {
    const file: WantedFile = { url, owner, kind: kind as MediaKind, base: path, declarations: [], size: undefined };
    try {
      const signal = new AbortController().signal;
      const received = await receive(file, client, { dir: store.dir, writer, allowance: UNLIMITED, signal });
      if (received.measured.sha256 === sha256) {
        await mkdir(dirname(join(store.dir, path)), { recursive: true });
        renameSync(received.part, join(store.dir, path));
        writer.dropPart(url);
        return undefined;
      }
      cause = `upstream has other bytes by now (SHA-256 ${received.measured.sha256}); to take those, move the file away and run “microfiche media”`;
      await discard(file, store.dir, writer);
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      cause = error.message;
    }
  }
  return cause;
}

async function repairBody(id: number, store: Store, client: Client): Promise<{ key: string; cause: string | undefined }> {
  const { key, url, sha256 } = store.db.prepare('SELECT key, url, sha256 FROM response WHERE id = ?').get(id) as Record<
    'key' | 'url' | 'sha256',
    string
  >;
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
