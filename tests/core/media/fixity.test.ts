/** `verify` finds corrupted, missing and orphan files, and `--repair` downloads the first two again. */
import { randomInt } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, it } from 'vitest';
import type { Repairs } from '../../../src/media/repair.ts';
import type { SnapshotAudit } from '../../../src/snapshot/audit.ts';
import { readBytes, readInteger } from '../../../src/snapshot/rows.ts';
import { createTestDirectory, readFiles, runMicrofiche } from '../../support/commands.ts';
import {
  buildSnapshot,
  computeChecksums,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { respondWith, startTestUpstream } from '../../support/test-upstream.ts';

interface VerifyOutput {
  code: number | null;
  ok: boolean;
  snapshot: SnapshotAudit;
  repairs?: Repairs;
}

async function verify(snapshot: string, ...more: string[]): Promise<VerifyOutput> {
  const { code, stdout } = await runMicrofiche(['verify', '--snapshot', snapshot, '--json', ...more]);
  return { code, ...JSON.parse(stdout) };
}

function flipBit(file: string): void {
  const bytes = readFileSync(file);
  const at = randomInt(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << randomInt(8));
  writeFileSync(file, bytes);
}

it('finds 20 files with one flipped bit each, and nothing else', async () => {
  const snapshot = join(createTestDirectory(), 'snapshot');
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  expect((await verify(snapshot)).snapshot.findings).toEqual([]);
  const paths = [...readFiles(join(snapshot, 'media')).keys()].map((path) => `media/${path}`);
  const step = Math.floor(paths.length / 20);
  const flipped = Array.from({ length: 20 }, (_, i) => paths[i * step] as string);
  for (const path of flipped) flipBit(join(snapshot, path));
  const { code, snapshot: audit } = await verify(snapshot);
  expect(code).toBe(1);
  expect(audit.findings.map(({ what }) => what).sort()).toEqual([...flipped].sort());
  for (const { problem } of audit.findings)
    expect(problem).toMatch(/^the file has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64} as received$/);
});

it('finds missing, truncated and orphan files, and corrupted files in quarantine', async () => {
  const upstream = await startTestUpstream();
  const images = await Promise.all([0, 1, 2, 3].map((n) => createImage(60 + n)));
  const records = images.map((bytes, n) => {
    upstream.routes.set(`/${n}.jpg`, fileHandler({ bytes }));
    return createRecordWithImage(`demo-org-1-${n}`, `${upstream.url}/${n}.jpg`);
  });
  const wrong = { id: 'demo-org-1-9-master-0123456789', model: 'file', title: 'x', links: { download: `${upstream.url}/3.jpg` } };
  const snapshot = await createHarvestedSnapshot(upstream, [...records.slice(0, 3), wrong]);
  const { quarantined } = await runMedia(snapshot, '--kinds', 'image,original');
  const [quarantinedPath] = quarantined.map(({ path }) => path) as [string];
  const at = (n: number) => `media/demo-org-1/demo-org-1-${n}.image.jpg`;
  rmSync(join(snapshot, at(0)));
  writeFileSync(join(snapshot, at(1)), (images[1] as Buffer).subarray(0, 100));
  flipBit(join(snapshot, quarantinedPath));
  mkdirSync(join(snapshot, 'media/elsewhere'));
  for (const path of ['media/elsewhere/notes.txt', 'media/demo-org-1/x.part']) writeFileSync(join(snapshot, path), 'x');
  const { snapshot: audit } = await verify(snapshot);
  expect(Object.fromEntries(audit.findings.map(({ what, problem }) => [what, problem]))).toEqual({
    [at(0)]: 'the file is missing',
    [at(1)]: expect.stringMatching(/^the file has the SHA-256/),
    [quarantinedPath]: expect.stringMatching(/^the file has the SHA-256/),
    'media/elsewhere/notes.txt': 'orphan file: nothing in the snapshot names it',
    'media/demo-org-1/x.part': 'orphan file: nothing in the snapshot names it',
  });
});

it('--repair downloads missing and corrupted items, and nothing else', async () => {
  const upstream = await startTestUpstream();
  const images = await Promise.all([0, 1, 2, 3, 4].map((n) => createImage(60 + n)));
  const records = images.map((bytes, n) => {
    upstream.routes.set(`/${n}.jpg`, fileHandler({ bytes }));
    return createRecordWithImage(`demo-org-1-${n}`, `${upstream.url}/${n}.jpg`);
  });
  // Two URLs with the same bytes: the one that still responds repairs the file for both.
  upstream.routes.set('/again.jpg', fileHandler({ bytes: images[4] as Buffer }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    ...records,
    createRecordWithImage('demo-org-1-5', `${upstream.url}/again.jpg`),
  ]);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 6, shared: 1 });
  const before = readFiles(join(snapshot, 'media'));
  const at = (n: number) => `media/demo-org-1/demo-org-1-${n}.image.jpg`;
  for (const n of [0, 1]) flipBit(join(snapshot, at(n)));
  for (const n of [2, 4]) rmSync(join(snapshot, at(n)));
  upstream.routes.set('/1.jpg', fileHandler({ bytes: await createImage(99) }));
  upstream.routes.set('/4.jpg', respondWith(404));
  const damaged = readFileSync(join(snapshot, at(1)));
  damageStoredBody(snapshot, 'object:demo-org-1-3');
  upstream.requests.length = 0;
  const { code, repairs } = await verify(snapshot, '--repair');
  expect(code).toBe(1);
  expect(repairs).toEqual({
    files: [at(0), at(2), at(4)],
    bodies: ['object:demo-org-1-3'],
    failures: [{ what: at(1), cause: expect.stringMatching(/^upstream now has different bytes \(SHA-256 [0-9a-f]{64}\)/) }],
  });
  expect(upstream.requests.sort()).toEqual(['/0.jpg', '/1.jpg', '/2.jpg', '/4.jpg', '/again.jpg', '/api/0.2/demo-org-1-3/']);
  expect(readFileSync(join(snapshot, at(1)))).toEqual(damaged);
  upstream.routes.set('/1.jpg', fileHandler({ bytes: images[1] as Buffer }));
  expect(await verify(snapshot, '--repair')).toMatchObject({ code: 0, ok: true, repairs: { files: [at(1)], failures: [] } });
  expect(readFiles(join(snapshot, 'media'))).toEqual(before);
  expect(await verify(snapshot)).toMatchObject({ code: 0, snapshot: { findings: [] } });
});

it('--repair contacts allowed hosts only', async () => {
  const upstream = await startTestUpstream();
  const other = await startTestUpstream();
  other.routes.set('/a.jpg', fileHandler({ bytes: await createImage() }));
  const { host } = new URL(other.url);
  const snapshot = await createHarvestedSnapshot(upstream, [createRecordWithImage('demo-org-1-1', `${other.url}/a.jpg`)]);
  await runMedia(snapshot, '--allow-host', host);
  rmSync(join(snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg'));
  const requestCount = other.requests.length;
  const { repairs } = await verify(snapshot, '--repair');
  expect(repairs?.failures.map(({ cause }) => cause)).toEqual([expect.stringContaining('is not an allowed host')]);
  expect(other.requests.length).toBe(requestCount);
  expect(await verify(snapshot, '--repair', '--allow-host', host)).toMatchObject({ code: 0 });
});

function damageStoredBody(snapshot: string, key: string): void {
  const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
  const row = db.prepare('SELECT id, body FROM response WHERE key = ?').get(key);
  const bytes = Buffer.from(readBytes(row, 'body'));
  bytes[5] = (bytes[5] as number) ^ 1;
  db.prepare('UPDATE response SET body = ? WHERE id = ?').run(bytes, readInteger(row, 'id'));
  db.close();
}

it('stores equal bytes once, and shows them on the page of each record that names them', async () => {
  const upstream = await startTestUpstream();
  const bytes = await createImage(500, 400);
  const ids = ['demo-org-1-3', 'demo-org-1-1', 'demo-org-2-2'];
  const records = ids.map((id) => {
    upstream.routes.set(`/${id}.jpg`, fileHandler({ bytes }));
    return createRecordWithImage(id, `${upstream.url}/${id}.jpg`);
  });
  const snapshot = await createHarvestedSnapshot(upstream, records);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: 3, shared: 2 });
  expect([...readFiles(join(snapshot, 'media')).keys()]).toEqual(['demo-org-1/demo-org-1-1.image.jpg']);
  const { report, out } = await buildSnapshot(snapshot);
  expect(report.images).toBe(3);
  const copies = [...readFiles(out)].filter(([, file]) => file.equals(bytes));
  expect(copies.map(([path]) => path)).toEqual(['media/demo-org-1/demo-org-1-1.image.jpg']);
  const checksums = [...readFiles(join(out, 'thumbs')).values()].map((file) => computeChecksums(file).sha256);
  expect(checksums).toHaveLength(1);
  for (const id of ids)
    expect(readFileSync(join(out, `objects/${id}.html`), 'utf8')).toContain('../media/demo-org-1/demo-org-1-1.image.jpg');
});
