/** Copies on the file systems of drives, without shared memory, which a write-ahead log of SQLite needs, and which are pulled. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { describeError } from '../../../src/model/errors.ts';
import { syncSite } from '../../../src/publish/copies/sync-site.ts';
import { formatIdentity } from '../../../src/publish/site-identity.ts';
import { canMount, createTestDirectory, readFiles, runMicrofiche, runMicroficheJson } from '../../support/commands.ts';
import { createDrive, type DriveKind } from '../../support/drives.ts';
import { buildSnapshot, createHarvestedSnapshot } from '../../support/file-server.ts';
import { publishSite } from '../../support/publish-site.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

const ARCHIVE = 'https://archive.example';

/** Publishes a site of these files in a directory. */
async function publish(directory: string, files: Record<string, string>): Promise<string> {
  const site = join(directory, 'site');
  const urls = { authorsUrl: ARCHIVE, catalogUrl: ARCHIVE };
  const identity = formatIdentity({ format: 1, ...urls, snapshot: 'f'.repeat(64), harvestedOn: '2026-01-01' });
  const sources = Object.entries({ ...files, 'microfiche.json': identity }).map(([path, content], n) => {
    const file = join(directory, String(n));
    writeFileSync(file, content);
    return [path, file] as const;
  });
  await publishSite(new Map(sources), site);
  return site;
}

const KINDS: DriveKind[] = ['FAT32', 'exFAT', 'NTFS'];

it.each(KINDS)('a snapshot is harvested to, verified and built on %s', async (kind) => {
  const drive = createDrive(kind);
  await drive.connect();
  const upstream = await startTestUpstream();
  const snapshot = await createHarvestedSnapshot(
    upstream,
    [{ id: 'demo-org-1-1', model: 'entity', title: 'Nets on the quay' }],
    join(drive.mount, 'archive'),
  );
  expect(readdirSync(snapshot).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  expect(await runMicroficheJson(['verify', '--snapshot', snapshot])).toMatchObject({ ok: true });
  const { report } = await buildSnapshot(snapshot);
  expect(report.problems).toEqual([]);
});

it.each([
  // The driver cannot append to a small file that is there, and so not resume.
  ['FAT32', 0],
  ['exFAT', 25],
  ['NTFS', 25],
] as const)('a site on %s that was pulled %i times is the same in the end', async (kind, pulls) => {
  const directory = createTestDirectory();
  const files = Object.fromEntries(
    // NTFS loses nothing that was written, so that more files are left for each pull.
    Array.from({ length: kind === 'NTFS' ? 120 : 60 }, (_, n) => [
      `pages/${n}.html`,
      `page ${n} `.repeat(n % 7 === 0 ? 30_000 : 30),
    ]),
  );
  const site = await publish(directory, files);
  const drive = createDrive(kind);
  const copy = join(drive.mount, 'copy');
  for (let pull = 0; pull < pulls; pull++) {
    await drive.connect();
    mkdirSync(copy, { recursive: true });
    // In most rounds, in the middle of the work; in the others, as it begins.
    const sync = syncSite(site, copy, { force: false, onProgress: (done) => done > pull % 5 && drive.pull() });
    const failure = await sync.then(
      () => 'It is complete.',
      (error: unknown) => describeError(error),
    );
    expect(failure).toMatch(/^(?:\S+|A file) (?:cannot be read or written any more|could not be copied: )[^\n]+\.$/);
    await drive.repair();
  }
  await drive.connect();
  mkdirSync(copy, { recursive: true });
  await syncSite(site, copy, { force: false });
  const contentOf = (from: string) => new Map([...readFiles(from)].map(([path, bytes]) => [path, bytes.toString('base64')]));
  expect(contentOf(copy)).toEqual(contentOf(site));
  expect((await runMicrofiche(['verify', '--dir', copy])).stdout).toContain('0 missing or corrupted files');
});

it.runIf(canMount())('a site and a snapshot on a read-only disk are verified and copied from there', async () => {
  const directory = createTestDirectory();
  const site = await publish(directory, { 'index.html': 'home' });
  const [media, copied] = [join(directory, 'media'), join(directory, 'copied')];
  cpSync(site, join(media, 'site'), { recursive: true });
  cpSync(inject('mirror').small, join(media, 'snapshot'), { recursive: true });
  execFileSync('mount', ['--bind', media, media]);
  onTestFinished(() => void execFileSync('umount', [media]));
  execFileSync('mount', ['-o', 'remount,bind,ro', media]);
  for (const [option, name] of [
    ['--dir', 'site'],
    ['--snapshot', 'snapshot'],
  ] as const) {
    await runMicroficheJson(['sync', join(media, name), join(copied, name)]);
    for (const place of [media, copied]) {
      const { stdout } = await runMicrofiche(['verify', option, join(place, name)]);
      expect(stdout).toMatch(name === 'site' ? /0 missing or corrupted files/ : /; 0 findings/);
    }
  }
  expect((await runMicrofiche(['sync', join(copied, 'site'), join(media, 'site')])).stderr).toMatch(
    /read-only|denied|not permitted/i,
  );
});

it('a partial copy takes no more than --fit says in the clusters of a drive, and little less', async () => {
  const directory = createTestDirectory();
  const pages = Array.from({ length: 100 }, (_, n) => [`objects/${n}.html`, `page ${n} `.repeat(300)]);
  const media = Array.from({ length: 40 }, (_, n) => [`media/${n}.jpg`, `${n} `.repeat(50_000)]);
  const site = await publish(directory, Object.fromEntries([...pages, ...media]));
  const drive = createDrive('exFAT', ['-c', String(32 * 1024)]);
  await drive.connect();
  const copy = join(drive.mount, 'copy');
  mkdirSync(copy);
  const freeBytes = () => statfsSync(drive.mount).bavail * statfsSync(drive.mount).bsize;
  const [limit, before] = [6_000_000, freeBytes()];
  const { lacking } = await runMicroficheJson<{ lacking: number }>(['sync', site, copy, '--fit', String(limit)]);
  const used = before - freeBytes();
  expect(lacking).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual(limit);
  expect(used).toBeGreaterThan(limit * 0.9);
});
