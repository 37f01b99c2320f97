/** A purge that was killed, or met a file it cannot delete, a reader or a full disk, is finished by the same command. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pMap from 'p-map';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/api/server.ts';
import { type Purged, planPurge, purge } from '../../src/catalogue/purge.ts';
import { createVisibleStore } from '../../src/catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../src/catalogue/read/withholding.ts';
import { writePortableDatabase } from '../../src/export/portable-database.ts';
import { downloadMedia } from '../../src/media/download-media.ts';
import { auditSnapshot } from '../../src/snapshot/audit.ts';
import { readPendingDeletions, UNFINISHED_PURGE_META_KEY } from '../../src/snapshot/deletions.ts';
import { writeReport } from '../../src/snapshot/report-file.ts';
import { createSnapshot, openSnapshot } from '../../src/snapshot/store.ts';
import { openMediaWriter } from '../../src/snapshot/write-media.ts';
import { canMount, createTestDirectory, LONG, mountSmallDisk, readFiles, runMicrofiche } from '../support/commands.ts';
import { computeChecksums } from '../support/file-server.ts';
import { addBodies } from '../support/memory-snapshot.ts';

const PURGED = 'demo-org-1-1';
const KEPT = 'demo-org-1-2';
/** In everything that belongs to the purged record, and in nothing else. */
const SECRET = 'zanzibar';
const KILLS = LONG ? 25 : 10;
const IMAGE = `media/demo-org-1/${PURGED}.image.jpg`;
const OTHER_USER = 65_534;

/** Creates a snapshot with a record that has all that a purge deletes, and a record that stays. */
function createFilledSnapshot(): string {
  const directory = join(createTestDirectory(), 'snapshot');
  const store = createSnapshot(directory);
  const base = 'https://x.example';
  store.db.prepare("INSERT INTO meta VALUES ('authors_url', ?1), ('catalog_url', ?1)").run(base);
  const record = (id: string, title: string) => ({
    id,
    model: 'entity',
    title,
    links: { img: `${base}/${title}.jpg`, thumb: `${base}/${title}-thumb.jpg` },
    creators: [{ oh_id: title.length, namepart: title }],
    topics: [{ id: '7', term: 'Harbours' }],
  });
  const entries = [record(PURGED, SECRET), record(KEPT, 'kept')];
  addBodies(store, [
    [
      { kind: 'object', name: 'demo-org-1' },
      { id: 'demo-org-1', model: 'collection', title: 'Collection' },
    ],
    [{ kind: 'object', name: KEPT }, record(KEPT, 'kept')],
    [{ kind: 'object', name: PURGED }, record(PURGED, `${SECRET} earlier`)],
    [
      { kind: 'object', name: `${PURGED}-1` },
      { id: `${PURGED}-1`, model: 'segment', title: SECRET.repeat(500) },
    ],
    [
      { kind: 'children', name: 'demo-org-1', page: { limit: 25, offset: 0 } },
      { total: 2, limit: 25, offset: 0, next_offset: null, objects: entries },
    ],
  ]);
  addBodies(store, [[{ kind: 'object', name: PURGED }, record(PURGED, SECRET)]]);
  const writer = openMediaWriter(store);
  const put = (owner: string, path: string, name: string, state: 'stored' | 'quarantined' = 'stored') => {
    const bytes = Buffer.from(`bytes of ${name}`);
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
    const { sha256 } = computeChecksums(bytes);
    const url = `${base}/${name}.jpg`;
    writer.put({ url, owner, kind: 'image', state, path, sha256, size: bytes.length, fetchedAt: '2026-01-01T00:00:00.000Z' });
  };
  put(PURGED, IMAGE, SECRET);
  put(KEPT, `media/demo-org-1/${KEPT}.image.jpg`, 'kept');
  put(`${PURGED}-1`, `quarantine/demo-org-1/${PURGED}-1.image.a.jpg`, `${SECRET}-1`, 'quarantined');
  writer.putPart({
    url: `${base}/${SECRET}-thumb.jpg`,
    path: `media/demo-org-1/${PURGED}.thumb.part`,
    validator: '"a"',
    total: 9,
  });
  writer.close();
  writeFileSync(join(directory, `media/demo-org-1/${PURGED}.thumb.part`), SECRET); // a download that can be resumed
  writeFileSync(join(directory, `media/demo-org-1/${PURGED}.original.part`), SECRET); // a killed download, without a row
  writeReport(directory, 'media', ['Done.', `  ${PURGED}: ${SECRET}`, `  ${KEPT} (${base}/${SECRET}.jpg)`]);
  writeFileSync(join(directory, 'report.txt.new'), SECRET);
  store.db.exec(
    `CREATE TEMP TABLE t AS SELECT 1; INSERT INTO meta VALUES ('a', '${SECRET.repeat(2000)}'); DELETE FROM meta WHERE key = 'a'`,
  );
  store.close();
  return directory;
}

/** Plans and carries out a purge, as the command does. */
function purgeOnce(directory: string, before?: (db: DatabaseSync) => void): Purged {
  const store = createSnapshot(directory);
  try {
    before?.(store.db);
    return purge(store, planPurge(store, [PURGED]), { reason: 'by request', now: '2026-01-02T03:04:05.678Z' });
  } finally {
    store.close();
  }
}

/** Returns the files of a directory that have something of the purged record. */
function findSecrets(directory: string): string[] {
  return [...readFiles(directory)]
    .filter(([path, bytes]) => path.includes(`${PURGED}.`) || bytes.includes(SECRET))
    .map(([path]) => path);
}

/** Returns what `verify` finds, and whether rows were purged. */
async function verify(directory: string): Promise<{ findings: string[]; isPurged: boolean }> {
  const store = openSnapshot(directory);
  try {
    const { findings } = await auditSnapshot(store);
    const isPurged = store.db.prepare('SELECT 1 FROM withdrawn').get() !== undefined;
    return { findings: findings.map(({ what, problem }) => `${what}: ${problem}`), isPurged };
  } finally {
    store.close();
  }
}

/** Expects that nothing remains of the purged record, and all of the other one. */
async function expectPurged(directory: string): Promise<void> {
  expect(findSecrets(directory)).toEqual([]);
  expect(await verify(directory)).toEqual({ findings: [], isPurged: true });
  expect(readdirSync(join(directory, 'media/demo-org-1'))).toEqual([`${KEPT}.image.jpg`]);
  expect(existsSync(join(directory, 'quarantine'))).toBe(false);
  expect(readFileSync(join(directory, 'report.txt'), 'utf8')).toBe('== Media ==\nDone.\n');
  const store = openSnapshot(directory);
  expect(store.db.prepare("SELECT name FROM resource WHERE kind = 'object'").all()).toEqual([
    { name: 'demo-org-1' },
    { name: KEPT },
  ]);
  expect(readPendingDeletions(store)).toEqual({ files: [], purge: undefined });
  store.close();
}

/** Runs a purge in a process of its own. Returns its output; undefined if it was killed. */
function runPurge(directory: string, call: number, microseconds: number): Promise<string | undefined> {
  const script = join(import.meta.dirname, '../support/purge-and-die.ts');
  const child = spawn(process.execPath, [script, directory, PURGED, String(call), String(microseconds)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(dirname(directory), 'compiled') }, // loads modules in half the time
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL' ? undefined : output)));
}

it(`is finished by the same command after each of ${KILLS} kills, and verify names it until then`, async () => {
  const original = createFilledSnapshot();
  expect(findSecrets(original).length).toBeGreaterThan(4);
  const copy = (name: string) => {
    const directory = join(dirname(original), name);
    cpSync(original, directory, { recursive: true });
    return directory;
  };
  const undisturbed = copy('undisturbed');
  const calls = Number(await runPurge(undisturbed, 0, 0));
  await expectPurged(undisturbed);
  const unfinished = await pMap(
    Array.from({ length: KILLS }, (_, n) => n),
    async (n) => {
      const directory = copy(`killed-${n}`);
      await runPurge(directory, Math.ceil(((n + 1) * calls) / KILLS), n % 3 === 0 ? n * 40 : 0);
      const remaining = findSecrets(directory);
      const { findings, isPurged } = await verify(directory);
      if (isPurged && remaining.length > 0) expect(findings, `kill ${n}: ${remaining.join()}`).not.toEqual([]);
      expect(purgeOnce(directory).pending).toEqual([]);
      await expectPurged(directory);
      return isPurged && findings.length > 0;
    },
    { concurrency: 2 },
  );
  // otherwise the kills were all before or after the end of the work
  expect(unfinished.filter(Boolean).length).toBeGreaterThan(KILLS / 5);
});

it('deletes all but a file that cannot be deleted, and that one when it can be', async () => {
  const directory = createFilledSnapshot();
  const locked = join(directory, 'media/demo-org-1');
  const unlock = lock(locked);
  const { pending } = purgeOnce(directory);
  expect(pending).toEqual([
    expect.stringMatching(
      /^3 files could not be deleted: media\/demo-org-1\/demo-org-1-1\.image\.jpg \(E\w+\), .*\. Change the permissions, then run the purge again\.$/,
    ),
  ]);
  unlock();
  expect(findSecrets(directory)).toEqual([
    IMAGE,
    `media/demo-org-1/${PURGED}.original.part`,
    `media/demo-org-1/${PURGED}.thumb.part`,
  ]);
  expect((await verify(directory)).findings).toContain(
    `${IMAGE}: it is marked for deletion, and not deleted yet. The next harvest or purge does so`,
  );
  const status = await runMicrofiche(['status', '--snapshot', directory]);
  expect(status.stdout).toContain(`Marked for deletion, and not deleted yet (3 files):\n  ${IMAGE}\n`);
  expect(purgeOnce(directory).pending).toEqual([]);
  await expectPurged(directory);
});

/** Makes it impossible to delete files in a directory, also for root. Returns a function that makes it possible again. */
function lock(directory: string): () => void {
  chmodSync(directory, 0o555);
  const asRoot = process.geteuid?.() === 0;
  const parent = dirname(dirname(dirname(directory)));
  if (asRoot) {
    for (const path of ['.', ...readdirSync(parent, { recursive: true, encoding: 'utf8' })])
      chownSync(join(parent, path), OTHER_USER, OTHER_USER);
    process.seteuid?.(OTHER_USER);
  }
  const unlock = () => {
    if (asRoot) process.seteuid?.(0);
    if (existsSync(directory)) chmodSync(directory, 0o755);
  };
  onTestFinished(unlock);
  return unlock;
}

/** Purges while another program reads the database, so that the purge cannot be finished. Returns what is pending. */
function purgeWhileRead(directory: string): string[] {
  let reader: DatabaseSync | undefined;
  try {
    return purgeOnce(directory, (db) => {
      db.exec('PRAGMA busy_timeout = 10');
      reader = new DatabaseSync(join(directory, 'snapshot.sqlite'), { readOnly: true });
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM response').get();
    }).pending;
  } finally {
    reader?.close();
  }
}

it('waits for a program that reads the snapshot', async () => {
  const directory = createFilledSnapshot();
  const pending = purgeWhileRead(directory);
  expect(pending).toEqual([
    'The report or unused parts of the database may still have what was purged. Another program is reading the snapshot. Wait until it has finished, then run the purge again.',
  ]);
  expect(exportedRows(directory)).toEqual([]);
  const status = await runMicrofiche(['status', '--snapshot', directory]);
  expect(status.stdout).toContain('Purge of 2026-01-02T03:04:05.678Z: not finished. Run the purge again.\n');
  expect((await verify(directory)).findings).toEqual([
    'purge of 2026-01-02T03:04:05.678Z: it is not finished, so that the report or unused parts of the database may have what was purged. Run it again',
  ]);
  expect(purgeOnce(directory).pending).toEqual([]);
  await expectPurged(directory);
});

/** Returns what the database of a package says of deletions that are not finished. */
function exportedRows(directory: string): unknown[] {
  const store = openSnapshot(directory);
  const file = join(createTestDirectory(), 'exported.sqlite');
  writePortableDatabase(createVisibleStore(store, { withholding: NOTHING_WITHHELD }), file, {
    collections: undefined,
    hasWithheld: true,
  });
  store.close();
  expect(readFileSync(file).includes(SECRET)).toBe(false);
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(`SELECT path FROM orphan_file UNION SELECT key FROM meta WHERE key = '${UNFINISHED_PURGE_META_KEY}'`).all();
  } finally {
    db.close();
  }
}

it('is finished by the next run of media', async () => {
  const directory = createFilledSnapshot();
  expect(purgeWhileRead(directory)).toHaveLength(1);
  await downloadMedia({
    snapshot: directory,
    kinds: new Set(['image'] as const),
    video: 'mp4',
    collections: undefined,
    budgetBytes: undefined,
    maxFileBytes: undefined,
    allowHosts: [],
    concurrency: 1,
    maxRequestsPerSecond: undefined,
    timeoutSeconds: 1,
    ignoreRobots: true,
    userAgent: 'test',
  });
  await expectPurged(directory);
});

it('is noticed by a server that has read the snapshot before', async () => {
  const directory = createFilledSnapshot();
  const store = openSnapshot(directory);
  const server = await startServer({ store, dir: undefined, port: 0, host: '127.0.0.1' });
  const withSecret = async () => {
    const paths = [
      'facet/topics/7/objects',
      'narrator',
      `narrator/${SECRET.length}/interviews`,
      'demo-org-1/children',
      PURGED,
    ].map((path) => `/api/0.2/${path}/`);
    const bodies = await Promise.all(
      [...paths, '/oai?verb=ListRecords&metadataPrefix=oai_dc'].map(
        async (path) => [path, await (await fetch(`${server.url}${path}`)).text()] as const,
      ),
    );
    return bodies.filter(([, body]) => body.includes(`"${SECRET}"`) || body.includes(`>${SECRET}<`)).map(([path]) => path);
  };
  try {
    expect(await withSecret()).toHaveLength(6);
    purgeOnce(directory);
    expect(await withSecret()).toEqual([]);
  } finally {
    await server.close();
    store.close();
  }
});

it.skipIf(!canMount())('says that the disk is full, and is finished when there is space', async () => {
  const original = createFilledSnapshot();
  const disk = mountSmallDisk(4000);
  const directory = join(disk, 'snapshot');
  cpSync(original, directory, { recursive: true });
  const filler = join(disk, 'filler');
  const { pending } = purgeOnce(directory, (db) => {
    db.exec("INSERT INTO meta VALUES ('large', hex(zeroblob(400000))); PRAGMA wal_checkpoint(TRUNCATE)");
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 300_000)); // enough for the transaction, not for a copy of the database
  });
  expect(pending).toEqual([expect.stringMatching(/^The report or unused .* The disk is full\. Free some disk space, then run/)]);
  expect((await verify(directory)).findings).toHaveLength(1);
  rmSync(filler);
  expect(purgeOnce(directory).pending).toEqual([]);
  await expectPurged(directory);
});
