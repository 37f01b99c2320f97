/** Creates or measures the sizes of one image: thumbnail and display image. */
import sharp, { type ResizeOptions, type Sharp } from 'sharp';
import type { DerivativeCache } from './derivative-cache.ts';
import type { ImageSize } from './iiif.ts';
import { IMAGE_SETTINGS, type ImageFormat } from './image-formats.ts';
import type { ImageSizes } from './image-sizes.ts';
import { estimateMemory, memoryLimiter } from './memory-limiter.ts';
import { decoderOf, openImage } from './open-image.ts';
import type { ShownFile } from './shown-files.ts';

/**
 * The sizes. `edge` is the maximum length of the longer edge in pixels; smaller images are not enlarged. Panoramas and scrolls
 * are longer as display images, and cropped as thumbnails.
 */
export const IMAGE_SIZES = {
  thumb: { directory: 'thumbs', edge: 400 },
  page: { directory: 'media', edge: 1600 },
} as const;
/** The sizes of each image: `thumb` is the thumbnail, `page` the display image. */
export type SizeName = keyof typeof IMAGE_SIZES;

/** What all images of a build share. */
export interface ResizeWork {
  cache: DerivativeCache;
  sizes: ImageSizes;
  /** File format of thumbnails and display images. */
  format: ImageFormat;
}

/** A media file, or one of its pages. */
export interface ResizedPage extends Pick<ShownFile, 'sha256' | 'mimetype'> {
  /** From 0. */
  page?: number;
}

/** Returns what the names of images of further pages end in. */
export const pageSuffix = ({ page = 0 }: Pick<ResizedPage, 'page'>): string => (page === 0 ? '' : `.p${page + 1}`);

/** One size of an image. */
export interface ImageFile extends ImageSize {
  /** Path on disk. */
  cachedFile: string;
}

/** Creates the sizes of an image, and decodes it only once. If the image is not larger than a thumbnail, `page` is undefined. */
export async function createResizedImages(
  file: string,
  { sha256, mimetype, page: number }: ResizedPage,
  { cache, sizes, format, result }: ResizeWork & { result: { newCount: number } },
  wanted: readonly SizeName[] = ['page', 'thumb'],
): Promise<{ thumb: ImageFile; page: ImageFile | undefined }> {
  /** The decoded image of `page`, from which `thumb` is created too. */
  let decoded: Sharp | undefined;
  const createSize = async (size: SizeName): Promise<ImageFile> => {
    const settings = settingsOf(size, format, mimetype, number);
    let info: ImageSize | undefined;
    const { file: cachedFile, isNew } = await cache.getOrCreate(sha256, settings, `.${format}`, async (to) => {
      if (size === 'page') {
        const opened = await openImage(file, mimetype, number);
        decoded = await memoryLimiter.run(await estimateMemory(opened), () => decode(opened, size));
      }
      const source = decoded?.clone() ?? (await openImage(file, mimetype, number));
      const resized = source.resize(await resizingOf(source, size));
      const write = () => resized.toFormat(format, IMAGE_SETTINGS[format][size]).toFile(to);
      info = decoded ? await write() : await memoryLimiter.run(await estimateMemory(source), write);
    });
    if (isNew) result.newCount++;
    if (info) sizes.add(cachedFile, info);
    return { cachedFile, ...(await sizes.read(cachedFile)) };
  };
  const page = wanted.includes('page') ? await createSize('page') : undefined;
  const thumb = await createSize('thumb');
  return { thumb, page: isSmall(thumb) ? undefined : page };
}

/** Whether an image is not larger than a thumbnail, so that this is also its display image. */
const isSmall = (thumb: ImageSize): boolean => Math.max(thumb.width, thumb.height) < IMAGE_SIZES.thumb.edge;

/** The settings by which a size is cached. */
function settingsOf(size: SizeName, format: ImageFormat, mimetype: string, page = 0): object {
  const { edge } = IMAGE_SIZES[size];
  return { recipe: 3, edge, format, ...IMAGE_SETTINGS[format][size], page: page || undefined, decoder: decoderOf(mimetype) };
}

/** Returns what `createResizedImages` would, without making the files: decodes the image, unless its sizes are known. */
export async function measureResizedImages(
  { file, sha256, mimetype, page: number }: ResizedPage & Pick<ShownFile, 'file'>,
  { cache, sizes, format }: ResizeWork,
): Promise<{ thumb: ImageFile; page: ImageFile | undefined }> {
  const pathOf = (size: SizeName) => cache.pathOf(sha256, settingsOf(size, format, mimetype, number), `.${format}`);
  const paths = { page: pathOf('page'), thumb: pathOf('thumb') };
  if (!sizes.known(paths.page) || !sizes.known(paths.thumb)) {
    const opened = await openImage(file, mimetype, number);
    await memoryLimiter.run(await estimateMemory(opened), async () => {
      const page = await decode(opened, 'page');
      const { info } = await (await decode(page.clone(), 'thumb')).toBuffer({ resolveWithObject: true });
      sizes.add(paths.page, (await page.toBuffer({ resolveWithObject: true })).info);
      sizes.add(paths.thumb, info);
    });
  }
  const measured = async (size: SizeName) => ({ cachedFile: paths[size], ...(await sizes.read(paths[size])) });
  const thumb = await measured('thumb');
  return { thumb, page: isSmall(thumb) ? undefined : await measured('page') };
}

/** Pixels of the shorter edge of a display image, of which the longer one may exceed `edge`. WebP allows 16,383. */
const MIN_SHORT_EDGE = 400;
const MAX_LONG_EDGE = 16_000;
/** A thumbnail shows the middle of an image that is longer than this many times its height or width. */
const MAX_THUMB_RATIO = 3;

/** Returns how an image is scaled down to a size. */
async function resizingOf(image: Sharp, size: SizeName): Promise<ResizeOptions> {
  const { width, height } = (await image.metadata()).autoOrient;
  const { edge } = IMAGE_SIZES[size];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (size === 'thumb' && long > edge && long > short * MAX_THUMB_RATIO) {
    const across = Math.round(edge / MAX_THUMB_RATIO);
    return { ...(width > height ? { width: edge, height: across } : { width: across, height: edge }), withoutEnlargement: true };
  }
  const longest = size === 'page' ? Math.max(edge, Math.min(MAX_LONG_EDGE, Math.ceil((MIN_SHORT_EDGE * long) / short))) : edge;
  return { width: longest, height: longest, fit: 'inside', withoutEnlargement: true };
}

/** Decodes an image to raw pixels, and scales it down to a size. */
async function decode(opened: Sharp, size: SizeName): Promise<Sharp> {
  const { data, info } = await opened
    .resize(await resizingOf(opened, size))
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}
