/** Gives the items of a generated snapshot valid media files, all different: images, and a few large recordings. */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createSnapshot } from '../../src/snapshot/store.ts';
import { type MediaRow, openMediaWriter } from '../../src/snapshot/write-media.ts';
import { listThumbnails } from './thumbnails.ts';

/** Number of images that are drawn; the others differ from these in a comment. */
const DRAWN = 8;
const RECORDING_BYTES = 100_000_000;
/** The share of the bytes that are recordings. */
const RECORDINGS = 0.4;
const FETCHED_AT = '2026-01-06T09:00:00.000Z';

/** Writes an image for each item that names one, about `bytes` in total, and some recordings. Returns the number of files. */
export async function addMedia(snapshot: string, bytes: number): Promise<number> {
  using store = createSnapshot(snapshot);
  const named = listThumbnails(store);
  const recordings = Math.floor((bytes * RECORDINGS) / RECORDING_BYTES);
  const images = await drawImages((bytes - recordings * RECORDING_BYTES) / named.length);
  const media = openMediaWriter(store);
  const put = (row: Pick<MediaRow, 'url' | 'owner' | 'kind' | 'mimetype'>, name: string, parts: readonly Buffer[]) => {
    const directory = `media/${row.owner.slice(0, row.owner.lastIndexOf('-'))}`;
    mkdirSync(join(snapshot, directory), { recursive: true });
    const path = `${directory}/${row.owner}${name}`;
    media.put({ ...row, state: 'stored', fetchedAt: FETCHED_AT, path, ...writeParts(join(snapshot, path), parts) });
  };
  for (const [n, { id, url }] of named.entries()) {
    const image = images[n % DRAWN] as Buffer;
    put({ url, owner: id, kind: 'thumb', mimetype: 'image/jpeg' }, '.thumb.jpg', [
      image.subarray(0, 2),
      comment(`image ${n}`),
      image.subarray(2),
    ]);
  }
  const zeros = Buffer.alloc(1_000_000);
  for (const [n, { id, url }] of named.slice(0, recordings).entries()) {
    const noise = Buffer.alloc(1_000_000, createHash('sha512').update(String(n)).digest());
    const sound = Array.from({ length: RECORDING_BYTES / 2_000_000 }, () => [noise, zeros]).flat();
    put({ url: `${url}.wav`, owner: id, kind: 'original', mimetype: 'audio/vnd.wave' }, '.original.wav', [
      wavHead(RECORDING_BYTES),
      ...sound,
    ]);
  }
  media.close();
  return named.length + recordings;
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
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + dataBytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(48_000, 24);
  head.writeUInt32LE(192_000, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(dataBytes, 40);
  return head;
}

function writeParts(file: string, parts: readonly Buffer[]): { size: number; sha256: string } {
  const hash = createHash('sha256');
  const handle = openSync(file, 'wx');
  let size = 0;
  try {
    for (const part of parts) {
      writeSync(handle, part);
      hash.update(part);
      size += part.length;
    }
  } finally {
    closeSync(handle);
  }
  return { size, sha256: hash.digest('hex') };
}
