/** The motifs of the photographs, composed of hills, houses, boats, water and people, in grays. */
import { createPerson, drawPerson } from './people.ts';
import * as raster from './raster.ts';
import { blur, box, line, many, move, oval, shape } from './svg.ts';

/** Random numbers, and the size of a picture in units. */
type Stage = Readonly<{ next: () => number; w: number; h: number }>;

/** What is in a photograph. Heights are parts of its height from the top, and lengths of boats parts of its width. */
interface Motif {
  /** Light of the sky, from the zenith to the horizon. */
  sky: readonly [zenith: number, low: number];
  horizon: number;
  houses?: number;
  water?: boolean;
  ground?: readonly [height: number, light: number];
  boats?: readonly [count: number, length: number, height: number];
  /** More drawings: behind the water, and on the ground. */
  back?: (stage: Stage) => string;
  front?: (stage: Stage, isNight: boolean) => string;
  /** The place and the size of the heads of the first row, and how many people are in the rows, from the last one. */
  people?: readonly [who: 'all' | 'sailors' | 'women' | 'children', height: number, size: number, ...rows: number[]];
}

const [DAY, GRAY, NIGHT] = [
  [0.66, 0.9],
  [0.55, 0.8],
  [0.06, 0.2],
] as const;

/** The motifs in the order of the titles in the collection; the last one is the crew. */
const MOTIFS: readonly Motif[] = [
  { sky: DAY, horizon: 0.52, water: true, ground: [0.76, 0.5], front: drawNets, people: ['sailors', 0.66, 0.24, 3] },
  { sky: DAY, horizon: 0.56, ground: [0.56, 0.6], front: drawStreet, people: ['all', 0.66, 0.09, 5] },
  { sky: DAY, horizon: 0.6, back: drawFerry, water: true },
  { sky: DAY, horizon: 0.44, water: true, ground: [0.64, 0.46], people: ['children', 0.5, 0.19, 7] },
  { sky: GRAY, horizon: 0.66, houses: 5, back: drawSteam, water: true, boats: [2, 0.2, 0.78] },
  { sky: NIGHT, horizon: 0.56, ground: [0.56, 0.24], front: drawStreet, people: ['all', 0.64, 0.09, 6] },
  { sky: GRAY, horizon: 0.62, houses: 5, water: true, boats: [1, 0.3, 0.82] },
  { sky: DAY, horizon: 0.5, ground: [0.48, 0.44], people: ['children', 0.72, 0.16, 6, 7] },
  { sky: DAY, horizon: 0.6, ground: [0.66, 0.52], boats: [1, 0.9, 0.76], people: ['all', 0.9, 0.09, 13, 12] },
  { sky: GRAY, horizon: 0.3, ground: [0, 0.36], people: ['women', 0.62, 0.22, 6, 5] },
  { sky: GRAY, horizon: 0.56, houses: 4, ground: [0.55, 0.92], boats: [2, 0.3, 0.8] },
  { sky: DAY, horizon: 0.5, water: true, boats: [4, 0.36, 0.76] },
  { sky: GRAY, horizon: 0.3, ground: [0, 0.58], people: ['sailors', 0.8, 0.22, 5, 6, 5] },
];
/** The number of the motif of a crew. */
export const CREW = MOTIFS.length;

function drawHills({ next, w, h }: Stage, horizon: number): string {
  const noise = raster.createNoise(next() * 99, 5);
  const ridge = many(81, (n) => `L${(w * n) / 80} ${horizon + h * (0.04 - noise(n / 14, 3) * 0.2)}`);
  return shape(`M0 ${horizon + 2}${ridge}L${w} ${horizon + 2}z`, 0.62);
}

/** A wooden house of some 100 × 130 units, with a gable, a chimney, and windows on two floors. */
function drawHouse({ next }: Stage, light: number): string {
  const [tall, roof] = [70 + next() * 40, 25 + next() * 20];
  const boards = many(16, (n) => line(`M0 ${-n * 5}h100`, light - 0.06, 0.6));
  const windows = many(6, (n) => {
    const [left, top, glass] = [12 + (n % 3) * 30, tall * (n < 3 ? -0.85 : -0.42), light > 0.3 ? 0.14 : 0.8];
    return box(left - 2, top - 2, 19, tall * 0.24 + 4, light + 0.16) + box(left, top, 15, tall * 0.24, glass);
  });
  const chimney = box(70, -tall - roof, 9, roof, light - 0.15);
  const gable = shape(`M-5 ${-tall}L50 ${-tall - roof}L105 ${-tall}z`, light - 0.2);
  return box(0, -tall, 100, tall, light) + boards + windows + chimney + gable;
}

/** A boat of a length of 100 units, seen from the side: a hull and a cabin, with a mast and rigging. */
function drawBoat({ next }: Stage, light: number): string {
  const mast = 70 + next() * 40;
  const rig = `M10 ${-mast}L-48 -12M10 ${-mast}L52 -19M10 ${-mast * 0.3}L-30 ${-mast * 0.72}`;
  const sail = next() < 0.4 ? shape(`M8 ${-mast * 0.92}L7 -16L-42 -20z`, light + 0.42) : '';
  const hull = shape('M-50 -13q6 17 14 17h66q12 -4 24 -24q-40 12 -104 7z', light);
  const cabin = box(-32, -24, 22, 16, light + 0.32) + box(-28, -20, 5, 5, 0.1) + box(-19, -20, 5, 5, 0.1);
  return sail + line(`M10 0V${-mast}`, light, 1.8) + line(rig, light, 0.5) + cabin + hull;
}

function drawFerry({ next, w, h }: Stage): string {
  const decks = box(-36, -21, 64, 11, 0.62) + box(-30, -28, 46, 7, 0.58) + box(6, -34, 12, 7, 0.54);
  const portholes = many(13, (n) => box(n * 4.5 - 33, -18, 2.2, 3, 0.3));
  const hull = shape('M-50 -12l7 12.5h86l9 -16q-30 5 -102 3.5z', 0.34) + shape('M-12 -27l1 -20h8l1 20z', 0.3);
  const smoke = many(16, (n) => oval(-7 - n * 3, -50 - n * 2 - next() * 4, 3 + n, 3 + n, 0.5, 0.3 - n * 0.016));
  return move(w * (0.4 + next() * 0.2), h * 0.6, blur(smoke, 3) + decks + portholes + hull, `scale(${w / 180})`);
}

function drawSteam({ next, w, h }: Stage): string {
  const puffs = many(30, (n) => oval(w * 0.7 - n * 9, h * 0.2 - n * 2 - next() * 20, 8 + n, 8 + n, 0.84 + next() * 0.16, 0.6));
  return blur(puffs, 4);
}

/** Nets that hang from a rope between poles. */
function drawNets({ next, w, h }: Stage): string {
  return many(4, (n) => {
    const [x, y, wide, sag] = [w * (n * 0.26 - 0.02), h * 0.22, w * 0.26, h * (0.06 + next() * 0.08)];
    const ropes = many(26, (m) => line(`M${x} ${y + m * h * 0.017}q${wide / 2} ${sag} ${wide} 0`, 0.1, 0.8, 0.75));
    const twine = many(30, (m) => {
      const top = y + (sag * m * (30 - m)) / 450;
      return line(`M${x + (wide * m) / 30} ${top}q${6 - next() * 12} ${h * 0.2} 0 ${h * 0.42}`, 0.1, 0.8);
    });
    return ropes + twine + line(`M${x} ${h * 0.17}V${h * 0.84}`, 0.09, 5);
  });
}

/** A street that leads away between houses, under lanterns. */
function drawStreet({ next, w, h }: Stage, isNight: boolean): string {
  const houses = many(10, (n) => {
    const size = (w / 230) * 0.72 ** (4 - (n >> 1));
    const x = w / 2 + (n % 2 ? 45 : -45) * size;
    const light = ((n % 2 ? 0.6 : 0.42) + next() * 0.12) * (isNight ? 0.4 : 1);
    return move(x, h * 0.56 + size * 34, drawHouse({ next, w, h }, light), `scale(${n % 2 ? size : -size} ${size * 1.3})`);
  });
  const lanterns = many(21, (n) => {
    const [size, t] = [0.3 + (n % 3) * 0.3, (n - 10) / 20];
    return oval(w / 2 + w * size * t, h * (0.56 - size * (0.4 + t * t * 0.3)), 9 * size, 12 * size, 1);
  });
  return houses + blur(lanterns, 9) + lanterns;
}

/** Draws the people of a motif in rows before each other. */
function drawPeople(picture: raster.Picture, { next, w, h }: Stage, people: Motif['people'], seed: number): void {
  const [who, height, size, ...rows] = people ?? ['all', 0, 0];
  rows.forEach((count, row) => {
    const unit = Math.min(h * size, (w * 1.1) / count) / 4;
    for (let n = 0; n < count; n++) {
      const isWoman = who === 'women' || (who !== 'sailors' && next() < 0.5);
      const hasCap = who === 'sailors' && next() < 0.55;
      const age = who === 'children' ? 0 : 0.1 + next() * 0.7;
      const x = w / 2 + (n - (count - 1) / 2) * Math.min(unit * 4.2, (w * 0.9) / count) + (next() - 0.5) * unit;
      const y = h * height - unit * ((rows.length - 1 - row) * 2.7 + next() * 0.6);
      drawPerson(picture, createPerson(seed * 40 + row * 14 + n, { isWoman, hasCap, age }), [x, y, unit], seed % 2 ? -0.6 : 0.5);
    }
  });
}

/** Replaces what is below a horizon by its reflection in water. */
function reflect(picture: raster.Picture, horizon: number, waves: raster.Noise): void {
  const { data, width, scale } = { ...picture, data: picture.data.slice() };
  raster.changePixels(picture, (color, x, y) => {
    const depth = y - horizon;
    if (depth < 0) return color;
    const wave = waves(x / (8 + depth / 2), y * (2.4 - Math.min(1.9, depth / 70))) - 0.5;
    const row = Math.max(0, Math.min(horizon - 1, horizon - depth * 0.95 + wave * (3 + depth * 0.9)));
    const light = (data[(Math.floor(row * scale) * width + Math.floor(x * scale)) * 3] ?? 0) / 255;
    return raster.times([light, light, light], 0.82 + wave * (0.25 + depth / 500));
  });
}

/** Draws the motif with a number from 1 on. `scale` is the number of pixels in a unit; the picture is some 440 units high. */
export async function drawScene(
  number: number,
  seed: number,
  width: number,
  height: number,
  scale: number,
): Promise<raster.Picture> {
  const motif = MOTIFS[number - 1] as Motif;
  const stage = { next: raster.createRandom(seed * 7919 + 17), w: width / scale, h: height / scale };
  const { next, w, h } = stage;
  const horizon = h * motif.horizon;
  const clouds = raster.createNoise(seed, 4);
  const picture = raster.createPicture(width, height, scale, (x, y) => {
    const t = Math.min(1, y / (h * 0.62));
    const light = raster.mix(...motif.sky, t) * (0.75 + clouds(x / 150 + y / 400, y / (64 - t * 40)) / 2);
    return [light, light, light];
  });
  const { houses = 0, ground = [1, 0], boats = [0, 0, 0], back, front, people } = motif;
  const size = `scale(${w / houses / 105})`;
  const row = many(houses, (n) => move((w * n) / houses, horizon, drawHouse(stage, 0.4 + next() * 0.2), size));
  const haze = blur(line(`M0 ${horizon}h${w}`, motif.sky[1], h * 0.3, back === drawFerry ? 0.75 : 0.25), h * 0.08);
  await raster.drawOver(picture, drawHills(stage, horizon) + row + (back?.(stage) ?? '') + haze);
  if (motif.water) reflect(picture, horizon, raster.createNoise(seed + 1, 3));
  const [count, length, at] = boats;
  const zoom = (w * length) / 100;
  const fleet = many(count, (n) =>
    move(w * ((n + 0.3 + next() * 0.4) / count), h * at, drawBoat(stage, 0.12), `scale(${n % 2 ? -zoom : zoom} ${zoom})`),
  );
  const floor = box(0, h * ground[0], w, h, ground[1]);
  await raster.drawOver(picture, floor + fleet + (front?.(stage, motif.sky === NIGHT) ?? ''));
  drawPeople(picture, stage, people, seed);
  return picture;
}
