/** Replaces a small file of a directory atomically. */
import { fsyncSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type SafeDirectory, usingDescriptor } from './safe-directory.ts';

/** Replaces the file `name`, or creates it. If it is a symbolic link, the link itself is replaced; its target is neither read nor changed. */
export function replaceFile(safeDir: SafeDirectory, name: string, text: string): void {
  const newFile = `${name}.new`;
  usingDescriptor(safeDir.create(newFile), (descriptor) => {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
    fsyncSync(descriptor);
  });
  renameSync(safeDir.resolve(newFile), join(safeDir.root, name));
}
