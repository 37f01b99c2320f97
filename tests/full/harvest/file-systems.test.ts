/** Copies on the file systems of drives, without shared memory, which a write-ahead log of SQLite needs, and which are pulled. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeError } from '../../../src/model/errors.ts';
import { syncSite } from '../../../src/publish/copies/sync-site.ts';
import { formatIdentity } from '../../../src/publish/site-identity.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson } from '../../support/commands.ts';
import { createDrive, type DriveKind } from '../../support/drives.ts';
import { buildSnapshot, createHarvestedSnapshot } from '../../support/file-server.ts';
import { publishSite } from '../../support/publish-site.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

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
  const site = join(directory, 'site');
  const files = Object.fromEntries(
    // NTFS loses nothing that was written, so that more files are left for each pull.
    Array.from({ length: kind === 'NTFS' ? 120 : 60 }, (_, n) => [`pages/${n}.html`, `page ${n} `.repeat(n % 7 === 0 ? 30_000 : 30)]),
  );
  const url = 'https://archive.example';
  const identity = { format: 1, authorsUrl: url, catalogUrl: url, snapshot: 'f'.repeat(64), harvestedOn: '2026-01-01' } as const;
  const sources = Object.entries({ ...files, 'microfiche.json': formatIdentity(identity) }).map(([path, content], n) => {
    const file = join(directory, String(n));
    writeFileSync(file, content);
    return [path, file] as const;
  });
  await publishSite(new Map(sources), site);
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
