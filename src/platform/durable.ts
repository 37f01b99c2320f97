/** Makes the names of files outlast a power cut: a synced file is lost all the same while its folder is not on the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** What systems say that cannot sync a folder: Windows, and some network and FUSE file systems. They have no other way to offer. */
const NO_SUCH_CALL: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES', 'ENOSYS']);

/** Waits until a folder's entries are on the disk. */
export function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!NO_SUCH_CALL.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
