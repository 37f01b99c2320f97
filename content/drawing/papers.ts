/** Papers of the archive: letters, postcards, timetables, ledgers, maps and clippings. */
import { createHand, handwrite, letter, writeLines } from './lettering.ts';
import { develop, halftone } from './prints.ts';
import { createNoise, createPicture, createRandom, drawOver, type Picture, parseColor, place } from './raster.ts';
import { drawScene } from './scenes.ts';
import { blur, box, line, many, move, oval, shape } from './svg.ts';

type Random = () => number;
const INK = '#2b2823';

/** The elements of papers of 420 × 560 units. */
const PAPERS = { letter: drawLetter, postcard: drawPostcard, timetable: drawTimetable, ledger: drawLedger, map: drawMap };
/** The kinds of papers. */
export type Paper = keyof typeof PAPERS;

function drawLetter(next: Random, page: number): string {
  const hand = createHand(next);
  const head = letter('FERRY UNION OF THE LANTERN ISLANDS', 210, 42, 8, '#3c3a52') + line('M60 66h300', '#3c3a52', 0.7);
  const date = handwrite(next, hand, 250, 96, 110);
  const sign = handwrite(next, { ...hand, size: hand.size * 1.5, pen: 1.4 }, 230, 512, 120);
  const top = page > 1 ? 62 : 122;
  const first = page > 1 ? letter(String(page), 360, 42, 8, INK) : head + date;
  return first + writeLines(next, hand, 48, top, 320, 490 - top) + sign;
}

/** The address side of a postcard, below its picture side. */
function drawPostcard(next: Random): string {
  const hand = { ...createHand(next), size: 3.8 };
  const address = many(
    4,
    (n) => handwrite(next, hand, 238, 398 + n * 30, 130 - n * 20) + line(`M232 ${402 + n * 30}h150`, INK, 0.7),
  );
  const boat = shape('M356 333q13 9 26 0l-3 7h-20zM369 315v17l10 -3z', '#f2e6d0');
  const stamp = box(350, 306, 38, 46, '#f2ead8') + box(353, 309, 32, 40, '#8c2f2b') + boat;
  const postmark = many(3, (n) => line(`M298 ${316 + n * 7}q8 -5 16 0t16 0t16 0t16 0`, INK, 1.3, 0.7));
  const front = box(12, 10, 394, 262, '#d9cfb6') + letter('GREETINGS FROM THE LANTERN ISLANDS', 209, 259, 6.5, INK);
  const back = letter('POST CARD', 250, 304, 9, INK) + line('M218 304v226M14 282h392', INK, 0.8) + stamp + postmark;
  return front + back + writeLines(next, hand, 32, 312, 166, 222) + address;
}

/** Rows of a table, ruled, for columns around some places; `draw` returns a cell. */
function drawTable(columns: readonly number[], ruling: string, draw: (x: number, y: number, column: number) => string): string {
  const rows = many(20, (row) => {
    const y = 178 + row * 17;
    return columns.map((x, n) => draw(x, y, n)).join('') + line(`M36 ${y + 12}h348`, ruling, 0.5);
  });
  return rows + columns.map((x) => line(`M${x - 34} 168V520`, ruling, 0.6)).join('');
}

function drawTimetable(next: Random, seed: number): string {
  const ink = ['#26221e', '#22304e', '#4b2320'][seed % 3] ?? INK;
  const ports = ['TERN HILL', 'ROPEWALK', 'ILE AUX P.', 'SEALS BAY', 'MAINLAND'];
  const pencil = { size: 4, slant: 14, ink: '#6d6a6a', pen: 1 };
  let minutes = 290;
  const times = drawTable([76, 142, 208, 274, 340], ink, (x, y, column) => {
    if (y < 180) return letter(ports[column] ?? '', x, y, 5.2, ink);
    minutes += 8 + Math.floor(next() * 8);
    const time = `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}.${String(minutes % 60).padStart(2, '0')}`;
    const note = next() < 0.04 && column < 4 ? handwrite(next, pencil, x + 20, y + 7, 60) : '';
    return letter(next() < 0.13 ? '--' : time, x, y, 6.6, ink) + note;
  });
  const ship = move(280, 120, shape('M0 10h84l-8 14H10zM16 -2h48v10H16zM34 -22h9v18h-9z', ink));
  const title = letter('FERRY', 150, 44, 34, ink, 0.2) + letter('TIMETABLE', 150, 92, 20, ink, 0.18);
  return title + letter(`SUMMER 19${36 + (seed % 20)}`, 150, 130, 9, ink) + ship + times;
}

function drawLedger(next: Random): string {
  const hand = { ...createHand(next), size: 3.8 };
  const rows = drawTable([74, 120, 320, 366], '#8a7f9b', (x, y, column) => {
    if (column > 1) return letter(String(Math.floor(next() * 900) + 40), x, y, 7, hand.ink, 0.11);
    return handwrite(next, hand, x - 30, y + 8, column ? 80 + next() * 100 : 34);
  });
  return letter('HARBOUR OFFICE', 210, 60, 14, INK) + handwrite(next, { ...hand, size: 6 }, 130, 120, 160) + rows;
}

const PLACES = [
  ['TERN HILL', 120, 190, 62],
  ['ROPEWALK', 290, 150, 44],
  ['ILE AUX PHOQUES', 300, 320, 54],
  ['SEALS BAY', 140, 370, 50],
] as const;

function drawMap(next: Random, seed: number): string {
  const noise = createNoise(seed, 4);
  const coast = PLACES.map(([name, x, y, r]) => {
    const ring = (size: number) =>
      many(64, (n) => {
        const [cos, sin] = [Math.cos((n / 32) * Math.PI), Math.sin((n / 32) * Math.PI)];
        const far = r * size * (0.5 + noise(cos * 1.4 + x, sin * 1.4 + y));
        return `${n ? 'L' : 'M'}${x + cos * far * 1.2} ${y + sin * far}`;
      });
    const shore = line(`${ring(1)}z`, '#7d9aa0', 14, 0.3) + line(`${ring(1)}z`, INK, 2) + shape(`${ring(1)}z`, '#e3d3a6');
    const hill = line(`${ring(0.55)}z${ring(0.3)}z`, '#9a7f52', 0.7);
    return shore + hill + letter(name, x, y + r * 0.25, 6, INK) + oval(x + 24, y + 30, 3, 3, '#8c2f2b');
  });
  const depths = many(50, (n) => letter(String(3 + ((n * 7) % 31)), 44 + next() * 320, 90 + next() * 420, 4.2, '#5f7478'));
  const grid = many(6, (n) => line(`M34 ${90 + n * 72}h352M${34 + n * 70} 80V526`, '#8b7c5e', 0.4));
  const route = line('M144 220Q240 260 314 180Q370 240 324 350Q250 420 164 400Q180 300 144 220', '#8c2f2b', 1.6, 0.7);
  const rose = many(8, (n) => move(338, 470, shape('M0 -34L5 -5L0 0L-5 -5z', INK, n % 2 ? 0.4 : 1), `rotate(${n * 45})`));
  const frame = line('M28 26h364v508H28zM34 32h352v496H34z', INK, 1.4);
  return frame + grid + depths + coast.join('') + route + rose + letter('THE LANTERN ISLANDS', 210, 46, 15, INK);
}

/** Draws a paper of 420 × 560 pixels on a dark table; `page` is its number in a document. */
export async function drawPaper(kind: Paper, seed: number, page: number): Promise<Picture> {
  const next = createRandom(seed * 977 + 5);
  const picture = createPicture(420, 560, 1, () => [0.24, 0.21, 0.19]);
  const sheet = ['#ece1c8', '#e6e4d8', '#e6d6ae'][seed % 3] ?? '';
  const elements = PAPERS[kind](next, kind === 'letter' ? page : seed);
  const stains = many(6, () => oval(next() * 420, next() * 560, 20 + next() * 60, 20 + next() * 40, '#8a5a1c', 0.16));
  const aged = blur(stains, 14) + line('M16 282h388', '#2b2010', 1.2, 0.3) + line('M16 284h388', '#ffffff', 1, 0.4);
  const paper = box(20, 18, 386, 530, '#151210') + box(16, 14, 388, 532, sheet) + elements + aged;
  await drawOver(picture, `<g transform="rotate(${(next() - 0.5) * 1.6} 210 280)">${paper}</g>`);
  if (kind !== 'postcard') return picture;
  const view = await drawScene([3, 12, 2, 9, 7, 5][seed % 6] ?? 3, seed + 60, 372, 238, 0.56);
  await develop(view, seed, (['sepia', 'cyan', 'brown'] as const)[seed % 3] ?? 'sepia');
  await place(picture, view, 23, 16);
  return picture;
}

/** Draws a clipping of a newspaper of 640 × 440 pixels, with a halftone of a picture of 278 × 206 pixels. */
export async function drawClipping(view: Picture, title: string, subtitle: string): Promise<Picture> {
  const next = createRandom(title.length);
  const picture = createPicture(640, 440, 1, () => [0.31, 0.3, 0.28]);
  const torn = many(80, (n) => (n < 40 ? `L${18 + n * 15} ${16 + next() * 5}` : `L${1220 - n * 15} ${420 + next() * 5}`));
  const lines = many(172, (n) => {
    const [x, y] = [40 + Math.floor(n / 44) * 146, 122 + (n % 44) * 6.6];
    const words = many(9, () => `h${4 + next() * 9}m3 0`);
    return x > 180 && x < 470 && y < 342 ? '' : `<path d="M${x} ${y}${words}" stroke="${INK}" stroke-width="2.5"/>`;
  });
  const heads = letter(title, 320, 58, 25, INK, 0.2) + letter(subtitle, 320, 94, 10, INK);
  const paper = shape(`M18 18${torn}z`, '#ddd0ac') + letter('THE LANTERN COURIER', 320, 32, 9, INK);
  await drawOver(picture, paper + heads + lines);
  await halftone(view, 2.6 / view.scale, parseColor('#26211f'), parseColor('#d6c9a8'));
  await place(picture, view, 186, 118);
  return picture;
}
