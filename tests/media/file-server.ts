/** An archive of a test's own making, with files that are served as the test says: with ranges or without, cut, changing, lying. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { HarvestReport } from '../../src/harvest/report.ts';
import type { MediaReport } from '../../src/media/download-media.ts';
import type { BuildReport } from '../../src/pipeline/build.ts';
import { createTestDirectory, runMicroficheJson, upstreamOptions } from '../support.ts';
import type { Handler, TestUpstream } from '../test-upstream.ts';

export const runMedia = <Printed = MediaReport>(snapshot: string, ...more: string[]) =>
  runMicroficheJson<Printed>(['media', '--snapshot', snapshot, ...more]);

export async function buildSnapshot(snapshot: string, ...more: string[]): Promise<{ out: string; report: BuildReport }> {
  const out = join(createTestDirectory(), 'dist');
  return { out, report: await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...more]) };
}

/** A plain picture. */
export function createImage(width = 60, height = 40, background = '#a52'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Bytes that sniff as a video and play nothing. */
export function createFakeVideo(size: number): Buffer {
  return Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), randomBytes(size)]).subarray(0, size);
}

export { computeChecksums as sumsOf } from '../../scripts/sample/recordings.ts';

export interface ServedFile {
  bytes: Buffer;
  type?: string;
  etag?: string;
  /** Answers Range requests. */
  supportsRanges?: boolean;
  /** Closes the connection after so many bytes of an answer, so often. */
  cutAfterBytes?: number;
  cutCount?: number;
}

export interface RangeRequest {
  range: string | undefined;
  ifRange: string | undefined;
}

/** Serves one file; the test may change what it is while it is served. `asked` has each request's headers. */
export function fileHandler(served: ServedFile): Handler & { asked: RangeRequest[] } {
  const asked: RangeRequest[] = [];
  let cuts = served.cutCount ?? 0;
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    const { bytes, type = 'application/octet-stream', etag, supportsRanges } = served;
    const { range, 'if-range': ifRange } = request.headers;
    asked.push({ range, ifRange: ifRange as string | undefined });
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
  return Object.assign(handler, { asked });
}

/** A snapshot of some records, and of what they lead to. */
export async function createHarvestedSnapshot(upstream: TestUpstream, records: Array<Record<string, unknown>>): Promise<string> {
  for (const record of records) upstream.routes.set(`/api/0.2/${record['id']}/`, record);
  return harvestIds(
    upstream,
    records.map(({ id }) => String(id)),
  );
}

/** A snapshot of what some ids lead to. */
export async function harvestIds(upstream: TestUpstream, ids: string[]): Promise<string> {
  const snapshot = join(createTestDirectory(), 'snapshot');
  const addresses = [...upstreamOptions(upstream.url)];
  await runMicroficheJson<HarvestReport>(['harvest', ...addresses, '--snapshot', snapshot, '--root', ids.join(',')]);
  return snapshot;
}

/** A file record with a download. */
export function createFileRecord(id: string, url: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, model: 'file', title: `File ${id}`, role: 'master', links: { download: url }, ...more };
}

/** An entity with a picture. */
export function createRecordWithImage(id: string, img: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, model: 'entity', title: `Title of ${id}`, format: 'img', links: { img }, ...more };
}

/** A segment with one file of a recording. */
export function createSegment(id: string, files: Record<string, Record<string, unknown>>, more: Record<string, unknown> = {}) {
  return { id, model: 'segment', title: `Segment ${id}`, format: 'vh', links: {}, ia_meta: { id, files, ...more } };
}

/** A picture of one bit a pixel, all of them alike: small as a file, large in memory. */
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
