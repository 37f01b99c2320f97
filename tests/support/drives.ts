/** Drives with a file system of the field, in a file: FAT32 and exFAT, each mounted through FUSE. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { createTestDirectory } from './commands.ts';

/** File systems of drives. */
export type DriveKind = 'FAT32' | 'exFAT';

const WAIT = { timeout: 100_000, interval: 50 };
const IMAGE_BYTES = 64 * 1024 * 1024;

const run = (program: Parameters<typeof programFile>[0], ...args: string[]) =>
  execFileSync(programFile(program), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Creates a drive of 64 MB, which is disconnected after the test. */
export function createDrive(kind: DriveKind) {
  const directory = createTestDirectory();
  const [image, mount] = [join(directory, 'image'), join(directory, 'mount')];
  writeFileSync(image, '');
  truncateSync(image, IMAGE_BYTES);
  mkdirSync(mount);
  if (kind === 'FAT32') run('mkfs.vfat', '-F', '32', '-n', 'DRIVE', image);
  else run('mkfs.exfat', image);
  // The driver of exFAT mounts only block devices.
  const device = kind === 'FAT32' ? image : run('losetup', '--find', '--show', image).trim();
  let driver: ReturnType<typeof spawn> | undefined;
  const disconnect = async () => {
    if (!driver) return;
    const ended = driver.exitCode === null && driver.signalCode === null ? once(driver, 'exit') : undefined;
    run('umount', '--lazy', mount);
    await ended;
    driver = undefined;
  };
  onTestFinished(async () => {
    await disconnect();
    if (device !== image) run('losetup', '--detach', device);
  });
  return {
    mount,
    async connect() {
      driver =
        kind === 'FAT32'
          ? spawn(programFile('fusefat'), ['-f', '-o', 'rw+', image, mount], { stdio: 'ignore' })
          : spawn(programFile('mount.exfat-fuse'), ['-d', device, mount], { stdio: 'ignore' });
      await vi.waitFor(() => execFileSync('mountpoint', ['-q', mount]), WAIT);
    },
    /** Ends the driver at once: what is read or written then fails. */
    pull: () => driver?.kill('SIGKILL'),
    /** Repairs the file system after the drive was pulled. */
    async repair() {
      await disconnect();
      // The system lets go of the device a moment later. 1: errors were corrected.
      await vi.waitFor(() => {
        const { status, stdout } = spawnSync(programFile(kind === 'FAT32' ? 'fsck.vfat' : 'fsck.exfat'), ['-a', device]);
        if (status !== 0 && status !== 1) throw new Error(`${status}: ${stdout}`);
      }, WAIT);
    },
  };
}
