/** The catalogue that shards of one build share if they have a common cache: the first one reads the snapshot, the others copy its file. */
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CatalogueOrigin, openEarlierFile, readState } from '../catalogue/catalogue-state.ts';

/** Copies the shared file to `to`, if it was made from the same snapshot with the same program and settings. Returns whether it was. */
export function copyShared(path: string, origin: CatalogueOrigin, to: string): boolean {
  if (origin.stamp === '' || !existsSync(path)) return false;
  // Another shard may replace the file at any time, so the copy is looked at.
  copyFileSync(path, to, constants.COPYFILE_FICLONE);
  const copy = openEarlierFile(to);
  const isSame = copy !== undefined && readState(copy, 'key') === origin.key && readState(copy, 'stamp') === origin.stamp;
  copy?.close();
  if (!isSame) rmSync(to);
  return isSame;
}

/** Shares a file that is written completely. If several shards do so at the same time, the last one counts. */
export function shareCatalogue(file: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}-${randomUUID()}.part`;
  copyFileSync(file, part, constants.COPYFILE_FICLONE);
  renameSync(part, path);
}
