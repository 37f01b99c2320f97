/** Measures images, and caches their sizes in a file. */
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { readCacheNote, writeCacheNote } from '../platform/cache-note.ts';
import type { ImageSize } from './iiif.ts';
import { openImage } from './open-image.ts';

/** Cached sizes of images, by the file name of a derivative or the SHA-256 of a media file. */
export type ImageSizes = ReturnType<typeof createImageSizes>;

const FILE_NAME = 'sizes.json';

/** Reads the sizes that former builds wrote to a derivative cache. */
export function createImageSizes(directory: string) {
  const file = join(directory, FILE_NAME);
  const known = readCacheNote<Record<string, ImageSize>>(file, FILE_NAME) ?? {};
  let unsaved = 0;

  function write(): void {
    writeCacheNote(file, FILE_NAME, known); // another build may write it too; the last one wins
    unsaved = 0;
  }

  function addSize(key: string, { width, height }: ImageSize): ImageSize {
    const size = { width, height };
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
    async read(image: string, source?: { sha256: string | null; mimetype: string | null }) {
      const key = source?.sha256 ?? basename(image);
      const cached = known[key];
      if (cached) return cached;
      const opened = source ? await openImage(image, source.mimetype ?? '') : sharp(image);
      const { autoOrient } = await opened.metadata();
      return addSize(key, autoOrient);
    },
    /** Writes all sizes to disk for the next build. */
    write,
  };
}

/** New sizes are written after this many, because a build may be interrupted. */
const WRITE_INTERVAL = 2_000;
