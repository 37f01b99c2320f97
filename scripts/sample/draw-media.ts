/**
 * `npm run sample`: draws the images of content/sample again, and makes its recordings. Its records, which are edited by hand,
 * have the checksums of these files. Recordings need ffmpeg, and their bytes depend on its version.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { center, drawClipping, drawPaper, type Paper } from './papers.ts';
import { drawPortrait } from './portraits.ts';
import { addBorder, type Border, develop, drawDamage, halftone, soften, type Tone } from './prints.ts';
import { createRandom, drawOver, type Picture, toJpeg } from './raster.ts';
import { makeRecording } from './recordings.ts';
import { CREW, drawScene } from './scenes.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');

/** Sizes of the first photographs in pixels, for the zoom viewer and for tiles, and how much they are enlarged to them. */
const LARGE_SIZES = [
  [2400, 1650, 2],
  [4400, 3025, 2.5],
] as const satisfies ReadonlyArray<readonly [number, number, number]>;

/** The women among the narrators, by collection and number of the interview. */
const WOMEN = new Set(['1-2', '1-6', '1-7', '1-8', '1-10', '1-11', '1-12', '1000-4']);
/** An interview whose narrator was recorded before, as another number. */
const SAME_NARRATORS: Record<string, number> = { '1000-8': 3 };

const TONES: readonly Tone[] = ['silver', 'sepia', 'warm', 'brown', 'silver', 'sepia', 'cyan', 'warm', 'brown'];
const BORDERS: readonly Border[] = ['none', 'white', 'none', 'deckle', 'album'];
const PAPERS: Record<string, Paper> = {
  'quay-2-1': 'letter',
  'quay-2-13': 'map',
  'quay-2-21': 'ledger',
  'ferry-2-13': 'map',
  'ferry-2-17': 'letter',
  'quay-2-9': 'letter',
};

/** Returns an image of the sample by its file name; undefined for the file that only claims to be an image. */
export async function drawImage(name: string): Promise<Buffer | undefined> {
  const [, place = '', collection = '', number = '', kind = ''] =
    /^lica-(\w+)-(\d+)-(\d+)-(scan|still|mezzanine)\b/.exec(name) ?? [];
  const n = Number(number);
  const interview = `${collection}-${number}`;
  const narrator = SAME_NARRATORS[interview] ?? n + (collection === '1' ? 0 : 30);
  if (kind === 'still') return toJpeg(await drawPortrait(narrator, WOMEN.has(interview), n + Number(collection), 480, 360));
  if (`${place}-${collection}` === 'quay-1') return n === 39 ? undefined : drawPhotograph(n);
  const page = kind === 'scan' ? 1 : pageOf(name);
  const paper =
    page === 1 && n === 1 ? 'postcard' : (PAPERS[`${place}-${interview}`] ?? (n % 8 === 1 ? 'postcard' : 'timetable'));
  return toJpeg(await drawPaper(paper, n + Number(collection) * 3 + (place === 'quay' ? 1 : 0), page));
}

/** Draws a photograph of the harbor by its number: a print, a postcard, a page of a zine, or a clipping. */
async function drawPhotograph(n: number): Promise<Buffer> {
  const [width, height, enlarge] = LARGE_SIZES[n - 1] ?? (n % 5 ? [640, 440, 1] : [420, 600, 1]);
  const motif = n === 2 ? CREW : ((n - 1) % 12) + 1;
  if (n === 19) {
    const view = await drawScene(motif, n, 278, 206, 0.5);
    return toJpeg(await drawClipping(view, ['FLOOD ON THE QUAY', 'SIX HOUSES LOST AT TERN HILL'], n));
  }
  const scale = width / enlarge / (width > height ? 640 : 420);
  const picture = await drawScene(motif, n, width / enlarge, height / enlarge, scale);
  if (n === 17) halftone(picture, 5, [0.13, 0.2, 0.36], [0.93, 0.88, 0.74]);
  else await print(picture, n);
  return toJpeg(picture, { quality: enlarge > 1 ? 60 : 66, enlarge, metadata: n === 3 || n === 4 });
}

/** Prints a photograph of the harbor on old paper. */
async function print(picture: Picture, n: number): Promise<void> {
  const isPostcard = n % 13 === 0;
  soften(picture, 1);
  develop(picture, n, TONES[(n * 4) % TONES.length] ?? 'sepia');
  await drawOver(picture, drawDamage(createRandom(n + 400), picture.width / picture.scale, picture.height / picture.scale));
  if (isPostcard)
    await drawOver(
      picture,
      center(n === 13 ? 'NETS DRYING ON THE QUAY' : 'MARKET DAY UNDER THE LANTERNS', 320, 398, 9, '#fbf4e4'),
    );
  addBorder(picture, n, isPostcard ? 'white' : (BORDERS[(n * 3) % BORDERS.length] ?? 'none'));
}

/** Returns the number of a page in a document, which its file record has. */
function pageOf(name: string): number {
  const record = readFileSync(join(SAMPLE, 'objects', name.replace('-a.jpg', '.json')), 'utf8');
  return Number((JSON.parse(record) as { sort: string }).sort);
}

/** Returns a recording of the sample by its path; its interview's still is drawn before. */
function drawRecording(path: string): Buffer {
  const [, interview = '', number = '', segment = '', format = ''] = /(lica-ferry-\d+-(\d+))-(\d+)\.(\w+)$/.exec(path) ?? [];
  const still = readFileSync(join(SAMPLE, path, '..', `${interview}-still-a.jpg`));
  const pitch = 200 + ((Number(number) * 31 + Number(segment) * 57) % 500);
  return makeRecording(still, pitch, format as Parameters<typeof makeRecording>[2]);
}

if (import.meta.main) {
  for (const path of globSync('media/*/*.jpg', { cwd: SAMPLE })) {
    const bytes = await drawImage(basename(path));
    if (bytes) writeFileSync(join(SAMPLE, path), bytes);
  }
  for (const path of globSync('media/*/*.{mp3,mp4,mpg,ogv}', { cwd: SAMPLE }))
    writeFileSync(join(SAMPLE, path), drawRecording(path));
}
