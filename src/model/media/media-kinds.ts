/** The kinds of media files, and what can be chosen of them. Options are made of these lists, so this module loads no other. */

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

/** What `build --strip-metadata` can remove from the published copies of media files. */
export const STRIP_METADATA = ['location', 'all', 'none'] as const;
/** One of these. */
export type StripMetadata = (typeof STRIP_METADATA)[number];
