/** Pictures as numbers, so that light, grain and paper can be computed: what SVG alone would leave flat. */
import sharp, { type Sharp } from 'sharp';

/** Red, green and blue of each pixel in bytes. `scale` is the number of pixels in a unit of the drawings. */
export interface Picture {
  width: number;
  height: number;
  scale: number;
  data: Uint8ClampedArray;
}

/** A function of a place, from 0 to 1, that varies smoothly. */
export type Noise = (x: number, y: number) => number;
/** Each part is from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

/** Returns a generator of numbers in [0, 1) that returns the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns value noise of some octaves, each of twice the frequency and half the strength of the one before. */
export function createNoise(seed: number, octaves: number): Noise {
  const at = (x: number, y: number) => {
    let t = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed + 1, 1274126177);
    t = Math.imul(t ^ (t >>> 13), 1103515245);
    return ((t ^ (t >>> 16)) >>> 0) / 4294967296;
  };
  const smooth = (x: number, y: number) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - i, y - j].map((t) => t * t * (3 - 2 * t)) as [number, number];
    return mix(mix(at(i, j), at(i + 1, j), u), mix(at(i, j + 1), at(i + 1, j + 1), u), v);
  };
  return (x, y) => {
    let sum = 0;
    for (let n = 0; n < octaves; n++) sum += smooth(x * 2 ** n + n * 17, y * 2 ** n) / 2 ** n;
    return sum / (2 - 2 ** (1 - octaves));
  };
}

/** Returns the number that is the part `t` of the way from `a` to `b`. */
export const mix = (a: number, b: number, t: number) => a + (b - a) * t;
/** Returns a color in another light. */
export const times = ([r, g, b]: Color, k: number): Color => [r * k, g * k, b * k];
/** Returns the color of a hexadecimal notation such as `#2b2823`. */
export const parseColor = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as never as Color;

/** Returns a picture of a size in pixels; `paint` returns the color at a place in units. */
export function createPicture(width: number, height: number, scale: number, paint: (x: number, y: number) => Color): Picture {
  const picture = { width, height, scale, data: new Uint8ClampedArray(width * height * 3) };
  changePixels(picture, (_, x, y) => paint(x, y));
  return picture;
}

/** Replaces the color of each pixel; `x` and `y` are in units. */
export function changePixels({ width, data, scale }: Picture, change: (old: Color, x: number, y: number, i: number) => Color) {
  for (let i = 0; i < data.length; i += 3) {
    const color = [data[i], data[i + 1], data[i + 2]].map((value = 0) => value / 255) as never as Color;
    const n = i / 3;
    data.set(times(change(color, (n % width) / scale, Math.floor(n / width) / scale, i), 255), i);
  }
}

/** Replaces the pixels of a picture by those of an image that sharp makes of it. */
async function edit(picture: Picture, change: (image: Sharp) => Sharp): Promise<void> {
  const { width, height, data } = picture;
  const image = change(sharp(data, { raw: { width, height, channels: 3 } }));
  picture.data = new Uint8ClampedArray(await image.removeAlpha().raw().toBuffer());
}

/** Draws the elements of an SVG, whose lengths are units, over a picture. */
export function drawOver(picture: Picture, elements: string): Promise<void> {
  const { width, height, scale } = picture;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width / scale} ${height / scale}">${elements}</svg>`;
  return edit(picture, (image) => image.composite([{ input: Buffer.from(svg) }]));
}

/** Lays another picture over a picture at a place in pixels. */
export function place(picture: Picture, { data, width, height }: Picture, left: number, top: number): Promise<void> {
  const layer = { input: Buffer.from(data), raw: { width, height, channels: 3 as const }, left, top };
  return edit(picture, (image) => image.composite([layer]));
}

/** Blurs a picture by a number of pixels. */
export const soften = (picture: Picture, sigma: number) => edit(picture, (image) => image.blur(sigma));

/** Converts a picture to a JPEG `enlarge` times as large. */
export async function toJpeg({ width, height, data }: Picture, enlarge = 1): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(width * enlarge)
    .jpeg({ quality: 62, mozjpeg: true })
    .toBuffer();
}

/** Returns a JPEG rotated, with orientation, position and name in EXIF, as phones do. */
export function addMetadata(jpeg: Buffer): Promise<Buffer> {
  return sharp(jpeg)
    .rotate(-90)
    .withExif({
      IFD0: { Artist: 'Imaginary Scanner Operator' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '44/1 18/1 36/1', GPSLongitudeRef: 'W', GPSLongitude: '63/1 1/1 12/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 62 })
    .toBuffer();
}
