/** People for portraits and groups, as solid shapes under a light: their faces have the soft shadows of a photograph. */
import { type Color, changePixels, createNoise, createRandom, type Noise, type Picture, parseColor, times } from './raster.ts';

const HAIR = ['#1a1412', '#38261a', '#6b4d2e', '#8c8a85', '#dbd9d4'].map(parseColor);
const SKIN = ['#dba88a', '#cc9473', '#ad7859', '#80543d'].map(parseColor);
const CLOTH = ['#29334a', '#523d33', '#8c806b', '#3d4d42', '#733333', '#9ea8ad', '#212124'].map(parseColor);
const [LINEN, TIE, PUPIL, EYE] = ['#dbd8d1', '#331a1a', '#140f0d', '#9e948c'].map(parseColor) as [Color, Color, Color, Color];

/**
 * Returns a person; the same seed gives the same one. Ages are from 0, a child, to 1. Lengths are in quarters of the height of a
 * head: factors of the jaw and the body. The head is turned by `yaw`, in radians.
 */
export function createPerson(seed: number, { isWoman = false, hasCap = false, age = 0 }) {
  const next = createRandom(seed * 6007 + 3);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const hair = isWoman ? pick(['long', 'bun', 'short']) : age > 0.4 && next() < 0.3 ? 'bald' : 'short';
  return {
    seed,
    age,
    hair: hasCap ? 'cap' : hair,
    hasSuit: !isWoman && next() < 0.7,
    hairColor: pick(age > 0.55 + next() * 0.3 ? HAIR.slice(3) : HAIR.slice(0, 3)),
    skin: pick(SKIN),
    cloth: pick(CLOTH),
    hasBeard: !isWoman && age > 0.2 && next() < 0.4,
    hasGlasses: age > 0.3 && next() < 0.45,
    jaw: (isWoman ? 0.9 : 1.02) + next() * 0.14,
    build: (isWoman ? 1.04 : 1.22) * (age ? 1 : 0.74) + next() * 0.2,
    yaw: (next() - 0.5) * 0.6,
  };
}

/** What a person looks like. */
export type Person = ReturnType<typeof createPerson>;
type Point = readonly [x: number, y: number, z: number];
type Material = 'skin' | 'eye' | 'hair' | 'frame' | 'cloth';

/** Returns the smaller distance, with a rounded seam of width `k` between both shapes. */
function join(a: number, b: number, k: number): number {
  const h = Math.max(k - Math.abs(a - b), 0) / k;
  return Math.min(a, b) - (h * h * k) / 4;
}

const cut = (a: number, b: number, k: number) => -join(-a, b, k);

/** Returns the distance to an ellipsoid with the radii `a`, `b` and `c` around the origin. */
function ellipsoid(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const near = Math.hypot(x / a, y / b, z / c);
  return (near * (near - 1)) / (Math.hypot(x / a ** 2, y / b ** 2, z / c ** 2) + 1e-6);
}

type Line = readonly [x0: number, y0: number, x1: number, y1: number];

/** Returns the distance to a limb along a line at depth 0. */
function limb(x: number, y: number, z: number, [x0, y0, x1, y1]: Line, radius: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x0 - dx * t, y - y0 - dy * t, z) - radius;
}

/** Returns the distance to a bare head and neck whose center is the origin and whose nose points to z; `s` is |x|. */
function distanceToHead([s, y, z]: Point, { jaw, age }: Person): number {
  const skull = ellipsoid(s, y - 0.25, z + 0.1, 0.8, 0.86, 0.92);
  let d = join(skull, ellipsoid(s, y + 0.36, z - 0.12, 0.61 * jaw, 0.78, 0.66), 0.3);
  const cheek = ellipsoid(s - 0.4, y + 0.14, z - 0.5, 0.2, 0.15, 0.17);
  const chin = ellipsoid(s, y + 0.95, z - 0.5, 0.22 * jaw, 0.16, 0.2);
  d = join(join(d, cheek, 0.22), chin, 0.22);
  const socket = ellipsoid(s - 0.3, y - 0.06, z - 0.92, 0.2, 0.13, 0.2);
  const brow = ellipsoid(s - 0.3, y - 0.25, z - 0.68, 0.25, 0.07, 0.12);
  const lid = Math.max(ellipsoid(s - 0.29, y - 0.06, z - 0.6, 0.18, 0.165, 0.175), 0.09 - y - age * 0.02);
  d = join(join(cut(d, socket, 0.14), brow, 0.12), lid, 0.03);
  d = join(d, ellipsoid(s, y + 0.1, z - 0.8 - (0.12 - y) * 0.2, 0.075, 0.3, 0.12), 0.1);
  d = join(d, ellipsoid(s, y + 0.27, z - 0.93, 0.11, 0.1, 0.13), 0.06);
  d = join(d, ellipsoid(s - 0.12, y + 0.3, z - 0.82, 0.07, 0.06, 0.09), 0.05);
  const lips = join(ellipsoid(s, y + 0.5, z - 0.7, 0.21, 0.05, 0.1), ellipsoid(s, y + 0.63, z - 0.68, 0.18, 0.06, 0.11), 0.08);
  d = cut(join(d, lips, 0.08), ellipsoid(s, y + 0.56, z - 0.86, 0.22, 0.018, 0.14), 0.04);
  const crease = ellipsoid(s - 0.14 + y * 0.4, y + 0.42, z - 0.84, 0.03, 0.2, 0.08);
  const ear = ellipsoid(s - 0.81, y + 0.02, z + 0.1, 0.09, 0.24, 0.14);
  return join(cut(d, crease, 0.06 + age * 0.08), ear, 0.06);
}

/** Returns the distance to the hair, the beard and the cap. */
function distanceToHair([s, y, z]: Point, { hair, hasBeard, jaw, age }: Person, rough: number): number {
  const face = ellipsoid(s, y + 0.38, z - 0.72, 0.68, 1.05 + age * 0.12, 0.74);
  let d = cut(ellipsoid(s, y - 0.28, z + 0.14, 0.87, 0.9, 0.98) - rough, face, 0.08);
  d = Math.max(d, (hair === 'long' ? -1.5 : z > 0.1 ? 0.05 : -0.5) - y);
  if (hair === 'bald') d = Math.max(d, y - 0.38 + z * 0.5);
  if (hair === 'long') d = join(d, cut(ellipsoid(s - 0.62, y + 0.55, z + 0.2, 0.34, 0.95, 0.5) - rough, face, 0.1), 0.2);
  if (hair === 'bun') d = join(d, ellipsoid(s, y - 1.1, z + 0.35, 0.36, 0.3, 0.36) - rough, 0.08);
  if (hair === 'cap')
    d = Math.min(d, ellipsoid(s, y - 0.72, z + 0.02, 0.95, 0.42, 1.05), ellipsoid(s, y - 0.5, z - 0.86, 0.62, 0.06, 0.42));
  if (!hasBeard) return d;
  const chin = Math.max(ellipsoid(s, y + 0.5, z - 0.16, 0.65 * jaw, 0.78, 0.68) - rough * 0.9, y + 0.42 - s * 0.7);
  const mustache = ellipsoid(s - 0.12, y + 0.43, z - 0.84, 0.17, 0.06, 0.1);
  return Math.min(d, mustache, cut(chin, ellipsoid(s, y + 0.57, z - 0.85, 0.19, 0.07, 0.3), 0.05));
}

function distanceToBody([s, y, z]: Point, { build, hasSuit }: Person): number {
  const chest = ellipsoid(s, y + 2.75, z + 0.3, 1.35 * build, 1, 0.72);
  const shoulder = limb(s, y, z + 0.3, [0, -1.95, 1.15 * build, -2.3], 0.42);
  const arm = limb(s, y, z + 0.25, [1.3 * build, -2.35, 1.5 * build, -5.8], 0.34);
  const waist = limb(s, y, z + 0.3, [0.45 * build, -3, 0.5 * build, -5], 0.62);
  const leg = limb(s, y, z + 0.3, [0.4, -5, 0.55, -9], hasSuit ? 0.4 : 0.7);
  return join(join(join(join(chest, shoulder, 0.3), arm, 0.12), waist, 0.3), leg, 0.3);
}

/** Returns the distance to a person at a place, the material of what is nearest there, and its place from the nose. */
type Shape = (x: number, y: number, z: number) => [distance: number, Material, x: number];

function createShape(person: Person): Shape {
  const noise = createNoise(person.seed, 2);
  const [sin, cos] = [Math.sin(person.yaw), Math.cos(person.yaw)];
  return (x, y, z) => {
    const body = y > -0.7 ? 9 : distanceToBody([Math.abs(x), y - 0.42, z], person);
    const far = Math.hypot(x, y, z) - 1.75;
    if (y < -2.1 || far > 0.4) return [y < -2.1 ? body : Math.min(body, far), 'cloth', x];
    const [hx, hz] = [x * cos - z * sin, x * sin + z * cos];
    const at: Point = [Math.abs(hx), y, hz];
    const strands = (noise(hx * 4 + 40, y * 2 + hz * 3) - 0.3) * 0.12 + noise(hx * 26, y * 4 + hz * 9) * 0.035;
    const ring = Math.hypot(Math.hypot(at[0] - 0.31, y - 0.03) - 0.22, hz - 0.88 + at[0] * 0.2) - 0.014;
    const parts: Array<[number, Material]> = [
      [body, 'cloth'],
      [join(distanceToHead(at, person), limb(x, y, z + 0.18, [0, -0.7, 0, -1.9], 0.4), 0.15), 'skin'],
      [distanceToHair(at, person, strands), 'hair'],
      [ellipsoid(at[0] - 0.29, y - 0.05, hz - 0.6, 0.155, 0.155, 0.155), 'eye'],
      [person.hasGlasses ? Math.min(ring, limb(hz, y, at[0] - 0.74, [0, 0.08, 0.7, 0.08], 0.015)) : 9, 'frame'],
    ];
    const [distance, material] = parts.reduce((a, b) => (b[0] < a[0] ? b : a));
    return [distance, material, material === 'cloth' ? x : hx];
  };
}

/** Returns the color of a material at a place, without light. */
function colorOf(material: Material, x: number, y: number, person: Person, noise: Noise): Color {
  const s = Math.abs(x);
  if (material === 'frame') return PUPIL;
  if (material === 'eye') return Math.hypot(s - 0.29, y - 0.05) < 0.085 ? PUPIL : EYE;
  if (material === 'hair')
    return times(person.hair === 'cap' && y > 0.35 ? person.cloth : person.hairColor, 0.75 + noise(x * 24, y * 3) * 0.5);
  if (material === 'skin') {
    if (s > 0.13 && s < 0.5 && Math.abs(y - 0.29 + Math.abs(s - 0.28) * 0.25) < 0.06 - s * 0.05) return person.hairColor;
    const lips = s < 0.23 && Math.abs(y + 0.56) < 0.1 - s * 0.3 ? 0.72 : 1;
    return times(person.skin, lips * (0.9 + noise(x * 5, y * 7) * 0.2 - person.age * 0.1 * noise(x * 3, y * 18)));
  }
  if (person.hasSuit && s < (y + 2.9) * 0.36) return s < 0.06 - y * 0.05 ? TIE : LINEN;
  if (person.hasSuit && s < (y + 3.1) * 0.42) return times(person.cloth, 0.6);
  if (!person.hasSuit && Math.abs(s - (y + 2.1) * 0.6) < 0.13 && y > -1.9) return LINEN;
  return times(person.cloth, 1 + (noise(x * 2, y * 3) - 0.5) * 0.4);
}

/**
 * Draws a person over a picture: the center of the head at a place in units, `size` units for a quarter of its height. The light
 * comes from the left if `light` is negative.
 */
export function drawPerson(picture: Picture, person: Person, [x0, y0, size]: Point, light: number): void {
  const shapeAt = createShape(person);
  const noise = createNoise(person.seed + 5, 3);
  changePixels(picture, (color, left, top) => {
    const [x, y] = [(left - x0) / size, (y0 - top) / size];
    if (Math.abs(x) > 2.6 || y > 1.7) return color;
    let z = 1.6;
    for (let step = 0; step < 48 && z > -1.6; step++) {
      const [distance, material, fromNose] = shapeAt(x, y, z);
      if (distance < 0.004) return times(colorOf(material, fromNose, y, person, noise), lightAt(shapeAt, [x, y, z], light));
      z -= distance * 0.85;
    }
    return color;
  });
}

/** Returns how much light a place on the shape has: from the lamp, unless it is in shadow, and from the room. */
function lightAt(shapeAt: Shape, [x, y, z]: Point, light: number): number {
  const at = (dx: number, dy: number, dz: number) => shapeAt(x + dx, y + dy, z + dz)[0];
  const d = at(0, 0, 0);
  const slope = [at(0.012, 0, 0) - d, at(0, 0.012, 0) - d, at(0, 0, 0.012) - d] as const;
  const [nx, ny, nz] = slope.map((n) => n / (Math.hypot(...slope) || 1)) as [number, number, number];
  let shadow = 1;
  for (let t = 0.06; t < 1; t += 0.11) shadow = Math.min(shadow, 0.35 + (6 * Math.max(0, at(light * t, 0.55 * t, 0.62 * t))) / t);
  const lamp = Math.max(0, nx * light + ny * 0.55 + nz * 0.62) * shadow;
  const room = Math.min(1, 0.45 + at(nx * 0.2, ny * 0.2, nz * 0.2) * 2.75);
  return lamp + 0.32 * room + Math.max(0, -nx * Math.sign(light)) * 0.12;
}
