/** Describes an image as a static service of the IIIF Image API (version 3, level 0). Runs in Node and in browsers. */

/** Edge length of a tile in pixels. Large tiles mean few files, which saves space on USB drives with large clusters. */
export const TILE_SIZE = 1024;
/** Maximum edge length of the image in one file, for viewers without tiles, in pixels. */
export const MAX_FULL_SIZE = 1600;

/** The size of an upright image in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Returns the name by which images and tiles of a page of a media file are found; `page` is from 0. */
export const pageKey = (url: string, page: number): string => `${url} ${page + 1}`;

/** The tiles of one image, with the size of the full image in pixels. */
export interface Tiles extends ImageSize {
  /** Directory of the service in the site; it contains `info.json`. */
  path: string;
}

/** Returns the service's description; `id` is its URL. Source: https://iiif.io/api/image/3.0/#5-image-information */
export function imageService({ width, height }: ImageSize, id: string) {
  const factors = scaleFactors({ width, height });
  const coarsest = factors[factors.length - 1] as number;
  return {
    '@context': 'http://iiif.io/api/image/3/context.json',
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level0',
    width,
    height,
    maxWidth: MAX_FULL_SIZE,
    sizes: [{ width: Math.ceil(width / coarsest), height: Math.ceil(height / coarsest) }],
    tiles: [{ width: TILE_SIZE, scaleFactors: factors }],
  };
}

/** Returns the text of `info.json`. Its `id` is an absolute URL, as the specification requires, only if the site's is known. */
export function describeTiles({ path, ...size }: Tiles, siteUrl: string | undefined): string {
  return `${JSON.stringify(imageService(size, siteUrl === undefined ? path : new URL(path, siteUrl).href), undefined, 2)}\n`;
}

/** Returns 1, 2, 4, … up to the factor at which the entire image fits into one tile. */
export function scaleFactors({ width, height }: ImageSize): number[] {
  const factors = [1];
  while (Math.max(width, height) / (factors[factors.length - 1] as number) > TILE_SIZE)
    factors.push((factors[factors.length - 1] as number) * 2);
  return factors;
}
