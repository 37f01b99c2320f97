/** Parts of scenes: hills, houses, boats, figures and groups, in grays. */
import { createPerson, type Person } from './people.ts';
import { createNoise } from './raster.ts';

/** A place for drawings: random numbers, and the size of the picture in units. */
export interface Stage {
  next: () => number;
  w: number;
  h: number;
}

/** What is in a scene, from the sky to the foreground. */
export interface Layers {
  /** Light of the sky, from the zenith to the horizon, and of its clouds. */
  sky: readonly [zenith: number, horizon: number, clouds: number];
  back: string;
  /** Where water begins, and how much of the light it reflects. */
  water?: readonly [horizon: number, light: number];
  middle?: string;
  people?: ReadonlyArray<readonly [Person, x: number, y: number, size: number]>;
  front?: string;
  /** Light of the haze that grows towards a height. */
  haze?: readonly [height: number, strength: number];
}

/** Returns a gray of a light from 0 to 1, for SVG. */
export const gray = (light: number) => {
  const value = Math.round(255 * Math.min(1, Math.max(0, light)));
  return `rgb(${value},${value},${value})`;
};
/** The parts of drawings: filled shapes, lines, boxes, and many of them. */
export const shape = (path: string, light: number, more = '') => `<path d="${path}" fill="${gray(light)}" ${more}/>`;
export const line = (path: string, light: number, width: number, more = '') =>
  `<path d="${path}" stroke="${gray(light)}" stroke-width="${width}" fill="none" stroke-linecap="round" ${more}/>`;
export const box = (x: number, y: number, w: number, h: number, light: number) => shape(`M${x} ${y}h${w}v${h}h${-w}z`, light);
export const many = (count: number, draw: (n: number) => string) =>
  Array.from({ length: Math.round(count) }, (_, n) => draw(n)).join('');
/** Puts elements behind a blur of some units. */
export const blurred = (elements: string, by: number, id = `b${Math.round(by * 10)}`) =>
  `<filter id="${id}" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${by}"/></filter><g filter="url(#${id})">${elements}</g>`;

/** A ridge of hills above a horizon. */
export function drawHills({ w, h }: Stage, horizon: number, height: number, light: number, seed: number): string {
  const noise = createNoise(seed, 5);
  const ridge = Array.from(
    { length: 81 },
    (_, i) => `L${(w * i) / 80} ${horizon - height * h * noise(i / 14, 3) * 1.4 + height * h * 0.25}`,
  );
  return shape(`M0 ${horizon + 2}${ridge.join('')}L${w} ${horizon + 2}z`, light);
}

/** A wooden house: gable or hip, windows with light frames, a chimney. */
export function drawHouse({ next }: Stage, x: number, y: number, w: number, tall: number, light: number): string {
  const roof = tall * (0.32 + next() * 0.25);
  const gable = next() < 0.5;
  const top = y - tall;
  const columns = Math.max(2, Math.round(w / (tall * 0.3)));
  const floors = tall > w * 0.8 ? 2 : 1;
  const windows = many(columns * floors, (n) => {
    const [ww, wh] = [(w / columns) * 0.42, (tall / floors) * 0.42];
    const [wx, wy] = [x + ((n % columns) + 0.29) * (w / columns), top + (Math.floor(n / columns) + 0.28) * (tall / floors)];
    return `${box(wx - ww * 0.12, wy - ww * 0.12, ww * 1.24, wh + ww * 0.24, light + 0.16)}${box(wx, wy, ww, wh, 0.1 + next() * 0.15)}${line(`M${wx} ${wy + wh / 2}h${ww}M${wx + ww / 2} ${wy}v${wh}`, light + 0.12, w / 130)}`;
  });
  const boards = many(tall / 4, (n) => line(`M${x} ${top + n * 4}h${w}`, light - 0.05, 0.5, 'opacity="0.6"'));
  const slope = gable
    ? `M${x - w * 0.05} ${top + 1}L${x + w / 2} ${top - roof}L${x + w * 1.05} ${top + 1}z`
    : `M${x - w * 0.05} ${top + 1}L${x + w * 0.12} ${top - roof * 0.8}H${x + w * 0.88}L${x + w * 1.05} ${top + 1}z`;
  return `${box(x + w * 0.68, top - roof * 1.05, w * 0.09, roof, light - 0.18)}${box(x, top, w, tall, light)}${shape(`M${x + w * 0.82} ${top}h${w * 0.18}v${tall}h${-w * 0.18}z`, light - 0.13, 'opacity="0.6"')}${boards}${windows}${shape(slope, light - 0.2)}${line(`M${x - w * 0.05} ${top + 2}h${w * 1.1}`, light - 0.3, 1.4)}`;
}

/** A fishing boat of a length, seen from the side, with a mast and rigging. */
export function drawBoat({ next }: Stage, x: number, y: number, long: number, light: number): string {
  const side = next() < 0.5 ? 1 : -1;
  const mast = long * (0.7 + next() * 0.4);
  const hull = `M${-long / 2} ${-long * 0.13}q${long * 0.06} ${long * 0.17} ${long * 0.14} ${long * 0.17}h${long * 0.66}q${long * 0.12} ${-long * 0.04} ${long * 0.24} ${-long * 0.24}q${-long * 0.4} ${long * 0.12} ${-long * 1.04} ${long * 0.07}z`;
  const cabin = `M${-long * 0.32} ${-long * 0.08}v${-long * 0.16}h${long * 0.22}v${long * 0.16}z`;
  const rig = `M${long * 0.1} ${-mast}L${-long * 0.48} ${-long * 0.12}M${long * 0.1} ${-mast}L${long * 0.52} ${-long * 0.19}M${long * 0.1} ${-mast * 0.3}L${-long * 0.3} ${-mast * 0.72}`;
  const sail =
    next() < 0.35
      ? shape(`M${long * 0.08} ${-mast * 0.92}L${long * 0.07} ${-long * 0.16}L${-long * 0.42} ${-long * 0.2}z`, light + 0.42)
      : '';
  return `<g transform="translate(${x} ${y}) scale(${side} 1) rotate(${(next() - 0.5) * 3})">${sail}${line(`M${long * 0.1} 0V${-mast}`, light, long / 55)}${line(rig, light, long / 220)}${shape(cabin, light + 0.32)}${box(-long * 0.28, -long * 0.2, long * 0.05, long * 0.05, 0.1)}${box(-long * 0.19, -long * 0.2, long * 0.05, long * 0.05, 0.1)}${shape(hull, light)}${line(`M${-long / 2} ${-long * 0.115}q${long * 0.6} ${long * 0.06} ${long} ${-long * 0.06}`, light + 0.45, long / 70)}</g>`;
}

/** A standing figure from far away, as a soft dark shape. */
export function drawFigure({ next }: Stage, x: number, y: number, tall: number, light: number): string {
  const skirt = next() < 0.45;
  const [wide, lean] = [tall * (0.14 + next() * 0.04), (next() - 0.5) * tall * 0.05];
  const legs = skirt
    ? `M${x - wide * 0.7} ${y - tall * 0.5}L${x - wide * 1.2} ${y - tall * 0.1}h${wide * 2.4}L${x + wide * 0.7} ${y - tall * 0.5}z`
    : `M${x - wide * 0.8} ${y - tall * 0.5}L${x - wide * 0.7} ${y}h${wide * 0.55}l${wide * 0.15} ${-tall * 0.42}l${wide * 0.2} ${tall * 0.42}h${wide * 0.6}L${x + wide * 0.8} ${y - tall * 0.5}z`;
  const coat = `M${x - wide * 0.8} ${y - tall * 0.42}q${-wide * 0.5} ${-tall * 0.3} ${wide * 0.2} ${-tall * 0.4}q${wide * 0.6 + lean} ${-tall * 0.05} ${wide * 1.2} 0q${wide * 0.7} ${tall * 0.1} ${wide * 0.2} ${tall * 0.4}z`;
  const hat =
    next() < 0.5
      ? `${line(`M${x + lean - wide * 0.36} ${y - tall * 0.945}h${wide * 0.72}`, light - 0.06, tall * 0.022)}<ellipse cx="${x + lean}" cy="${y - tall * 0.965}" rx="${tall * 0.052}" ry="${tall * 0.042}" fill="${gray(light - 0.06)}"/>`
      : '';
  return `${shape(legs, light - 0.04)}${shape(coat, light + next() * 0.2)}<ellipse cx="${x + lean}" cy="${y - tall * 0.91}" rx="${tall * 0.055}" ry="${tall * 0.072}" fill="${gray(light + 0.32)}"/>${hat}`;
}

/** People in rows, the last row first. */
export function placeGroup(
  { next, w, h }: Stage,
  seed: number,
  rows: readonly number[],
  kind: 'crew' | 'women' | 'children',
  size: number,
  bottom = h,
): NonNullable<Layers['people']> {
  return rows.flatMap((count, row) => {
    const step = Math.min(size * 3.5, (w * 0.9) / count);
    return Array.from({ length: count }, (_, n) => {
      const person = createPerson(
        seed * 40 + row * 12 + n,
        kind === 'women' || (kind === 'children' && next() < 0.5),
        kind === 'children' ? 0 : next() * 0.8,
      );
      person.yaw *= 0.6;
      if (kind === 'women') person.hair = next() < 0.6 ? 'scarf' : person.hair;
      if (kind === 'women') person.dress = next() < 0.7 ? 'apron' : 'blouse';
      if (kind === 'crew') person.hair = next() < 0.55 ? 'cap' : person.hair;
      if (kind === 'children') person.build *= 0.74;
      const x = w / 2 + (n - (count - 1) / 2) * step + (next() - 0.5) * size * 0.7;
      return [
        person,
        x,
        bottom - size * (3.2 + (rows.length - 1 - row) * 2.7 + next() * 0.6),
        size * (0.96 + next() * 0.08),
      ] as const;
    });
  });
}

/** The ground from a height to the foreground. */
export const ground = ({ w, h }: Stage, y: number, light: number) =>
  `${box(0, y, w, h - y, light)}${shape(`M0 ${h}V${y + (h - y) * 0.5}L${w} ${y + (h - y) * 0.75}V${h}z`, light - 0.07)}`;
