/** Cuts large images into tiles of the IIIF Image API (version 3, level 0), so that zooming does not load an entire image. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { objectFileName } from '../platform/portability.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { DerivativeCache } from './derivative-cache.ts';
import { type ImageSize, MAX_FULL_SIZE, TILE_SIZE, type Tiles } from './iiif.ts';
import type { ImageSizes } from './image-sizes.ts';
import { decoderOf, openImage } from './open-image.ts';
import { pageSuffix, type ResizedPage } from './resized-images.ts';
import type { ShownFile } from './shown-files.ts';

/** Edge length in pixels above which every image is cut into tiles. */
const MAX_UNTILED_EDGE = 4000;
/** Media types of smaller images without tiles: viewers show a JPEG file as it is, and tiles would stop or blur the others. */
const UNTILED_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/gif', 'image/svg+xml']);
const TILE_QUALITY = 82;
const RECIPE_VERSION = 2;

/** Returns whether an image is cut into tiles: because it is large, or because not every IIIF viewer shows its file. */
export function needsTiles({ width, height }: ImageSize, mimetype: string): boolean {
  return Math.max(width, height) > MAX_UNTILED_EDGE || !UNTILED_TYPES.has(mimetype);
}

/** A media file that is cut into tiles. */
type TiledFile = ResizedPage & Pick<ShownFile, 'file' | 'owner' | 'kind'>;

/**
 * Returns the tiles of an image, from the cache if possible. `files`: path in the site → file on disk, without `info.json`, which
 * needs the site's URL.
 */
export async function createTiles(
  row: TiledFile,
  cache: DerivativeCache,
  sizes: ImageSizes,
): Promise<{ tiles: Tiles; files: Map<string, string>; isNew: boolean }> {
  const { file, sha256, mimetype, page } = row;
  const pixels = { tiles: TILE_SIZE, whole: MAX_FULL_SIZE, quality: TILE_QUALITY };
  const settings = { recipe: RECIPE_VERSION, ...pixels, page: page || undefined, decoder: decoderOf(mimetype) };
  const { file: directory, isNew } = await cache.getOrCreate(sha256, settings, '.tiles', async (to) => {
    await rm(to, { recursive: true, force: true });
    const open = () =>
      openImage(file, mimetype, page).then((opened) => opened.toColorspace('srgb').flatten({ background: '#fff' }));
    await (await open()).jpeg({ quality: TILE_QUALITY }).tile({ layout: 'iiif3', size: TILE_SIZE }).toFile(to);
    await mkdir(join(to, 'full/max/0'), { recursive: true });
    await (await open())
      .resize({ width: MAX_FULL_SIZE, height: MAX_FULL_SIZE, fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: TILE_QUALITY })
      .toFile(join(to, 'full/max/0/default.jpg'));
    await rm(join(to, 'info.json'));
  });
  const tiles = await describeTilesOf(row, sizes);
  return { tiles, files: new Map(listFiles(directory).map(([below, tile]) => [`${tiles.path}/${below}`, tile])), isNew };
}

/** Returns the description of an image's tiles, whether they were created or not. */
export async function describeTilesOf(row: TiledFile, sizes: ImageSizes): Promise<Tiles> {
  const path = `media/tiles/${objectFileName(row.owner)}${row.kind === 'image' ? '' : `.${row.kind}`}${pageSuffix(row)}`;
  const { width, height } = await sizes.read(row.file, row);
  return { path, width, height };
}
