/** Paths of media files. They are made from record IDs, never from names that a server gives. */

import { objectFileName } from '../../platform/portability.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { parseId } from '../ids.ts';
import type { MediaKind } from './media-kinds.ts';

/**
 * Returns the path of a media file in the snapshot, without extension. `url` is undefined for the first file of a kind; the
 * others of a record differ by a hash of their URL.
 */
export function mediaBasePath(owner: string, kind: MediaKind, url: string | undefined): string {
  return `media/${recordBasePath(owner)}.${kind}${url === undefined ? '' : `.${shortHash(url)}`}`;
}

/** Returns the path that the files of a record share, below their directory: collection and ID. */
export function recordBasePath(owner: string): string {
  return `${objectFileName(parseId(owner).collection ?? owner)}/${objectFileName(owner)}`;
}
