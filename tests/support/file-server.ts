/** Builds small archives for media tests, served as a test needs: with ranges or without, truncated, changing, wrong. */
import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import type { MediaReport } from '../../src/media/media-report.ts';
import { createTestDirectory, runMicroficheJson, upstreamOptions } from './commands.ts';
import type { Handler, TestUpstream } from './test-upstream.ts';

/** Runs `microfiche media` on a snapshot, and returns its JSON report. */
export const runMedia = <Printed = MediaReport>(snapshot: string, ...more: string[]) =>
  runMicroficheJson<Printed>(['media', '--snapshot', snapshot, ...more]);

/** Builds a site from a snapshot into a new directory. */
export async function buildSnapshot(snapshot: string, ...more: string[]): Promise<{ out: string; report: BuildReport }> {
  const out = join(createTestDirectory(), 'dist');
  return { out, report: await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]) };
}

/** Returns a JPEG of one color. */
export function createImage(width = 60, height = 40, background = '#a52'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Returns random bytes that are detected as an MP4 video. They cannot be played. */
export function createFakeVideo(size: number): Buffer {
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), randomBytes(size)]).subarray(0, size);
}

/** Returns checksums in hexadecimal, as upstream declares them (docs/upstream-api.md, "Media metadata"). */
export function computeChecksums(bytes: Buffer): { md5: string; crc32: string; sha1: string; sha256: string } {
  const hex = (algorithm: string) => hash(algorithm, bytes);
  return { md5: hex('md5'), crc32: crc32(bytes).toString(16).padStart(8, '0'), sha1: hex('sha1'), sha256: hex('sha256') };
}

/** A file that `fileHandler` serves. */
export interface ServedFile {
  bytes: Buffer;
  type?: string;
  etag?: string;
  /** Whether Range requests get a 206 response. */
  supportsRanges?: boolean;
  /** Closes the connection after this many bytes of a response. */
  cutAfterBytes?: number;
  /** Number of responses that are cut. */
  cutCount?: number;
}

/** The headers of one request. */
export interface RangeRequest {
  range: string | undefined;
  ifRange: string | undefined;
}

/** Returns a handler for one file. The test may change `served` between requests. `requests` lists the requests so far. */
export function fileHandler(served: ServedFile): Handler & { requests: RangeRequest[] } {
  const requests: RangeRequest[] = [];
  let cuts = served.cutCount ?? 0;
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    const { bytes, type = 'application/octet-stream', etag, supportsRanges } = served;
    const { range, 'if-range': ifRange } = request.headers;
    requests.push({ range, ifRange: ifRange as string | undefined });
    const from = supportsRanges && range && ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0;
    const headers: Record<string, string | number> = { 'content-type': type, 'content-length': bytes.length - from };
    if (etag) headers['etag'] = etag;
    if (supportsRanges) headers['accept-ranges'] = 'bytes';
    if (from > 0) headers['content-range'] = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    response.writeHead(from > 0 ? 206 : 200, headers);
    if (served.cutAfterBytes !== undefined && cuts > 0) {
      cuts--;
      response.write(bytes.subarray(from, from + served.cutAfterBytes), () => setTimeout(() => response.destroy(), 20));
    } else response.end(bytes.subarray(from));
  };
  return Object.assign(handler, { requests });
}

/** Adds records to the test upstream, and harvests them with all they lead to. Returns the snapshot's directory. */
export async function createHarvestedSnapshot(
  upstream: TestUpstream,
  records: Array<Record<string, unknown>>,
  snapshot?: string,
): Promise<string> {
  for (const record of records) upstream.routes.set(`/api/0.2/${record['id']}/`, record);
  return harvestIds(
    upstream,
    records.map(({ id }) => String(id)),
    snapshot,
  );
}

/** Harvests records by ID, with all they lead to, by default into a new directory. Returns the snapshot's directory. */
export async function harvestIds(
  upstream: TestUpstream,
  ids: string[],
  snapshot = join(createTestDirectory(), 'snapshot'),
): Promise<string> {
  const options = [...upstreamOptions(upstream.url)];
  await runMicroficheJson<HarvestReport>(['harvest', ...options, '--snapshot', snapshot, '--root', ids.join(',')]);
  return snapshot;
}

/** Returns a file record with a download URL. */
export function createFileRecord(id: string, url: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, model: 'file', title: `File ${id}`, role: 'master', links: { download: url }, ...more };
}

/** Returns an item with an image. */
export function createRecordWithImage(id: string, img: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, model: 'entity', title: `Title of ${id}`, format: 'img', links: { img }, ...more };
}

/** Returns a video segment. `files` is the `files` of its `ia_meta`. */
export function createSegment(id: string, files: Record<string, Record<string, unknown>>, more: Record<string, unknown> = {}) {
  return { id, model: 'segment', title: `Segment ${id}`, format: 'vh', links: {}, ia_meta: { id, files, ...more } };
}

/** Returns a square PNG of one color with one bit per pixel: a small file, but a large image in memory. */
export function createPngBomb(edge: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(edge * (Math.ceil(edge / 8) + 1)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Returns a video whose only frame is a square of one color, of this edge in pixels: a small file, large in memory. */
export async function createVideoBomb(edge: number): Promise<Buffer> {
  const directory = createTestDirectory();
  const [frame, video] = [join(directory, 'frame.jpg'), join(directory, 'video.mov')];
  // The blocks of one row, which restart markers let us repeat: encoding all of them takes too long.
  const [row, blocks] = [await createImage(edge, BLOCK), Math.ceil(edge / BLOCK)];
  row.writeUInt16BE(edge, row.indexOf('ffc0', 'hex') + 5);
  const scan = row.indexOf('ffda', 'hex');
  const data = row.subarray(scan + 2 + row.readUInt16BE(scan + 2), -2);
  const rows = Array.from({ length: blocks - 1 }, (_, n) => [Buffer.from([0xff, 0xd0 + (n % 8)]), data]).flat();
  const restartInterval = Buffer.from([0xff, 0xdd, 0, 4, blocks >> 8, blocks & 255]);
  writeFileSync(
    frame,
    Buffer.concat([row.subarray(0, scan), restartInterval, row.subarray(scan, -2), ...rows, row.subarray(-2)]),
  );
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'mjpeg', '-i', frame, '-c', 'copy', video]);
  return readFileSync(video);
}

/** Edge in pixels of the blocks that `createImage` encodes. */
const BLOCK = 16;
