/** Gives the items of a generated snapshot valid media files, all different: images, and a few large recordings. */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { parseBody, readBodies } from '../../src/snapshot/read.ts';
import { createSnapshot, type Store } from '../../src/snapshot/store.ts';
import { type MediaRow, openMediaWriter } from '../../src/snapshot/write-media.ts';
import { ROOT } from './program.ts';

/** Number of images that are drawn; the others differ from these in a comment. */
const DRAWN = 8;
const PHOTOGRAPHS = join(ROOT, 'content/sample/media/lica-quay-1');
const THUMBNAILS = 12;
const RECORDING_BYTES = 100_000_000;
/** The share of the bytes that are recordings. */
const RECORDINGS = 0.4;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Writes a thumbnail for each item that names one: one of a few, so that many have the same bytes. */
export async function addThumbnails(snapshot: string): Promise<void> {
  using store = createSnapshot(snapshot);
  mkdirSync(join(snapshot, 'media/thumbs'), { recursive: true });
  const images = await Promise.all(
    readdirSync(PHOTOGRAPHS)
      .slice(0, THUMBNAILS)
      .map(async (name, n) => {
        const bytes = await sharp(join(PHOTOGRAPHS, name)).resize(390, 290).jpeg({ quality: 85, mozjpeg: true }).toBuffer();
        const path = `media/thumbs/thumb-${n}.jpg`;
        writeFileSync(join(snapshot, path), bytes);
        return { path, size: bytes.length, sha256: hash('sha256', bytes) };
      }),
  );
  const named = listThumbnails(store);
  using media = openMediaWriter(store);
  for (const [n, { id, url }] of named.entries()) {
    const row = { url, owner: id, kind: 'thumb', state: 'stored', mimetype: 'image/jpeg', fetchedAt: FETCHED_AT } as const;
    media.put({ ...row, ...(images[n % THUMBNAILS] as (typeof images)[number]) });
  }
}

/**
 * Writes an image for each item that names one, of about `bytes` together, and recordings beside some of them. Each is valid, and
 * no two have the same bytes. `share` of the bytes are recordings. Returns the number of files.
 */
export async function addMedia(snapshot: string, bytes: number, share = RECORDINGS): Promise<number> {
  using store = createSnapshot(snapshot);
  const named = listThumbnails(store);
  const recordings = Math.floor((bytes * share) / RECORDING_BYTES);
  const images = await drawImages((bytes - recordings * RECORDING_BYTES) / named.length);
  using media = openMediaWriter(store);
  const put = (row: Pick<MediaRow, 'url' | 'owner' | 'kind' | 'mimetype'>, name: string, parts: readonly Buffer[]) => {
    const directory = `media/${row.owner.slice(0, row.owner.lastIndexOf('-'))}`;
    mkdirSync(join(snapshot, directory), { recursive: true });
    const [path, file] = [`${directory}/${row.owner}${name}`, Buffer.concat(parts)];
    writeFileSync(join(snapshot, path), file);
    media.put({ ...row, state: 'stored', fetchedAt: FETCHED_AT, path, size: file.length, sha256: hash('sha256', file) });
  };
  for (const [n, { id, url }] of named.entries()) {
    const image = images[n % DRAWN] as Buffer;
    const parts = [image.subarray(0, 2), comment(`image ${n}`), image.subarray(2)];
    put({ url, owner: id, kind: 'thumb', mimetype: 'image/jpeg' }, '.thumb.jpg', parts);
  }
  const zeros = Buffer.alloc(1_000_000);
  for (const [n, { id, url }] of named.slice(0, recordings).entries()) {
    const noise = Buffer.alloc(1_000_000, hash('sha512', String(n), 'buffer'));
    const sound = Array.from({ length: RECORDING_BYTES / 2_000_000 }, () => [noise, zeros]).flat();
    const row = { url: `${url}.wav`, owner: id, kind: 'original', mimetype: 'audio/vnd.wave' } as const;
    put(row, '.original.wav', [wavHead(RECORDING_BYTES), ...sound]);
  }
  return named.length + recordings;
}

function listThumbnails(store: Store): Array<{ id: string; url: string }> {
  return [...readBodies(store, 'object')].flatMap((stored) => {
    const { thumb: url } = (parseBody(stored) as { links: { thumb?: string } }).links;
    return url ? [{ id: stored.name, url }] : [];
  });
}

/** Draws images with grain, each of about `bytes`. */
async function drawImages(bytes: number): Promise<Buffer[]> {
  const probe = 512;
  const bytesPerPixel = (await drawImage(0, probe)).length / probe ** 2;
  const edge = Math.max(16, Math.round(Math.sqrt(bytes / bytesPerPixel)));
  return Promise.all(Array.from({ length: DRAWN }, (_, n) => drawImage(n, edge)));
}

function drawImage(n: number, edge: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 100 + n * 10, sigma: 30 };
  return sharp({ create: { width: edge, height: edge, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 60 })
    .toBuffer();
}

/** Returns a comment of a JPEG. */
function comment(text: string): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** Returns the head of a WAV file: 16 bits, two channels, 48 kHz. */
function wavHead(dataBytes: number): Buffer {
  const head = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x80\xbb\0\0\0\xee\x02\0\x04\0\x10\0data\0\0\0\0',
    'latin1',
  );
  head.writeUInt32LE(36 + dataBytes, 4);
  head.writeUInt32LE(dataBytes, 40);
  return head;
}
