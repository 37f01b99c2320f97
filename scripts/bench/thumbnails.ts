/** Adds a thumbnail to every item of a generated snapshot: a few images of the sample archive, again and again, to save time. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { isObject } from '../../src/model/values.ts';
import { parseBody, readBodies } from '../../src/snapshot/read.ts';
import { createSnapshot, type Store } from '../../src/snapshot/store.ts';
import { openMediaWriter } from '../../src/snapshot/write-media.ts';
import { ROOT } from './program.ts';

const PHOTOGRAPHS = join(ROOT, 'content/sample/media/lica-quay-1');
/** Number of different thumbnails. */
const DIFFERENT = 12;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Adds a media file for every thumbnail that the records name. */
export async function addThumbnails(snapshot: string): Promise<void> {
  using store = createSnapshot(snapshot);
  mkdirSync(join(snapshot, 'media/thumbs'), { recursive: true });
  const images = await Promise.all(
    readdirSync(PHOTOGRAPHS)
      .slice(0, DIFFERENT)
      .map(async (name, n) => {
        const bytes = await sharp(join(PHOTOGRAPHS, name)).resize(390, 290).jpeg({ quality: 85, mozjpeg: true }).toBuffer();
        const path = `media/thumbs/thumb-${n}.jpg`;
        writeFileSync(join(snapshot, path), bytes);
        return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
      }),
  );
  const named = listThumbnails(store);
  const media = openMediaWriter(store);
  for (const [n, { id, url }] of named.entries()) {
    const image = images[n % DIFFERENT];
    if (image)
      media.put({ url, owner: id, kind: 'thumb', state: 'stored', ...image, mimetype: 'image/jpeg', fetchedAt: FETCHED_AT });
  }
  media.close();
}

/** Returns the thumbnails that records name. */
export function listThumbnails(store: Store): Array<{ id: string; url: string }> {
  return [...readBodies(store, 'object')].flatMap((stored) => {
    const record = parseBody(stored);
    const url = isObject(record) && isObject(record['links']) ? record['links']['thumb'] : undefined;
    return typeof url === 'string' ? [{ id: stored.name, url }] : [];
  });
}
