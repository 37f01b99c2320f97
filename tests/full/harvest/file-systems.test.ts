/** A snapshot on a file system without shared memory, which a write-ahead log of SQLite needs: FAT32 through FUSE. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import { createTestDirectory, runMicroficheJson } from '../../support/commands.ts';
import { buildSnapshot, createHarvestedSnapshot } from '../../support/file-server.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

/** Returns a directory on a new FAT32 file system of 64 MB, which is unmounted after the test. */
async function mountFat(): Promise<string> {
  const directory = createTestDirectory();
  const [image, mount] = [join(directory, 'image'), join(directory, 'mount')];
  writeFileSync(image, '');
  truncateSync(image, 64 * 1024 * 1024);
  execFileSync(programFile('mkfs.vfat'), ['-F', '32', '-n', 'DRIVE', image]);
  mkdirSync(mount);
  const driver = spawn(programFile('fusefat'), ['-f', '-o', 'rw+', image, mount], { stdio: 'ignore' });
  const ended = once(driver, 'exit');
  onTestFinished(async () => {
    execFileSync(programFile('umount'), [mount]);
    await ended;
  });
  await vi.waitFor(() => execFileSync('mountpoint', ['-q', mount]), { timeout: 20_000, interval: 100 });
  return mount;
}

it('is harvested, verified and built there', async () => {
  const upstream = await startTestUpstream();
  const snapshot = await createHarvestedSnapshot(
    upstream,
    [{ id: 'demo-org-1-1', model: 'entity', title: 'Nets on the quay' }],
    join(await mountFat(), 'archive'),
  );
  expect(readdirSync(snapshot).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  expect(await runMicroficheJson(['verify', '--snapshot', snapshot])).toMatchObject({ ok: true });
  const { report } = await buildSnapshot(snapshot);
  expect(report.problems).toEqual([]);
});
