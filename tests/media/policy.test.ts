/** `media` fetches what the records name, from nowhere else, and puts nothing into the snapshot that is not what it should be. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../src/media/estimate.ts';
import { canMount, filesBelow, microfiche, SAMPLE, smallDisk } from '../support.ts';
import { type Handler, startUpstream, type Upstream } from '../upstream.ts';
import {
  built,
  fileHandler,
  fileRecord,
  harvested,
  harvestedFrom,
  media,
  picture,
  pictured,
  segment,
  sumsOf,
  videoLike,
} from './files.ts';

const send =
  (body: Buffer | string, type = 'image/jpeg'): Handler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

/** A snapshot with one entity for each set of links. */
function withLinks(up: Upstream, links: Array<Record<string, string>>): Promise<string> {
  return harvested(
    up,
    links.map((own, n) => ({ id: `demo-org-1-${n + 1}`, model: 'entity', title: `No. ${n + 1}`, links: own })),
  );
}

it('keeps a picture under a name made from its record’s id, once, and not again', async () => {
  const up = await startUpstream();
  up.answers.set('/media/../../evil name.php', send(await picture()));
  up.answers.set('/evil%20name.php', send(await picture()));
  const snapshot = await withLinks(up, [
    { img: `${up.url}/media/../evil%20name.php` },
    { img: `${up.url}/media/../evil%20name.php` },
  ]);
  expect(await media(snapshot)).toMatchObject({ wanted: 1, fetched: 1, kept: 0, failures: [] });
  expect(existsSync(join(snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg'))).toBe(true);
  const asked = up.asked.length;
  expect(await media(snapshot)).toMatchObject({ fetched: 0, kept: 1 });
  expect(up.asked.length).toBe(asked);
});

it('takes no login page, no text and no broken file for a picture', async () => {
  const up = await startUpstream();
  up.answers.set('/login.jpg', send('<!doctype html><title>Log in</title>'));
  up.answers.set('/words.jpg', send('just words'));
  up.answers.set('/cut.jpg', send((await picture(400, 300)).subarray(0, 300)));
  const snapshot = await withLinks(up, [
    { img: `${up.url}/login.jpg` },
    { img: `${up.url}/words.jpg` },
    { img: `${up.url}/cut.jpg` },
    { img: `${up.url}/missing.jpg` },
  ]);
  const { failures } = await media(snapshot);
  expect(failures.map(({ owner, cause }) => [owner, cause]).sort()).toEqual([
    ['demo-org-1-1', 'the answer is a web page, not a picture'],
    ['demo-org-1-2', 'the answer is text/plain, not a picture'],
    ['demo-org-1-4', 'HTTP 404'],
  ]);
  const { stdout } = await microfiche(['status', '--snapshot', snapshot]);
  expect(stdout).toContain('demo-org-1-1: the answer is a web page, not a picture');
  const { out, report } = await built(snapshot);
  expect(report.problems.map(({ owner }) => owner)).toEqual(['demo-org-1-3']);
  expect(readFileSync(join(out, 'browse/index.html'), 'utf8')).toContain('Browse');
});

it('asks no host that was not named, and says how many it left', async () => {
  const up = await startUpstream();
  const other = await startUpstream();
  other.answers.set('/a.jpg', send(await picture()));
  const snapshot = await withLinks(up, [
    { img: `${other.url}/a.jpg` },
    { thumb: 'file:///etc/passwd' },
    { img: 'not an address' },
  ]);
  const { host } = new URL(other.url);
  expect(await media(snapshot)).toMatchObject({ fetched: 0, failures: [], elsewhere: [{ host, count: 1 }] });
  expect(other.asked).toEqual([]);
  expect(await media(snapshot, '--allow-host', host)).toMatchObject({ fetched: 1, elsewhere: [] });
});

it('stops at the budget, and goes on with the next one', async () => {
  const up = await startUpstream();
  for (const n of [1, 2, 3, 4]) up.answers.set(`/${n}.jpg`, send(await picture()));
  const snapshot = await withLinks(
    up,
    [1, 2, 3, 4].map((n) => ({ img: `${up.url}/${n}.jpg` })),
  );
  const { length } = await picture();
  const budget = String(Math.round(length * 1.5));
  const first = await media(snapshot, '--budget', budget, '--concurrency', '1');
  expect([first.fetched, first.overBudget]).toEqual([1, 3]);
  expect(await media(snapshot)).toMatchObject({ fetched: 3, kept: 1, overBudget: 0 });
});

it('keeps recordings and texts by kind, shows a transcript’s words, and hands out nothing that a browser would run', async () => {
  const up = await startUpstream();
  const mp4 = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4'));
  const mpg = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mpg'));
  up.answers.set('/v.mp4', send(mp4, 'video/mp4'));
  up.answers.set('/v.mpg', send(mpg, 'video/mpeg'));
  up.answers.set('/s.mp3', send('<html>Log in</html>', 'audio/mpeg'));
  const id = 'demo-org-1-1-1';
  const html = '<html><body onload="steal()"><script>steal()</script><p>The <b>whistle</b> went.</p>';
  const file = `${id}-transcript-${createHash('sha1').update(html).digest('hex').slice(0, 10)}`;
  up.answers.set('/t.html', send(html, 'text/html'));
  const descriptor = (name: string, mimetype: string, source: string) => ({ source, mimetype, url: `${up.url}/${name}` });
  const links = { 'children-files': `${up.url}/api/0.2/${id}/files/` };
  const files = {
    mpg: descriptor('v.mpg', 'video/mpeg', 'original'),
    mp4: descriptor('v.mp4', 'video/mp4', 'derivative'),
    mp3: descriptor('s.mp3', 'audio/mpeg', 'derivative'),
  };
  up.answers.set(`/api/0.2/${id}/`, { id, model: 'segment', title: 'A segment', format: 'vh', links, ia_meta: { id, files } });
  up.answers.set(`/api/0.2/${id}/files/`, {
    total: 1,
    next_offset: null,
    objects: [{ id: file, model: 'file', title: 'Transcript' }],
  });
  up.answers.set(`/api/0.2/${file}/`, {
    id: file,
    model: 'file',
    role: 'transcript',
    title: 'Transcript',
    links: { download: `${up.url}/t.html` },
  });
  const snapshot = await harvestedFrom(up, [id]);

  const first = await media(snapshot);
  expect(first).toMatchObject({ wanted: 3, fetched: 2 });
  expect(first.failures.map(({ owner, cause }) => [owner, cause])).toEqual([[id, 'the answer is a web page, not a recording']]);
  expect(up.asked).not.toContain('/v.mpg');
  expect(await media(snapshot, '--kinds', 'original')).toMatchObject({ wanted: 1, fetched: 1 });
  expect(readFileSync(join(snapshot, `media/demo-org-1/${id}.original.mpg`))).toEqual(mpg);

  const { out } = await built(snapshot);
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

/** Two collections: a segment with four files of its video, a photograph in each, a file record, and a recording that is only streamed. */
async function archive(up: Upstream): Promise<string> {
  const serveFile = (name: string, bytes: Buffer) => {
    up.answers.set(`/${name}`, fileHandler({ bytes }));
    return { url: `${up.url}/${name}`, size: String(bytes.length), bytes };
  };
  const files: Record<string, Record<string, unknown>> = {};
  for (const [format, mimetype, size] of [
    ['mpg', 'video/mpeg', 90_000],
    ['mp4', 'video/mp4', 50_000],
    ['ogv', 'video/ogg', 20_000],
  ] as const) {
    const bytes = videoLike(size);
    if (format === 'mpg') bytes.set([0, 0, 1, 0xba, 0x44]);
    if (format === 'ogv') bytes.set(readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.ogv')).subarray(0, 4000));
    const { url } = serveFile(`v.${format}`, bytes);
    files[format] = { source: format === 'mpg' ? 'original' : 'derivative', mimetype, url, size: String(size), ...sumsOf(bytes) };
  }
  const streamed = serveFile('s.mp4', videoLike(7000));
  const photograph = serveFile('p.jpg', await picture());
  const other = serveFile('q.jpg', await picture(90, 30));
  const master = serveFile('m.bin', Buffer.from([0, 1, 2, 3, 250]));
  const id = `demo-org-1-2-master-${sumsOf(master.bytes).sha1.slice(0, 10)}`;
  return harvested(up, [
    segment('demo-org-1-1-1', files),
    segment('demo-org-1-1-2', { mp4: { mimetype: 'video/mp4', url: streamed.url, size: streamed.size } }, { stream_only: true }),
    pictured('demo-org-1-2', photograph.url),
    pictured('demo-org-2-1', other.url),
    fileRecord(id, master.url, { size: master.size }),
    // It names what another record may only stream.
    fileRecord('demo-org-2-1-mezzanine-0123456789', streamed.url),
  ]);
}

const names = (snapshot: string) => [...filesBelow(join(snapshot, 'media')).keys()].map((path) => path.split('/')[1]).sort();

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
])('fetches what %j chooses, and never what may only be streamed', async (choice, expected) => {
  const up = await startUpstream();
  const snapshot = await archive(up);
  const report = await media(snapshot, ...choice);
  expect(names(snapshot)).toEqual(expected);
  expect(report).toMatchObject({ fetched: expected.length, failures: [], quarantined: [] });
  expect(up.asked).not.toContain('/s.mp4');
});

it('offers an original that browsers do not play for download, and says so', async () => {
  const up = await startUpstream();
  const snapshot = await archive(up);
  await media(snapshot, '--video', 'original');
  const { out } = await built(snapshot);
  const page = readFileSync(join(out, 'objects/demo-org-1-1-1.html'), 'utf8');
  expect(page).not.toContain('<video');
  expect(page).toContain('Browsers cannot play this format.');
  expect(page).toContain('href="../media/demo-org-1/demo-org-1-1-1.original.mpg"');
  expect(readFileSync(join(out, 'objects/demo-org-1-1-2.html'), 'utf8')).toContain('This recording is stream-only');
});

it('says with --dry-run what it would fetch, by kind, and fetches nothing', async () => {
  const up = await startUpstream();
  const snapshot = await archive(up);
  up.asked.length = 0;
  const estimate = await media<Estimate>(snapshot, '--dry-run', '--kinds', 'image,video,original');
  expect(up.asked).toEqual([]);
  expect(existsSync(join(snapshot, 'media'))).toBe(false);
  expect(estimate).toMatchObject({ files: 5, unknown: 2, bytes: 140_005, kept: 0, streamOnly: 1 });
  expect(estimate.kinds).toEqual([
    { kind: 'image', files: 2, bytes: 0, unknown: 2 },
    { kind: 'video', files: 1, bytes: 50_000, unknown: 0 },
    { kind: 'original', files: 2, bytes: 90_005, unknown: 0 },
  ]);
  const asked = await media<Estimate>(snapshot, '--dry-run', '--head', '--kinds', 'image');
  expect(asked).toMatchObject({ files: 2, unknown: 0, bytes: (await picture()).length + (await picture(90, 30)).length });
  expect(up.asked.sort()).toEqual(['/p.jpg', '/q.jpg']);
  const { stdout } = await microfiche(['media', '--snapshot', snapshot, '--dry-run', '--kinds', 'video,image']);
  expect(stdout).toMatch(/video\s+1\s+50\.0 KB\n/);
  expect(stdout).toMatch(/image\s+2\s+0 bytes {2}and 2 of unknown size\n/);
});

it('never takes more than the budget, and small things first', async () => {
  const up = await startUpstream();
  const snapshot = await archive(up);
  const report = await media(snapshot, '--budget', '30KB', '--kinds', 'image,video,original');
  expect(report).toMatchObject({ fetched: 3, overBudget: 2 });
  expect(report.bytes).toBeLessThanOrEqual(30_000);
  expect(names(snapshot)).toContain('demo-org-1-2.image.jpg');
});

it('stops at the budget also where nobody says how long a file is', async () => {
  const up = await startUpstream();
  up.answers.set('/a.jpg', send(Buffer.concat([await picture(), Buffer.alloc(500_000)])));
  const snapshot = await withLinks(up, [{ img: `${up.url}/a.jpg` }]);
  expect(await media(snapshot, '--budget', '100KB')).toMatchObject({ fetched: 0, overBudget: 1, failures: [] });
  expect(names(snapshot)).toEqual([]);
});

it('asks several hosts side by side, and none of them for more at once than it should', async () => {
  const ups = await Promise.all([startUpstream(), startUpstream()]);
  const most = [0, 0];
  const now = [0, 0];
  let both = false;
  const bytes = await picture();
  const records = ups.flatMap((up, host) =>
    Array.from({ length: 12 }, (_, n) => {
      up.answers.set(`/${n}.jpg`, ((_request, response) => {
        now[host] = (now[host] ?? 0) + 1;
        most[host] = Math.max(most[host] ?? 0, now[host] ?? 0);
        both ||= (now[0] ?? 0) > 0 && (now[1] ?? 0) > 0;
        setTimeout(() => {
          now[host] = (now[host] ?? 0) - 1;
          response.end(bytes);
        }, 40);
      }) satisfies Handler);
      return pictured(`demo-org-${host + 1}-${n + 1}`, `${up.url}/${n}.jpg`);
    }),
  );
  const snapshot = await harvested(ups[0], records);
  const report = await media(snapshot, '--concurrency', '3', '--allow-host', new URL(ups[1].url).host);
  expect(report).toMatchObject({ fetched: 24, failures: [] });
  expect([most, both]).toEqual([[3, 3], true]);
});

it.each([1, 4])('gives a dead host up once, not file by file, asked for %s at once', async (atOnce) => {
  const up = await startUpstream();
  const dead = await startUpstream();
  const { host, port } = new URL(dead.url);
  await dead.close();
  const records = Array.from({ length: 30 }, (_, n) => pictured(`demo-org-1-${n + 1}`, `http://127.0.0.1:${port}/${n}.jpg`));
  up.answers.set('/a.jpg', send(await picture()));
  const snapshot = await harvested(up, [...records, pictured('demo-org-2-1', `${up.url}/a.jpg`)]);
  const report = await media(snapshot, '--allow-host', host, '--concurrency', String(atOnce));
  expect(report).toMatchObject({ fetched: 1, unreachable: [{ host, count: 30 - atOnce, cause: 'connection refused' }] });
  expect(report.unreachable).toHaveLength(1);
  expect(report.failures).toHaveLength(atOnce);
});

describe('on a small disk', () => {
  it.runIf(canMount())('refuses ahead what does not fit, and asks for nothing', async () => {
    const up = await startUpstream();
    const snapshot = await onSmallDisk(up, { declared: true });
    up.asked.length = 0;
    const { code, stderr } = await microfiche(['media', '--snapshot', snapshot]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^microfiche: There is not enough room on the disk of \S+: 24\.0 MB are to be fetched and [\d.]+ MB can be used\./,
    );
    expect(up.asked).toEqual([]);
    expect(await media(snapshot, '--budget', '7MB')).toMatchObject({ fetched: 1, overBudget: 3 });
  });

  it.runIf(canMount())(
    'ends cleanly where others fill it meanwhile, keeps what is whole, and goes on when there is room',
    async () => {
      const up = await startUpstream();
      const snapshot = await onSmallDisk(up, { declared: false, kilobytes: 48_000 });
      const filler = join(snapshot, '../filler');
      const second = up.answers.get('/2.mp4') as Handler;
      up.answers.set('/2.mp4', ((_request, response) => {
        response.writeHead(200, { 'content-length': 6_000_000 }).flushHeaders();
        setTimeout(() => {
          fillDisk(filler);
          response.end(videoLike(6_000_000));
        }, 500);
      }) satisfies Handler);
      const { code, stderr } = await microfiche(['media', '--snapshot', snapshot, '--concurrency', '1']);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^microfiche: The disk is full\. Free some disk space/)]);
      expect(names(snapshot).filter((name) => !name?.endsWith('.part'))).toEqual(['demo-org-1-1-1.video.mp4']);
      rmSync(filler);
      up.answers.set('/2.mp4', second);
      expect(await media(snapshot)).toMatchObject({ fetched: 3, kept: 1, failures: [] });
      expect((await microfiche(['verify', '--snapshot', snapshot])).code).toBe(0);
    },
  );
});

/** Leaves next to nothing of a disk. */
function fillDisk(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  writeFileSync(file, Buffer.alloc(bavail * bsize - 600_000));
}

/** A snapshot on a disk of its own, with four videos of 6 MB of which the disk has not room for all. */
async function onSmallDisk(up: Upstream, { declared, kilobytes = 36_000 }: { declared: boolean; kilobytes?: number }) {
  const snapshot = join(smallDisk(kilobytes), 'snapshot');
  const records = [1, 2, 3, 4].map((n) => {
    const bytes = videoLike(6_000_000);
    up.answers.set(`/${n}.mp4`, declared ? fileHandler({ bytes }) : send(bytes, 'video/mp4'));
    const size = declared ? { size: String(bytes.length) } : {};
    return segment(`demo-org-1-1-${n}`, { mp4: { mimetype: 'video/mp4', url: `${up.url}/${n}.mp4`, ...size } });
  });
  cpSync(await harvested(up, records), snapshot, { recursive: true });
  return snapshot;
}

it.each([
  [['--collection', 'demo-org-77'], 1, /No record of the snapshot belongs to demo-org-77/],
  [['--head'], 2, /--head requires --dry-run/],
  [['--video', 'largest'], 2, /Expected one of mp4, smallest, original/],
  [['--max-file', 'huge'], 2, /Expected a size, for example 500MB/],
])('says in one sentence what is wrong with %j', async (args, code, sentence) => {
  const up = await startUpstream();
  const snapshot = await archive(up);
  const ran = await microfiche(['media', '--snapshot', snapshot, ...args]);
  expect([ran.code, ran.stdout]).toEqual([code, '']);
  expect(ran.stderr).toMatch(sentence);
  expect(ran.stderr).not.toContain('    at ');
});
