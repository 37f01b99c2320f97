/** Cuts the largest images into tiles of the IIIF Image API (version 3, level 0), so that zooming does not load the entire image. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName } from '../platform/portable.ts';
import { filesBelow } from '../snapshot/files.ts';
import type { Cache } from './cache.ts';
import { TILE, type Tiles, WHOLE } from './iiif.ts';
import { openPicture } from './opening.ts';
import type { ShownFile } from './shown-files.ts';
import type { Size, Sizes } from './sizes.ts';

/** Images with a longer edge are cut into tiles; pixels. */
const MAX_UNTILED_EDGE = 4000;
const QUALITY = 82;
const RECIPE = 1;

/** Whether an image is large enough to be cut into tiles. */
export function needsTiles({ width, height }: Size): boolean {
  return Math.max(width, height) > MAX_UNTILED_EDGE;
}

/** Returns the tiles of an image, from the cache if possible. `files`: path in the site → file on disk, without `info.json`, which needs the site's URL. */
export async function makeTiles(
  { file, owner, kind, sha256, mimetype }: Pick<ShownFile, 'file' | 'owner' | 'kind' | 'sha256' | 'mimetype'>,
  cache: Cache,
  sizes: Sizes,
): Promise<{ tiles: Tiles; files: Map<string, string>; isNew: boolean }> {
  const settings = { recipe: RECIPE, tiles: TILE, whole: WHOLE, quality: QUALITY };
  const { file: directory, isNew } = await cache.keep(sha256, settings, '.tiles', async (to) => {
    await rm(to, { recursive: true, force: true });
    const open = () => openPicture(file, mimetype).then((opened) => opened.toColorspace('srgb').flatten({ background: '#fff' }));
    await (await open()).jpeg({ quality: QUALITY }).tile({ layout: 'iiif3', size: TILE }).toFile(to);
    await mkdir(join(to, 'full/max/0'), { recursive: true });
    await (await open())
      .resize({ width: WHOLE, height: WHOLE, fit: 'inside' })
      .jpeg({ quality: QUALITY })
      .toFile(join(to, 'full/max/0/default.jpg'));
    await rm(join(to, 'info.json'));
  });
  const path = `media/tiles/${fileName(owner)}${kind === 'image' ? '' : `.${kind}`}`;
  return {
    tiles: { path, ...(await sizes.of(file, { sha256, mimetype })) },
    files: new Map(filesBelow(directory).map(([below, tile]) => [`${path}/${below}`, tile])),
    isNew,
  };
}
