/** What a crash, a full disk or a snapshot that was handed on cannot do to `media`. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { MediaReport } from '../../src/media/download-media.ts';
import { canMount, createTestDirectory, mountSmallDisk, readFiles, runMicrofiche } from '../support.ts';
import { startTestUpstream, type TestUpstream } from '../test-upstream.ts';
import {
  createFakeVideo,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
} from './file-server.ts';

const MEGABYTE = 1_000_000;

/** Segments 1, 2, … with a video of these bytes each, of which nothing is declared. */
async function createVideoSnapshot(upstream: TestUpstream, videos: Buffer[]): Promise<string> {
  const records = videos.map((bytes, n) => {
    upstream.routes.set(`/${n + 1}.mp4`, fileHandler({ bytes }));
    return createSegment(`demo-org-1-1-${n + 1}`, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/${n + 1}.mp4` } });
  });
  return createHarvestedSnapshot(upstream, records);
}

function inDatabase<T>(snapshot: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Says of the one stored file that it is elsewhere. */
function moveFile(db: DatabaseSync, path: string): void {
  db.exec('PRAGMA foreign_keys = OFF');
  for (const table of ['blob', 'media']) db.prepare(`UPDATE ${table} SET path = ?`).run(path);
}

const video = (n: number) => `media/demo-org-1/demo-org-1-1-${n}.video.mp4`;

it.each([
  ['has a hole', (bytes: Buffer) => bytes.fill(0, 300_000, 304_096)],
  ['is shorter than it was', (bytes: Buffer) => bytes.subarray(0, 100_000)],
])('D7: a part that %s after a crash is thrown away, and the file is downloaded anew', async (_, damage) => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(3 * MEGABYTE);
  const snapshot = await createVideoSnapshot(upstream, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 300_000, cutCount: 5 });
  upstream.routes.set('/1.mp4', handler);
  expect((await runMedia(snapshot)).failures).toHaveLength(1);
  const [part = ''] = [...readFiles(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const left = readFileSync(file);
  expect(left.length).toBeGreaterThan(MEGABYTE);
  writeFileSync(file, damage(left));
  const asked = handler.asked.length;
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 0, failures: [] });
  expect(handler.asked.slice(asked)).toEqual([{ range: undefined, ifRange: undefined }]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it('D7: what follows the last checkpoint is downloaded again, and what is before it is not', async () => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(3 * MEGABYTE);
  const snapshot = await createVideoSnapshot(upstream, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 300_000, cutCount: 5 });
  upstream.routes.set('/1.mp4', handler);
  await runMedia(snapshot);
  const [part = ''] = [...readFiles(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const durable = readFileSync(file);
  writeFileSync(file, Buffer.concat([durable, Buffer.alloc(50_000)])); // written, and never synced
  const asked = handler.asked.length;
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 1, failures: [] });
  expect(handler.asked.slice(asked).map(({ range }) => range)).toEqual([`bytes=${durable.length}-`]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it.runIf(canMount())('D8: three files of 80 % of the free space are not all accepted', async () => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(12 * MEGABYTE);
  const snapshot = join(mountSmallDisk(32_000), 'snapshot');
  cpSync(await createVideoSnapshot(upstream, [bytes, createFakeVideo(12 * MEGABYTE), createFakeVideo(12 * MEGABYTE)]), snapshot, {
    recursive: true,
  });
  const { code, stdout, stderr } = await runMicrofiche(['media', '--snapshot', snapshot, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const report = JSON.parse(stdout) as MediaReport;
  expect(report.fetched).toBe(1);
  expect(report.failures.map(({ cause }) => cause)).toEqual(Array(2).fill('the disk has no room for its 12.0 MB'));
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it.runIf(canMount())('S12: a body that unpacks to more than the disk holds is left out, and the others are stored', async () => {
  const upstream = await startTestUpstream();
  const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE, 32));
  const ids = Array.from({ length: 12 }, (_, n) => n + 1);
  const pictures = await Promise.all(ids.map((n) => createImage(60 + n)));
  const records = pictures.map((bytes, n) => {
    // Some say how long they are, and some do not.
    upstream.routes.set(
      `/${n}.jpg`,
      n % 2 === 0 ? fileHandler({ bytes }) : (_: unknown, response: ServerResponse) => response.writeHead(200).end(bytes),
    );
    return createRecordWithImage(`demo-org-1-${n + 2}`, `${upstream.url}/${n}.jpg`);
  });
  upstream.routes.set('/bomb.jpg', (_: unknown, response: ServerResponse) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  const snapshot = join(mountSmallDisk(64_000), 'snapshot');
  cpSync(
    await createHarvestedSnapshot(upstream, [createRecordWithImage('demo-org-1-1', `${upstream.url}/bomb.jpg`), ...records]),
    snapshot,
    { recursive: true },
  );
  for (const fetched of [12, 0]) {
    const report = await runMedia(snapshot);
    expect(report.fetched).toBe(fetched);
    expect(report.failures).toEqual([
      {
        url: `${upstream.url}/bomb.jpg`,
        owner: 'demo-org-1-1',
        cause: expect.stringMatching(/^the disk has no room for more than \d/),
      },
    ]);
    expect([...readFiles(join(snapshot, 'media')).keys()].filter((path) => path.endsWith('.part'))).toEqual([]);
  }
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

/** A snapshot with one stored video, in a folder beside a canary. */
async function createSnapshotBesideCanary() {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(2000);
  const top = createTestDirectory();
  const snapshot = join(top, 'snapshot');
  renameSync(await createVideoSnapshot(upstream, [bytes]), snapshot);
  await runMedia(snapshot);
  mkdirSync(join(top, 'victim'));
  const canary = join(top, 'victim/x');
  writeFileSync(canary, 'canary');
  return { upstream, bytes, top, snapshot, canary };
}

it('S1: duplicates are not deleted outside, behind links, or where no media is', async () => {
  const { snapshot, canary } = await createSnapshotBesideCanary();
  symlinkSync('../../victim', join(snapshot, 'media/linked'));
  for (const command of [['media'], ['verify', '--repair']]) {
    inDatabase(snapshot, (db) => {
      for (const path of ['../victim/x', canary, 'media/../../victim/x', 'media/linked/x', 'snapshot.sqlite'])
        db.prepare('INSERT OR IGNORE INTO orphan_file (path) VALUES (?)').run(path);
    });
    await runMicrofiche([...command, '--snapshot', snapshot]);
    expect([readFileSync(canary, 'utf8'), existsSync(join(snapshot, 'snapshot.sqlite'))]).toEqual(['canary', true]);
  }
});

it('S1: a file that a row still needs is no duplicate', async () => {
  const { snapshot } = await createSnapshotBesideCanary();
  inDatabase(snapshot, (db) => db.prepare('INSERT INTO orphan_file (path) VALUES (?)').run(video(1)));
  await runMedia(snapshot);
  expect(existsSync(join(snapshot, video(1)))).toBe(true);
});

it('S2: nothing is read or written through a row whose path leads out', async () => {
  const { snapshot, canary, bytes } = await createSnapshotBesideCanary();
  symlinkSync('../../victim', join(snapshot, 'media/linked'));
  symlinkSync('../../../victim/x', join(snapshot, 'media/demo-org-1/link.mp4'));
  for (const path of ['../victim/x', 'media/linked/x', 'media/demo-org-1/link.mp4']) {
    inDatabase(snapshot, (db) => moveFile(db, path));
    writeFileSync(canary, bytes);
    expect(await runMedia(snapshot), path).toMatchObject({ fetched: 1, kept: 0 });
    expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
    writeFileSync(canary, 'canary');
    inDatabase(snapshot, (db) => moveFile(db, path));
    await runMicrofiche(['verify', '--repair', '--snapshot', snapshot]);
    expect(readFileSync(canary, 'utf8')).toBe('canary');
  }
});

it('S2: a collection’s folder that is a symbolic link is written nothing into, and the report says so', async () => {
  const { snapshot, top } = await createSnapshotBesideCanary();
  renameSync(join(snapshot, 'media/demo-org-1'), join(top, 'moved'));
  symlinkSync(join(top, 'moved'), join(snapshot, 'media/demo-org-1'));
  const before = [...readFiles(join(top, 'moved')).keys()];
  const { fetched, failures } = await runMedia(snapshot);
  expect([fetched, failures.map(({ cause }) => cause)]).toEqual([
    0,
    [expect.stringMatching(/^it cannot be stored: .*symbolic link/)],
  ]);
  expect([...readFiles(join(top, 'moved')).keys()]).toEqual(before);
});

it('S2: a media folder that is a symbolic link is refused in one sentence', async () => {
  const { snapshot, top } = await createSnapshotBesideCanary();
  renameSync(join(snapshot, 'media'), join(top, 'moved'));
  symlinkSync(join(top, 'moved'), join(snapshot, 'media'));
  const { code, stderr } = await runMicrofiche(['media', '--snapshot', snapshot]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^microfiche: .*media is a symbolic link/);
  expect(stderr).not.toContain('    at ');
});

it('heals a file whose bytes another address has too: what was downloaded just now stays', async () => {
  const upstream = await startTestUpstream();
  const bytes = await createImage();
  for (const n of [1, 2]) upstream.routes.set(`/${n}.jpg`, fileHandler({ bytes }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    createRecordWithImage('demo-org-1-1', `${upstream.url}/1.jpg`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/2.jpg`),
  ]);
  await runMedia(snapshot, '--collection', 'demo-org-1');
  const [path = ''] = [...readFiles(join(snapshot, 'media')).keys()];
  writeFileSync(join(snapshot, 'media', path), Buffer.alloc(bytes.length));
  inDatabase(snapshot, (db) => db.prepare('DELETE FROM media WHERE url = ?').run(`${upstream.url}/2.jpg`));
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 1 });
  expect(basename(path)).toBe('demo-org-1-1.image.jpg');
  expect(readFileSync(join(snapshot, 'media', path)).equals(bytes)).toBe(true);
});

it('a file that a killed run left without a row goes when another place has its bytes', async () => {
  const upstream = await startTestUpstream();
  const bytes = await createImage();
  const [first, second] = ['demo-org-2-1', 'demo-org-2-2'].map((id) => createRecordWithImage(id, `${upstream.url}/${id}.jpg`));
  upstream.routes.set('/demo-org-2-1.jpg', fileHandler({ bytes }));
  const snapshot = await createHarvestedSnapshot(upstream, [first, second] as Array<Record<string, unknown>>);
  await runMedia(snapshot);
  // Placed, and killed before its row was committed.
  const left = join(snapshot, 'media/demo-org-2/demo-org-2-2.image.jpg');
  writeFileSync(left, bytes);
  upstream.routes.set('/demo-org-2-2.jpg', fileHandler({ bytes }));
  await runMedia(snapshot);
  const paths = inDatabase(snapshot, (db) => db.prepare('SELECT path, state FROM media ORDER BY url').all());
  const path = 'media/demo-org-2/demo-org-2-1.image.jpg';
  expect(paths).toEqual([
    { path, state: 'stored' },
    { path, state: 'stored' },
  ]);
  expect([existsSync(left), readFileSync(join(snapshot, path)).equals(bytes)]).toEqual([false, true]);
});
