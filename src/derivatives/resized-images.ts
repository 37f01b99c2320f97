/** Creates or measures the sizes of one image: thumbnail and display image. */
import sharp, { type Sharp } from 'sharp';
import type { DerivativeCache } from './derivative-cache.ts';
import { IMAGE_SETTINGS, type ImageFormat } from './image-formats.ts';
import type { ImageSizes, PixelSize } from './image-sizes.ts';
import { estimateMemory, memoryLimiter } from './memory-limiter.ts';
import { openImage } from './open-image.ts';
import type { ShownFile } from './shown-files.ts';

/** The sizes. `edge` is the maximum length of the longer edge in pixels; smaller images are not enlarged. */
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

/** One size of an image. */
export interface ImageFile extends PixelSize {
  /** Path on disk. */
  cachedFile: string;
}

/** Creates the sizes of an image, and decodes it only once. If the image is not larger than a thumbnail, `page` is undefined. */
export async function createResizedImages(
  file: string,
  { sha256, mimetype }: Pick<ShownFile, 'sha256' | 'mimetype'>,
  { cache, sizes, format, result }: ResizeWork & { result: { newCount: number } },
  wanted: readonly SizeName[] = ['page', 'thumb'],
): Promise<{ thumb: ImageFile; page: ImageFile | undefined }> {
  /** The decoded image of `page`, from which `thumb` is created too. */
  let decoded: Sharp | undefined;
  const createSize = async (size: SizeName): Promise<ImageFile> => {
    const { edge } = IMAGE_SIZES[size];
    const settings = settingsOf(size, format);
    let info: PixelSize | undefined;
    const { file: cachedFile, isNew } = await cache.getOrCreate(sha256, settings, `.${format}`, async (to) => {
      if (size === 'page') {
        const opened = await openImage(file, mimetype);
        decoded = await memoryLimiter.run(await estimateMemory(opened), () => decode(opened, edge));
      }
      const source = decoded?.clone() ?? (await openImage(file, mimetype));
      const resized = source.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
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
function isSmall(thumb: PixelSize): boolean {
  return Math.max(thumb.width, thumb.height) < IMAGE_SIZES.thumb.edge;
}

/** The settings by which a size is cached. */
function settingsOf(size: SizeName, format: ImageFormat): object {
  const { edge } = IMAGE_SIZES[size];
  return { recipe: 2, edge, format, ...IMAGE_SETTINGS[format][size] };
}

/** Returns what `createResizedImages` would, without making the files: decodes the image, unless its sizes are known. */
export async function measureResizedImages(
  { file, sha256, mimetype }: Pick<ShownFile, 'file' | 'sha256' | 'mimetype'>,
  { cache, sizes, format }: ResizeWork,
): Promise<{ thumb: ImageFile; page: ImageFile | undefined }> {
  const pathOf = (size: SizeName) => cache.pathOf(sha256, settingsOf(size, format), `.${format}`);
  const paths = { page: pathOf('page'), thumb: pathOf('thumb') };
  if (!sizes.known(paths.page) || !sizes.known(paths.thumb)) {
    const opened = await openImage(file, mimetype);
    await memoryLimiter.run(await estimateMemory(opened), async () => {
      const page = await decode(opened, IMAGE_SIZES.page.edge);
      const { info } = await (await decode(page.clone(), IMAGE_SIZES.thumb.edge)).toBuffer({ resolveWithObject: true });
      sizes.add(paths.page, (await page.toBuffer({ resolveWithObject: true })).info);
      sizes.add(paths.thumb, info);
    });
  }
  const measured = async (size: SizeName): Promise<ImageFile> => ({
    cachedFile: paths[size],
    ...(await sizes.read(paths[size])),
  });
  const thumb = await measured('thumb');
  return { thumb, page: isSmall(thumb) ? undefined : await measured('page') };
}

/** Decodes an image to raw pixels, and scales it down to the maximum edge length. */
async function decode(opened: Sharp, edge: number): Promise<Sharp> {
  const { data, info } = await opened
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}
