/** Measures images, and caches their sizes in a file. */
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { readCacheNote, writeCacheNote } from '../platform/cache-note.ts';
import type { ImageSize } from './iiif.ts';
import { decoderOf, openImage } from './open-image.ts';
import { listTiffPages, type TiffPages } from './tiff-pages.ts';

/** The size of an image, and of a media file also its pages if they are several, and whether it is an animation. */
type KnownSize = ImageSize & { pages?: TiffPages; isMoving?: true };

/** Cached sizes of images, by the file name of a derivative or the SHA-256 of a media file. */
export type ImageSizes = ReturnType<typeof createImageSizes>;

const FILE_NAME = 'sizes.json';
const KEY = 'sizes, pages and motion';
/** Types of images that may have several pages or frames. */
export const PAGED_TYPES = /^image\/(?:tiff|gif|webp)$/;

/** Reads the sizes that former builds wrote to a derivative cache. */
export function createImageSizes(directory: string) {
  const file = join(directory, FILE_NAME);
  const known = readCacheNote<Record<string, KnownSize>>(file, KEY) ?? {};
  let unsaved = 0;

  function write(): void {
    writeCacheNote(file, KEY, known); // another build may write it too; the last one wins
    unsaved = 0;
  }

  function addSize(key: string, { width, height }: ImageSize, parts?: Omit<KnownSize, keyof ImageSize>): KnownSize {
    const size = { width, height, ...parts };
    known[key] = size;
    if (++unsaved >= WRITE_INTERVAL) write();
    return size;
  }

  return {
    /** Returns the size of a derivative, if it is known. */
    known: (image: string) => known[basename(image)],
    add: (image: string, size: ImageSize) => void addSize(basename(image), size),
    /**
     * Returns the size of a derivative, or of a media file if `source` is given.
     * @throws {Error} if the file cannot be read
     */
    async read(image: string, source?: { sha256: string; mimetype: string; page?: number }) {
      const page = source?.page ?? 0;
      const part = source && (page || decoderOf(source.mimetype));
      const key = `${source?.sha256 ?? basename(image)}${part ? ` ${part}` : ''}`;
      const cached = known[key];
      if (cached) return cached;
      const opened = source ? await openImage(image, source.mimetype, page) : sharp(image);
      const { autoOrient, pages = 1 } = await opened.metadata();
      if (!source || !PAGED_TYPES.test(source.mimetype) || page > 0) return addSize(key, autoOrient);
      if (source.mimetype !== 'image/tiff') return addSize(key, autoOrient, pages > 1 ? { isMoving: true } : {});
      const tiffPages = listTiffPages(image);
      return addSize(key, autoOrient, tiffPages.count > 1 ? { pages: tiffPages } : {});
    },
    /** Writes all sizes to disk for the next build. */
    write,
  };
}

/** New sizes are written after this many, because a build may be interrupted. */
const WRITE_INTERVAL = 2_000;
