/** Cuts the largest pictures into tiles as the IIIF Image API has them (version 3, level 0), so that they can be looked into without fetching them whole. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileName } from '../model/portable.ts';
import { filesBelow } from '../snapshot/files.ts';
import type { StoredMedia } from '../snapshot/read.ts';
import type { Cache } from './cache.ts';
import { openPicture } from './opening.ts';
import type { Size, Sizes } from './sizes.ts';

/** A picture as a service of tiles. */
export interface Tiles extends Size {
  /** The service's folder below dist, where its info.json stands. */
  path: string;
}

/** Pixels of an edge above which a picture is cut into tiles. */
const LARGE = 4000;
/** Edge of a tile in pixels: on a stick fewer larger files take less room. */
export const TILE = 1024;
/** Edge of the whole picture at its largest, for viewers that take no tiles. */
export const WHOLE = 1600;
const QUALITY = 82;
const RECIPE = 1;

export function needsTiles({ width, height }: Size): boolean {
  return Math.max(width, height) > LARGE;
}

/** The tiles of a picture, made or kept; info.json is left to who knows the site's address. */
export async function makeTiles(
  file: string,
  { owner, kind, sha256, mimetype }: StoredMedia,
  cache: Cache,
  sizes: Sizes,
): Promise<{ tiles: Tiles; files: Map<string, string>; isNew: boolean }> {
  const settings = { recipe: RECIPE, tiles: TILE, whole: WHOLE, quality: QUALITY };
  const { file: folder, isNew } = await cache.keep(sha256 as string, settings, '.tiles', async (to) => {
    await rm(to, { recursive: true, force: true });
    const open = () =>
      openPicture(file, mimetype as string).then((opened) => opened.toColourspace('srgb').flatten({ background: '#fff' }));
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
    files: new Map(filesBelow(folder).map(([below, tile]) => [`${path}/${below}`, tile])),
    isNew,
  };
}

/** The service's description (info.json). `id` is its address: absolute, as the specification wants it, where the site's is known. */
export function describeTiles({ path, width, height }: Tiles, site: string | undefined): string {
  const factors = scaleFactors({ width, height });
  const least = factors.at(-1) as number;
  return `${JSON.stringify(
    {
      '@context': 'http://iiif.io/api/image/3/context.json',
      id: site === undefined ? path : new URL(path, site).href,
      type: 'ImageService3',
      protocol: 'http://iiif.io/api/image',
      profile: 'level0',
      width,
      height,
      maxWidth: WHOLE,
      sizes: [{ width: Math.ceil(width / least), height: Math.ceil(height / least) }],
      tiles: [{ width: TILE, scaleFactors: factors }],
    },
    undefined,
    2,
  )}\n`;
}

/** 1, 2, 4, … until the whole picture is one tile. */
export function scaleFactors({ width, height }: Size): number[] {
  const factors = [1];
  while (Math.max(width, height) / (factors.at(-1) as number) > TILE) factors.push((factors.at(-1) as number) * 2);
  return factors;
}
