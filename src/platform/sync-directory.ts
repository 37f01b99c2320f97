/** Makes new file names durable: after a power cut, a synced file is lost unless its directory was synced too. */
import { fsyncSync, openSync } from 'node:fs';
import { hasCode, undefinedIf } from './expected-errors.ts';
import { usingDescriptor } from './safe-directory.ts';

/** Errors of systems that cannot sync a directory: Windows, some network and FUSE file systems. They have no alternative. */
const UNSUPPORTED = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES', 'ENOSYS'];

/** Waits until the entries of a directory are on the disk. Does nothing if the system cannot do that. */
export function syncDirectory(directory: string): void {
  undefinedIf(
    (error) => hasCode(error, ...UNSUPPORTED),
    () => usingDescriptor(openSync(directory, 'r'), fsyncSync),
  );
}
