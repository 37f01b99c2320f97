/** The motifs of the photographs, each drawn in layers from the sky to the foreground. */
import { drawPerson } from './people.ts';
import {
  changePixels,
  createNoise,
  createPicture,
  createRandom,
  drawOver,
  mirror,
  type Picture,
  reflectInWater,
} from './raster.ts';
import { fleet, fog, launching, nets, snow, works } from './scenes-outdoors.ts';
import { crew, flood, packing, picnic, procession, seaWall, street } from './scenes-people.ts';

/** The motifs in the order of the titles in the collection. */
const MOTIFS = [nets, street, fog, seaWall, works, procession, flood, picnic, launching, packing, snow, fleet, crew] as const;
export const CREW = MOTIFS.length;

/** Draws the motif with a number from 1 on. `scale` is the number of pixels in a unit; the picture is some 440 units high. */
export async function drawScene(motif: number, seed: number, width: number, height: number, scale: number): Promise<Picture> {
  const next = createRandom(seed * 7919 + 17);
  const stage = { next, w: width / scale, h: height / scale };
  const layers = (MOTIFS[motif - 1] ?? fog)(stage, seed);
  const clouds = createNoise(seed, 4);
  const rough = createNoise(seed + 1, 3);
  const [zenith, low, cloud] = layers.sky;
  const picture = createPicture(width, height, scale, (x, y) => {
    const t = Math.min(1, y / (stage.h * 0.62));
    const light = zenith + (low - zenith) * t + (clouds(x / 150 + y / 400, y / (64 - t * 40)) - 0.5) * cloud * 2;
    return [light, light, light];
  });
  await drawOver(picture, layers.back);
  const haze = layers.haze;
  if (haze)
    changePixels(picture, ([light], x, y) => {
      const k = haze[1] * Math.exp(-(((y - haze[0]) / (stage.h * 0.2)) ** 2)) * (0.6 + clouds(x / 160, y / 50) * 0.8);
      const mixed = light + (low - light) * Math.min(1, k);
      return [mixed, mixed, mixed];
    });
  if (layers.water) reflectInWater(picture, layers.water[0], rough, layers.water[1]);
  if (layers.middle) await drawOver(picture, layers.middle);
  for (const [person, x, y, size] of layers.people ?? []) drawPerson(picture, person, x, y, size, seed % 2 ? -0.6 : 0.5);
  if (layers.front) await drawOver(picture, layers.front);
  if (seed % 5 > 2) mirror(picture);
  return changePixels(picture, ([r, g, b], x, y) => {
    const k = 0.86 + rough(x / 14, y / 9) * 0.28 + (rough(x / 2.2, y / 2.2) - 0.5) * 0.12;
    return [r * k, g * k, b * k];
  });
}
