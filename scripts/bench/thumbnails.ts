/** Adds a thumbnail to every item of a generated snapshot. Only a few different images are drawn, to save time. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../src/model/values.ts';
import { parseBody, readBodies } from '../../src/snapshot/read.ts';
import { createSnapshot, type Store } from '../../src/snapshot/store.ts';
import { openMediaWriter } from '../../src/snapshot/write-media.ts';
import { drawScene, toJpeg } from '../sample/drawings.ts';

/** Number of different thumbnails. */
const DRAWN = 12;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Adds a media file for every thumbnail that the records name. */
export async function addThumbnails(snapshot: string): Promise<void> {
  const store = createSnapshot(snapshot);
  try {
    mkdirSync(join(snapshot, 'media/drawn'), { recursive: true });
    const images = await Promise.all(
      Array.from({ length: DRAWN }, async (_, n) => {
        const bytes = await toJpeg(drawScene('harbour', n, 390, 290), { quality: 85 });
        const path = `media/drawn/drawn-${n}.jpg`;
        writeFileSync(join(snapshot, path), bytes);
        return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
      }),
    );
    const named = listThumbnails(store);
    const media = openMediaWriter(store);
    for (const [n, { id, url }] of named.entries()) {
      const image = images[n % DRAWN];
      if (image)
        media.put({ url, owner: id, kind: 'thumb', state: 'stored', ...image, mimetype: 'image/jpeg', fetchedAt: FETCHED_AT });
    }
    media.close();
  } finally {
    store.close();
  }
}

/** Returns the thumbnails that records name. */
export function listThumbnails(store: Store): Array<{ id: string; url: string }> {
  return [...readBodies(store, 'object')].flatMap((stored) => {
    const record = parseBody(stored);
    const url = isObject(record) && isObject(record['links']) ? record['links']['thumb'] : undefined;
    return typeof url === 'string' ? [{ id: stored.name, url }] : [];
  });
}
