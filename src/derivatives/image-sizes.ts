/** Measures images, and caches their sizes in a file. */
import { basename, join } from 'node:path';
import sharp from 'sharp';
import writeFileAtomic from 'write-file-atomic';
import { isObject } from '../model/values.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { openImage } from './open-image.ts';

/** The size of an upright image, in pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** Cached sizes of images, by the file name of a derivative or the SHA-256 of a media file. */
export interface ImageSizes {
  /**
   * Returns the size of a derivative, or of a media file if `source` is given.
   * @throws {Error} if the file cannot be read
   */
  read(file: string, source?: { sha256: string | null; mimetype: string | null }): Promise<PixelSize>;
  /** Returns the size of a derivative, if it is known. */
  known(file: string): PixelSize | undefined;
  /** Adds the size of a new derivative. */
  add(file: string, size: PixelSize): void;
  /** Writes all sizes to disk for the next build. */
  write(): void;
}

const FILE_NAME = 'sizes.json';

/** Reads the sizes that former builds wrote to a derivative cache. */
export function createImageSizes(directory: string): ImageSizes {
  const file = join(directory, FILE_NAME);
  const stored = readJsonFile(directory, FILE_NAME, MAX_BYTES);
  const known = isObject(stored) ? stored : {};
  let unsaved = 0;

  function write(): void {
    writeFileAtomic.sync(file, JSON.stringify(known)); // another build may write it too; the last one wins
    unsaved = 0;
  }

  function addSize(key: string, { width, height }: PixelSize): PixelSize {
    const size = { width, height };
    known[key] = size;
    if (++unsaved >= WRITE_INTERVAL) write();
    return size;
  }

  return {
    known: (image) => sizeIn(known[basename(image)]),
    add: (image, size) => void addSize(basename(image), size),
    async read(image, source) {
      const key = source?.sha256 ?? basename(image);
      const cached = sizeIn(known[key]);
      if (cached) return cached;
      const opened = source ? await openImage(image, source.mimetype ?? '') : sharp(image);
      const { autoOrient } = await opened.metadata();
      return addSize(key, autoOrient);
    },
    write,
  };
}

/** Larger files are not read. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Returns a stored size; undefined for anything else, because the file may be damaged. */
function sizeIn(stored: unknown): PixelSize | undefined {
  if (!isObject(stored)) return undefined;
  const { width, height } = stored;
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
}

/** New sizes are written after this many, because a build may be interrupted. */
const WRITE_INTERVAL = 2_000;
