/** Creates the site's images from media files, without metadata: thumbnails, display images, and tiles of large images. */
import pMap from 'p-map';
import sharp from 'sharp';
import { type MediaKind, recordBasePath } from '../model/media/media-kinds.ts';
import { shortHash } from '../platform/short-hash.ts';
import { createDerivativeCache } from './derivative-cache.ts';
import { type ImageSize, pageKey, type Tiles } from './iiif.ts';
import type { ImageFormat } from './image-formats.ts';
import { createImageSizes, PAGED_TYPES } from './image-sizes.ts';
import { estimateMemory, memoryLimiter } from './memory-limiter.ts';
import { isRenderable, openImage } from './open-image.ts';
import { type DerivativeProblems, recordProblem } from './problems.ts';
import * as resized from './resized-images.ts';
import type { ShownFile } from './shown-files.ts';
import { MAX_CONCURRENT_IMAGES } from './thread-pool.ts';
import { createTiles, describeTilesOf, needsTiles } from './tiles.ts';
import { MissingToolError, PIXEL_LIMIT_EXCEEDED, ToolError } from './tools.ts';

/** One image of the site, with its size in pixels. */
export interface Derivative extends ImageSize {
  /** Path in the site. */
  path: string;
}

/** What an image has beside a size. */
export interface Parts {
  /** The number of pages, if there are several. */
  pages?: number;
  /** Whether it is an animation, of which the derivatives show the first frame. */
  isMoving?: true;
}

/** All images of a site, and the media files from which none could be created. */
export type Derivatives = Awaited<ReturnType<typeof createDerivatives>>;

/** Options of `createDerivatives`. */
export interface ImageOptions {
  /** Directory of the derivative cache. */
  cacheDirectory: string;
  /** File format of thumbnails and display images. */
  format: ImageFormat;
  /** Per record: the URLs of media files that can represent it, best first. */
  imagesByRecord: Iterable<readonly string[]>;
  /** Whether the derivatives of a media file (SHA-256) are made here; the others are only measured. All by default. */
  owns?: (sha256: string) => boolean;
  /** Called after each media file with the number of processed files and the total. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Maximum pages of an image that have tiles. */
const MAX_TILED_PAGES = 100;

/** Kinds that are images. A file of another kind is rendered as an image only if its record has none of these. */
const IMAGE_KINDS: ReadonlySet<string> = new Set<MediaKind>(['image', 'thumb']);

/**
 * Creates all images that are not cached yet. A media file that is broken, or that needs a program that is not installed, has no
 * image and is listed in `problems` or `lacking`.
 */
export async function createDerivatives(rows: readonly ShownFile[], options: ImageOptions) {
  const { cacheDirectory, imagesByRecord, owns = () => true } = options;
  const sizes = createImageSizes(cacheDirectory);
  const found: DerivativeProblems = { problems: [], lacking: [] };
  const result = {
    ...found,
    /** By upstream URL of the media file; the images of its pages also by `pageKey`, except for those that are broken. */
    images: {} as Record<string, Record<resized.SizeName, Derivative> & Parts>,
    /** By upstream URL of the media file, further pages by `pageKey`; only for images with tiles. */
    tiles: {} as Record<string, Tiles>,
    /** The sizes of images as received, upright, by upstream URL of the media file. */
    sizes: {} as Record<string, ImageSize>,
    /** Path in the site → file on disk. */
    files: new Map<string, string>(),
    /** Number of derivatives that were not cached. */
    newCount: 0,
    /** SHA-256 of media files that cannot be decoded. */
    brokenFiles: new Set<string>(),
  };
  const work: ImageRun = {
    cache: createDerivativeCache(cacheDirectory),
    sizes,
    format: options.format,
    owns,
    result,
    failedFiles: new Set(),
    shaByPath: new Map(),
  };
  const lists = [...imagesByRecord];
  limitSharpConcurrency();
  try {
    const images = rows.filter(({ kind, mimetype }) => IMAGE_KINDS.has(kind) && mimetype.startsWith('image/'));
    // In their order, not in decoding order: another build, or shard, has to decide on the same paths.
    for (const row of images) pathBaseFor(row, work);
    await processFiles(images, work, addImages, options.onProgress);
    const substitutes = selectSubstitutes(lists, rows, result);
    for (const row of substitutes) pathBaseFor(row, work);
    await processFiles(substitutes, work, addImages, options.onProgress);
    const large = rows.filter(
      ({ sha256, kind, mimetype }) => kind !== 'thumb' && mimetype.startsWith('image/') && !work.failedFiles.has(sha256),
    );
    await claimTiles(large, work);
    await processFiles(large, work, addTiles);
  } finally {
    sizes.write();
  }
  result.images = sortByKey(result.images);
  result.tiles = sortByKey(result.tiles);
  return result;
}

/** Makes sharp use one thread per image, which is faster in total. Disables its cache: no image is opened twice. */
export function limitSharpConcurrency(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}

interface ImageRun extends resized.ResizeWork {
  owns: (sha256: string) => boolean;
  result: Derivatives;
  /** SHA-256 of media files without an image, whether they are broken or need a program that is not installed. */
  failedFiles: Set<string>;
  /** Path of an image in the site, without extension → SHA-256 of its media file. */
  shaByPath: Map<string, string>;
}

/** Returns, for each record without an image, its first other media file that renders as one: a PDF or video. */
function selectSubstitutes(lists: Array<readonly string[]>, rows: readonly ShownFile[], { images }: Derivatives): ShownFile[] {
  const byUrl = new Map(rows.map((row) => [row.url, row]));
  const without = lists.filter((list) => !list.some((url) => Object.hasOwn(images, url)));
  const substitutes = without.flatMap((list) => {
    const rows = list.flatMap((url) => byUrl.get(url) ?? []);
    return rows.find(({ kind, mimetype }) => !IMAGE_KINDS.has(kind) && isRenderable(mimetype)) ?? [];
  });
  return [...new Set(substitutes)].sort((a, b) => (a.url < b.url ? -1 : 1));
}

/**
 * Calls `createFrom` once per distinct file, for several files at the same time. `rows` are sorted by URL; `first` is rather not
 * a thumbnail, which shows one page. A failed file is tried again alone, because libvips sometimes reports an error for the wrong
 * one of several open images.
 */
async function processFiles(
  rows: ShownFile[],
  work: ImageRun,
  createFrom: (first: ShownFile, urls: string[], work: ImageRun, isLast: boolean) => Promise<void>,
  onProgress?: ImageOptions['onProgress'],
): Promise<void> {
  const groups = [...Map.groupBy(rows, ({ sha256 }) => sha256).values()].map((group) => ({
    first: group.find(({ kind }) => kind !== 'thumb') ?? (group[0] as ShownFile),
    urls: group.map(({ url }) => url),
  }));
  const retries: typeof groups = [];
  const fail = ({ first }: (typeof groups)[number], error: unknown) => {
    work.failedFiles.add(first.sha256);
    if (!(error instanceof MissingToolError)) work.result.brokenFiles.add(first.sha256);
    recordProblem(first, describeError(error), work.result);
  };
  let done = 0;
  const create = async (group: (typeof groups)[number]) => {
    await createFrom(group.first, group.urls, work, false).catch((error: unknown) => {
      if (error instanceof ToolError) fail(group, error);
      else retries.push(group);
    });
    onProgress?.(++done, groups.length);
  };
  await pMap(groups, create, { concurrency: MAX_CONCURRENT_IMAGES });
  for (const group of retries)
    await createFrom(group.first, group.urls, work, true).catch((error: unknown) => fail(group, error));
}

async function addImages(row: ShownFile, urls: string[], work: ImageRun, isLast: boolean): Promise<void> {
  const { images } = work.result;
  const { pages, isMoving } = PAGED_TYPES.test(row.mimetype) ? await work.sizes.read(row.file, row) : {};
  if (!pages || row.kind === 'thumb') {
    const found = await createImages(row, work);
    for (const url of urls) images[url] = { ...found, ...(isMoving && { isMoving }) };
    return;
  }
  const { count, shown } = pages;
  const found = await createPages(row, shown, work, isLast);
  if (shown.length < count)
    recordProblem(row, new Error(`the image has ${count} pages, of which the first ${shown.length} are shown`), work.result);
  const [first] = found.values();
  if (!first) throw new Error('none of its pages can be read');
  for (const url of urls) {
    images[url] = { ...first, pages: shown.length };
    for (const [at, page] of found) images[pageKey(url, at)] = page;
  }
}

/**
 * Creates the images of pages, one after the other. Returns them by their places.
 * @throws the error of a page, unless this is the last attempt: then it is reported, and the others are returned
 */
async function createPages(row: ShownFile, pages: readonly number[], work: ImageRun, isLast: boolean) {
  const found = new Map<number, Record<resized.SizeName, Derivative>>();
  for (const [at, page] of pages.entries()) {
    try {
      found.set(at, await createImages({ ...row, page }, work));
    } catch (error) {
      if (!isLast) throw error;
      const described = describeError(error) as Error;
      described.message = `page ${at + 1} of the image: ${described.message}`;
      recordProblem(row, described, work.result);
    }
  }
  return found;
}

async function createImages(row: ShownFile & resized.ResizedPage, work: ImageRun): Promise<Record<resized.SizeName, Derivative>> {
  const isOwn = work.owns(row.sha256);
  const images = isOwn ? await resized.createResizedImages(row.file, row, work) : await resized.measureResizedImages(row, work);
  const pathBase = `${pathBaseFor(row, work)}${resized.pageSuffix(row)}`;
  const derivative = (size: resized.SizeName, { cachedFile, width, height }: resized.ImageFile): Derivative => {
    const path = `${resized.IMAGE_SIZES[size].directory}/${pathBase}.${work.format}`;
    if (isOwn) work.result.files.set(path, cachedFile);
    return { path, width, height };
  };
  const thumb = derivative('thumb', images.thumb);
  return { thumb, page: images.page ? derivative('page', images.page) : thumb };
}

/** Decides which image of a record has tiles, if it has several that are large. */
async function claimTiles(rows: readonly ShownFile[], { sizes, shaByPath }: ImageRun): Promise<void> {
  for (const row of rows) {
    const key = tilesKey(row);
    const size = shaByPath.has(key) ? undefined : await sizes.read(row.file, row).catch(() => undefined); // reported by addTiles
    if (size && needsTiles(size, row.mimetype)) shaByPath.set(key, row.sha256);
  }
}

const tilesKey = ({ owner, kind }: ShownFile): string => `tiles ${owner} ${kind}`;

/**
 * Returns the path of an image without directory and extension. It is derived from the record's ID; for another image of the same
 * record a hash is appended.
 */
function pathBaseFor({ owner, kind, sha256 }: ShownFile, { shaByPath }: ImageRun): string {
  const standard = `${recordBasePath(owner)}${kind === 'image' ? '' : `.${kind}`}`;
  const pathBase = (shaByPath.get(standard) ?? sha256) === sha256 ? standard : `${standard}.${shortHash(sha256)}`;
  shaByPath.set(pathBase, sha256);
  return pathBase;
}

async function addTiles(row: ShownFile, urls: string[], work: ImageRun): Promise<void> {
  const { sizes, result, shaByPath } = work;
  const { pages, isMoving, ...size } = await sizes.read(row.file, row);
  for (const url of urls) result.sizes[url] = size;
  if (!needsTiles(size, row.mimetype)) return;
  if (shaByPath.get(tilesKey(row)) !== row.sha256) return; // the record has tiles of another image
  // Of several pages, those have tiles that are shown.
  const tiled = pages?.shown.slice(0, MAX_TILED_PAGES).map((page, at) => ({ page, at })) ?? [];
  const shown = tiled.filter(({ at }) => result.images[pageKey(row.url, at)]);
  for (const { page, at } of shown.length > 0 ? shown : [{ page: 0, at: 0 }]) {
    const tiles = await createTilesOf({ ...row, page }, work);
    for (const url of urls) result.tiles[at === 0 ? url : pageKey(url, at)] = tiles;
  }
}

async function createTilesOf(row: ShownFile & resized.ResizedPage, { cache, sizes, owns, result }: ImageRun): Promise<Tiles> {
  if (!owns(row.sha256)) return describeTilesOf(row, sizes);
  const memory = await estimateMemory(await openImage(row.file, row.mimetype, row.page));
  const { tiles, files, isNew } = await memoryLimiter.run(memory, () => createTiles(row, cache, sizes));
  for (const [path, tileFile] of files) result.files.set(path, tileFile);
  if (isNew) result.newCount++;
  return tiles;
}

function sortByKey<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Replaces an error of sharp by one with a message for the report. */
function describeError(error: unknown): unknown {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  if (/exceeds pixel limit/i.test(message)) return new Error(PIXEL_LIMIT_EXCEEDED, { cause: error });
  return /^Input (?:file|buffer)/.test(message)
    ? new Error(message.replace(/^Input (?:file|buffer)/, 'the file'), { cause: error })
    : error;
}
