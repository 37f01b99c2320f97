/** Stills of the interviews: a narrator in a room, from a video camera. */
import { createPerson, drawPerson } from './people.ts';
import { develop } from './prints.ts';
import { createNoise, createPicture, createRandom, drawOver, type Picture, parseColor, soften, times } from './raster.ts';
import { box, many, move, shape } from './svg.ts';

const WALLS = ['#807561', '#5c6b6b', '#857066', '#4d4d54', '#707861', '#948f85'].map(parseColor);

/** Shelves of books, of some 240 × 380 units. */
function drawShelves(next: () => number): string {
  const rows = many(4, (row) => {
    const books = many(18, (n) => {
      const [tall, wide] = [44 + next() * 24, 8 + next() * 5];
      const color = `hsl(${next() * 60},${15 + next() * 35}%,${16 + next() * 40}%)`;
      return box(n * 13, row * 92 + 74 - tall, wide, tall, color);
    });
    return books + box(0, row * 92 + 74, 240, 9, '#4a3526');
  });
  return box(0, -20, 240, 400, '#2b211a') + rows;
}

function drawWindow(next: () => number): string {
  const bars = box(101, -20, 8, 250, '#eee8dc') + box(30, 66, 150, 8, '#eee8dc');
  const curtains = shape('M0 -20h44q-10 160 4 300H0zM166 -20h60v300h-66q14 -140 6 -300z', `hsl(${next() * 360},22%,42%)`);
  return box(30, -20, 150, 250, '#dfe8ea') + bars + curtains;
}

/** Draws a narrator, the same for the same number, in a room; `take` changes the room. */
export async function drawPortrait(narrator: number, isWoman: boolean, take: number): Promise<Picture> {
  const next = createRandom(take * 131 + narrator);
  const wall = WALLS[take % WALLS.length] ?? [0.5, 0.5, 0.5];
  const noise = createNoise(take, 3);
  const isLeft = take % 2 === 0;
  const picture = createPicture(480, 360, 1, (x, y) => times(wall, 0.9 + noise(x / 200, y / 160) * 0.4));
  await drawOver(picture, move(isLeft ? -20 : 260, 10 + next() * 30, take % 3 ? drawShelves(next) : drawWindow(next)));
  await soften(picture, 4);
  const person = createPerson(narrator, { isWoman, age: 0.45 + createRandom(narrator + 900)() * 0.55 });
  person.yaw = (isLeft ? -1 : 1) * (0.12 + next() * 0.42);
  drawPerson(picture, person, [isLeft ? 270 : 210, 158, 62 + next() * 16], isLeft ? -0.6 : 0.6);
  await develop(picture, take, isLeft ? (take % 3 ? 'silver' : 'sepia') : 'color');
  return picture;
}
