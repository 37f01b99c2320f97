/** Makes new file names durable: after a power cut, a synced file is lost unless its directory was synced too. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Errors of systems that cannot sync a directory: Windows, some network and FUSE file systems. They have no alternative. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES', 'ENOSYS']);

/** Waits until the entries of a directory are on the disk. Does nothing if the system cannot do that. */
export function syncDirectory(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
