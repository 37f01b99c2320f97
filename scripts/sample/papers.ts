/** Papers of the archive: letters, postcards, timetables, ledgers, maps and clippings, lettered in strokes instead of fonts. */
import { halftone } from './prints.ts';
import { type Color, changePixels, createNoise, createPicture, createRandom, drawOver, type Picture } from './raster.ts';
import { drawScene } from './scenes.ts';

/** Strokes of letters on a grid, four wide and six high: points of two digits, x and y. */
const LETTERS = Object.fromEntries(
  `A:062046,1434 B:06003041423303,3344453606 C:4130100105163645 D:06003041453606 E:40000646,0333 F:400006,0333
G:41301001051636454323 H:0006,4046,0343 I:2026 J:4045361605 K:0006,400346 L:000646 M:0600234046 N:06004640 O:103041453616050110
P:06003041423303 Q:103041453616050110,2446 R:06003041423303,2346 S:413010010213334445361605 T:0040,2026 U:000516364540 V:002640
W:0016233640 X:0046,4006 Y:002340,2326 Z:00400646 0:103041453616050110 1:112026 2:01103041420646 3:01103041423313,334445361605
4:36300545 5:400002324345361605 6:413010010516364544331304 7:004016 8:103041423313020110,1304051636454433
9:4313020110304145361605 -:1343 .:2526 /:0640`
    .split(/\s+/)
    .map((glyph) => [glyph[0], glyph.slice(2).split(',')]),
) as Record<string, string[]>;

/** Returns a line of capitals and digits; `size` is their height. */
function letter(text: string, x: number, y: number, size: number, color: string, weight = 0.13): string {
  const unit = size / 6;
  const path = Array.from(text, (c, n) =>
    (LETTERS[c] ?? [])
      .map(
        (stroke) =>
          `M${(stroke.match(/../g) ?? []).map((p) => `${(x + (n * 5.6 + Number(p[0])) * unit).toFixed(1)} ${(y + Number(p[1]) * unit).toFixed(1)}`).join('L')}`,
      )
      .join(''),
  );
  return `<path d="${path.join('')}" stroke="${color}" stroke-width="${size * weight}" fill="none" stroke-linecap="square"/>`;
}

const widthOf = (text: string, size: number) => ((text.length * 5.6 - 1.6) * size) / 6;
/** Returns a line of capitals around the middle of a place. */
export const center = (text: string, x: number, y: number, size: number, color: string, weight?: number) =>
  letter(text, x - widthOf(text, size) / 2, y, size, color, weight);

/** A hand: the size of its letters in units, their slant in degrees, and its ink. */
interface Hand {
  size: number;
  slant: number;
  ink: string;
  width: number;
}

const createHand = (next: () => number): Hand => ({
  size: 3.6 + next() * 2,
  slant: -6 + next() * 30,
  ink: ['#1d2a52', '#2b2320', '#3a2a6b', '#16363d', '#4a2c1c'][Math.floor(next() * 5)] ?? '',
  width: 0.6 + next() * 0.45,
}); // prettier-ignore

/** Returns a line of joined handwriting that ends near a length. */
function handwrite(next: () => number, { size: s, slant, ink, width }: Hand, x: number, y: number, length: number): string {
  const w = s * 0.95;
  const forms = [
    (k: number) => `c${w * 0.6} ${-k * 0.2} ${w * 0.9} ${-k} ${w * 0.4} ${-k}c${-w * 0.5} 0 ${-w * 0.5} ${k} ${w * 0.6} ${k}`,
    (k: number) => `c${w * 0.1} ${-k * 0.9} ${w * 0.5} ${-k * 1.2} ${w * 0.5} 0c${w * 0.1} ${-k} ${w * 0.5} ${-k} ${w * 0.5} 0`,
    (k: number) =>
      `c0 ${k * 0.1} ${w * 0.4} ${k * 0.1} ${w * 0.4} ${-k * 0.8}c0 ${k * 0.9} ${w * 0.4} ${k * 0.9} ${w * 0.6} ${k * 0.8}`,
    (k: number) =>
      `c${w * 0.2} ${-k} ${w * 0.7} ${-k} ${w * 0.5} 0c${-w * 0.1} ${k * 1.2} ${-w * 0.1} ${k * 2} ${-w * 0.4} ${k * 1.9}c${-w * 0.3} ${-k * 0.2} ${w * 0.3} ${-k * 1.6} ${w * 0.9} ${-k * 1.9}`,
  ] as const;
  let [path, at] = ['', 0];
  while (at < length - s * 4) {
    const count = 2 + Math.floor(next() * 7);
    path += `M${at.toFixed(1)} ${((next() - 0.5) * s * 0.25).toFixed(1)}`;
    for (let n = 0; n < count; n++)
      path += (forms[Math.floor(next() ** 1.4 * 4)] ?? forms[0])(
        s * (n === 0 && next() < 0.3 ? 2.3 : next() < 0.2 ? 2 : 0.85 + next() * 0.3),
      );
    at += (count + 0.9 + next() * 0.5) * w;
  }
  return `<g transform="translate(${x} ${y}) skewX(${-slant})" fill="none" stroke="${ink}" stroke-linecap="round"><path d="${path}" stroke-width="${width}"/><path d="${path}" transform="translate(0.35 -0.2)" stroke-width="${width * 0.6}" opacity="0.6"/></g>`;
}

function writeLines(next: () => number, hand: Hand, [x, y, w, h]: readonly [number, number, number, number]): string {
  const step = hand.size * 3.9;
  const count = Math.floor(h / step);
  return Array.from({ length: count }, (_, n) =>
    handwrite(
      next,
      hand,
      x + (n % 6 === 0 ? hand.size * 4 : 0) + next() * 3,
      y + step * (n + 0.7) + next() * 1.5,
      n === count - 1 || n % 6 === 5 ? w * (0.3 + next() * 0.4) : w * (0.88 + next() * 0.1),
    ),
  ).join('');
}

function drawStamp(next: () => number, x: number, y: number): string {
  const color = ['#8c2f2b', '#2d5a46', '#2f4478', '#7a5a1c'][Math.floor(next() * 4)] ?? '';
  const waves = [0, 1, 2, 3].map((n) => `M${x - 62} ${y + 10 + n * 7}q8 -5 16 0t16 0t16 0t16 0`).join('');
  return `<rect x="${x}" y="${y}" width="38" height="46" fill="#f2ead8" stroke="#f2ead8" stroke-width="3" stroke-dasharray="2.4 1.6"/><rect x="${x + 3}" y="${y + 3}" width="32" height="40" fill="${color}"/><path d="M${x + 6} ${y + 27}q13 9 26 0l-3 7h-20zM${x + 19} ${y + 9}v17l10 -3z" fill="#f2e6d0"/>${letter('3', x + 27, y + 6, 6, '#f2e6d0')}<g fill="none" stroke="#2a2622" stroke-width="1.3" opacity="0.72"><circle cx="${x - 14}" cy="${y + 22}" r="21"/><circle cx="${x - 14}" cy="${y + 22}" r="14"/><path d="${waves}"/></g>${center('LANTERN', x - 14, y + 16, 4, '#2a2622')}${center('12 JUN', x - 14, y + 24, 4, '#2a2622')}`;
}

const rule = (x: number, y: number, w: number, color = '#4a4036', width = 0.7) =>
  `<path d="M${x} ${y}h${w}" stroke="${color}" stroke-width="${width}"/>`;
const sheet = (x: number, y: number, w: number, h: number, color: string, turn: number) =>
  `<g transform="rotate(${turn} 210 280)"><rect x="${x + 3}" y="${y + 4}" width="${w}" height="${h}" fill="#000" opacity="0.35"/><rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${color}"/>`;

function drawLetter(next: () => number, page: number): string {
  const paper = ['#ece1c8', '#e6e4d8', '#dfe3df', '#efe3d4'][Math.floor(next() * 4)] ?? '';
  const hand = createHand(next);
  const head =
    page > 1
      ? letter(String(page), 360, 42, 8, '#6a5c4a')
      : `${center('FERRY UNION OF THE LANTERN ISLANDS', 210, 42, 8, '#3c3a52')}${center('QUAYSIDE 4 - TERN HILL', 210, 56, 5, '#3c3a52')}${rule(60, 68, 300, '#3c3a52')}${handwrite(next, hand, 250, 96, 110)}`;
  const lines = next() < 0.5 ? Array.from({ length: 24 }, (_, n) => rule(24, 92 + n * 18.6, 372, '#8da3b8', 0.5)).join('') : '';
  const top = page > 1 ? 62 : 122;
  const sign = `${handwrite(next, { ...hand, size: hand.size * 1.5, width: 1.4 }, 230, 512, 120)}`;
  return `${sheet(20, 18, 380, 524, paper, (next() - 0.5) * 1.6)}${lines}${head}${writeLines(next, hand, [48, top, 320, 490 - top])}${sign}${page > 1 ? '' : `<g fill="none" stroke="#7c3a6a" stroke-width="1.6" opacity="0.6" transform="rotate(-14 320 470)"><rect x="276" y="440" width="96" height="32" rx="3"/>${letter('RECEIVED', 284, 447, 8, '#7c3a6a')}${letter('11 FEB 47', 288, 461, 6, '#7c3a6a')}</g>`}</g>`;
}

/** The address side of a postcard, below its picture side. */
function drawPostcard(next: () => number): string {
  const hand = createHand(next);
  const small = { ...hand, size: Math.min(4.2, hand.size) };
  const lines = [0, 1, 2, 3]
    .map((n) => `${rule(232, 402 + n * 30, 150)}${handwrite(next, { ...hand, size: 5 }, 238, 398 + n * 30, 130 - n * 20)}`)
    .join('');
  return `${sheet(16, 290, 388, 254, ['#e8dcbf', '#e9e2cf', '#e3d3b4'][Math.floor(next() * 3)] ?? '', (next() - 0.5) * 2)}${letter('POST CARD', 244, 304, 9, '#5d4a36')}<path d="M218 304v226" stroke="#5d4a36" stroke-width="0.8"/>${writeLines(next, small, [32, 312, 166, 222])}${lines}${drawStamp(next, 350, 306)}</g>`;
}

function drawTimetable(next: () => number, kind: number): string {
  const ink = ['#26221e', '#22304e', '#4b2320'][kind % 3] ?? '';
  const ports = ['TERN HILL', 'ROPEWALK', 'ILE AUX P.', 'SEALS BAY', 'MAINLAND'];
  const cells = Array.from({ length: 19 }, (_, row) => {
    const y = 198 + row * 16.4;
    let minutes = 290 + row * 47 + Math.floor(next() * 20);
    const times = ports.map((_port, n) => {
      minutes += 14 + Math.floor(next() * 12);
      return next() < 0.13
        ? letter('--', 56 + n * 66, y, 6, ink)
        : letter(
            `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}.${String(minutes % 60).padStart(2, '0')}`,
            52 + n * 66,
            y,
            6.6,
            ink,
            0.15,
          );
    });
    return times.join('') + rule(36, y + 11, 348, ink, row % 5 === 4 ? 1 : 0.25);
  });
  const heads = ports.map(
    (port, n) =>
      `${letter(port, 44 + n * 66, 178, 5.2, ink)}<path d="M${40 + (n + 1) * 66} 168V508" stroke="${ink}" stroke-width="0.5"/>`,
  );
  const ship = `<g transform="translate(${kind % 2 ? 60 : 270} 122)" fill="${ink}"><path d="M0 10h84l-8 14H10zM16 -2h48v10H16zM34 -22h9v18h-9z"/><path d="M36 -26q-20 -10 -34 -2" stroke="${ink}" stroke-width="4" fill="none" opacity="0.5"/></g>`;
  const pencil: Hand = { size: 4, slant: 14, ink: '#6d6a6a', width: 1 };
  const notes = Array.from({ length: 4 }, () => {
    const [x, y] = [46 + Math.floor(next() * 4) * 66, 196 + Math.floor(next() * 18) * 16.4];
    return `<ellipse cx="${x + 22}" cy="${y + 4}" rx="27" ry="10" fill="none" stroke="#6a6768" stroke-width="1.2" transform="rotate(-4 ${x} ${y})"/>${handwrite(next, pencil, x + 50, y + 6, 60)}`;
  });
  return `${sheet(22, 16, 376, 528, ['#e6d6ae', '#e9e0c9', '#d9dccb'][kind % 3] ?? '', (next() - 0.5) * 2.4)}<rect x="32" y="26" width="356" height="508" fill="none" stroke="${ink}" stroke-width="${kind % 2 ? 3 : 1.2}"/>${center('FERRY', kind % 2 ? 270 : 130, 40, 34, ink, 0.2)}${center('TIMETABLE', kind % 2 ? 270 : 130, 86, 20, ink, 0.18)}${center(`SUMMER 19${38 + kind * 4}`, kind % 2 ? 270 : 130, 122, 9, ink)}${center('DAILY EXCEPT IN FOG', kind % 2 ? 270 : 130, 142, 5.5, ink)}${ship}${rule(36, 166, 348, ink, 1.6)}${heads.join('')}${rule(36, 190, 348, ink, 1.6)}${cells.join('')}${center('RETURN TICKETS AT THE QUAY OFFICE', 210, 517, 6, ink)}${notes.join('')}</g>`;
}

function drawLedger(next: () => number): string {
  const hand = { ...createHand(next), size: 3.8 };
  const rows = Array.from({ length: 23 }, (_, n) => {
    const y = 96 + n * 18.6;
    return `${rule(20, y, 380, '#7f9bb5', 0.5)}${
      n < 20 && next() < 0.92
        ? `${handwrite(next, hand, 34, y - 3, 24)}${handwrite(next, hand, 84, y - 3, 60 + next() * 120)}${letter(`${Math.floor(next() * 90) + 4}`, 306, y - 10, 7, hand.ink, 0.11)}${letter(`${Math.floor(next() * 899) + 100}`, 350, y - 10, 7, hand.ink, 0.11)}`
        : ''
    }`;
  });
  const columns = [74, 290, 338, 341].map((x) => `<path d="M${x} 64V546" stroke="#b4544a" stroke-width="0.8"/>`);
  return `${sheet(14, 12, 392, 536, '#e9e3cf', next() - 0.5)}<path d="M14 12h14v536h-14z" fill="#5b2f2a"/>${center('HARBOUR OFFICE', 210, 28, 10, '#3b3530')}${handwrite(next, { ...hand, size: 5.5 }, 150, 58, 130)}${rule(20, 66, 380, '#b4544a', 1.4)}${rows.join('')}${columns.join('')}</g>`;
}

function drawMap(next: () => number, seed: number): string {
  const noise = createNoise(seed, 4);
  const island = (x: number, y: number, r: number) =>
    Array.from({ length: 64 }, (_, n) => {
      const a = (n / 64) * 2 * Math.PI;
      const k = r * (0.5 + noise(Math.cos(a) * 1.4 + x, Math.sin(a) * 1.4 + y));
      return `${n ? 'L' : 'M'}${(x + Math.cos(a) * k * 1.2).toFixed(1)} ${(y + Math.sin(a) * k).toFixed(1)}`;
    }).join('');
  const places = [
    ['TERN HILL', 120, 190, 62],
    ['ROPEWALK', 290, 150, 44],
    ['ILE AUX PHOQUES', 310, 320, 54],
    ['SEALS BAY', 140, 370, 50],
  ] as const; // prettier-ignore
  const coast = places.map(([name, x, y, r]) => {
    const path = island(x, y, r);
    return `<path d="${path}z" fill="none" stroke="#7d9aa0" stroke-width="14" opacity="0.28"/><path d="${path}z" fill="none" stroke="#7d9aa0" stroke-width="7" opacity="0.4"/><path d="${path}z" fill="#e3d3a6" stroke="#3a3226" stroke-width="1.2"/><path d="${island(x + 2, y - 3, r * 0.55)}z${island(x + 3, y - 5, r * 0.3)}z" fill="none" stroke="#9a7f52" stroke-width="0.7"/>${center(name, x, y + r * 0.25, 6, '#3a3226')}<circle cx="${x + r * 0.4}" cy="${y + r * 0.5}" r="3" fill="#8c2f2b"/>`;
  });
  const route = 'M145 221Q240 260 308 172M145 221Q180 300 160 395M160 395Q250 420 332 347M332 347Q370 240 308 172';
  const depths = Array.from({ length: 46 }, () =>
    letter(String(2 + Math.floor(next() * 38)), 44 + next() * 320, 90 + next() * 360, 4.2, '#5f7478', 0.1),
  );
  const rose = `<g transform="translate(338 470)" stroke="#3a3226" fill="#3a3226"><circle r="30" fill="none"/><circle r="24" fill="none" stroke-width="0.5"/>${[0, 90, 180, 270].map((a) => `<path d="M0 -34L5 -5L0 0z" transform="rotate(${a})"/><path d="M0 -34L-5 -5L0 0z" fill="#e9dcb8" transform="rotate(${a})"/>`).join('')}</g>${center('N', 338, 424, 8, '#3a3226')}`;
  const grid = [0, 1, 2, 3, 4, 5].map(
    (n) => `${rule(34, 90 + n * 72, 352, '#8b7c5e', 0.4)}<path d="M${34 + n * 70} 80V526" stroke="#8b7c5e" stroke-width="0.4"/>`,
  );
  return `${sheet(16, 14, 388, 532, '#d8d7bf', (next() - 0.5) * 1.4)}<rect x="28" y="26" width="364" height="508" fill="none" stroke="#3a3226" stroke-width="3"/><rect x="34" y="32" width="352" height="496" fill="none" stroke="#3a3226" stroke-width="0.8"/>${grid.join('')}${depths.join('')}${coast.join('')}<path d="${route}" fill="none" stroke="#8c2f2b" stroke-width="1.6" stroke-dasharray="6 4"/>${center('THE LANTERN ISLANDS', 210, 46, 15, '#3a3226')}${center('AND THE COURSE OF THE FERRY', 210, 68, 6, '#3a3226')}${rose}<rect x="44" y="444" width="150" height="72" fill="#e3d9b6" stroke="#3a3226"/>${letter('LANDING', 84, 456, 6, '#3a3226')}${letter('FERRY', 84, 474, 6, '#3a3226')}${letter('1 MILE', 84, 492, 6, '#3a3226')}<circle cx="66" cy="459" r="3" fill="#8c2f2b"/><path d="M54 478h24" stroke="#8c2f2b" stroke-width="1.6" stroke-dasharray="6 3"/><path d="M52 496h26M52 492v8M78 492v8" stroke="#3a3226"/></g>`;
}

/** Ages a paper: fibers, stains, folds and darker edges. */
function age(picture: Picture, seed: number, folds: number): void {
  const fibers = createNoise(seed + 31, 3);
  const stains = createNoise(seed + 32, 3);
  const [w, h] = [picture.width / picture.scale, picture.height / picture.scale];
  changePixels(picture, ([r, g, b], x, y) => {
    const edge = Math.min(x, y, w - x, h - y) / 70;
    const at =
      folds > 1
        ? Math.min(Math.abs(y - h * 0.345), Math.abs(y - h * 0.66))
        : folds
          ? Math.min(Math.abs(y - h / 2), Math.abs(x - w / 2))
          : 99;
    const fold = at < 1 ? 0.9 : at < 9 ? 1.02 : 1;
    const k = (0.9 + fibers(x / 3, y / 3) * 0.12 + fibers(x / 150, y / 110) * 0.08) * fold * (edge < 1 ? 0.9 + edge * 0.1 : 1);
    const stain = Math.max(0, stains(x / 80, y / 80) - 0.58) * 0.9;
    return [r * k * (1 - stain * 0.25), g * k * (1 - stain * 0.45), b * k * (1 - stain * 0.8)];
  });
}

/** Copies a picture into another one at a place in pixels. */
function place(into: Picture, from: Picture, left: number, top: number): void {
  for (let row = 0; row < from.height; row++)
    into.data.set(from.data.subarray(row * from.width * 3, (row + 1) * from.width * 3), ((row + top) * into.width + left) * 3);
}

export type Paper = 'letter' | 'postcard' | 'timetable' | 'ledger' | 'map';

/** Draws a paper of 420 × 560 pixels on a dark table; `page` is its number in a document. */
export async function drawPaper(kind: Paper, seed: number, page: number): Promise<Picture> {
  const next = createRandom(seed * 977 + 5);
  const table: Color = [0.2 + next() * 0.12, 0.19 + next() * 0.08, 0.18 + next() * 0.06];
  const picture = createPicture(420, 560, 1, () => table);
  const draw = {
    letter: () => drawLetter(next, page),
    postcard: () => drawPostcard(next),
    timetable: () => drawTimetable(next, seed),
    ledger: () => drawLedger(next),
    map: () => drawMap(next, seed),
  };
  await drawOver(picture, draw[kind]());
  if (kind === 'postcard') {
    const view = await drawScene([3, 12, 2, 9, 7, 5][seed % 6] ?? 3, seed + 60, 372, 238, 0.56);
    const tint = [
      [1.02, 0.93, 0.8],
      [0.86, 0.97, 1.04],
      [1.05, 0.9, 0.76],
    ][seed % 3] as unknown as Color;
    changePixels(view, ([r, g, b], _x, y) => [
      r * tint[0],
      g * tint[1] + 0.02,
      b * (tint[2] + (seed % 2 ? 0.2 * (1 - y / 430) : 0)),
    ]);
    await drawOver(
      picture,
      '<path d="M14 12h394v262H14z" fill="#000" opacity="0.3"/><path d="M12 10h394v262H12z" fill="#e8dfc8"/>',
    );
    place(picture, view, 23, 16);
    await drawOver(picture, center('GREETINGS FROM THE LANTERN ISLANDS', 209, 259, 6.5, '#6b4a34'));
  }
  age(picture, seed, kind === 'letter' ? 2 : kind === 'postcard' || kind === 'ledger' ? 0 : 1);
  return picture;
}

/** Draws a clipping of a newspaper, with a halftone of a picture, in a landscape format of 640 × 440 units. */
export async function drawClipping(view: Picture, headline: readonly [string, string], seed: number): Promise<Picture> {
  const next = createRandom(seed * 977 + 5);
  const edge = (from: number, to: number, at: number, across: boolean) =>
    Array.from({ length: 41 }, (_, n) => {
      const t = from + ((to - from) * n) / 40;
      const d = at + (next() - 0.5) * 5;
      return across ? `L${t} ${d}` : `L${d} ${t}`;
    }).join('');
  const torn = `M22 18${edge(22, 618, 18, true)}${edge(18, 422, 618, false)}${edge(618, 22, 424, true)}${edge(422, 18, 20, false)}z`;
  const picture = createPicture(640, 440, 1, () => [0.31, 0.3, 0.28]);
  const words = (x: number, y: number, lines: number) =>
    Array.from({ length: lines }, (_, n) => {
      let [path, at] = ['', 0];
      while (at < 126) {
        const long = 4 + next() * 17;
        path += `M${x + at} ${y + n * 6.6}h${Math.min(long, 132 - at)}`;
        at += long + 3;
      }
      return `<path d="${path}" stroke="#2b2823" stroke-width="2.5" stroke-dasharray="1.7 0.7 2.6 0.6 1.2 0.8" opacity="0.8"/>`;
    }).join('');
  await drawOver(
    picture,
    `<path d="${torn}" fill="#000" opacity="0.4" transform="translate(4 5)"/><path d="${torn}" fill="#ddd0ac"/>${center('THE LANTERN COURIER', 320, 32, 9, '#2b2823')}${rule(40, 48, 560, '#2b2823', 1.2)}${center(headline[0], 320, 58, 25, '#1f1c18', 0.2)}${center(headline[1], 320, 94, 10, '#1f1c18')}${words(40, 122, 44)}${words(186, 346, 10)}${words(332, 346, 10)}${words(478, 122, 44)}<path d="M179 118V412M471 118V412M325 342V412" stroke="#2b2823" stroke-width="0.5"/>`,
  );
  halftone(view, 2.6 / view.scale, [0.15, 0.13, 0.12], [0.84, 0.79, 0.66]);
  place(picture, view, 186, 118);
  await drawOver(picture, center('THE QUAY ON TUESDAY MORNING', 324, 331, 5, '#2b2823'));
  age(picture, seed, 1);
  return picture;
}
