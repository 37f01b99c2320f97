/** Capitals and handwriting in strokes instead of fonts, so that all machines draw the same. */
import { line, many, move } from './svg.ts';

/** Strokes of letters on a grid, four wide and six high: points of two digits, x and y. */
const LETTERS = Object.fromEntries(
  `A:062046,1434 B:06003041423303,3344453606 C:4130100105163645 D:06003041453606 E:40000646,0333 F:400006,0333
G:41301001051636454323 H:0006,4046,0343 I:2026 J:4045361605 K:0006,400346 L:000646 M:0600234046 N:06004640 O:103041453616050110
P:06003041423303 Q:103041453616050110,2446 R:06003041423303,2346 S:413010010213334445361605 T:0040,2026 U:000516364540 V:002640
W:0016233640 X:0046,4006 Y:002340,2326 Z:00400646 0:103041453616050110 1:112026 2:01103041420646 3:01103041423313,334445361605
4:36300545 5:400002324345361605 6:413010010516364544331304 7:004016 8:103041423313020110,1304051636454433
9:4313020110304145361605 -:1343 .:2526`
    .split(/\s+/)
    .map((glyph) => [glyph[0], glyph.slice(2).split(',')]),
) as Record<string, string[]>;

/** Returns a line of capitals and digits around the middle of a place; `size` is their height. */
export function letter(text: string, x: number, y: number, size: number, color: string, weight = 0.13): string {
  const unit = size / 6;
  const left = x - (text.length * 5.6 - 1.6) * (unit / 2);
  const strokes = Array.from(text).flatMap((character, n) =>
    (LETTERS[character] ?? []).map((stroke) => {
      const points = stroke.match(/../g) ?? [];
      return `M${points.map((p) => `${left + (n * 5.6 + Number(p[0])) * unit} ${y + Number(p[1]) * unit}`).join('L')}`;
    }),
  );
  return line(strokes.join(''), color, size * weight);
}

const INKS = ['#1d2a52', '#2b2320', '#3a2a6b', '#16363d', '#4a2c1c'];

/** Returns a hand: the size of its letters in units, their slant in degrees, its ink, and the width of its pen. */
export const createHand = (next: () => number) => ({
  size: 3.6 + next() * 2,
  slant: -6 + next() * 30,
  ink: INKS[Math.floor(next() * INKS.length)] ?? '',
  pen: 0.7 + next() * 0.45,
});
type Hand = ReturnType<typeof createHand>;

/** Curves of joined letters: control points for a letter one wide and one high. */
const CURVES = [
  [0.6, -0.2, 0.9, -1, 0.4, -1, -0.5, 0, -0.5, 1, 0.6, 1],
  [0.1, -0.9, 0.5, -1.2, 0.5, 0, 0.1, -1, 0.5, -1, 0.5, 0],
  [0, 0.1, 0.4, 0.1, 0.4, -0.8, 0, 0.9, 0.4, 0.9, 0.6, 0.8],
  [0.2, -1, 0.7, -1, 0.5, 0, -0.1, 1.2, -0.1, 2, -0.4, 1.9, -0.3, -0.2, 0.3, -1.6, 0.9, -1.9],
] as const;

/** Returns a line of joined handwriting that ends near a length. */
export function handwrite(next: () => number, { size, slant, ink, pen }: Hand, x: number, y: number, length: number): string {
  let [path, at] = ['', 0];
  while (at < length - size * 4) {
    const count = 2 + Math.floor(next() * 7);
    path += `M${at} ${(next() - 0.5) * size * 0.25}`;
    for (let n = 0; n < count; n++) {
      const tall = size * (next() < 0.2 ? 2.1 : 0.85 + next() * 0.3);
      const curve = CURVES[Math.floor(next() ** 1.4 * 4)] ?? CURVES[0];
      path += `c${curve.map((value, i) => value * (i % 2 ? tall : size)).join(' ')}`;
    }
    at += (count + 0.9 + next() * 0.5) * size;
  }
  return move(x, y, line(path, ink, pen), `skewX(${-slant})`);
}

/** Returns lines of handwriting in paragraphs that fill a rectangle. */
export function writeLines(next: () => number, hand: Hand, x: number, y: number, w: number, h: number): string {
  const step = hand.size * 3.9;
  return many(Math.floor(h / step), (n) => {
    const indent = n % 6 ? 0 : hand.size * 4;
    const [left, top] = [x + indent + next() * 3, y + step * (n + 0.7) + next() * 1.5];
    return handwrite(next, hand, left, top, w * (n % 6 === 5 ? 0.5 : 0.92) - indent);
  });
}
