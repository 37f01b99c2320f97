/** What time and the darkroom do to a picture: tone, grain, fading, and the dots of a newspaper. */
import { type Color, changePixels, createNoise, createRandom, mix, type Picture, parseColor, soften } from './raster.ts';

/** The darkest, middle and lightest colors of a kind of print. */
const TONES = {
  sepia: ['#21160d', '#8a6b4d', '#f2e3c4'].map(parseColor),
  brown: ['#2b1a12', '#9e7354', '#f7e6cc'].map(parseColor),
  silver: ['#0d0d0e', '#757470', '#f0ede6'].map(parseColor),
  cyan: ['#0a1a33', '#47789e', '#e6f0ed'].map(parseColor),
};

/** `color` keeps the colors, as a faded color film does. */
export type Tone = keyof typeof TONES | 'color';

/** Develops a picture as a photograph: glow, contrast, vignette, fading, grain, and a tone. */
export async function develop(picture: Picture, seed: number, tone: Tone): Promise<void> {
  await soften(picture, 0.8);
  const glow = { ...picture };
  await soften(glow, 5 * picture.scale);
  const next = createRandom(seed * 31 + 7);
  const [blotches, grains] = [createNoise(seed + 11, 3), createNoise(seed + 12, 1)];
  const [middleX, middleY] = [picture.width / picture.scale / 2, picture.height / picture.scale / 2];
  const [fade, dark] = [0.03 + next() * 0.07, 0.35 + next() * 0.3];
  changePixels(picture, (color, x, y, index) => {
    const edge = Math.max(0, Math.hypot(x / middleX - 1, y / middleY - 1) - 0.35);
    const k = (1 - dark * edge ** 2) * (0.93 + blotches(x / 90, y / 90) * 0.14);
    const grain = (grains(x * 0.9, y * 0.9) - 0.5) * 0.055;
    const exposed = color.map((value, c) => {
      const soft = mix(value, (glow.data[index + c] ?? 0) / 255, 0.28);
      return mix(fade, 1, Math.min(1, Math.max(0, 0.48 + (soft * k - 0.46) * 1.12 + grain)));
    }) as never as Color;
    if (tone !== 'color') return tint(exposed, TONES[tone] as [Color, Color, Color]);
    return exposed.map((value) => mix(value, lightOf(exposed), 0.4)) as never as Color;
  });
}

const lightOf = ([r, g, b]: Color) => r * 0.35 + g * 0.5 + b * 0.15;

function tint(color: Color, [low, middle, high]: [Color, Color, Color]): Color {
  const [from, to, t] = lightOf(color) < 0.5 ? [low, middle, lightOf(color) * 2] : [middle, high, lightOf(color) * 2 - 1];
  return from.map((value, c) => mix(value, to[c] ?? 0, t)) as never as Color;
}

/** Prints a picture in dots of one ink, as a newspaper does. `pitch` is the distance of the dots in units. */
export async function halftone(picture: Picture, pitch: number, ink: Color, paper: Color): Promise<void> {
  await soften(picture, Math.max(0.5, (pitch * picture.scale) / 4));
  changePixels(picture, (color, x, y) => {
    const [u, v] = [(x + y) / pitch, (y - x) / pitch].map((at) => Math.cos(at * Math.PI * Math.SQRT2)) as [number, number];
    const cover = Math.min(1, Math.max(0, (0.5 + (u + v) / 4 - lightOf(color) * 0.95) * 3.2 + 0.5));
    return paper.map((value, c) => mix(value, ink[c] ?? 0, cover)) as never as Color;
  });
}
