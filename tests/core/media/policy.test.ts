/** Selection and limits of `media`: kinds, collections, allowed hosts, budgets, disk space, and the types of files. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../../src/media/estimate.ts';
import { canMount, mountSmallDisk, readFiles, runMicrofiche, SAMPLE } from '../../support/commands.ts';
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
  harvestIds,
  runMedia,
} from '../../support/file-server.ts';
import { type Handler, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const respondWithFile =
  (body: Buffer | string, type = 'image/jpeg'): Handler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

/** Creates a snapshot with one item per set of links. */
function createLinkedSnapshot(upstream: TestUpstream, links: Array<Record<string, string>>): Promise<string> {
  return createHarvestedSnapshot(
    upstream,
    links.map((own, n) => ({ id: `demo-org-1-${n + 1}`, model: 'entity', title: `No. ${n + 1}`, links: own })),
  );
}

it('names an image after the ID of its record, and downloads it once', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/media/../../evil name.php', respondWithFile(await createImage()));
  upstream.routes.set('/evil%20name.php', respondWithFile(await createImage()));
  const snapshot = await createLinkedSnapshot(upstream, [
    { img: `${upstream.url}/media/../evil%20name.php` },
    { img: `${upstream.url}/media/../evil%20name.php` },
  ]);
  expect(await runMedia(snapshot)).toMatchObject({ wanted: 1, fetched: 1, alreadyStored: 0, failures: [] });
  expect(existsSync(join(snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg'))).toBe(true);
  const requestCount = upstream.requests.length;
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 0, alreadyStored: 1 });
  expect(upstream.requests.length).toBe(requestCount);
});

it('does not store a login page or text as an image, and does not show a truncated image', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/login.jpg', respondWithFile('<!doctype html><title>Log in</title>'));
  upstream.routes.set('/words.jpg', respondWithFile('just words'));
  upstream.routes.set('/cut.jpg', respondWithFile((await createImage(400, 300)).subarray(0, 300)));
  const snapshot = await createLinkedSnapshot(upstream, [
    { img: `${upstream.url}/login.jpg` },
    { img: `${upstream.url}/words.jpg` },
    { img: `${upstream.url}/cut.jpg` },
    { img: `${upstream.url}/missing.jpg` },
  ]);
  const { failures } = await runMedia(snapshot);
  expect(failures.map(({ owner, cause }) => [owner, cause]).sort()).toEqual([
    ['demo-org-1-1', 'the response is a web page, not an image'],
    ['demo-org-1-2', 'the response is text/plain, not an image'],
    ['demo-org-1-4', 'HTTP 404'],
  ]);
  const { stdout } = await runMicrofiche(['status', '--snapshot', snapshot]);
  expect(stdout).toContain('demo-org-1-1: the response is a web page, not an image');
  const { out, report } = await buildSnapshot(snapshot);
  expect(report.problems.map(({ owner }) => owner)).toEqual(['demo-org-1-3']);
  expect(readFileSync(join(out, 'browse/index.html'), 'utf8')).toContain('Browse');
});

it('contacts allowed hosts only, and reports how many files it skipped', async () => {
  const upstream = await startTestUpstream();
  const other = await startTestUpstream();
  other.routes.set('/a.jpg', respondWithFile(await createImage()));
  const snapshot = await createLinkedSnapshot(upstream, [
    { img: `${other.url}/a.jpg` },
    { thumb: 'file:///etc/passwd' },
    { img: 'not an address' },
  ]);
  const { host } = new URL(other.url);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 0, failures: [], elsewhere: [{ host, count: 1 }] });
  expect(other.requests).toEqual([]);
  expect(await runMedia(snapshot, '--allow-host', host)).toMatchObject({ fetched: 1, elsewhere: [] });
});

it('stops at the budget, and continues in the next run', async () => {
  const upstream = await startTestUpstream();
  for (const n of [1, 2, 3, 4]) upstream.routes.set(`/${n}.jpg`, respondWithFile(await createImage()));
  const snapshot = await createLinkedSnapshot(
    upstream,
    [1, 2, 3, 4].map((n) => ({ img: `${upstream.url}/${n}.jpg` })),
  );
  const { length } = await createImage();
  const budget = String(Math.round(length * 1.5));
  const first = await runMedia(snapshot, '--budget', budget, '--concurrency', '1');
  expect([first.fetched, first.overBudget]).toEqual([1, 3]);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 3, alreadyStored: 1, overBudget: 0 });
});

it('stores recordings and transcripts by kind, shows the text of a transcript, and publishes no active content', async () => {
  const upstream = await startTestUpstream();
  const mp4 = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4'));
  const mpg = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mpg'));
  upstream.routes.set('/v.mp4', respondWithFile(mp4, 'video/mp4'));
  upstream.routes.set('/v.mpg', respondWithFile(mpg, 'video/mpeg'));
  upstream.routes.set('/s.mp3', respondWithFile('<html>Log in</html>', 'audio/mpeg'));
  const id = 'demo-org-1-1-1';
  const html = '<html><body onload="steal()"><script>steal()</script><p>The <b>whistle</b> went.</p>';
  const file = `${id}-transcript-${createHash('sha1').update(html).digest('hex').slice(0, 10)}`;
  upstream.routes.set('/t.html', respondWithFile(html, 'text/html'));
  const descriptor = (name: string, mimetype: string, source: string) => ({ source, mimetype, url: `${upstream.url}/${name}` });
  const links = { 'children-files': `${upstream.url}/api/0.2/${id}/files/` };
  const files = {
    mpg: descriptor('v.mpg', 'video/mpeg', 'original'),
    mp4: descriptor('v.mp4', 'video/mp4', 'derivative'),
    mp3: descriptor('s.mp3', 'audio/mpeg', 'derivative'),
  };
  upstream.routes.set(`/api/0.2/${id}/`, {
    id,
    model: 'segment',
    title: 'A segment',
    format: 'vh',
    links,
    ia_meta: { id, files },
  });
  upstream.routes.set(`/api/0.2/${id}/files/`, {
    total: 1,
    next_offset: null,
    objects: [{ id: file, model: 'file', title: 'Transcript' }],
  });
  upstream.routes.set(`/api/0.2/${file}/`, {
    id: file,
    model: 'file',
    role: 'transcript',
    title: 'Transcript',
    links: { download: `${upstream.url}/t.html` },
  });
  const snapshot = await harvestIds(upstream, [id]);

  const first = await runMedia(snapshot);
  expect(first).toMatchObject({ wanted: 3, fetched: 2 });
  expect(first.failures.map(({ owner, cause }) => [owner, cause])).toEqual([[id, 'the response is a web page, not a recording']]);
  expect(upstream.requests).not.toContain('/v.mpg');
  expect(await runMedia(snapshot, '--kinds', 'original')).toMatchObject({ wanted: 1, fetched: 1 });
  expect(readFileSync(join(snapshot, `media/demo-org-1/${id}.original.mpg`))).toEqual(mpg);

  const { out } = await buildSnapshot(snapshot);
  expect(readFileSync(join(out, `media/demo-org-1/${id}.video.mp4`))).toEqual(mp4);
  expect(readdirSync(join(out, 'media/demo-org-1')).filter((name) => name.endsWith('.html'))).toEqual([]);
  const page = readFileSync(join(out, `objects/${id}.html`), 'utf8');
  expect(page).toContain(`<source src="../media/demo-org-1/${id}.video.mp4" type="video/mp4">`);
  expect(page).toContain('<p>The <b>whistle</b> went.</p>');
  expect(page).not.toContain('steal');
  expect(readFileSync(join(out, 'about.html'), 'utf8')).toContain(
    '1 recording, transcript or original file could not be copied.',
  );
});

/**
 * Creates a snapshot of two collections: a segment with three video files, a photograph in each, a file record, and a stream-only
 * recording.
 */
async function createArchive(upstream: TestUpstream): Promise<string> {
  const serveFile = (name: string, bytes: Buffer) => {
    upstream.routes.set(`/${name}`, fileHandler({ bytes }));
    return { url: `${upstream.url}/${name}`, size: String(bytes.length), bytes };
  };
  const files: Record<string, Record<string, unknown>> = {};
  for (const [format, mimetype, size] of [
    ['mpg', 'video/mpeg', 90_000],
    ['mp4', 'video/mp4', 50_000],
    ['ogv', 'video/ogg', 20_000],
  ] as const) {
    const bytes = createFakeVideo(size);
    if (format === 'mpg') bytes.set([0, 0, 1, 0xba, 0x44]);
    if (format === 'ogv') bytes.set(readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.ogv')).subarray(0, 4000));
    const { url } = serveFile(`v.${format}`, bytes);
    files[format] = {
      source: format === 'mpg' ? 'original' : 'derivative',
      mimetype,
      url,
      size: String(size),
      ...computeChecksums(bytes),
    };
  }
  const streamed = serveFile('s.mp4', createFakeVideo(7000));
  const photograph = serveFile('p.jpg', await createImage());
  const other = serveFile('q.jpg', await createImage(90, 30));
  const master = serveFile('m.bin', Buffer.from([0, 1, 2, 3, 250]));
  const id = `demo-org-1-2-master-${computeChecksums(master.bytes).sha1.slice(0, 10)}`;
  return createHarvestedSnapshot(upstream, [
    createSegment('demo-org-1-1-1', files),
    createSegment(
      'demo-org-1-1-2',
      { mp4: { mimetype: 'video/mp4', url: streamed.url, size: streamed.size } },
      { stream_only: true },
    ),
    createRecordWithImage('demo-org-1-2', photograph.url),
    createRecordWithImage('demo-org-2-1', other.url),
    createFileRecord(id, master.url, { size: master.size }),
    // It names a file that is stream-only for another record.
    createFileRecord('demo-org-2-1-mezzanine-0123456789', streamed.url),
  ]);
}

const names = (snapshot: string) => [...readFiles(join(snapshot, 'media')).keys()].map((path) => path.split('/')[1]).sort();

it.each([
  [[], ['demo-org-1-1-1.video.mp4', 'demo-org-1-2.image.jpg', 'demo-org-2-1.image.jpg']],
  [
    ['--video', 'smallest'],
    [expect.stringMatching(/^demo-org-1-1-1\.video\.\w+\.ogv$/), 'demo-org-1-2.image.jpg', 'demo-org-2-1.image.jpg'],
  ],
  [['--kinds', 'video', '--video', 'original'], ['demo-org-1-1-1.original.mpg']],
  [['--kinds', 'image', '--collection', 'demo-org-2'], ['demo-org-2-1.image.jpg']],
  [
    ['--kinds', 'original'],
    ['demo-org-1-1-1.original.mpg', expect.stringMatching(/^demo-org-1-2-master-\w+\.original\.bin$/)],
  ],
  [
    ['--max-file', '40KB'],
    ['demo-org-1-2.image.jpg', 'demo-org-2-1.image.jpg'],
  ],
])('downloads what %j selects, but no stream-only recordings', async (choice, expected) => {
  const upstream = await startTestUpstream();
  const snapshot = await createArchive(upstream);
  const report = await runMedia(snapshot, ...choice);
  expect(names(snapshot)).toEqual(expected);
  expect(report).toMatchObject({ fetched: expected.length, failures: [], quarantined: [] });
  expect(upstream.requests).not.toContain('/s.mp4');
});

it('offers an original that browsers cannot play for download, with a notice', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createArchive(upstream);
  await runMedia(snapshot, '--video', 'original');
  const { out } = await buildSnapshot(snapshot);
  const page = readFileSync(join(out, 'objects/demo-org-1-1-1.html'), 'utf8');
  expect(page).not.toContain('<video');
  expect(page).toContain('Browsers cannot play this format.');
  expect(page).toContain('href="../media/demo-org-1/demo-org-1-1-1.original.mpg"');
  expect(readFileSync(join(out, 'objects/demo-org-1-1-2.html'), 'utf8')).toContain('This recording is stream-only');
});

it('prints an estimate per kind with --dry-run, and downloads nothing', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createArchive(upstream);
  upstream.requests.length = 0;
  const estimate = await runMedia<Estimate>(snapshot, '--dry-run', '--kinds', 'image,video,original');
  expect(upstream.requests).toEqual([]);
  expect(existsSync(join(snapshot, 'media'))).toBe(false);
  expect(estimate).toMatchObject({ files: 5, unknown: 2, bytes: 140_005, alreadyStored: 0, streamOnly: 1 });
  expect(estimate.kinds).toEqual([
    { kind: 'image', files: 2, bytes: 0, unknown: 2 },
    { kind: 'video', files: 1, bytes: 50_000, unknown: 0 },
    { kind: 'original', files: 2, bytes: 90_005, unknown: 0 },
  ]);
  const sized = await runMedia<Estimate>(snapshot, '--dry-run', '--head', '--kinds', 'image');
  expect(sized).toMatchObject({ files: 2, unknown: 0, bytes: (await createImage()).length + (await createImage(90, 30)).length });
  expect(upstream.requests.sort()).toEqual(['/p.jpg', '/q.jpg']);
  const { stdout } = await runMicrofiche(['media', '--snapshot', snapshot, '--dry-run', '--kinds', 'video,image']);
  expect(stdout).toMatch(/video\s+1\s+50\.0 KB\n/);
  expect(stdout).toMatch(/image\s+2\s+0 bytes {2}and 2 of unknown size\n/);
});

it('never downloads more than the budget, and starts with small files', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createArchive(upstream);
  const report = await runMedia(snapshot, '--budget', '30KB', '--kinds', 'image,video,original');
  expect(report).toMatchObject({ fetched: 3, overBudget: 2 });
  expect(report.bytes).toBeLessThanOrEqual(30_000);
  expect(names(snapshot)).toContain('demo-org-1-2.image.jpg');
});

it('stops at the budget even if the size of a file is not declared', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/a.jpg', respondWithFile(Buffer.concat([await createImage(), Buffer.alloc(500_000)])));
  const snapshot = await createLinkedSnapshot(upstream, [{ img: `${upstream.url}/a.jpg` }]);
  expect(await runMedia(snapshot, '--budget', '100KB')).toMatchObject({ fetched: 0, overBudget: 1, failures: [] });
  expect(names(snapshot)).toEqual([]);
});

it('downloads from several hosts in parallel, within the concurrency limit of each', async () => {
  const ups = await Promise.all([startTestUpstream(), startTestUpstream()]);
  const maxInFlight = [0, 0];
  const inFlight = [0, 0];
  let both = false;
  const bytes = await createImage();
  const records = ups.flatMap((upstream, host) =>
    Array.from({ length: 12 }, (_, n) => {
      upstream.routes.set(`/${n}.jpg`, ((_request, response) => {
        inFlight[host] = (inFlight[host] ?? 0) + 1;
        maxInFlight[host] = Math.max(maxInFlight[host] ?? 0, inFlight[host] ?? 0);
        both ||= (inFlight[0] ?? 0) > 0 && (inFlight[1] ?? 0) > 0;
        setTimeout(() => {
          inFlight[host] = (inFlight[host] ?? 0) - 1;
          response.end(bytes);
        }, 40);
      }) satisfies Handler);
      return createRecordWithImage(`demo-org-${host + 1}-${n + 1}`, `${upstream.url}/${n}.jpg`);
    }),
  );
  const snapshot = await createHarvestedSnapshot(ups[0], records);
  const report = await runMedia(snapshot, '--concurrency', '3', '--allow-host', new URL(ups[1].url).host);
  expect(report).toMatchObject({ fetched: 24, failures: [] });
  expect([maxInFlight, both]).toEqual([[3, 3], true]);
});

it.each([1, 4])('gives up an unreachable host for all of its files, with --concurrency %s', async (concurrency) => {
  const upstream = await startTestUpstream();
  const dead = await startTestUpstream();
  const { host, port } = new URL(dead.url);
  await dead.close();
  const records = Array.from({ length: 30 }, (_, n) =>
    createRecordWithImage(`demo-org-1-${n + 1}`, `http://127.0.0.1:${port}/${n}.jpg`),
  );
  upstream.routes.set('/a.jpg', respondWithFile(await createImage()));
  const snapshot = await createHarvestedSnapshot(upstream, [
    ...records,
    createRecordWithImage('demo-org-2-1', `${upstream.url}/a.jpg`),
  ]);
  const report = await runMedia(snapshot, '--allow-host', host, '--concurrency', String(concurrency));
  expect(report).toMatchObject({ fetched: 1, failures: [] });
  expect(report.unreachable).toEqual([{ host, count: 30, cause: 'connection refused' }]);
});

describe('on a small disk', () => {
  it.runIf(canMount())('reports missing disk space before the first request', async () => {
    const upstream = await startTestUpstream();
    const snapshot = await createSnapshotOnSmallDisk(upstream, { declared: true });
    upstream.requests.length = 0;
    const { code, stderr } = await runMicrofiche(['media', '--snapshot', snapshot]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(/^microfiche: Not enough disk space for \S+: 24\.0 MB required, [\d.]+ MB available\./);
    expect(upstream.requests).toEqual([]);
    expect(await runMedia(snapshot, '--budget', '7MB')).toMatchObject({ fetched: 1, overBudget: 3 });
  });

  it.runIf(canMount())(
    'ends cleanly if another program fills the disk, keeps complete files, and continues when there is disk space',
    async () => {
      const upstream = await startTestUpstream();
      const snapshot = await createSnapshotOnSmallDisk(upstream, { declared: false, kilobytes: 48_000 });
      const filler = join(snapshot, '../filler');
      const second = upstream.routes.get('/2.mp4') as Handler;
      upstream.routes.set('/2.mp4', (async (_request, response) => {
        response.writeHead(200, { 'content-length': 6_000_000 }).flushHeaders();
        await expect.poll(() => names(snapshot)).toContain('demo-org-1-1-1.video.mp4'); // the first file is written meanwhile
        await pause(500);
        fillDisk(filler);
        response.end(createFakeVideo(6_000_000));
      }) satisfies Handler);
      const { code, stderr } = await runMicrofiche(['media', '--snapshot', snapshot, '--concurrency', '1']);
      expect(code).toBe(1);
      const lines = stderr.trim().split('\n');
      expect(lines.filter((line) => !line.startsWith('Downloading: '))).toEqual([
        expect.stringMatching(/^microfiche: The disk is full\. Free some disk space/),
      ]);
      expect(names(snapshot).filter((name) => !name?.endsWith('.part'))).toEqual(['demo-org-1-1-1.video.mp4']);
      rmSync(filler);
      upstream.routes.set('/2.mp4', second);
      expect(await runMedia(snapshot)).toMatchObject({ fetched: 3, alreadyStored: 1, failures: [] });
      expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
    },
  );
});

/** Fills the disk of a file except for 600 kB, while other programs may write to it. */
function fillDisk(file: string): void {
  const piece = Buffer.alloc(100_000);
  const available = () => {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  };
  while (available() > 600_000 + piece.length) appendFileSync(file, piece);
}

/** Creates a snapshot on a small disk, with four videos of 6 MB that do not all fit. */
async function createSnapshotOnSmallDisk(
  upstream: TestUpstream,
  { declared, kilobytes = 36_000 }: { declared: boolean; kilobytes?: number },
) {
  const snapshot = join(mountSmallDisk(kilobytes), 'snapshot');
  const records = [1, 2, 3, 4].map((n) => {
    const bytes = createFakeVideo(6_000_000);
    upstream.routes.set(`/${n}.mp4`, declared ? fileHandler({ bytes }) : respondWithFile(bytes, 'video/mp4'));
    const size = declared ? { size: String(bytes.length) } : {};
    return createSegment(`demo-org-1-1-${n}`, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/${n}.mp4`, ...size } });
  });
  return createHarvestedSnapshot(upstream, records, snapshot);
}

it.each([
  [['--collection', 'demo-org-77'], 1, /No record in the snapshot belongs to demo-org-77/],
  [['--head'], 2, /--head requires --dry-run/],
  [['--video', 'largest'], 2, /Expected one of mp4, smallest, original/],
  [['--max-file', 'huge'], 2, /Expected a size, for example 500MB/],
])('prints what is wrong with %j, without a stack trace', async (args, code, sentence) => {
  const upstream = await startTestUpstream();
  const snapshot = await createArchive(upstream);
  const ran = await runMicrofiche(['media', '--snapshot', snapshot, ...args]);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toMatch(sentence);
  expect(ran.stderr).not.toContain('    at ');
});
