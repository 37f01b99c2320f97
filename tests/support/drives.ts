/** Drives with a file system of the field, in a file: FAT32, exFAT and NTFS, each mounted through FUSE. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { createTestDirectory } from './commands.ts';

/** File systems of drives. */
export type DriveKind = 'FAT32' | 'exFAT' | 'NTFS';

const WAIT = { timeout: 100_000, interval: 50 };
const IMAGE_BYTES = 64 * 1024 * 1024;

const run = (program: Parameters<typeof programFile>[0], ...args: string[]) =>
  execFileSync(programFile(program), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** How drives are formatted, mounted and repaired. */
const KINDS: Record<
  DriveKind,
  Record<'format' | 'mount' | 'repair', readonly [Parameters<typeof programFile>[0], ...string[]]>
> = {
  FAT32: {
    format: ['mkfs.vfat', '-F', '32', '-n', 'DRIVE'],
    mount: ['fusefat', '-f', '-o', 'rw+'],
    repair: ['fsck.vfat', '-a'],
  },
  exFAT: { format: ['mkfs.exfat'], mount: ['mount.exfat-fuse', '-d'], repair: ['fsck.exfat', '-a'] },
  // With the names that Windows has, and without differences of case.
  NTFS: {
    format: ['mkntfs', '-q', '-F'],
    mount: ['lowntfs-3g', '-o', 'no_detach,windows_names,ignore_case'],
    repair: ['ntfsfix', '-d'],
  },
};

/** Creates a drive of 64 MB, formatted with these options, which is disconnected after the test. */
export function createDrive(kind: DriveKind, options: readonly string[] = []) {
  const directory = createTestDirectory();
  const [image, mount] = [join(directory, 'image'), join(directory, 'mount')];
  writeFileSync(image, '');
  truncateSync(image, IMAGE_BYTES);
  mkdirSync(mount);
  const { format, mount: driverCommand, repair } = KINDS[kind];
  run(...format, ...options, image);
  // The driver of exFAT mounts only block devices.
  const device = kind === 'exFAT' ? run('losetup', '--find', '--show', image).trim() : image;
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
      const [program, ...driverOptions] = driverCommand;
      driver = spawn(programFile(program), [...driverOptions, device, mount], { stdio: 'ignore' });
      await vi.waitFor(() => execFileSync('mountpoint', ['-q', mount]), WAIT);
    },
    /** Ends the driver at once: what is read or written then fails. */
    pull: () => driver?.kill('SIGKILL'),
    /** Repairs the file system after the drive was pulled. */
    async repair() {
      await disconnect();
      // The system lets go of the device a moment later. 1: errors were corrected.
      await vi.waitFor(() => {
        const [program, ...repairOptions] = repair;
        const { status, stdout } = spawnSync(programFile(program), [...repairOptions, device]);
        if (status !== 0 && status !== 1) throw new Error(`${status}: ${stdout}`);
      }, WAIT);
    },
  };
}
