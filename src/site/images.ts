/** The image derivatives of a build, and which of them represents a record. */
import { lookup } from 'mime-types';
import type { ListedEntry } from '../catalogue/entries.ts';
import type { ImageSize } from '../derivatives/iiif.ts';
import type { Parts } from '../derivatives/image-derivatives.ts';
import { keyByWord } from '../platform/key-by-word.ts';
import type { Lookup } from '../platform/lookup.ts';

/** An image in the site: its path, and its size in pixels. */
export type SiteImage = ImageSize & { path: string };

/** Width by height of the mats of cards. */
const MAT_RATIO = 4 / 3;
/** Part of an image that may be cut off, so that no thin strips of the mat are beside it. */
const MAX_CUT = 0.12;

/** Returns whether an image nearly has the shape of its mat, so that it fills it. */
export function fillsMat({ width, height }: SiteImage): boolean {
  const ratio = width / height / MAT_RATIO;
  return Math.min(ratio, 1 / ratio) >= 1 - MAX_CUT;
}

/** The derivatives of one image: the thumbnail for lists, and the display image for the record's own page. */
export type ImageDerivatives = Record<'thumb' | 'page', SiteImage> & Parts;

/** By the URL upstream, and those of pages by `pageKey`. */
export type SiteImages = Readonly<Record<string, ImageDerivatives>>;

/** Returns the images with `root`, a relative path to the top of the site, prepended to their paths. */
export function withPathsFrom(root: string, images: Lookup<ImageDerivatives>): Lookup<ImageDerivatives> {
  if (root === '') return images;
  const withRoot = (image: SiteImage): SiteImage => ({ ...image, path: `${root}${image.path}` });
  return {
    get(url) {
      const found = images.get(url);
      return found && { ...found, thumb: withRoot(found.thumb), page: withRoot(found.page) };
    },
  };
}

/** Pixels. */
export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** Returns the derivatives of the first of a record's images that has any. `urls` are the URLs of these images upstream. */
export function firstImage(urls: string[], images: Lookup<ImageDerivatives>): ImageDerivatives | undefined {
  return Iterator.from(urls)
    .map((url) => images.get(url))
    .find((found) => found !== undefined);
}

/** Whose placeholder it is: each has a drawing in `public/assets`. */
type PlaceholderKind =
  | 'image'
  | 'document'
  | 'letter'
  | 'map'
  | 'interview'
  | 'audio'
  | 'video'
  | 'collection'
  | 'person'
  | 'guide'
  | 'covered';

const PLACEHOLDER_BY_GENRE: ReadonlyMap<string, PlaceholderKind> = keyByWord({
  image: 'photograph portrait landscape cityscape',
  letter: 'correspondence postcard',
  map: 'map',
  interview: 'interview',
  video: 'motion_picture',
  audio: 'music',
});
const PLACEHOLDER_BY_FORMAT: ReadonlyMap<string, PlaceholderKind> = keyByWord({ image: 'img', document: 'doc', interview: 'vh' });
const PLACEHOLDER_BY_TYPE: ReadonlyMap<string, PlaceholderKind> = keyByWord({
  audio: 'audio',
  video: 'video',
  document: 'application text',
});
const PLACEHOLDER_BY_MODEL: ReadonlyMap<string, PlaceholderKind> = keyByWord({ interview: 'segment', document: 'file entity' });

/**
 * Returns the placeholder for a record without an image: by its genre, its format, the kind of its recordings, or else by its
 * model. `root` is a relative path to the top of the site.
 */
export function placeholderFor(
  entry: Pick<ListedEntry, 'genre' | 'format' | 'mediaUrls' | 'media' | 'model'>,
  root = '',
): SiteImage {
  const kind =
    PLACEHOLDER_BY_GENRE.get(entry.genre ?? '') ??
    PLACEHOLDER_BY_FORMAT.get(entry.format ?? '') ??
    (entry.model === 'file' ? kindOfFile(entry.mediaUrls) : undefined) ??
    (entry.model === 'segment' ? undefined : kindOfRecording(entry)) ??
    (entry.model === 'file' && entry.mediaUrls.length > 0 ? 'image' : undefined) ??
    PLACEHOLDER_BY_MODEL.get(entry.model) ??
    'collection';
  return placeholder(kind, root);
}

/** Returns the placeholder of a kind. */
export function placeholder(kind: PlaceholderKind, root = ''): SiteImage {
  return { path: `${root}assets/no-picture-${kind}.svg`, ...PLACEHOLDER_SIZE };
}

/** Returns the kind of a file by its extension; undefined if that says nothing. Its name comes after those of its images. */
function kindOfFile(mediaUrls: readonly string[]): PlaceholderKind | undefined {
  const [name = ''] = (mediaUrls.at(-1) ?? '').split(/[?#]/, 1);
  return PLACEHOLDER_BY_TYPE.get((lookup(name) || '').split('/', 1).join());
}

/** Returns whether a record is a film or a sound recording, by its media files; an audiovisual one without files is a film. */
function kindOfRecording({ media, format }: Pick<ListedEntry, 'media' | 'format'>): 'audio' | 'video' | undefined {
  if (media.some(({ kind }) => kind === 'video')) return 'video';
  if (media.some(({ kind }) => kind === 'audio')) return 'audio';
  return format === 'av' ? 'video' : undefined;
}
