/** The kinds of media files, their places, and what can be chosen of them. Options need these lists: it loads no other module. */
import { objectFileName } from '../../platform/portability.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { parseId } from '../ids.ts';

/** The kinds of media files. */
export const MEDIA_KINDS = ['thumb', 'image', 'audio', 'video', 'transcript', 'original'] as const;
/** One of `MEDIA_KINDS`. */
export type MediaKind = (typeof MEDIA_KINDS)[number];
/** The kinds that pages show and play. */
export const DEFAULT_KINDS = MEDIA_KINDS.filter((kind) => kind !== 'original');

/** Which of several video files to download: the one with the best browser support, the smallest playable, or the original. */
export const VIDEO_CHOICES = ['mp4', 'smallest', 'original'] as const;
/** One of `VIDEO_CHOICES`. */
export type VideoChoice = (typeof VIDEO_CHOICES)[number];

/** What `media --derivatives` can make. */
export const DERIVATIVE_CHOICES = ['web'] as const;

/** What `build --strip-metadata` can remove from the published copies of media files. */
export const STRIP_METADATA = ['location', 'all', 'none'] as const;
/** One of these. */
export type StripMetadata = (typeof STRIP_METADATA)[number];

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
