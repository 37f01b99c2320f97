/** Partial copies of sites: what they lack, and in which order files are left out. */
import { parseChecksums } from '../formats/manifest-lines.ts';
import { readText } from './manifest.ts';

/** In a partial copy: the lines of the manifest whose files it lacks, because they do not fit or have not changed. */
export const LEFT_OUT_FILE = 'left-out-sha256.txt';

/** In the update of a bag: the directory of patches, each at the path of the file that it makes. */
export const PATCH_DIRECTORY = 'patches/';
/** In the update of a bag: the checksums of the files to which the patches apply. */
export const PATCHED_FILE = 'patched-sha256.txt';

/** Whether only the update of a bag has such a file. Its bag has the checksums of what it stands for. */
export const isOfUpdate = (path: string): boolean =>
  path === LEFT_OUT_FILE || path === PATCHED_FILE || path.startsWith(PATCH_DIRECTORY);

/** Returns the paths of the files that a partial copy lacks, with their checksums. */
export const readLeftOut = (out: string): Map<string, string> => parseChecksums(readText(out, LEFT_OUT_FILE) ?? '');

/** Thumbnails, images and documents, sound, videos, other media files. Packs and texts are needed. */
const RANKS = [
  /^thumbs\/(?!.*\.js$)/,
  /^(?:media|iiif)\/.*\.(?:jpe?g|png|webp|avif|gif|svg|bmp|tiff?|jp2|hei[cf]|pdf|json)$/i,
  /^media\/.*\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aiff?|wma)$/i,
  /^media\/.*\.(?:mp4|m4v|webm|mov|avi|mkv|mpe?g|wmv|ogv)$/i,
  /^media\/(?!.*\.(?:vtt|srt|txt)$)/i,
];

/** Returns how soon a file of a site may be left out: 0 if a site is of no use without it; files of higher ranks go first. */
export const rankOf = (path: string): number => RANKS.findIndex((pattern) => pattern.test(path)) + 1;
