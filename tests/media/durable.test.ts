/** What a crash, a full disk or a snapshot that was handed on cannot do to `media`. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { MediaReport } from '../../src/media/fetch.ts';
import { canMount, filesBelow, microfiche, smallDisk, temporary } from '../support.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { fileHandler, harvested, media, picture, pictured, segment, videoLike } from './files.ts';

const MEGABYTE = 1_000_000;

/** Segments 1, 2, … with a video of these bytes each, of which nothing is declared. */
async function withVideos(up: Upstream, videos: Buffer[]): Promise<string> {
  const records = videos.map((bytes, n) => {
    up.answers.set(`/${n + 1}.mp4`, fileHandler({ bytes }));
    return segment(`demo-org-1-1-${n + 1}`, { mp4: { mimetype: 'video/mp4', url: `${up.url}/${n + 1}.mp4` } });
  });
  return harvested(up, records);
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
  const up = await startUpstream();
  const bytes = videoLike(3 * MEGABYTE);
  const snapshot = await withVideos(up, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', ranges: true, cutAfter: 300_000, cuts: 5 });
  up.answers.set('/1.mp4', handler);
  expect((await media(snapshot)).failures).toHaveLength(1);
  const [part = ''] = [...filesBelow(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const left = readFileSync(file);
  expect(left.length).toBeGreaterThan(MEGABYTE);
  writeFileSync(file, damage(left));
  const asked = handler.asked.length;
  expect(await media(snapshot)).toMatchObject({ fetched: 1, resumed: 0, failures: [] });
  expect(handler.asked.slice(asked)).toEqual([{ range: undefined, ifRange: undefined }]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it('D7: what follows the last checkpoint is downloaded again, and what is before it is not', async () => {
  const up = await startUpstream();
  const bytes = videoLike(3 * MEGABYTE);
  const snapshot = await withVideos(up, [bytes]);
  const handler = fileHandler({ bytes, etag: '"one"', ranges: true, cutAfter: 300_000, cuts: 5 });
  up.answers.set('/1.mp4', handler);
  await media(snapshot);
  const [part = ''] = [...filesBelow(join(snapshot, 'media')).keys()];
  const file = join(snapshot, 'media', part);
  const durable = readFileSync(file);
  writeFileSync(file, Buffer.concat([durable, Buffer.alloc(50_000)])); // written, and never synced
  const asked = handler.asked.length;
  expect(await media(snapshot)).toMatchObject({ fetched: 1, resumed: 1, failures: [] });
  expect(handler.asked.slice(asked).map(({ range }) => range)).toEqual([`bytes=${durable.length}-`]);
  expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
});

it.runIf(canMount())('D8: three files of 80 % of the free space are not all accepted', async () => {
  const up = await startUpstream();
  const bytes = videoLike(12 * MEGABYTE);
  const snapshot = join(smallDisk(32_000), 'snapshot');
  cpSync(await withVideos(up, [bytes, videoLike(12 * MEGABYTE), videoLike(12 * MEGABYTE)]), snapshot, { recursive: true });
  const { code, stdout, stderr } = await microfiche(['media', '--snapshot', snapshot, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const report = JSON.parse(stdout) as MediaReport;
  expect(report.fetched).toBe(1);
  expect(report.failures.map(({ cause }) => cause)).toEqual(Array(2).fill('the disk has no room for its 12.0 MB'));
  expect((await microfiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it.runIf(canMount())('S12: a body that unpacks to more than the disk holds is left out, and the others are stored', async () => {
  const up = await startUpstream();
  const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE, 32));
  const ids = Array.from({ length: 12 }, (_, n) => n + 1);
  const pictures = await Promise.all(ids.map((n) => picture(60 + n)));
  const records = pictures.map((bytes, n) => {
    // Some say how long they are, and some do not.
    up.answers.set(
      `/${n}.jpg`,
      n % 2 === 0 ? fileHandler({ bytes }) : (_: unknown, response: ServerResponse) => response.writeHead(200).end(bytes),
    );
    return pictured(`demo-org-1-${n + 2}`, `${up.url}/${n}.jpg`);
  });
  up.answers.set('/bomb.jpg', (_: unknown, response: ServerResponse) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  const snapshot = join(smallDisk(64_000), 'snapshot');
  cpSync(await harvested(up, [pictured('demo-org-1-1', `${up.url}/bomb.jpg`), ...records]), snapshot, { recursive: true });
  for (const fetched of [12, 0]) {
    const report = await media(snapshot);
    expect(report.fetched).toBe(fetched);
    expect(report.failures).toEqual([
      {
        url: `${up.url}/bomb.jpg`,
        owner: 'demo-org-1-1',
        cause: expect.stringMatching(/^the disk has no room for more than \d/),
      },
    ]);
    expect([...filesBelow(join(snapshot, 'media')).keys()].filter((path) => path.endsWith('.part'))).toEqual([]);
  }
  expect((await microfiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

/** A snapshot with one stored video, in a folder beside a canary. */
async function besideCanary() {
  const up = await startUpstream();
  const bytes = videoLike(2000);
  const top = temporary();
  const snapshot = join(top, 'snapshot');
  renameSync(await withVideos(up, [bytes]), snapshot);
  await media(snapshot);
  mkdirSync(join(top, 'victim'));
  const canary = join(top, 'victim/x');
  writeFileSync(canary, 'canary');
  return { up, bytes, top, snapshot, canary };
}

it('S1: duplicates are not deleted outside, behind links, or where no media is', async () => {
  const { snapshot, canary } = await besideCanary();
  symlinkSync('../../victim', join(snapshot, 'media/linked'));
  for (const command of [['media'], ['verify', '--repair']]) {
    inDatabase(snapshot, (db) => {
      for (const path of ['../victim/x', canary, 'media/../../victim/x', 'media/linked/x', 'snapshot.sqlite'])
        db.prepare('INSERT OR IGNORE INTO orphan_file (path) VALUES (?)').run(path);
    });
    await microfiche([...command, '--snapshot', snapshot]);
    expect([readFileSync(canary, 'utf8'), existsSync(join(snapshot, 'snapshot.sqlite'))]).toEqual(['canary', true]);
  }
});

it('S1: a file that a row still needs is no duplicate', async () => {
  const { snapshot } = await besideCanary();
  inDatabase(snapshot, (db) => db.prepare('INSERT INTO orphan_file (path) VALUES (?)').run(video(1)));
  await media(snapshot);
  expect(existsSync(join(snapshot, video(1)))).toBe(true);
});

it('S2: nothing is read or written through a row whose path leads out', async () => {
  const { snapshot, canary, bytes } = await besideCanary();
  symlinkSync('../../victim', join(snapshot, 'media/linked'));
  symlinkSync('../../../victim/x', join(snapshot, 'media/demo-org-1/link.mp4'));
  for (const path of ['../victim/x', 'media/linked/x', 'media/demo-org-1/link.mp4']) {
    inDatabase(snapshot, (db) => moveFile(db, path));
    writeFileSync(canary, bytes);
    expect(await media(snapshot), path).toMatchObject({ fetched: 1, kept: 0 });
    expect(readFileSync(join(snapshot, video(1))).equals(bytes)).toBe(true);
    writeFileSync(canary, 'canary');
    inDatabase(snapshot, (db) => moveFile(db, path));
    await microfiche(['verify', '--repair', '--snapshot', snapshot]);
    expect(readFileSync(canary, 'utf8')).toBe('canary');
  }
});

it('S2: a collection’s folder that is a symbolic link is written nothing into, and the report says so', async () => {
  const { snapshot, top } = await besideCanary();
  renameSync(join(snapshot, 'media/demo-org-1'), join(top, 'moved'));
  symlinkSync(join(top, 'moved'), join(snapshot, 'media/demo-org-1'));
  const before = [...filesBelow(join(top, 'moved')).keys()];
  const { fetched, failures } = await media(snapshot);
  expect([fetched, failures.map(({ cause }) => cause)]).toEqual([
    0,
    [expect.stringMatching(/^it cannot be stored: .*symbolic link/)],
  ]);
  expect([...filesBelow(join(top, 'moved')).keys()]).toEqual(before);
});

it('S2: a media folder that is a symbolic link is refused in one sentence', async () => {
  const { snapshot, top } = await besideCanary();
  renameSync(join(snapshot, 'media'), join(top, 'moved'));
  symlinkSync(join(top, 'moved'), join(snapshot, 'media'));
  const { code, stderr } = await microfiche(['media', '--snapshot', snapshot]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^microfiche: .*media is a symbolic link/);
  expect(stderr).not.toContain('    at ');
});

it('heals a file whose bytes another address has too: what was downloaded just now stays', async () => {
  const up = await startUpstream();
  const bytes = await picture();
  for (const n of [1, 2]) up.answers.set(`/${n}.jpg`, fileHandler({ bytes }));
  const snapshot = await harvested(up, [
    pictured('demo-org-1-1', `${up.url}/1.jpg`),
    pictured('demo-org-1-2', `${up.url}/2.jpg`),
  ]);
  await media(snapshot, '--collection', 'demo-org-1');
  const [path = ''] = [...filesBelow(join(snapshot, 'media')).keys()];
  writeFileSync(join(snapshot, 'media', path), Buffer.alloc(bytes.length));
  inDatabase(snapshot, (db) => db.prepare('DELETE FROM media WHERE url = ?').run(`${up.url}/2.jpg`));
  expect(await media(snapshot)).toMatchObject({ fetched: 1 });
  expect(basename(path)).toBe('demo-org-1-1.image.jpg');
  expect(readFileSync(join(snapshot, 'media', path)).equals(bytes)).toBe(true);
});

it('a file that a killed run left without a row goes when another place has its bytes', async () => {
  const up = await startUpstream();
  const bytes = await picture();
  const [first, second] = ['demo-org-2-1', 'demo-org-2-2'].map((id) => pictured(id, `${up.url}/${id}.jpg`));
  up.answers.set('/demo-org-2-1.jpg', fileHandler({ bytes }));
  const snapshot = await harvested(up, [first, second] as Array<Record<string, unknown>>);
  await media(snapshot);
  // Placed, and killed before its row was committed.
  const left = join(snapshot, 'media/demo-org-2/demo-org-2-2.image.jpg');
  writeFileSync(left, bytes);
  up.answers.set('/demo-org-2-2.jpg', fileHandler({ bytes }));
  await media(snapshot);
  const paths = inDatabase(snapshot, (db) => db.prepare('SELECT path, state FROM media ORDER BY url').all());
  const path = 'media/demo-org-2/demo-org-2-1.image.jpg';
  expect(paths).toEqual([
    { path, state: 'stored' },
    { path, state: 'stored' },
  ]);
  expect([existsSync(left), readFileSync(join(snapshot, path)).equals(bytes)]).toEqual([false, true]);
});
