/** Untrusted rows that describe files: a site publishes only snapshot files with bytes as received, by those bytes' type. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createTestDirectory, readFiles, runMicrofiche, upstreamOptions } from '../../support/commands.ts';
import {
  buildSnapshot,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

const CANARY = 'canary: no command may read this';

function runSql(snapshot: string, sql: string, ...values: string[]): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}

/** Writes a false value into the row of a record's file. */
function forge(
  snapshot: string,
  owner: string,
  file: Partial<Record<'path' | 'sha256' | 'size' | 'mimetype', string | number>>,
): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { enableForeignKeyConstraints: false });
  try {
    const path = String(db.prepare('SELECT path FROM media WHERE owner = ?').get(owner)?.['path']);
    for (const [column, value] of Object.entries(file)) {
      if (column === 'path') continue;
      db.prepare(`UPDATE blob SET ${column} = ? WHERE path = ?`).run(value, path);
    }
    for (const table of ['blob', 'media']) db.prepare(`UPDATE ${table} SET path = ? WHERE path = ?`).run(file.path ?? path, path);
  } finally {
    db.close();
  }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Creates a snapshot of two photographs, with a canary beside it. */
async function createPhotographs(color = '#a52'): Promise<{ snapshot: string; canary: string }> {
  const upstream = await startTestUpstream();
  upstream.routes.set('/a', fileHandler({ bytes: await createImage(60, 40, color) }));
  upstream.routes.set('/b', fileHandler({ bytes: await createImage(40, 60, '#25a') }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    createRecordWithImage('demo-org-1-1', `${upstream.url}/a`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/b`),
  ]);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 2 });
  const canary = join(snapshot, '../victim/id_rsa.txt');
  mkdirSync(join(snapshot, '../victim'));
  writeFileSync(canary, CANARY);
  return { snapshot, canary };
}

const FIRST = 'demo-org-1-1';

it.each([
  ['a path that points outside the snapshot', '../victim/id_rsa.txt'],
  ['a path that points outside after a valid start', 'media/../../victim/id_rsa.txt'],
  ['an absolute path', '/etc/hostname'],
  ['a path with NUL', 'media/a/b\0.txt'],
])('%s is not published, and verify reports its row', async (_, path) => {
  const { snapshot } = await createPhotographs();
  forge(snapshot, FIRST, { path, sha256: sha256(CANARY), size: CANARY.length, mimetype: 'text/plain' });
  const { out, report } = await buildSnapshot(snapshot, '--no-search');
  expect(report.pages).toBeGreaterThan(2);
  expect([...readFiles(out).values()].filter((bytes) => bytes.includes(CANARY))).toEqual([]);
  expect(existsSync(join(out, 'objects/demo-org-1-2.html'))).toBe(true);
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot]);
  expect([code, /its row in the table media is not used/.test(stdout)]).toEqual([1, true]);
});

it('paths in a kind and a checksum write nothing outside the site', async () => {
  const { snapshot } = await createPhotographs();
  const out = join(createTestDirectory(), 'a/dist');
  const beside = join(out, '../package.json');
  mkdirSync(join(out, '..'));
  writeFileSync(beside, CANARY);
  runSql(snapshot, `UPDATE media SET kind = 'x/../../package.json' WHERE owner = ?`, FIRST);
  forge(snapshot, 'demo-org-1-2', { sha256: '../../../package.json' });
  expect((await runMicrofiche(['build', '--snapshot', snapshot, '--out', out, '--no-search'])).code).toBe(0);
  expect(readFileSync(beside, 'utf8')).toBe(CANARY);
});

it('a symbolic link among the media files is neither published nor read by verify', async () => {
  const { snapshot, canary } = await createPhotographs();
  const file = join(snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg');
  rmSync(file);
  symlinkSync(canary, file);
  forge(snapshot, FIRST, { sha256: sha256(CANARY), size: CANARY.length });
  const { out, report } = await buildSnapshot(snapshot, '--no-search');
  expect(report.problems).toEqual([
    expect.objectContaining({ owner: 'demo-org-1-1', cause: expect.stringContaining('symbolic link') }),
  ]);
  expect([...readFiles(out).values()].filter((bytes) => bytes.includes(CANARY))).toEqual([]);
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot]);
  expect([code, stdout.includes('symbolic link')]).toEqual([1, true]);
});

it('a snapshot cannot replace an image of another archive by naming its checksum', async () => {
  const honest = await createPhotographs('#0a0');
  const bytes = readFileSync(join(honest.snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg'));
  const forged = await createPhotographs('#f00');
  forge(forged.snapshot, FIRST, { sha256: sha256(bytes) });
  const { report } = await buildSnapshot(forged.snapshot, '--no-search');
  expect(report.problems).toEqual([
    expect.objectContaining({ owner: 'demo-org-1-1', cause: expect.stringContaining('the file is corrupted') }),
  ]);
  const { out } = await buildSnapshot(honest.snapshot, '--no-search');
  const { data } = await sharp(join(out, 'thumbs/demo-org-1/demo-org-1-1.webp')).raw().toBuffer({ resolveWithObject: true });
  expect([(data[0] as number) < 60, (data[1] as number) > 120]).toEqual([true, true]);
});

it('a file is published with the type of its bytes, regardless of its row and name', async () => {
  const { snapshot } = await createPhotographs();
  const page = '<!doctype html><script>document.title = "run"</script>';
  const path = 'media/demo-org-1/demo-org-1-1.image.html';
  writeFileSync(join(snapshot, path), page);
  forge(snapshot, FIRST, { path, sha256: sha256(page), size: page.length, mimetype: 'image/jpeg' });
  const png = await sharp(await createImage())
    .png()
    .toBuffer();
  const pngPath = 'media/demo-org-1/demo-org-1-2.image.html';
  writeFileSync(join(snapshot, pngPath), png);
  forge(snapshot, 'demo-org-1-2', { path: pngPath, sha256: sha256(png), size: png.length, mimetype: 'text/html' });
  const { out } = await buildSnapshot(snapshot, '--no-search');
  const files = [...readFiles(out).keys()].filter((name) => name.startsWith('media/'));
  expect(files.filter((name) => name.endsWith('.html'))).toEqual([]);
  expect(readFileSync(join(out, 'media/demo-org-1/demo-org-1-2.image.png')).equals(png)).toBe(true);
});

it('an executable among the originals is not offered for download', async () => {
  const upstream = await startTestUpstream();
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
  upstream.routes.set('/setup', fileHandler({ bytes: program }));
  const id = 'demo-org-1-1-master-0a1b2c3d4e';
  const snapshot = await createHarvestedSnapshot(upstream, [createFileRecord(id, `${upstream.url}/setup`)]);
  runSql(snapshot, `DELETE FROM media`);
  await runMedia(snapshot, '--kinds', 'original');
  const { out } = await buildSnapshot(snapshot, '--no-search');
  expect([...readFiles(out)].filter(([, bytes]) => bytes.equals(program))).toEqual([]);
});

it('an image that two records shared remains with the one that still names it', async () => {
  const upstream = await startTestUpstream();
  upstream.routes.set('/red', fileHandler({ bytes: await createImage(60, 40, '#f00') }));
  upstream.routes.set('/green', fileHandler({ bytes: await createImage(60, 40, '#0f0') }));
  const records = (first: string) => [
    createRecordWithImage('demo-org-1-1', `${upstream.url}/${first}`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/red`),
  ];
  const snapshot = await createHarvestedSnapshot(upstream, records('red'));
  await runMedia(snapshot);
  for (const record of records('green')) upstream.routes.set(`/api/0.2/${record['id']}/`, record);
  const again = [
    'harvest',
    ...upstreamOptions(upstream.url),
    '--snapshot',
    snapshot,
    '--full',
    '--root',
    'demo-org-1-1,demo-org-1-2',
  ];
  expect((await runMicrofiche(again)).code).toBe(0);
  await runMedia(snapshot);
  const { out } = await buildSnapshot(snapshot, '--no-search');
  const colorOf = async (n: number) => {
    const html = readFileSync(join(out, `objects/demo-org-1-${n}.html`), 'utf8');
    const path = /src="\.\.\/((?:thumbs|media)\/[^"]+\.webp)"/.exec(html)?.[1] as string;
    const { data } = await sharp(join(out, path)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return (data[0] as number) > (data[1] as number) ? 'red' : 'green';
  };
  expect([await colorOf(1), await colorOf(2)]).toEqual(['green', 'red']);
});

it('a corrupted image is published for none of its records', async () => {
  const upstream = await startTestUpstream();
  const bytes = (await createImage(300, 300)).subarray(0, 700);
  for (const path of ['/a', '/b']) upstream.routes.set(path, fileHandler({ bytes }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    createRecordWithImage('demo-org-1-1', `${upstream.url}/a`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/b`),
  ]);
  await runMedia(snapshot);
  const { out } = await buildSnapshot(snapshot, '--no-search');
  expect([...readFiles(out)].filter(([, published]) => published.equals(bytes)).map(([path]) => path)).toEqual([]);
});

it('a database with a trigger in it is not opened', async () => {
  const { snapshot } = await createPhotographs();
  runSql(snapshot, `CREATE TRIGGER t AFTER INSERT ON media BEGIN DELETE FROM response; END`);
  for (const command of ['build', 'verify', 'media', 'status']) {
    const { code, stderr } = await runMicrofiche([
      command,
      '--snapshot',
      snapshot,
      ...(command === 'build' ? ['--out', join(createTestDirectory(), 'dist')] : []),
    ]);
    expect([command, code, stderr.trim().split('\n').length]).toEqual([command, 1, 1]);
  }
});

it('a snapshot whose database is a symbolic link is not opened', async () => {
  const { snapshot } = await createPhotographs();
  const other = join(createTestDirectory(), 'snapshot');
  mkdirSync(other);
  symlinkSync(join(snapshot, 'snapshot.sqlite'), join(other, 'snapshot.sqlite'));
  const { code, stderr } = await runMicrofiche(['media', '--snapshot', other]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is a symbolic link')]);
});
