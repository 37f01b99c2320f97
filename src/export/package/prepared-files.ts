/** Files that are made in a directory and added to a package later, so that the package gets them in its own order. */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDigest, type Digest, type DigestName } from '../digest.ts';
import { readContent } from './package-content.ts';
import type { FileWriter } from './package-writer.ts';

/** Files that are not in a package yet. */
export interface PreparedFiles extends FileWriter {
  /** Adds all files to a package, in the order in which they were made. Returns their paths and checksums. */
  addTo(writer: FileWriter): Promise<Array<{ path: string; digest: Digest }>>;
}

/** Returns a writer of files below `directory`, which must not exist. */
export function prepareFiles(directory: string, digests: readonly DigestName[]): PreparedFiles {
  const workDirectory = join(directory, 'work');
  mkdirSync(workDirectory, { recursive: true });
  const paths: string[] = [];
  const fileAt = (position: number) => join(directory, String(position));
  return {
    workDirectory,
    async add(path, content) {
      const digest = createDigest(digests);
      const file = fileAt(paths.push(path) - 1);
      await pipeline(readContent(content, digest.update), createWriteStream(file, { flags: 'wx' }));
      return digest.digest();
    },
    async addTo(writer) {
      const added: Awaited<ReturnType<PreparedFiles['addTo']>> = [];
      for (const [position, path] of paths.entries())
        added.push({ path, digest: await writer.add(path, { file: fileAt(position) }) });
      return added;
    },
  };
}
