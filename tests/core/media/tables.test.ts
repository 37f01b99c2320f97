/** The tables of media in a snapshot: `blob`, `media` and `usage`. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import {
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

function rows(snapshot: string, sql: string): string[] {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) =>
        Object.values(row)
          .join(' ')
          .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''),
      );
  } finally {
    db.close();
  }
}

function change(snapshot: string, sql: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { enableForeignKeyConstraints: false });
  db.exec(sql);
  db.close();
}

const FILES = 'SELECT path FROM blob ORDER BY path';
const URLS = 'SELECT url, state, path FROM media ORDER BY url';
const USES = 'SELECT record, url, kind FROM usage';
const SCAN = 'demo-org-2-1-master-0a1b2c3d4e';

/**
 * Creates a snapshot: two records name one URL, a third one another URL with the same bytes, and a file record an original that
 * is not downloaded.
 */
async function createSharedSnapshot(upstream: TestUpstream): Promise<string> {
  const bytes = await createImage();
  for (const path of ['/a.jpg', '/b.jpg']) upstream.routes.set(path, fileHandler({ bytes }));
  return createHarvestedSnapshot(upstream, [
    createRecordWithImage('demo-org-1-1', `${upstream.url}/a.jpg`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/a.jpg`),
    createRecordWithImage('demo-org-2-1', `${upstream.url}/b.jpg`),
    createFileRecord(SCAN, `${upstream.url}/scan.tif`),
  ]);
}

const ONE = 'media/demo-org-1/demo-org-1-1.image.jpg';
const ALL_USES = [
  'demo-org-1-1 /a.jpg image',
  'demo-org-1-2 /a.jpg image',
  'demo-org-2-1 /b.jpg image',
  `${SCAN} /scan.tif original`,
];

it('has one row per distinct file, per URL, and per record that names a URL, downloaded or not', async () => {
  const snapshot = await createSharedSnapshot(await startTestUpstream());
  await runMedia(snapshot);
  expect(rows(snapshot, FILES)).toEqual([ONE]);
  expect(rows(snapshot, URLS)).toEqual([`/a.jpg stored ${ONE}`, `/b.jpg stored ${ONE}`]);
  expect(rows(snapshot, USES)).toEqual(ALL_USES);
});

it('records uses in all collections, also in those that it does not download', async () => {
  const snapshot = await createSharedSnapshot(await startTestUpstream());
  await runMedia(snapshot, '--collection', 'demo-org-2');
  expect(rows(snapshot, URLS)).toEqual(['/b.jpg stored media/demo-org-2/demo-org-2-1.image.jpg']);
  expect(rows(snapshot, USES)).toEqual(ALL_USES);
});

it('updates the uses when records name other files, and keeps a file that no record names any more', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createSharedSnapshot(upstream);
  await runMedia(snapshot);
  upstream.routes.set('/c.jpg', fileHandler({ bytes: await createImage(30, 30) }));
  upstream.routes.set('/api/0.2/demo-org-2-1/', createRecordWithImage('demo-org-2-1', `${upstream.url}/c.jpg`));
  const harvest = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--full', '--root', 'demo-org-2-1'];
  expect((await runMicrofiche(harvest)).code).toBe(0);
  await runMedia(snapshot);
  expect(rows(snapshot, USES)).toEqual(ALL_USES.map((use) => use.replace('/b.jpg', '/c.jpg')));
  const other = 'media/demo-org-2/demo-org-2-1.image.jpg';
  expect(rows(snapshot, URLS)).toEqual([`/a.jpg stored ${ONE}`, `/b.jpg stored ${ONE}`, `/c.jpg stored ${other}`]);
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it('deletes the uses of a purged record, and its file with the last of its URLs', async () => {
  const snapshot = await createSharedSnapshot(await startTestUpstream());
  await runMedia(snapshot);
  const inDirectory = { cwd: createTestDirectory() };
  const purge = (id: string) => runMicroficheJson<{ files: number }>(['purge', id, '--snapshot', snapshot, '--yes'], inDirectory);
  expect(await purge('demo-org-2-1')).toMatchObject({ files: 0 });
  expect([rows(snapshot, FILES), rows(snapshot, URLS), rows(snapshot, USES)]).toEqual([
    [ONE],
    [`/a.jpg stored ${ONE}`],
    ALL_USES.slice(0, 2),
  ]);
  expect(await purge('demo-org-1-1')).toMatchObject({ files: 1 });
  // The file is deleted although another record names it too.
  expect([rows(snapshot, FILES), rows(snapshot, URLS), rows(snapshot, USES)]).toEqual([[], [], []]);
  expect([...readFiles(join(snapshot, 'media')).keys()]).toEqual([]);
  await runMedia(snapshot);
  expect(rows(snapshot, USES)).toEqual([]);
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});

it('verify finds rows that contradict each other', async () => {
  const snapshot = await createSharedSnapshot(await startTestUpstream());
  await runMedia(snapshot);
  change(
    snapshot,
    `INSERT INTO blob (path, sha256, size) VALUES ('media/demo-org-1/x.jpg', '${'0'.repeat(64)}', 1);
    INSERT INTO usage (record, url, kind) VALUES ('../x', 'http://a.example/x.jpg', 'image'), ('demo-org-1-1', 'x', 'image'), ('demo-org-1-2', 'http://a.example/x.jpg', 'x')`,
  );
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).snapshot.findings).toEqual([
    { what: '../x http://a.example/x.jpg', problem: 'its row in the table usage is not used: its record is not an object ID' },
    { what: 'demo-org-1-1 x', problem: 'its row in the table usage is not used: its URL is not an http(s) URL' },
    {
      what: 'demo-org-1-2 http://a.example/x.jpg',
      problem: 'its row in the table usage is not used: its kind is unknown',
    },
    { what: 'media/demo-org-1/x.jpg', problem: 'its row in the table blob is not used: no URL refers to this file' },
  ]);
  // The next run of `media` rewrites the uses.
  await runMedia(snapshot);
  expect(rows(snapshot, USES)).toEqual(ALL_USES);
});

it('downloads a file again if its row in the table blob is missing', async () => {
  const snapshot = await createSharedSnapshot(await startTestUpstream());
  await runMedia(snapshot);
  change(snapshot, 'DELETE FROM blob');
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot]);
  expect([code, stdout.includes('its row in the table media is not used: its SHA-256 is not')]).toEqual([1, true]);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 2 });
  expect((await runMicrofiche(['verify', '--snapshot', snapshot])).code).toBe(0);
});
