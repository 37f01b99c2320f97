/** Makes the site's pictures from the snapshot's media: a thumbnail for lists, a larger one for the record's page, tiles of the largest; without their metadata. */
import PQueue from 'p-queue';
import sharp, { type Sharp } from 'sharp';
import type { MediaKind } from '../model/media.ts';
import { placeOf } from '../model/places.ts';
import { shortHash } from '../platform/short-hash.ts';
import { type Cache, createCache } from './cache.ts';
import type { Tiles } from './iiif.ts';
import { isVisible, openPicture } from './opening.ts';
import type { PictureFormat } from './picture-formats.ts';
import { enterProblem, type Problems } from './problems.ts';
import { createScale, type Scale, weightOf } from './scale.ts';
import type { ShownFile } from './shown-files.ts';
import { createSizes, type Size, type Sizes } from './sizes.ts';
import { PICTURES_AT_ONCE } from './threads.ts';
import { makeTiles, needsTiles } from './tiles.ts';
import { ToolMissing } from './tools.ts';

/** Edge lengths in pixels; a smaller picture is never enlarged. */
const SIZES = {
  thumb: { folder: 'thumbs', edge: 400, webp: { quality: 72, effort: 2 }, avif: { quality: 50, effort: 3 } },
  page: { folder: 'media', edge: 1600, webp: { quality: 80, effort: 2 }, avif: { quality: 55, effort: 3 } },
} as const;
export type SizeName = keyof typeof SIZES;

export interface Derivative extends Size {
  /** Below dist. */
  path: string;
}

export interface Derivatives extends Problems {
  /** By the address upstream. */
  pictures: Record<string, Record<SizeName, Derivative>>;
  /** By the address upstream: the pictures that are looked into tile by tile. */
  tiles: Record<string, Tiles>;
  /** What to put into dist: path below dist → file on disk. */
  files: Map<string, string>;
  /** How many had to be made anew. */
  made: number;
  /** SHA-256 of files that are no good. */
  broken: Set<string>;
}

export interface PictureOptions {
  /** The folder in which what is made is kept from build to build. */
  cache: string;
  format: PictureFormat;
  /** For each record the addresses that show it, best first. */
  shows: Iterable<readonly string[]>;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Kinds that are pictures; of other files one is made only where a record has none. */
const PICTURES: ReadonlySet<string> = new Set<MediaKind>(['image', 'thumb']);

/** Makes every wanted picture that is not kept yet. What cannot be read, or not on this machine, is a line in the report, and no picture. */
export async function makeDerivatives(rows: readonly ShownFile[], options: PictureOptions): Promise<Derivatives> {
  const { cache: folder, shows } = options;
  const sizes = createSizes(folder);
  const failed = new Set<string>();
  const result: Derivatives = {
    pictures: {},
    tiles: {},
    files: new Map(),
    problems: [],
    lacking: [],
    made: 0,
    broken: new Set(),
  };
  const work = {
    cache: createCache(folder),
    sizes,
    scale: createScale(),
    format: options.format,
    result,
    failed,
    taken: new Map<string, string>(),
  };
  const lists = [...shows];
  const before = { threads: sharp.concurrency(), cache: sharp.cache() };
  onePictureACore();
  try {
    const pictures = rows.filter(({ kind, mimetype }) => PICTURES.has(kind) && mimetype.startsWith('image/'));
    await eachFile(pictures, work, derive, options.onProgress);
    await eachFile(instead(lists, rows, result), work, derive, options.onProgress);
    const large = rows.filter(
      ({ sha256, kind, mimetype }) => kind !== 'thumb' && mimetype.startsWith('image/') && !failed.has(sha256),
    );
    await eachFile(large, work, tile);
  } finally {
    sharp.concurrency(before.threads);
    sharp.cache({ files: before.cache.files.max, items: before.cache.items.max, memory: before.cache.memory.max });
    sizes.write();
  }
  result.pictures = sorted(result.pictures);
  result.tiles = sorted(result.tiles);
  return result;
}

/** One picture a core outruns one picture on all cores; and none is opened twice, so that nothing need be remembered of it. */
export function onePictureACore(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}

interface Work {
  cache: Cache;
  sizes: Sizes;
  scale: Scale;
  format: PictureFormat;
  result: Derivatives;
  /** SHA-256 of files of which nothing could be made, be it for the lack of a program. */
  failed: Set<string>;
  /** By the place of a picture in the site: the SHA-256 of what it is made of. */
  taken: Map<string, string>;
}

/** For each record without a picture, the first of its other files that has something to be seen in it. */
function instead(lists: Array<readonly string[]>, rows: readonly ShownFile[], { pictures }: Derivatives): ShownFile[] {
  const byUrl = new Map(rows.map((row) => [row.url, row]));
  const found = new Map<string, ShownFile>();
  for (const list of lists) {
    if (list.some((url) => Object.hasOwn(pictures, url))) continue;
    const row = list.flatMap((url) => byUrl.get(url) ?? []).find((one) => !PICTURES.has(one.kind) && isVisible(one.mimetype));
    if (row) found.set(row.url, row);
  }
  return [...found.values()].sort((a, b) => (a.url < b.url ? -1 : 1));
}

/**
 * Works once on each file, so many at once as the machine bears, whatever number of addresses have its bytes; `rows` in the order of addresses.
 * What goes wrong is tried once more alone: libvips tells complaints about pictures that are open at once not well apart.
 */
async function eachFile(
  rows: ShownFile[],
  work: Work,
  make: (first: ShownFile, urls: string[], work: Work) => Promise<void>,
  onProgress?: PictureOptions['onProgress'],
): Promise<void> {
  const groups = [...Map.groupBy(rows, ({ sha256 }) => sha256).values()].flatMap((group) =>
    group[0] ? [{ first: group[0], urls: group.map(({ url }) => url) }] : [],
  );
  const again: typeof groups = [];
  let done = 0;
  const queue = new PQueue({ concurrency: PICTURES_AT_ONCE });
  await queue.addAll(
    groups.map((group) => async () => {
      await make(group.first, group.urls, work).catch(() => again.push(group));
      onProgress?.(++done, groups.length);
    }),
  );
  for (const { first, urls } of again) {
    await make(first, urls, work).catch((error: unknown) => {
      work.failed.add(first.sha256);
      if (!(error instanceof ToolMissing)) work.result.broken.add(first.sha256);
      enterProblem(first, inWords(error), work.result);
    });
  }
}

async function derive(row: ShownFile, urls: string[], work: Work): Promise<void> {
  const made = await makeSizes(row.file, row, work);
  const place = placeFor(row, work);
  const derivative = (size: SizeName, { kept, ...dimensions }: Made): Derivative => {
    const path = `${SIZES[size].folder}/${place}.${work.format}`;
    work.result.files.set(path, kept);
    return { path, ...dimensions };
  };
  const thumb = derivative('thumb', made.thumb);
  const page = made.page ? derivative('page', made.page) : thumb;
  for (const url of urls) work.result.pictures[url] = { thumb, page };
}

/** Where a picture stands in the site: under its record's name, and never where a picture of other bytes stands. */
function placeFor({ owner, kind, sha256 }: ShownFile, { taken }: Work): string {
  const usual = `${placeOf(owner)}${kind === 'image' ? '' : `.${kind}`}`;
  const place = (taken.get(usual) ?? sha256) === sha256 ? usual : `${usual}.${shortHash(sha256)}`;
  taken.set(place, sha256);
  return place;
}

interface Made extends Size {
  kept: string;
}

/** The sizes of a picture, both from one decoding of it; a picture that was not made smaller for the list is no larger on its own page. */
export async function makeSizes(
  file: string,
  { sha256, mimetype }: Pick<ShownFile, 'sha256' | 'mimetype'>,
  {
    cache,
    sizes,
    scale,
    format,
    result,
  }: Pick<Work, 'cache' | 'sizes' | 'scale' | 'format'> & { result: Pick<Derivatives, 'made'> },
  wanted: readonly SizeName[] = ['page', 'thumb'],
): Promise<{ thumb: Made; page: Made | undefined }> {
  /** What the page's picture is made of, for the thumbnail to be made of it too. */
  let decoded: Sharp | undefined;
  const make = async (size: SizeName): Promise<Made> => {
    const { edge } = SIZES[size];
    const settings = { recipe: 2, edge, format, ...SIZES[size][format] };
    let info: Size | undefined;
    const { file: kept, isNew } = await cache.keep(sha256, settings, `.${format}`, async (to) => {
      if (size === 'page') {
        const opened = await openPicture(file, mimetype);
        decoded = await scale.weigh(await weightOf(opened), () => decode(opened, edge));
      }
      const source = decoded?.clone() ?? (await openPicture(file, mimetype));
      const resized = source.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
      const write = () => (format === 'webp' ? resized.webp(SIZES[size].webp) : resized.avif(SIZES[size].avif)).toFile(to);
      info = decoded ? await write() : await scale.weigh(await weightOf(source), write);
    });
    if (isNew) result.made++;
    if (info) sizes.note(kept, info);
    return { kept, ...(await sizes.of(kept)) };
  };
  const page = wanted.includes('page') ? await make('page') : undefined;
  const thumb = await make('thumb');
  return { thumb, page: Math.max(thumb.width, thumb.height) < SIZES.thumb.edge ? undefined : page };
}

/** The picture as bare pixels, as large as it is needed at most. */
async function decode(opened: Sharp, edge: number): Promise<Sharp> {
  const { data, info } = await opened
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

async function tile(row: ShownFile, urls: string[], { cache, sizes, scale, result, taken }: Work): Promise<void> {
  if (!needsTiles(await sizes.of(row.file, row))) return;
  const usual = `tiles ${row.owner} ${row.kind}`;
  if ((taken.get(usual) ?? row.sha256) !== row.sha256) return; // the record has another large picture by now
  taken.set(usual, row.sha256);
  const tiles = await scale.weigh(await weightOf(await openPicture(row.file, row.mimetype)), () => makeTiles(row, cache, sizes));
  for (const [path, tileFile] of tiles.files) result.files.set(path, tileFile);
  if (tiles.isNew) result.made++;
  for (const url of urls) result.tiles[url] = tiles.tiles;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** sharp's complaint about a file, in a line for the report. */
function inWords(error: unknown): unknown {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  if (/exceeds pixel limit/i.test(message))
    return new Error('the file has more pixels than are opened: 200 million', { cause: error });
  return /^Input (?:file|buffer)/.test(message)
    ? new Error(message.replace(/^Input (?:file|buffer)/, 'the file'), { cause: error })
    : error;
}
