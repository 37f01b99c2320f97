/** Copies media files without the metadata that a site does not publish. The snapshot has them as they were received. */
import { constants } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import type { StripMetadata } from '../model/media/media-kinds.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';
import { createDerivativeCache } from './derivative-cache.ts';
import { findMetadata, writePatches } from './embedded-metadata.ts';
import type { ShownFile } from './shown-files.ts';

/** A copy of a media file without some of its metadata: of the same size, and with the same pixels or sound. */
export interface PublishedCopy {
  /** Path on disk. */
  file: string;
  sha256: string;
  removed: Exclude<StripMetadata, 'none'>;
}

/** Returns, by SHA-256, copies of the files that have what a site does not publish. `cacheDirectory` is for derivatives. */
export async function createPublishedCopies(
  files: readonly ShownFile[],
  removed: StripMetadata,
  cacheDirectory: string,
): Promise<Map<string, PublishedCopy>> {
  const copies = new Map<string, PublishedCopy>();
  if (removed === 'none') return copies;
  const cache = createDerivativeCache(cacheDirectory);
  const settings = { recipe: 1, removed };
  for (const { file, sha256, mimetype, extension, metadata } of files) {
    if (copies.has(sha256) || !metadata.includes(removed)) continue;
    const copy = await cache.getOrCreate(sha256, settings, `.${extension}`, async (to) => {
      await copyFile(file, to, constants.COPYFILE_FICLONE);
      writePatches(to, findMetadata(file, mimetype, removed));
    });
    const checksum = await cache.getOrCreate(sha256, settings, '.sha256', async (to) => {
      await writeFile(to, await sha256OfFile(copy.file));
    });
    copies.set(sha256, { file: copy.file, sha256: await readFile(checksum.file, 'utf8'), removed });
  }
  return copies;
}
