/** Pictures as numbers, so that light, grain and paper can be computed: what SVG alone would leave flat. */
import sharp from 'sharp';

/** Red, green and blue of each pixel, from 0 (black) to 1. `scale` is the number of pixels in a unit of the drawings. */
export interface Picture {
  width: number;
  height: number;
  scale: number;
  data: Float32Array;
}

/** A function of a place, from 0 to 1, that varies smoothly. */
export type Noise = (x: number, y: number) => number;
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
export function createNoise(seed: number, octaves = 4): Noise {
  const at = (x: number, y: number) => {
    let t = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed + 1, 1274126177);
    t = Math.imul(t ^ (t >>> 13), 1103515245);
    return ((t ^ (t >>> 16)) >>> 0) / 4294967296;
  };
  const smooth = (x: number, y: number) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [x - i, y - j].map((t) => t * t * (3 - 2 * t)) as [number, number];
    const top = at(i, j) * (1 - u) + at(i + 1, j) * u;
    return top * (1 - v) + (at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u) * v;
  };
  return (x, y) => {
    let [sum, strength, total] = [0, 1, 0];
    for (let octave = 0; octave < octaves; octave++) {
      sum += smooth(x * 2 ** octave + octave * 17, y * 2 ** octave) * strength;
      total += strength;
      strength /= 2;
    }
    return sum / total;
  };
}

/** Returns a picture of a size in pixels; `paint` returns the color at a place in units. */
export function createPicture(width: number, height: number, scale: number, paint: (x: number, y: number) => Color): Picture {
  const picture = { width, height, scale, data: new Float32Array(width * height * 3) };
  return changePixels(picture, (_, x, y) => paint(x, y));
}

/** Replaces the color of each pixel; `x` and `y` are in units. Returns the same picture. */
export function changePixels(picture: Picture, change: (color: Color, x: number, y: number) => Color): Picture {
  const { width, data, scale } = picture;
  for (let i = 0; i < data.length; i += 3) {
    const n = i / 3;
    const color = change([data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0], (n % width) / scale, Math.floor(n / width) / scale);
    data.set(color, i);
  }
  return picture;
}

/** Draws the elements of an SVG, whose lengths are units, over a picture. */
export async function drawOver(picture: Picture, elements: string): Promise<void> {
  const { width, height, scale, data } = picture;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width / scale} ${height / scale}">${elements}</svg>`;
  const pixels = await sharp(Buffer.from(svg), { unlimited: true }).ensureAlpha().raw().toBuffer();
  for (let i = 0, j = 0; i < data.length; i += 3, j += 4) {
    const alpha = (pixels[j + 3] ?? 0) / 255;
    if (alpha) for (let c = 0; c < 3; c++) data[i + c] = (data[i + c] ?? 0) * (1 - alpha) + ((pixels[j + c] ?? 0) / 255) * alpha;
  }
}

/** Exchanges left and right. */
export function mirror({ width, height, data }: Picture): void {
  for (let row = 0; row < height; row++) {
    const line = data.subarray(row * width * 3, (row + 1) * width * 3);
    const copy = line.slice();
    for (let i = 0; i < line.length; i++) line[i] = copy[(width - 1 - Math.floor(i / 3)) * 3 + (i % 3)] ?? 0;
  }
}

/** Replaces what is below a horizon by its reflection in water. */
export function reflectInWater(picture: Picture, horizon: number, noise: Noise, darkness: number): void {
  const { width, height, scale, data } = picture;
  const first = Math.round(horizon * scale);
  for (let row = first; row < height; row++) {
    const depth = (row - first) / scale;
    for (let x = 0; x < width; x++) {
      const wave = noise(x / scale / (8 + depth * 0.5), (row / scale) * (2.4 - Math.min(1.9, depth / 70))) - 0.5;
      const from = Math.max(0, Math.round(first - depth * scale * 0.95 + wave * scale * (3 + depth * 0.9)));
      const column = Math.min(width - 1, Math.max(0, Math.round(x + wave * scale * 10)));
      const light = darkness + wave * (0.25 + depth / 500);
      for (let c = 0; c < 3; c++)
        data[(row * width + x) * 3 + c] = (data[(Math.min(first - 1, from) * width + column) * 3 + c] ?? 0) * light + 0.02;
    }
  }
}

/** Converts a picture, `enlarge` times as large, to a JPEG; with `metadata`, rotated, with orientation, position and name in EXIF, as phones do. */
export async function toJpeg(
  { width, height, data }: Picture,
  { quality = 62, enlarge = 1, metadata = false } = {},
): Promise<Buffer> {
  const bytes = Uint8ClampedArray.from(data, (value) => value * 255);
  const image = sharp(bytes, { raw: { width, height, channels: 3 } })
    .resize(width * enlarge)
    .jpeg({ quality, mozjpeg: true });
  if (!metadata) return image.toBuffer();
  return sharp(await image.toBuffer())
    .rotate(-90)
    .withExif({
      IFD0: { Artist: 'Imaginary Scanner Operator' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '44/1 18/1 36/1', GPSLongitudeRef: 'W', GPSLongitude: '63/1 1/1 12/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality })
    .toBuffer();
}
