/** What time and the darkroom do to a picture: tone, grain, fading, scratches, borders, and the dots of a newspaper. */
import { type Color, changePixels, createNoise, createRandom, type Picture } from './raster.ts';

/** The darkest, middle and lightest colors of a kind of print. */
const TONES = {
  sepia: [
    [0.13, 0.085, 0.05],
    [0.54, 0.42, 0.3],
    [0.95, 0.89, 0.77],
  ],
  brown: [
    [0.17, 0.1, 0.07],
    [0.62, 0.45, 0.33],
    [0.97, 0.9, 0.8],
  ],
  silver: [
    [0.05, 0.052, 0.055],
    [0.46, 0.455, 0.44],
    [0.94, 0.93, 0.9],
  ],
  warm: [
    [0.1, 0.09, 0.085],
    [0.5, 0.47, 0.43],
    [0.94, 0.91, 0.85],
  ],
  cyan: [
    [0.04, 0.1, 0.2],
    [0.28, 0.47, 0.62],
    [0.9, 0.94, 0.93],
  ],
} as const satisfies Record<string, readonly [Color, Color, Color]>; // prettier-ignore

/** `color` keeps the colors, as a faded color film does. */
export type Tone = keyof typeof TONES | 'color';
export type Border = 'none' | 'white' | 'deckle' | 'album';

const mix = (a: number, b: number, t: number) => a + (b - a) * t;

/** Blurs a picture by a box of `radius` pixels, in place. */
export function soften({ width, height, data }: Picture, radius: number): void {
  const copy = new Float32Array(data.length);
  const pass = (from: Float32Array, to: Float32Array, lines: number, length: number, line: number, step: number) => {
    for (let l = 0; l < lines; l++)
      for (let c = 0; c < 3; c++) {
        const at = (i: number) => l * line + Math.min(length - 1, Math.max(0, i)) * step + c;
        let sum = 0;
        for (let i = -radius; i <= radius; i++) sum += from[at(i)] ?? 0;
        for (let i = 0; i < length; i++) {
          to[at(i)] = sum / (radius * 2 + 1);
          sum += (from[at(i + radius + 1)] ?? 0) - (from[at(i - radius)] ?? 0);
        }
      }
  };
  pass(data, copy, height, width, width * 3, 3);
  pass(copy, data, width, height, 3, width * 3);
}

/** Develops a picture as a photograph: glow, contrast, vignette, fading, grain, and a tone. */
export function develop(picture: Picture, seed: number, tone: Tone, { grain = 0.05, contrast = 1.1 } = {}): void {
  const { width, height, scale } = picture;
  const glow = { ...picture, data: picture.data.slice() };
  soften(glow, Math.round(7 * scale));
  const next = createRandom(seed * 31 + 7);
  const blotches = createNoise(seed + 11, 3);
  const grains = createNoise(seed + 12, 1);
  const [centerX, centerY] = [(width / scale) * (0.45 + next() * 0.1), (height / scale) * (0.45 + next() * 0.1)];
  const [fade, dark] = [0.03 + next() * 0.07, 0.35 + next() * 0.3];
  const size = Math.min(1.3, scale);
  let i = 0;
  changePixels(picture, ([r, g, b], x, y) => {
    const far = Math.hypot((x - centerX) / centerX, (y - centerY) / centerY);
    const k = (1 - dark * Math.max(0, far - 0.35) ** 2) * (0.93 + blotches(x / 90, y / 90) * 0.14);
    const noise = (grains(x * size * 0.9, y * size * 0.9) - 0.5) * grain;
    const [red, green, blue] = [r, g, b].map((value, c) => {
      const soft = mix(value, glow.data[i + c] ?? 0, 0.28);
      return fade + (1 - fade) * Math.min(1, Math.max(0, 0.48 + (soft * k - 0.46) * contrast + noise));
    }) as [number, number, number];
    i += 3;
    if (tone === 'color') return [red * 0.97 + 0.02, green * 0.95 + 0.015, blue * 0.9 + 0.02];
    const light = red * 0.35 + green * 0.5 + blue * 0.15;
    const [low, middle, high] = TONES[tone];
    const at = (c: 0 | 1 | 2) => (light < 0.5 ? mix(low[c], middle[c], light * 2) : mix(middle[c], high[c], light * 2 - 1));
    return [at(0), at(1), at(2)];
  });
}

/** Returns the elements of scratches, dust and a fold on a print of a size in units. */
export function drawDamage(next: () => number, w: number, h: number): string {
  const marks = Array.from({ length: 14 }, () => {
    const [x, y] = [next() * w, next() * h];
    const long = next() < 0.3 ? 30 + next() * 90 : 2 + next() * 5;
    const shade = next() < 0.7 ? '#fffaf0' : '#241a10';
    return `<path d="M${x} ${y}q${(next() - 0.5) * long} ${long / 2} ${(next() - 0.5) * 6} ${long}" stroke="${shade}" stroke-width="${0.3 + next() * 0.5}" fill="none" opacity="${0.25 + next() * 0.4}"/>`;
  });
  const corner =
    next() < 0.4
      ? `<path d="M0 ${h - 46}q${22} ${10} ${52} ${46}" stroke="#fff8ea" stroke-width="0.9" fill="none" opacity="0.6"/>`
      : '';
  return marks.join('') + corner;
}

/** Lays a border over the edges of a picture: white, deckle-edged, or with the corners of an album page. */
export function addBorder(picture: Picture, seed: number, border: Border): void {
  if (border === 'none') return;
  const [w, h] = [picture.width / picture.scale, picture.height / picture.scale];
  const edge = createNoise(seed + 21, 2);
  const fibers = createNoise(seed + 22, 2);
  const page: Color = border === 'album' ? [0.17, 0.155, 0.145] : [0.3, 0.27, 0.23];
  const margin = border === 'white' ? 0 : border === 'album' ? 15 : 6;
  changePixels(picture, (color, x, y) => {
    const inside = Math.min(x, y, w - x, h - y);
    const deckle = border === 'deckle' ? (edge(x / 5, y / 5) - 0.5) * 5 : 0;
    const fiber = 0.94 + fibers(x / 3, y / 3) * 0.1;
    const diagonal = Math.min(x, w - x) + Math.min(y, h - y);
    const shadow = inside > margin - 4 && inside < margin ? 0.75 : 1;
    if (inside < margin + deckle || (border === 'album' && diagonal < 62 && inside < 64))
      return page.map((c) => c * fiber * (diagonal < 62 && inside > margin ? 0.62 : shadow)) as unknown as Color;
    const frame = margin + (border === 'album' ? 9 : 14);
    if (inside < frame) return [0.93 * fiber, 0.905 * fiber, 0.84 * fiber];
    return inside < frame + 0.8 ? [color[0] * 0.8, color[1] * 0.8, color[2] * 0.8] : color;
  });
}

/** Prints a picture in dots of one ink, as a newspaper does. `pitch` is the distance of the dots in units. */
export function halftone(picture: Picture, pitch: number, ink: Color, paper: Color): void {
  const { width, height, scale } = picture;
  soften(picture, Math.max(1, Math.round((pitch * scale) / 3)));
  const light = picture.data.filter((_, i) => i % 3 === 1);
  const angle = Math.PI / 4;
  changePixels(picture, (_, x, y) => {
    const [u, v] = [(x * Math.cos(angle) + y * Math.sin(angle)) / pitch, (y * Math.cos(angle) - x * Math.sin(angle)) / pitch];
    const n = Math.min(height - 1, Math.round(y * scale)) * width + Math.round(x * scale);
    const wave = 0.5 + (Math.cos(2 * Math.PI * u) + Math.cos(2 * Math.PI * v)) / 4;
    const cover = Math.min(1, Math.max(0, (wave - (light[n] ?? 0) * 0.95) * 3.2 + 0.5));
    return [mix(paper[0], ink[0], cover), mix(paper[1], ink[1], cover), mix(paper[2], ink[2], cover)];
  });
}
