/** Replaces a small file of a directory atomically. */
import { fsyncSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SafeDirectory, usingDescriptor } from './safe-directory.ts';

/** Ends the name of a new file until it replaces the other. A process that is killed leaves it. */
const NEW_SUFFIX = '.new';

/** Deletes what a process left that was killed while it replaced the file `name`. */
export function deleteUnfinishedFile(safeDir: SafeDirectory, name: string): void {
  safeDir.delete(`${name}${NEW_SUFFIX}`);
}

/**
 * Replaces the file `name`, or creates it. If it is a symbolic link, the link itself is replaced; its target is neither read nor
 * changed. The content is first written to `newFile`, which another process must not use at the same time.
 */
export function replaceFile(
  safeDir: SafeDirectory,
  name: string,
  content: string | Uint8Array,
  newFile = `${name}${NEW_SUFFIX}`,
): void {
  usingDescriptor(safeDir.create(newFile), (descriptor) => {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  });
  renameSync(safeDir.resolve(newFile), join(safeDir.root, name));
}
