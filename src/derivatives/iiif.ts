/** A picture as a service of the IIIF Image API (version 3, level 0): files under the addresses that any viewer of such services asks for. Runs in Node and in browsers. */

/** Edge of a tile in pixels: on a stick fewer larger files take less room. */
export const TILE = 1024;
/** Edge of the whole picture at its largest, for viewers that take no tiles; pixels. */
export const WHOLE = 1600;

/** Pixels of the whole picture. */
interface Size {
  width: number;
  height: number;
}

export interface Tiles extends Size {
  /** The service's folder below dist, where its info.json stands. */
  path: string;
}

/** The service as its description has it; `id` is its address. */
export function serviceOf({ width, height }: Size, id: string) {
  const factors = scaleFactors({ width, height });
  const least = factors.at(-1) as number;
  return {
    '@context': 'http://iiif.io/api/image/3/context.json',
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level0',
    width,
    height,
    maxWidth: WHOLE,
    sizes: [{ width: Math.ceil(width / least), height: Math.ceil(height / least) }],
    tiles: [{ width: TILE, scaleFactors: factors }],
  };
}

/** The description as a file (info.json). The address is absolute, as the specification wants it, where the site's is known. */
export function describeTiles({ path, ...size }: Tiles, site: string | undefined): string {
  return `${JSON.stringify(serviceOf(size, site === undefined ? path : new URL(path, site).href), undefined, 2)}\n`;
}

/** 1, 2, 4, … until the whole picture is one tile. */
export function scaleFactors({ width, height }: Size): number[] {
  const factors = [1];
  while (Math.max(width, height) / (factors.at(-1) as number) > TILE) factors.push((factors.at(-1) as number) * 2);
  return factors;
}
