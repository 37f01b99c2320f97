/** People for portraits and groups, as solid shapes under a light: their faces have the soft shadows of a photograph. */
import { type Color, createNoise, createRandom, type Picture } from './raster.ts';

/** What a person looks like. Lengths are in quarters of the height of a head; tones are from 0 (black) to 1. */
export interface Person {
  seed: number;
  hair: 'short' | 'long' | 'bun' | 'bald' | 'scarf' | 'cap';
  dress: 'suit' | 'jersey' | 'blouse' | 'apron';
  hairColor: Color;
  skin: Color;
  dressColor: Color;
  beard: boolean;
  glasses: boolean;
  age: number;
  jaw: number;
  nose: number;
  build: number;
  yaw: number;
  tilt: number;
}

const HAIR: readonly Color[] = [
  [0.1, 0.08, 0.07],
  [0.22, 0.15, 0.1],
  [0.42, 0.3, 0.18],
  [0.55, 0.54, 0.52],
  [0.86, 0.85, 0.83],
]; // prettier-ignore
const SKIN: readonly Color[] = [
  [0.86, 0.66, 0.54],
  [0.8, 0.58, 0.45],
  [0.68, 0.47, 0.35],
  [0.5, 0.33, 0.24],
]; // prettier-ignore
const CLOTH: readonly Color[] = [
  [0.16, 0.2, 0.29],
  [0.32, 0.24, 0.2],
  [0.55, 0.5, 0.42],
  [0.24, 0.3, 0.26],
  [0.45, 0.2, 0.2],
  [0.62, 0.66, 0.68],
  [0.13, 0.13, 0.14],
]; // prettier-ignore

/** Returns a person; the same seed gives the same one. */
export function createPerson(seed: number, woman: boolean, age: number): Person {
  const next = createRandom(seed * 6007 + 3);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const gray = age > 0.55 + next() * 0.3;
  return {
    seed,
    hair: woman ? pick(['long', 'bun', 'short', 'bun', 'long'] as const) : age > 0.4 && next() < 0.3 ? 'bald' : 'short',
    dress: woman ? pick(['blouse', 'blouse', 'jersey'] as const) : pick(['suit', 'jersey', 'suit'] as const),
    hairColor: pick(gray ? HAIR.slice(3) : HAIR.slice(0, 3)),
    skin: pick(SKIN),
    dressColor: pick(CLOTH),
    beard: !woman && age > 0.2 && next() < 0.4,
    glasses: age > 0.3 && next() < 0.45,
    age,
    jaw: (woman ? 0.9 : 1.02) + next() * 0.14,
    nose: 0.85 + next() * 0.35,
    build: (woman ? 1.04 : 1.22) + next() * 0.2,
    yaw: (next() - 0.5) * 0.9,
    tilt: (next() - 0.5) * 0.16,
  };
}

type Material = 'skin' | 'eye' | 'hair' | 'frame' | 'dress';

/** Returns the smaller distance, with a rounded seam of width `k` between both shapes. */
function join(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - (h * h * k) / 4;
}

const cut = (a: number, b: number, k: number) => -join(-a, b, k);

function ellipsoid(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const near = Math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2);
  return (near * (near - 1)) / (Math.sqrt((x / a ** 2) ** 2 + (y / b ** 2) ** 2 + (z / c ** 2) ** 2) + 1e-6);
}

/** Returns the distance to a limb from (x0, y0) to (x1, y1) at depth 0. */
function limb(x: number, y: number, z: number, x0: number, y0: number, x1: number, y1: number, radius: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
  return Math.sqrt((x - x0 - dx * t) ** 2 + (y - y0 - dy * t) ** 2 + z * z) - radius;
}

/** Returns the distance to a bare head whose center is the origin and whose nose points to z; `s` is |x|. */
function distanceToHead(s: number, y: number, z: number, { jaw, nose, age }: Person): number {
  let d = join(ellipsoid(s, y - 0.25, z + 0.1, 0.8, 0.86, 0.92), ellipsoid(s, y + 0.36, z - 0.12, 0.61 * jaw, 0.78, 0.66), 0.3);
  d = join(d, ellipsoid(s - 0.4, y + 0.14, z - 0.5, 0.2, 0.15, 0.17), 0.22);
  d = join(d, ellipsoid(s, y + 0.95, z - 0.5, 0.22 * jaw, 0.16, 0.2), 0.22);
  d = cut(d, ellipsoid(s - 0.3, y - 0.06, z - 0.92, 0.2, 0.13, 0.2), 0.14);
  d = join(d, ellipsoid(s - 0.3, y - 0.25, z - 0.68, 0.25, 0.07, 0.12), 0.12);
  d = join(d, Math.max(ellipsoid(s - 0.29, y - 0.06, z - 0.6, 0.18, 0.165, 0.175), 0.09 - y - age * 0.02), 0.03);
  d = join(d, ellipsoid(s, y + 0.1, z - 0.8 - (0.12 - y) * 0.2, 0.075, 0.3, 0.12 * nose), 0.1);
  d = join(d, ellipsoid(s, y + 0.27, z - 0.93, 0.11 * nose, 0.1, 0.13 * nose), 0.06);
  d = join(d, ellipsoid(s - 0.12, y + 0.3, z - 0.82, 0.07, 0.06, 0.09), 0.05);
  d = join(d, ellipsoid(s, y + 0.5, z - 0.7, 0.21, 0.05, 0.1), 0.08);
  d = join(d, ellipsoid(s, y + 0.63, z - 0.68, 0.18, 0.06, 0.11), 0.08);
  d = cut(d, ellipsoid(s, y + 0.56, z - 0.86, 0.22, 0.018, 0.14), 0.04);
  d = cut(d, ellipsoid(s - 0.3 - (y + 0.4) * -0.4, y + 0.42, z - 0.84, 0.03, 0.2, 0.08), 0.06 + age * 0.08);
  return join(d, ellipsoid(s - 0.81, y + 0.02, z + 0.1, 0.09, 0.24, 0.14), 0.06);
}

/** Returns the distance to the hair, the beard, or what covers them. */
function distanceToHair(s: number, y: number, z: number, { hair, beard, jaw, age, seed }: Person, rough: number): number {
  const soft = hair === 'scarf' ? rough * 0.3 : rough;
  const face = ellipsoid(s, y + 0.38 + (hair === 'scarf' ? 0.1 : 0), z - 0.72, 0.68, 1 + age * 0.12 + (seed % 5) * 0.025, 0.74);
  let d = cut(ellipsoid(s, y - 0.28, z + 0.14, 0.87, 0.9, 0.98) - soft, face, 0.08);
  const bottom = hair === 'long' ? -1.5 : hair === 'scarf' ? -0.9 : z > 0.1 ? 0.05 : -0.5;
  d = Math.max(d, bottom - y);
  if (hair === 'bald') d = Math.max(d, y - 0.38 + z * 0.5);
  if (hair === 'long') d = join(d, cut(ellipsoid(s - 0.62, y + 0.55, z + 0.2, 0.34, 0.95, 0.5) - soft, face, 0.1), 0.2);
  if (hair === 'bun') d = join(d, ellipsoid(s, y - 1.1, z + 0.35, 0.36, 0.3, 0.36) - soft, 0.08);
  if (hair === 'scarf') d = join(d, ellipsoid(s, y + 1.1, z - 0.3, 0.24, 0.14, 0.16), 0.3);
  if (hair === 'cap') {
    d = Math.max(Math.min(d, ellipsoid(s, y - 0.72, z + 0.02, 0.95, 0.42, 1.05)), -2);
    d = Math.min(d, ellipsoid(s, y - 0.5, z - 0.86, 0.62, 0.06, 0.42));
  }
  if (!beard) return d;
  const chin = Math.max(ellipsoid(s, y + 0.5, z - 0.16, 0.65 * jaw, 0.78, 0.68) - soft * 0.9, y + 0.42 - s * 0.7);
  return Math.min(
    cut(chin, ellipsoid(s, y + 0.57, z - 0.85, 0.19, 0.07, 0.3), 0.05),
    ellipsoid(s - 0.12, y + 0.43, z - 0.84, 0.17, 0.06, 0.1),
  );
}

function distanceToBody(s: number, y: number, z: number, { build, dress }: Person): number {
  let d = ellipsoid(s, y + 2.75, z + 0.3, 1.35 * build, 1, 0.72);
  d = join(d, limb(s, y, z + 0.3, 0, -1.95, 1.15 * build, -2.3, 0.42), 0.3);
  d = join(d, limb(s, y, z + 0.25, 1.3 * build, -2.35, 1.5 * build, -5.8, 0.34), 0.12);
  d = join(d, limb(s, y, z + 0.3, 0.45 * build, -3, 0.5 * build, -5, 0.62), 0.3);
  if (dress === 'jersey') d = join(d, limb(s, y, z + 0.14, 0, -1.45, 0.01, -1.62, 0.5), 0.12);
  return dress === 'blouse' || dress === 'apron'
    ? join(d, limb(s, y, z + 0.3, 0.3, -5, 0.6, -8.5, 0.8), 0.4)
    : join(d, limb(s, y, z + 0.3, 0.5, -5, 0.5, -9, 0.4), 0.2);
}

/** Returns the distance to a person at a place, and the material of what is nearest there. */
function createShape(person: Person): (x: number, y: number, z: number) => [distance: number, Material, x: number] {
  const { yaw, tilt, glasses, seed } = person;
  const noise = createNoise(seed, 2);
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  return (x, y, z) => {
    const body = y > -0.7 ? 9 : distanceToBody(Math.abs(x), y - 0.42, z, person);
    const far = Math.sqrt(x * x + y * y + z * z) - 1.75;
    if (y < -2.1 || far > 0.4) return [Math.min(body, y < -2.1 ? 9 : far), 'dress', x];
    const tilted = x + tilt * y;
    const [hx, hz] = [tilted * cos - z * sin, tilted * sin + z * cos];
    const s = Math.abs(hx);
    const skin = join(distanceToHead(s, y, hz, person), limb(x, y, z + 0.18, 0, -0.7, 0, -1.9, 0.4), 0.15);
    let hair = distanceToHair(s, y, hz, person, 0.03);
    if (hair < 0.1)
      hair = distanceToHair(
        s,
        y,
        hz,
        person,
        (noise(hx * 4 + 40, y * 2 + hz * 3) - 0.3) * 0.12 + noise(hx * 26, y * 4 + hz * 9) * 0.035,
      );
    const eye = ellipsoid(s - 0.29, y - 0.05, hz - 0.6, 0.155, 0.155, 0.155);
    const ring = Math.sqrt((Math.sqrt((s - 0.31) ** 2 + (y - 0.03) ** 2) - 0.22) ** 2 + (hz - 0.88 + s * 0.2) ** 2) - 0.014;
    const frame = glasses
      ? Math.min(ring, limb(hz, y, s - 0.74, 0, 0.08, 0.7, 0.08, 0.015), limb(s, y, hz - 0.9, 0, 0.08, 0.1, 0.06, 0.015))
      : 9;
    const nearest = Math.min(body, skin, hair, eye, frame);
    if (nearest === body) return [nearest, 'dress', x];
    return [nearest, nearest === hair ? 'hair' : nearest === eye ? 'eye' : nearest === frame ? 'frame' : 'skin', hx];
  };
}

/** Returns the color of a material at a place, without light. */
function colorOf(material: Material, x: number, y: number, person: Person, noise: (x: number, y: number) => number): Color {
  const s = Math.abs(x);
  const times = ([r, g, b]: Color, k: number): Color => [r * k, g * k, b * k];
  if (material === 'frame') return [0.06, 0.05, 0.05];
  if (material === 'eye') return Math.hypot(s - 0.29, y - 0.05) < 0.085 ? [0.08, 0.06, 0.05] : [0.62, 0.58, 0.55];
  if (material === 'hair') {
    if (person.hair === 'scarf' && y > -1.3) return times(person.dressColor, 1.3 + (noise(x * 3, y * 3) > 0.55 ? 0.5 : 0));
    return times(person.hair === 'cap' && y > 0.35 ? person.dressColor : person.hairColor, 0.75 + noise(x * 24, y * 3) * 0.5);
  }
  if (material === 'skin') {
    const brow = s > 0.13 && s < 0.5 && Math.abs(y - 0.29 + Math.abs(s - 0.28) * 0.25) < 0.035 + (0.5 - s) * 0.05;
    if (brow) return times(person.hairColor, 0.9);
    const lips = s < 0.23 && Math.abs(y + 0.56) < 0.1 - s * 0.3;
    return times(person.skin, (lips ? 0.72 : 1) * (0.9 + noise(x * 5, y * 7) * 0.2 - person.age * 0.1 * noise(x * 3, y * 18)));
  }
  const front = s < (y + 2.9) * 0.36;
  if (person.dress === 'suit' && front) return s < 0.12 + (y + 1.3) * -0.05 ? [0.2, 0.1, 0.1] : [0.85, 0.85, 0.82];
  if (person.dress === 'suit' && s < (y + 3.1) * 0.42) return times(person.dressColor, 0.6);
  if (person.dress === 'apron' && (y < -2.15 ? s < 0.66 : Math.abs(s - 0.5) < 0.11)) return [0.84, 0.83, 0.78];
  if (person.dress === 'blouse' && Math.abs(s - (y + 2.1) * 0.6) < 0.13 && y > -1.9) return [0.88, 0.86, 0.82];
  const weave =
    person.dress === 'jersey' ? Math.sin(y * 50) * 0.06 : noise(x * 6 + 9, y * 6) > 0.6 && person.dress === 'blouse' ? 0.22 : 0;
  return times(person.dressColor, 1 + weave + (noise(x * 2, y * 3) - 0.5) * 0.4);
}

/** Draws a person over a picture: the center of the head at a place in units, `size` units for a quarter of its height. */
export function drawPerson(picture: Picture, person: Person, centerX: number, centerY: number, size: number, light = -0.6): void {
  const { width, height, scale, data } = picture;
  const shape = createShape(person);
  const noise = createNoise(person.seed + 5, 3);
  const pixels = size * scale;
  const [left, top] = [Math.floor(centerX * scale - 2.6 * pixels), Math.floor(centerY * scale - 1.7 * pixels)];
  for (let row = Math.max(0, top); row < Math.min(height, top + 11 * pixels); row++)
    for (let column = Math.max(0, left); column < Math.min(width, left + 5.2 * pixels); column++) {
      const [x, y] = [(column + 0.5 - centerX * scale) / pixels, (centerY * scale - row - 0.5) / pixels];
      const color = lightAt(person, shape, noise, x, y, light, 1 / pixels);
      if (!color) continue;
      for (let c = 0; c < 3; c++) {
        const i = (row * width + column) * 3 + c;
        data[i] = (data[i] ?? 0) * (1 - color[3]) + (color[c] as number) * color[3];
      }
    }
}

/** Follows a ray into the picture. Returns the color of what it meets and how much of the pixel it covers. */
function lightAt(
  person: Person,
  shape: ReturnType<typeof createShape>,
  noise: (x: number, y: number) => number,
  x: number,
  y: number,
  light: number,
  pixel: number,
): [number, number, number, number] | undefined {
  let [z, nearest] = [1.6, 9];
  for (let step = 0; step < 48 && z > -1.6; step++) {
    const [d] = shape(x, y, z);
    nearest = Math.min(nearest, d);
    if (d < 0.004) break;
    z -= d * 0.85;
  }
  if (nearest > pixel * 0.8) return undefined;
  if (nearest >= 0.004) return undefined;
  const [d, material, mx] = shape(x, y, z);
  const e = 0.012;
  const normal = [shape(x + e, y, z)[0] - d, shape(x, y + e, z)[0] - d, shape(x, y, z + e)[0] - d];
  const length = Math.hypot(...normal) || 1;
  const [nx, ny, nz] = normal.map((n) => n / length) as [number, number, number];
  const [lx, ly, lz] = [light, 0.55, 0.62];
  let shadow = 1;
  for (let t = 0.06; t < 1; t += 0.11)
    shadow = Math.min(shadow, 0.35 + (6 * Math.max(0, shape(x + lx * t, y + ly * t, z + lz * t)[0])) / t);
  const open = Math.min(1, 0.45 + shape(x + nx * 0.2, y + ny * 0.2, z + nz * 0.2)[0] * 2.75);
  const lit = Math.max(0, nx * lx + ny * ly + nz * lz) * shadow;
  const shine = material === 'eye' || material === 'skin' ? Math.max(0, nz * 0.8 + ny * 0.4 + nx * light * 0.4) ** 14 * 0.1 : 0;
  const k = (lit * 0.95 + 0.3 * open + Math.max(0, -nx * Math.sign(light)) * 0.12) * 1.05;
  const [r, g, b] = colorOf(material, mx, y, person, noise);
  return [r * k + shine, g * k + shine, b * k + shine, 1];
}
