/** Where files stand: under names made from the ids of their records, never from what a server says. */

import { fileName } from '../platform/portable.ts';
import { shortHash } from '../platform/short-hash.ts';
import { parseId } from './ids.ts';
import type { MediaKind } from './media.ts';

/** Where a file of a record stands, below the snapshot and without its extension. Besides its first file of a kind, a record's files are told apart by their addresses. */
export function baseOf(owner: string, kind: MediaKind, url: string | undefined): string {
  return `media/${placeOf(owner)}.${kind}${url === undefined ? '' : `.${shortHash(url)}`}`;
}

/** How the files of a record are called, below the folder that they are in: by its collection and its id. */
export function placeOf(owner: string): string {
  return `${fileName(parseId(owner).collection ?? owner)}/${fileName(owner)}`;
}
