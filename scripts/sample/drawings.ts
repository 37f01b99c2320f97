/** Draws the sample archive's images as SVG and converts them to small JPEGs. Without fonts: all machines draw the same. */
import sharp from 'sharp';

/** Returns a generator of numbers in [0, 1) that returns the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const PALETTES = [
  { paper: '#efe3cc', light: '#c9b48c', mid: '#8d7650', dark: '#4a3c28', ink: '#2a2118' },
  { paper: '#e4e8e6', light: '#b3c1c2', mid: '#72888c', dark: '#3c5056', ink: '#1c282c' },
  { paper: '#f3ddc3', light: '#e0a878', mid: '#b06a4f', dark: '#5d3a3a', ink: '#2b1e25' },
];
type Palette = (typeof PALETTES)[number];

/** What an image shows. */
export type Scene = 'harbour' | 'letter' | 'portrait';

/** Returns an SVG of `width` × `height` pixels. */
export function drawScene(scene: Scene, seed: number, width: number, height: number): string {
  const next = createRandom(seed * 7919 + 17);
  const palette = PALETTES[seed % PALETTES.length] as Palette;
  const body = { harbour: drawHarbor, letter: drawLetter, portrait: drawPortrait }[scene](next, width, height, palette);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.light}"/><stop offset="1" stop-color="${palette.paper}"/></linearGradient></defs>${body}</svg>`;
}

function drawHarbor(next: () => number, w: number, h: number, c: Palette): string {
  const horizon = h * (0.48 + next() * 0.12);
  const hills = [0, 1].map((layer) => {
    let path = `M0 ${horizon}`;
    for (let x = 0; x <= w; x += w / 8)
      path += ` L${x.toFixed(0)} ${(horizon - h * (0.05 + next() * (0.2 - layer * 0.1))).toFixed(0)}`;
    return `<path d="${path} L${w} ${horizon} Z" fill="${layer ? c.mid : c.light}" opacity="0.8"/>`;
  });
  const boats = Array.from({ length: 2 + Math.floor(next() * 4) }, () => {
    const x = w * (0.08 + next() * 0.8);
    const y = horizon + h * (0.08 + next() * 0.3);
    const s = (y - horizon) * (0.5 + next() * 0.4) + 14;
    return `<g fill="${c.ink}"><path d="M${x - s} ${y} q${s} ${s * 0.7} ${s * 2} 0 z"/><rect x="${x}" y="${y - s * 1.9}" width="${Math.max(2, s / 12)}" height="${s * 1.9}"/><path d="M${x + s / 10} ${y - s * 1.8} L${x + s} ${y - s * 0.3} L${x + s / 10} ${y - s * 0.3} z" fill="${c.paper}" opacity="0.9"/></g>`;
  });
  const swell = Array.from({ length: 26 }, () => {
    const y = horizon + next() * (h - horizon);
    const x = next() * w;
    return `<path d="M${x} ${y} q${w / 30} -4 ${w / 15} 0" stroke="${c.paper}" stroke-width="1.5" fill="none" opacity="0.5"/>`;
  });
  const posts = Array.from(
    { length: 6 },
    (_, i) => `<rect x="${w * 0.05 + (i * w) / 7}" y="${h * 0.88}" width="${w / 60}" height="${h * 0.12}" fill="${c.ink}"/>`,
  );
  return `<rect width="${w}" height="${h}" fill="url(#sky)"/><circle cx="${w * (0.2 + next() * 0.6)}" cy="${horizon * 0.4}" r="${h * 0.06}" fill="${c.paper}"/>${hills.join('')}<rect y="${horizon}" width="${w}" height="${h - horizon}" fill="${c.mid}"/>${swell.join('')}${boats.join('')}<rect y="${h * 0.87}" width="${w}" height="${h * 0.03}" fill="${c.dark}"/>${posts.join('')}`;
}

function drawLetter(next: () => number, w: number, h: number, c: Palette): string {
  const lines = Array.from({ length: 18 }, (_, i) => {
    const y = h * (0.14 + i * 0.043);
    let path = `M${w * 0.13} ${y}`;
    const end = w * (0.6 + next() * 0.27);
    for (let x = w * 0.13; x < end; x += 7) path += ` q3 ${(next() * 12 - 7).toFixed(1)} 7 0`;
    return `<path d="${path}" stroke="${c.ink}" stroke-width="1.4" fill="none" opacity="0.85"/>`;
  });
  return `<rect width="${w}" height="${h}" fill="${c.dark}"/><rect x="${w * 0.05}" y="${h * 0.04}" width="${w * 0.9}" height="${h * 0.92}" fill="${c.paper}"/><rect x="${w * 0.74}" y="${h * 0.07}" width="${w * 0.15}" height="${h * 0.1}" fill="none" stroke="${c.mid}" stroke-width="2" stroke-dasharray="3 3"/>${lines.join('')}<circle cx="${w * (0.3 + next() * 0.4)}" cy="${h * 0.86}" r="${w * 0.05}" fill="${c.mid}" opacity="0.35"/>`;
}

function drawPortrait(next: () => number, w: number, h: number, c: Palette): string {
  const x = w * (0.42 + next() * 0.16);
  return `<rect width="${w}" height="${h}" fill="url(#sky)"/><rect x="${w * 0.06}" y="${h * 0.1}" width="${w * 0.26}" height="${h * 0.45}" fill="${c.light}" stroke="${c.mid}" stroke-width="3"/><path d="M${x - w * 0.24} ${h} q${w * 0.03} ${-h * 0.38} ${w * 0.24} ${-h * 0.38} t${w * 0.24} ${h * 0.38} z" fill="${c.dark}"/><ellipse cx="${x}" cy="${h * 0.42}" rx="${w * 0.09}" ry="${h * 0.17}" fill="${c.mid}"/><path d="M${x - w * 0.1} ${h * 0.4} q${w * 0.1} ${-h * (0.25 + next() * 0.1)} ${w * 0.2} 0 q${-w * 0.1} ${-h * 0.08} ${-w * 0.2} 0" fill="${c.ink}"/>`;
}

/** Converts an SVG to a small JPEG; with `metadata`, rotated, with orientation, position and name in EXIF, as phones do. */
export async function toJpeg(svg: string, { metadata = false } = {}): Promise<Buffer> {
  const image = sharp(Buffer.from(svg)).jpeg({ quality: 62, mozjpeg: true });
  if (!metadata) return image.toBuffer();
  return sharp(await image.toBuffer())
    .rotate(-90)
    .withExif({
      IFD0: { Artist: 'Imaginary Scanner Operator' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '44/1 18/1 36/1', GPSLongitudeRef: 'W', GPSLongitude: '63/1 1/1 12/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 62 })
    .toBuffer();
}
