/** Copies the source of this program to the root of a USB drive, whose content is untrusted. */
import { existsSync, mkdtempDisposableSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { readDiskSpace } from '../../platform/disk-space.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { readStart } from '../../platform/read-start.ts';
import type { SafeDirectory } from '../../platform/safe-directory.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { SOURCE_FILE, writeProgramSource } from '../program-source.ts';
import { copyBytes, describeObstacles, writeVerified } from './copied-files.ts';

/** The first entry of our own file begins with this. */
const FIRST_BYTES = 'microfiche-';

/**
 * Copies the source to a drive, and reads it back. Returns false if another file has its name; that file is not replaced.
 * @throws {UserError} if the drive lacks disk space or returns other bytes.
 */
export async function copySource(drive: SafeDirectory): Promise<boolean> {
  if (!isReplaceable(drive)) return false;
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-source-'));
  const source = join(directory.path, SOURCE_FILE);
  await writeProgramSource(source);
  const sha256 = await sha256OfFile(source);
  const present = join(drive.root, SOURCE_FILE);
  if (!existsSync(present) || (await sha256OfFile(present)) !== sha256) await copyTar(drive, source, sha256);
  return true;
}

function isReplaceable(drive: SafeDirectory): boolean {
  const stats = describeObstacles(() => drive.stat(SOURCE_FILE), drive.root);
  return !stats?.size || readStart(drive.resolve(SOURCE_FILE), FIRST_BYTES.length).toString() === FIRST_BYTES;
}

/** Copies the source in the file `source` to the root of the drive. */
async function copyTar(drive: SafeDirectory, source: string, sha256: string): Promise<void> {
  const { size } = statSync(source);
  const { free } = readDiskSpace(drive.root);
  if (size > free)
    throw new UserError(
      `Not enough disk space in ${drive.root} for the source of the program: ${formatBytes(size)} required, ${formatBytes(free)} available.`,
    );
  const file = { partial: `${SOURCE_FILE}.part`, target: SOURCE_FILE, sha256 };
  if (!(await writeVerified(drive, file, (target) => copyBytes(source, target))))
    throw new UserError(
      `${SOURCE_FILE} could not be copied: the drive returned other bytes than were written. Run the command again. If it fails again, use another drive.`,
    );
}
