/** Stills of the interviews: a narrator in a room, from a video camera. */
import { createPerson, drawPerson } from './people.ts';
import { develop, soften } from './prints.ts';
import { type Color, changePixels, createNoise, createPicture, createRandom, drawOver, type Picture } from './raster.ts';

const WALLS: readonly Color[] = [
  [0.5, 0.46, 0.38],
  [0.36, 0.42, 0.42],
  [0.52, 0.44, 0.4],
  [0.3, 0.3, 0.33],
  [0.44, 0.47, 0.38],
  [0.58, 0.56, 0.52],
]; // prettier-ignore

type Furniture = (next: () => number) => string;

const shelves: Furniture = (next) => {
  const books = Array.from({ length: 4 }, (_, row) => {
    let [x, out] = [0, ''];
    while (x < 230) {
      const [wide, tall] = [7 + next() * 10, 44 + next() * 24];
      out += `<rect x="${x}" y="${row * 92 + 74 - tall}" width="${wide}" height="${tall}" fill="hsl(${next() * 60},${15 + next() * 35}%,${16 + next() * 40}%)"/>`;
      x += wide + 1;
    }
    return `${out}<rect y="${row * 92 + 74}" width="240" height="9" fill="#4a3526"/>`;
  });
  return `<rect y="-20" width="240" height="400" fill="#2b211a"/>${books.join('')}`;
};

const pane: Furniture = (next) =>
  `<rect x="30" y="-20" width="150" height="250" fill="#dfe8ea"/><path d="M30 150q40 ${-20 - next() * 40} 80 -10t70 0v90H30z" fill="#8fa3a0"/><path d="M105 -20v250M30 70h150" stroke="#eee8dc" stroke-width="8"/><path d="M0 -20h44q-10 160 4 300H0zM166 -20h60v300h-66q14 -140 6 -300z" fill="hsl(${next() * 360},22%,42%)"/>`;

const frames: Furniture = (next) =>
  [0, 1, 2]
    .map(
      (n) =>
        `<g transform="translate(${12 + n * 78} ${30 + next() * 50})"><rect width="64" height="${54 + next() * 40}" fill="#3a2a1e"/><rect x="6" y="6" width="52" height="42" fill="#cfc4a8"/><path d="M6 40l18 -16l14 10l20 -14v28H6z" fill="#7d8782"/></g>`,
    )
    .join('');

const lamp: Furniture = () =>
  `<path d="M70 90h80l22 76H48z" fill="#f6dfa8"/><path d="M106 166h8v200h-8z" fill="#3b2d22"/><rect x="0" y="262" width="240" height="120" fill="#4d3a2b"/>`;

/** Draws a narrator, the same for the same number, in a room; `take` changes the room. Pixels are units. */
export async function drawPortrait(
  narrator: number,
  woman: boolean,
  take: number,
  width: number,
  height: number,
): Promise<Picture> {
  const next = createRandom(take * 131 + narrator);
  const wall = WALLS[take % WALLS.length] as Color;
  const noise = createNoise(take, 3);
  const picture = createPicture(width, height, 1, (x, y) => {
    const k = 0.7 + noise(x / 200, y / 160) * 0.4 + (take % 2 ? x : width - x) / width / 3;
    return [wall[0] * k, wall[1] * k, wall[2] * k];
  });
  const things = [shelves, pane, frames, lamp, pane, shelves];
  const left = take % 2 === 0;
  const second = take % 3 ? `<g transform="translate(${left ? 300 : -30} 20) scale(0.9)">${frames(next)}</g>` : '';
  await drawOver(
    picture,
    `${second}<g transform="translate(${left ? -20 : 260} ${10 + next() * 30})">${(things[(take + narrator) % 6] ?? lamp)(next)}</g>`,
  );
  soften(picture, 5);
  soften(picture, 5);
  const age = 0.45 + createRandom(narrator + 900)() * 0.55;
  const person = createPerson(narrator, woman, age);
  person.yaw = (left ? -1 : 1) * (0.12 + next() * 0.42);
  const size = 62 + next() * 16;
  drawPerson(picture, person, width * (left ? 0.56 : 0.44) + (next() - 0.5) * 40, height * 0.44, size, take % 2 ? 0.6 : -0.6);
  soften(picture, 1);
  if (take % 2)
    changePixels(
      picture,
      (color) => color.map((c) => c * 0.6 + (color[0] * 0.4 + color[1] * 0.5 + color[2] * 0.1) * 0.4) as unknown as Color,
    );
  develop(picture, take, take % 2 ? 'color' : ((['warm', 'silver', 'sepia'] as const)[(take / 2) % 3] ?? 'warm'), {
    grain: 0.06,
    contrast: 1.15,
  });
  return picture;
}
