/** The media files that a package may have, under names that name nothing withheld. */
import { extname } from 'node:path';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import { UserError } from '../model/errors.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { readMediaRows } from '../snapshot/read.ts';
import type { StoredMedia } from '../snapshot/row-types.ts';
import { containsWithheldNames } from '../snapshot/withheld-names.ts';
import type { Digest } from './digest.ts';
import { createWithheldFinder, type WithheldFinder } from './withheld-words.ts';

/** Directory of files whose names in the snapshot would name a withheld record: records with the same file share one. */
const NEUTRAL_DIRECTORY = 'media/by-checksum';

/** A row of a media file for a package. Its path and its owner may be others than in the snapshot. */
export interface PortableMedia extends StoredMedia {
  /** Path in the snapshot; null without a file. */
  source: string | null;
}

/**
 * Returns the rows of all media that a package may have: without those of withheld records, and texts with withheld names.
 * @throws {UserError} if a file is missing.
 */
export function readPortableMedia(store: VisibleStore): PortableMedia[] {
  const safeDir = toSafeDirectory(store.dir);
  const isWithheld = createWithheldFinder(store);
  const users = store.db.prepare('SELECT record FROM usage WHERE url = ? ORDER BY record');
  return readMediaRows(store).flatMap((row) => {
    const { url, path, mimetype } = row;
    if (isWithheld(url)) return [];
    if (path !== null && safeDir.stat(path) === undefined)
      throw new UserError(`The media file ${path} is missing. Run "microfiche verify --repair", then export again.`);
    if (path !== null && containsWithheldNames(store, safeDir.resolve(path), mimetype)) return [];
    const ids = [row.owner, ...users.all(url).map(({ record }) => String(record))];
    const owner = ids.find((id) => !store.filter.hides('object', id));
    return owner === undefined ? [] : [{ ...row, owner, path: portablePath(row, isWithheld), source: path }];
  });
}

/** Returns the path of a media file in a package; null without a file. */
export function portablePath({ path, sha256 }: Pick<StoredMedia, 'path' | 'sha256'>, isWithheld: WithheldFinder): string | null {
  if (path === null || sha256 === null || !isWithheld(path)) return path;
  return `${NEUTRAL_DIRECTORY}/${sha256}${extname(path)}`;
}

/**
 * Checks that a media file has the size and the SHA-256 with which it was received.
 * @throws {UserError} if not.
 */
export function checkMediaFile({ path, size, sha256 }: Pick<StoredMedia, 'path' | 'size' | 'sha256'>, found: Digest): void {
  const isSame = (sha256 === null || found.checksums.sha256 === sha256) && (size === null || found.size === size);
  if (!isSame)
    throw new UserError(
      `The media file ${path} is damaged: it is not as it was received. Run "microfiche verify --repair", then export again.`,
    );
}
