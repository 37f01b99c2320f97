/** Robustness of `media` after crashes, on full disks and with untrusted snapshots. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { MediaReport } from '../../../src/media/media-report.ts';
import { canMount, createTestDirectory, mountSmallDisk, readFiles, runMicrofiche } from '../../support/commands.ts';
import {
  createFakeVideo,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const MEGABYTE = 1_000_000;

/** Creates a snapshot of segments numbered from 1, with one video each. Their records declare no size and no checksum. */
async function createVideoSnapshot(upstream: TestUpstream, videos: Buffer[], snapshot?: string): Promise<string> {
  const records = videos.map((bytes, n) => {
    upstream.routes.set(`/${n + 1}.mp4`, fileHandler({ bytes }));
    return createSegment(`demo-org-1-1-${n + 1}`, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/${n + 1}.mp4` } });
  });
  return createHarvestedSnapshot(upstream, records, snapshot);
}

function inDatabase<T>(snapshot: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Changes the path of the only stored file in the database. */
function moveFile(db: DatabaseSync, path: string): void {
  db.exec('PRAGMA foreign_keys = OFF');
  for (const table of ['blob', 'media']) db.prepare(`UPDATE ${table} SET path = ?`).run(path);
}

const video = (n: number) => `media/demo-org-1/demo-org-1-1-${n}.video.mp4`;

it.each([
  ['with a block of zeros', (bytes: Buffer) => bytes.fill(0, 300_000, 304_096)],
  ['that is too short', (bytes: Buffer) => bytes.subarray(0, 100_000)],
])('discards a partial file %s after a crash, and downloads the file from the start', async (_, damage) => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(3 * MEGABYTE);
  const snapshot = await createVideoSnapshot(upstream, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 200_000, cutCount: 10 });
  upstream.routes.set('/1.mp4', handler);
  expect((await runMedia(snapshot)).failures).toHaveLength(1);
  const [part = ''] = [...readFiles(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const left = readFileSync(file);
  expect(left.length).toBeGreaterThan(MEGABYTE);
  writeFileSync(file, damage(left));
  const requestCount = handler.requests.length;
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 0, failures: [] });
  expect(handler.requests.slice(requestCount)).toEqual([{ range: undefined, ifRange: undefined }]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it('resumes a partial file at its last checkpoint', async () => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(3 * MEGABYTE);
  const snapshot = await createVideoSnapshot(upstream, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', supportsRanges: true, cutAfterBytes: 200_000, cutCount: 10 });
  upstream.routes.set('/1.mp4', handler);
  await runMedia(snapshot);
  const [part = ''] = [...readFiles(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const durable = readFileSync(file);
  writeFileSync(file, Buffer.concat([durable, Buffer.alloc(50_000)])); // written, but never synced
  const requestCount = handler.requests.length;
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 1, resumed: 1, failures: [] });
  expect(handler.requests.slice(requestCount).map(({ range }) => range)).toEqual([`bytes=${durable.length}-`]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it.runIf(canMount())('downloads only one of three files that each need 80% of the disk space', async () => {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(12 * MEGABYTE);
  const snapshot = join(mountSmallDisk(32_000), 'snapshot');
  await createVideoSnapshot(upstream, [bytes, createFakeVideo(12 * MEGABYTE), createFakeVideo(12 * MEGABYTE)], snapshot);
  const { code, stdout, stderr } = await runMicrofiche(['media', '--snapshot', snapshot, '--json']);
  expect([code, stderr]).toEqual([3, '']);
  const report = JSON.parse(stdout) as MediaReport;
  expect(report.fetched).toBe(1);
  expect(report.failures.map(({ cause }) => cause)).toEqual(Array(2).fill('not enough disk space for its 12.0 MB'));
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it.runIf(canMount())('skips a body that decompresses to more than the disk space, and stores the others', async () => {
  const upstream = await startTestUpstream();
  const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE, 32));
  const ids = Array.from({ length: 12 }, (_, n) => n + 1);
  const images = await Promise.all(ids.map((n) => createImage(60 + n)));
  const records = images.map((bytes, n) => {
    // Only some responses declare their size.
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
  await createHarvestedSnapshot(
    upstream,
    [createRecordWithImage('demo-org-1-1', `${upstream.url}/bomb.jpg`), ...records],
    snapshot,
  );
  for (const fetched of [12, 0]) {
    const report = await runMedia(snapshot);
    expect(report.fetched).toBe(fetched);
    expect(report.failures).toEqual([
      {
        url: `${upstream.url}/bomb.jpg`,
        owner: 'demo-org-1-1',
        cause: expect.stringMatching(/^not enough disk space for more than \d/),
        transient: true,
      },
    ]);
    expect([...readFiles(join(snapshot, 'media')).keys()].filter((path) => path.endsWith('.part'))).toEqual([]);
  }
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

/** Creates a snapshot with one stored video, and beside it a canary file that must not change. */
async function createSnapshotBesideCanary() {
  const upstream = await startTestUpstream();
  const bytes = createFakeVideo(2000);
  const top = createTestDirectory();
  const snapshot = join(top, 'snapshot');
  await createVideoSnapshot(upstream, [bytes], snapshot);
  await runMedia(snapshot);
  mkdirSync(join(top, 'victim'));
  const canary = join(top, 'victim/x');
  writeFileSync(canary, 'canary');
  return { upstream, bytes, top, snapshot, canary };
}

it('deletes no duplicates outside of the media directory or behind links', async () => {
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

it('does not delete a duplicate that a row still refers to', async () => {
  const { snapshot } = await createSnapshotBesideCanary();
  inDatabase(snapshot, (db) => db.prepare('INSERT INTO orphan_file (path) VALUES (?)').run(video(1)));
  await runMedia(snapshot);
  expect(existsSync(join(snapshot, video(1)))).toBe(true);
});

it('reads and writes nothing outside of the snapshot if a path in the database points there', async () => {
  const { snapshot, canary, bytes } = await createSnapshotBesideCanary();
  symlinkSync('../../victim', join(snapshot, 'media/linked'));
  symlinkSync('../../../victim/x', join(snapshot, 'media/demo-org-1/link.mp4'));
  for (const path of ['../victim/x', 'media/linked/x', 'media/demo-org-1/link.mp4']) {
    inDatabase(snapshot, (db) => moveFile(db, path));
    writeFileSync(canary, bytes);
    expect(await runMedia(snapshot), path).toMatchObject({ fetched: 1, alreadyStored: 0 });
    expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
    writeFileSync(canary, 'canary');
    inDatabase(snapshot, (db) => moveFile(db, path));
    await runMicrofiche(['verify', '--repair', '--snapshot', snapshot]);
    expect(readFileSync(canary, 'utf8')).toBe('canary');
  }
});

it('writes nothing into a collection’s directory that is a symbolic link, and reports it', async () => {
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

it('refuses a media directory that is a symbolic link, without a stack trace', async () => {
  const { snapshot, top } = await createSnapshotBesideCanary();
  renameSync(join(snapshot, 'media'), join(top, 'moved'));
  symlinkSync(join(top, 'moved'), join(snapshot, 'media'));
  const { code, stderr } = await runMicrofiche(['media', '--snapshot', snapshot]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^microfiche: .*media is a symbolic link/);
  expect(stderr).not.toContain('    at ');
});

it('replaces a corrupted file when another URL with the same bytes is downloaded', async () => {
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

it('deletes a file without a row, left by a killed run, if its bytes are stored elsewhere', async () => {
  const upstream = await startTestUpstream();
  const bytes = await createImage();
  const [first, second] = ['demo-org-2-1', 'demo-org-2-2'].map((id) => createRecordWithImage(id, `${upstream.url}/${id}.jpg`));
  upstream.routes.set('/demo-org-2-1.jpg', fileHandler({ bytes }));
  const snapshot = await createHarvestedSnapshot(upstream, [first, second] as Array<Record<string, unknown>>);
  await runMedia(snapshot);
  // As if the run was killed after moving the file into place and before committing its row.
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
