/** Downloads of `media`: atomic, resumed if upstream allows it, and verified against upstream's declarations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { MediaReport } from '../../../src/media/media-report.ts';
import { readFiles, runMicrofiche } from '../../support/commands.ts';
import {
  buildSnapshot,
  computeChecksums,
  createFakeVideo,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
  type ServedFile,
} from '../../support/file-server.ts';
import { type Handler, respondInTurn, respondWith, startTestUpstream } from '../../support/test-upstream.ts';

const MEGABYTE = 1_000_000;
const SEGMENT = 'demo-org-1-1-1';
const STORED = `media/demo-org-1/${SEGMENT}.video.mp4`;

/** Creates a snapshot with one segment. Its video is served as `served` says, and declared as `declared` says. */
async function createVideoSnapshot(served: ServedFile, declared: Record<string, unknown> = {}) {
  const upstream = await startTestUpstream();
  const handler = fileHandler(served);
  upstream.routes.set('/v.mp4', handler);
  const file = { source: 'derivative', mimetype: 'video/mp4', url: `${upstream.url}/v.mp4`, ...declared };
  return { upstream, handler, snapshot: await createHarvestedSnapshot(upstream, [createSegment(SEGMENT, { mp4: file })]) };
}

const parts = (snapshot: string) => [...readFiles(snapshot).keys()].filter((path) => path.endsWith('.part'));

it('is repeated once at the end after a transient error, in place of which a permanent one is final', async () => {
  const upstream = await startTestUpstream();
  const image = await createImage();
  const serve = fileHandler({ bytes: image, type: 'image/jpeg' });
  upstream.routes.set('/busy.jpg', respondInTurn(respondWith(501), serve));
  upstream.routes.set(
    '/login.jpg',
    respondInTurn(respondWith(200, { 'content-type': 'text/html' }, '<!doctype html><p>Busy'), serve),
  );
  upstream.routes.set('/down.jpg', respondWith(501));
  const names = ['busy', 'login', 'down', 'missing'];
  const records = names.map((name, n) => createRecordWithImage(`demo-org-1-${n + 1}`, `${upstream.url}/${name}.jpg`));
  const snapshot = await createHarvestedSnapshot(upstream, records);
  upstream.requests.length = 0;
  const args = ['media', '--snapshot', snapshot, '--json', '--concurrency', '1'];
  const first = await runMicrofiche(args);
  const requests = upstream.requests.map((path) => path.slice(1, -'.jpg'.length));
  expect([requests.slice(0, 4), requests.slice(4).sort()]).toEqual([names, ['busy', 'down', 'login']]);
  const failures = [
    { url: `${upstream.url}/down.jpg`, owner: 'demo-org-1-3', cause: 'HTTP 501', transient: true },
    { url: `${upstream.url}/missing.jpg`, owner: 'demo-org-1-4', cause: 'HTTP 404', transient: false },
  ];
  expect([first.code, JSON.parse(first.stdout)]).toEqual([3, expect.objectContaining({ fetched: 2, failures })]);
  upstream.routes.set('/down.jpg', serve);
  const second = await runMicrofiche(args);
  expect([second.code, JSON.parse(second.stdout)]).toEqual([0, expect.objectContaining({ fetched: 1, failures: [failures[1]] })]);
});

describe('an interrupted download', () => {
  it('resumes with a range request if upstream supports ranges', async () => {
    const bytes = createFakeVideo(5 * MEGABYTE);
    const { handler, snapshot } = await createVideoSnapshot(
      { bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 2 * MEGABYTE, cutCount: 2 },
      computeChecksums(bytes),
    );
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 1, failures: [], quarantined: [] });
    expect(readFileSync(join(snapshot, STORED)).equals(bytes)).toBe(true);
    expect(handler.requests.length).toBe(3);
    expect(handler.requests[0]).toEqual({ range: undefined, ifRange: undefined });
    for (const { range, ifRange } of handler.requests.slice(1)) {
      expect(range).toMatch(/^bytes=\d+-$/);
      expect(ifRange).toBe('"one"');
    }
    expect(parts(snapshot)).toEqual([]);
  });

  it('resumes in a later run', async () => {
    const bytes = createFakeVideo(4 * MEGABYTE);
    const served: ServedFile = { bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 300_000, cutCount: 10 };
    const { handler, snapshot } = await createVideoSnapshot(served, { size: bytes.length });
    const first = await runMedia(snapshot);
    expect(first.failures.map(({ cause }) => cause)).toEqual([expect.stringMatching(/connection was closed|Content-Length/)]);
    expect(existsSync(join(snapshot, STORED))).toBe(false);
    expect(parts(snapshot)).toHaveLength(1);
    const requestCount = handler.requests.length;
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 1, failures: [] });
    expect(handler.requests.slice(requestCount).map(({ ifRange }) => ifRange)).toEqual(['"one"']);
    expect(readFileSync(join(snapshot, STORED)).equals(bytes)).toBe(true);
    expect(parts(snapshot)).toEqual([]);
  });

  it.each([
    ['before', MEGABYTE],
    ['after', 3 * MEGABYTE],
  ])('starts over if upstream does not support ranges, and the response ends %s bytes are on disk', async (_, cutAfterBytes) => {
    const bytes = createFakeVideo(5 * MEGABYTE);
    const { handler, snapshot } = await createVideoSnapshot({ bytes, cutAfterBytes, cutCount: 2 }, computeChecksums(bytes));
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 0, failures: [] });
    expect(handler.requests.map(({ range }) => range)).toEqual([undefined, undefined, undefined]);
    expect(readFileSync(join(snapshot, STORED)).equals(bytes)).toBe(true);
  });

  it('starts over if the file has changed', async () => {
    const bytes = createFakeVideo(3 * MEGABYTE);
    const other = createFakeVideo(3 * MEGABYTE);
    const served: ServedFile = { bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: MEGABYTE, cutCount: 1 };
    const upstream = await startTestUpstream();
    const handler = fileHandler(served);
    upstream.routes.set('/v.mp4', ((request: IncomingMessage, response: ServerResponse) => {
      if (handler.requests.length === 1) Object.assign(served, { bytes: other, etag: '"two"' });
      handler(request, response);
    }) satisfies Handler);
    const file = { mimetype: 'video/mp4', url: `${upstream.url}/v.mp4` };
    const snapshot = await createHarvestedSnapshot(upstream, [createSegment(SEGMENT, { mp4: file })]);
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 0, failures: [] });
    expect(readFileSync(join(snapshot, STORED)).equals(other)).toBe(true);
  });

  it('does not mix two versions of a file if upstream ignores If-Range', async () => {
    const bytes = createFakeVideo(3 * MEGABYTE);
    const other = createFakeVideo(3 * MEGABYTE);
    const upstream = await startTestUpstream();
    let requestCount = 0;
    upstream.routes.set('/v.mp4', ((request: IncomingMessage, response: ServerResponse) => {
      const now = ++requestCount === 1 ? bytes : other;
      const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const range = from > 0 ? { 'content-range': `bytes ${from}-${now.length - 1}/${now.length}` } : {};
      const headers = { etag: requestCount === 1 ? '"one"' : '"two"', 'content-length': now.length - from, ...range };
      response.writeHead(from > 0 ? 206 : 200, headers);
      if (requestCount > 1) response.end(now.subarray(from));
      else response.write(now.subarray(0, MEGABYTE), () => setTimeout(() => response.destroy(), 20));
    }) satisfies Handler);
    const snapshot = await createHarvestedSnapshot(upstream, [
      createSegment(SEGMENT, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/v.mp4` } }),
    ]);
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, failures: [] });
    expect(readFileSync(join(snapshot, STORED)).equals(other)).toBe(true);
  });

  it('is reported as failed if every response is truncated, and leaves no file', async () => {
    const { snapshot } = await createVideoSnapshot({
      bytes: createFakeVideo(MEGABYTE),
      cutAfterBytes: 1000,
      cutCount: Number.POSITIVE_INFINITY,
    });
    const { fetched, failures } = await runMedia(snapshot);
    expect([fetched, failures.map(({ owner }) => owner)]).toEqual([0, [SEGMENT]]);
    expect(failures[0]?.cause).toMatch(/closed before|Content-Length/);
    expect([...readFiles(join(snapshot, 'media')).keys()]).toEqual([]);
  });
});

describe('verification', () => {
  const bytes = createFakeVideo(2000);
  const right = { ...computeChecksums(bytes), size: String(bytes.length) };
  const wrong = { ...computeChecksums(createFakeVideo(3000)), size: '3000' };
  const NAMES = { md5: 'MD5', crc32: 'CRC-32', sha1: 'SHA-1', sha256: 'SHA-256', size: 'bytes' };

  it.each(['md5', 'crc32', 'sha1', 'size'] as const)(
    'quarantines a file with a wrong %s, and reports both values',
    async (what) => {
      const { snapshot } = await createVideoSnapshot({ bytes }, { ...right, [what]: wrong[what] });
      const { fetched, quarantined, failures } = await runMedia(snapshot);
      expect([fetched, failures]).toEqual([0, []]);
      expect(quarantined).toHaveLength(1);
      const [{ cause, path }] = quarantined as [MediaReport['quarantined'][number]];
      for (const value of [NAMES[what], right[what], wrong[what]]) expect(cause).toContain(value);
      expect(readFileSync(join(snapshot, path)).equals(bytes)).toBe(true);
      expect(existsSync(join(snapshot, STORED))).toBe(false);
      const { out } = await buildSnapshot(snapshot);
      expect([...readFiles(out).values()].some((file) => file.equals(bytes))).toBe(false);
      expect(readFileSync(join(out, `objects/${SEGMENT}.html`), 'utf8')).not.toContain('<video');
    },
  );

  it('quarantines a file that contradicts the digits in its ID, and names on the page the checksums that verified another', async () => {
    const upstream = await startTestUpstream();
    const { sha1, sha256, md5 } = computeChecksums(bytes);
    upstream.routes.set('/f.mp4', fileHandler({ bytes }));
    const bad = 'demo-org-1-1-master-0123456789';
    const good = `demo-org-1-2-master-${sha1.slice(0, 10)}`;
    upstream.routes.set('/g.mp4', fileHandler({ bytes }));
    const snapshot = await createHarvestedSnapshot(upstream, [
      createFileRecord(bad, `${upstream.url}/f.mp4`, { sha1, size: bytes.length }),
      createFileRecord(good, `${upstream.url}/g.mp4`, { sha1, sha256, md5, size: bytes.length }),
    ]);
    const report = await runMedia(snapshot, '--kinds', 'original');
    expect(report).toMatchObject({ fetched: 1, failures: [], quarantined: [{ owner: bad }] });
    expect(report.quarantined[0]?.cause).toContain(`its SHA-1 is ${sha1}, but the ID ${bad} declares 0123456789…`);
    const { out } = await buildSnapshot(snapshot);
    const page = readFileSync(join(out, `objects/${good}.html`), 'utf8');
    expect(page).toContain(`SHA-256 checksum: ${sha256}.`);
    expect(page).toContain('Verified on receipt against the archive’s MD5, SHA-1, SHA-256.');
    expect(readFileSync(join(out, `objects/${bad}.html`), 'utf8')).not.toContain(sha256);
  });

  it('downloads a quarantined file again in the next run, after upstream has repaired it', async () => {
    const served: ServedFile = { bytes: createFakeVideo(3000) };
    const { upstream, snapshot } = await createVideoSnapshot(served, right);
    expect((await runMedia(snapshot)).quarantined).toHaveLength(1);
    upstream.routes.set('/v.mp4', fileHandler({ bytes }));
    expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, quarantined: [] });
    expect(readFileSync(join(snapshot, STORED)).equals(bytes)).toBe(true);
    expect(readFiles(join(snapshot, 'quarantine')).size).toBe(0);
  });

  it('prints the mismatch and the path in quarantine', async () => {
    const { snapshot } = await createVideoSnapshot({ bytes }, { ...right, md5: wrong.md5 });
    const { code, stdout } = await runMicrofiche(['media', '--snapshot', snapshot]);
    expect(code).toBe(0);
    expect(stdout).toContain(`its MD5 is ${right.md5}, but ${SEGMENT} declares ${wrong.md5}`);
    expect(stdout).toMatch(/moved to quarantine\/demo-org-1\/\S+\.mp4/);
    const status = await runMicrofiche(['status', '--snapshot', snapshot]);
    expect(status.stdout).toContain('Quarantined: 1 media file ');
  });
});

it('handles every kind of bad response in one run, and still downloads the good files', async () => {
  const upstream = await startTestUpstream();
  const good = await createImage();
  const small = await createImage(300, 200, '#25a');
  const tenGigabytes = 10_000_000_000;
  const responses: Record<string, Handler | undefined> = {
    'good.jpg': fileHandler({ bytes: good }),
    'login.jpg': fileHandler({ bytes: Buffer.from('<!doctype html><title>Log in</title>'), type: 'image/jpeg' }),
    'empty.jpg': fileHandler({ bytes: Buffer.alloc(0) }),
    'binary.jpg': fileHandler({ bytes: Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]) }),
    'short.jpg': ((_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': tenGigabytes });
      response.write(good.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20));
    }) satisfies Handler,
    'missing.jpg': undefined,
    'packed.jpg': ((_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(small));
    }) satisfies Handler,
  };
  for (const [name, handler] of Object.entries(responses)) if (handler) upstream.routes.set(`/${name}`, handler);
  const names = Object.keys(responses);
  const records = names.map((name, n) => createRecordWithImage(`demo-org-1-${n + 1}`, `${upstream.url}/${name}`));
  const liar = `demo-org-1-50-master-${computeChecksums(good).sha1.slice(0, 10)}`;
  upstream.routes.set('/liar.jpg', fileHandler({ bytes: good }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    ...records,
    createFileRecord(liar, `${upstream.url}/liar.jpg`, { size: tenGigabytes }),
  ]);
  const { fetched, failures, quarantined } = await runMedia(snapshot, '--kinds', 'image,original');
  const causes = Object.fromEntries(failures.map(({ url, cause }) => [url.split('/').at(-1), cause]));
  expect(causes).toEqual({
    'login.jpg': 'the response is a web page, not an image',
    'empty.jpg': 'the response is empty',
    'binary.jpg': 'the response is a file of unknown type, not an image',
    'short.jpg': expect.stringMatching(/closed before|Content-Length/),
    'missing.jpg': 'HTTP 404',
  });
  expect(fetched).toBe(2);
  expect(quarantined.map(({ owner, cause }) => [owner, cause])).toEqual([
    [liar, `it has ${good.length} bytes, but ${liar} declares ${tenGigabytes}`],
  ]);
  expect(readdirSync(join(snapshot, 'media/demo-org-1')).sort()).toEqual(['demo-org-1-1.image.jpg', 'demo-org-1-7.image.jpg']);
  expect(readFileSync(join(snapshot, 'media/demo-org-1/demo-org-1-7.image.jpg')).equals(small)).toBe(true);
});

it('limits the size of a compressed response after decompression', async () => {
  const upstream = await startTestUpstream();
  const bomb = gzipSync(Buffer.alloc(300 * MEGABYTE, 32));
  upstream.routes.set('/t.txt', ((_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(bomb);
  }) satisfies Handler);
  const text = createFileRecord('demo-org-1-1-transcript-0123456789', `${upstream.url}/t.txt`, { role: 'transcript' });
  const snapshot = await createHarvestedSnapshot(upstream, [text]);
  const report = await runMedia(snapshot, '--max-file', '2MB');
  expect(report).toMatchObject({ fetched: 0, failures: [], tooLarge: [{ owner: text['id'], size: null }] });
  expect(readFiles(join(snapshot, 'media')).size).toBe(0);
});
