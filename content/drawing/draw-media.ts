/**
 * `npm run sample`: draws the images of content/sample again, and makes its recordings. Its records, which are edited by hand,
 * have the checksums of these files. Recordings need ffmpeg, and their bytes depend on its version.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseCues } from '../../src/model/media/captions.ts';
import { drawClipping, drawPaper, type Paper } from './papers.ts';
import { drawPortrait } from './portraits.ts';
import { develop, halftone, type Tone } from './prints.ts';
import { addMetadata, drawOver, parseColor, toJpeg } from './raster.ts';
import { makeRecording } from './recordings.ts';
import { CREW, drawScene } from './scenes.ts';

const SAMPLE = join(import.meta.dirname, '../sample');

/** Sizes of the first photographs in pixels, for the zoom viewer and for tiles, and how much they are enlarged to them. */
const LARGE_SIZES = [
  [2400, 1650, 2],
  [4400, 3025, 2.5],
] as const;

/** The women among the narrators, by collection and number of the interview. */
const WOMEN = new Set([2, 6, 7, 8, 10, 11, 12].map((n) => `ferry-1-${n}`)).add('ferry-1000-4');
/** An interview whose narrator was recorded before, as another number. */
const SAME_NARRATORS: Record<string, number> = { 'ferry-1000-8': 3 };

const TONES: readonly Tone[] = ['silver', 'sepia', 'brown', 'silver', 'sepia', 'cyan', 'brown'];
/** Papers by their number, four apart. */
const PAPERS: readonly Paper[] = ['postcard', 'timetable', 'letter', 'map', 'letter', 'ledger', 'postcard', 'timetable'];

/** Returns an image of the sample by its file name; undefined for the file that only claims to be an image. */
export async function drawImage(name: string): Promise<Buffer | undefined> {
  const [, collection = '', number = '', kind = ''] = /^lica-(\w+-\d+)-(\d+)-(scan|still|mezzanine)\b/.exec(name) ?? [];
  const n = Number(number);
  if (kind === 'still') {
    const interview = `${collection}-${n}`;
    const narrator = SAME_NARRATORS[interview] ?? n + (collection === 'ferry-1' ? 0 : 30);
    return toJpeg(await drawPortrait(narrator, WOMEN.has(interview), n + collection.length));
  }
  if (collection === 'quay-1') return n === 39 ? undefined : drawPhotograph(n);
  const page = kind === 'scan' ? 1 : pageOf(name);
  return toJpeg(await drawPaper(page > 1 ? 'letter' : (PAPERS[(n - 1) / 4] ?? 'letter'), n + collection.charCodeAt(0), page));
}

/** Draws a photograph of the harbor by its number: a print, a page of a zine, or a clipping. */
async function drawPhotograph(n: number): Promise<Buffer> {
  const [width, height, enlarge] = LARGE_SIZES[n - 1] ?? (n % 5 ? [640, 440, 1] : [420, 600, 1]);
  const motif = n === 2 ? CREW : ((n - 1) % 12) + 1;
  if (n === 19) {
    const view = await drawScene(motif, n, 278, 206, 0.5);
    return toJpeg(await drawClipping(view, 'FLOOD ON THE QUAY', 'SIX HOUSES LOST AT TERN HILL'));
  }
  const scale = width / enlarge / (width > height ? 640 : 420);
  const picture = await drawScene(motif, n, width / enlarge, height / enlarge, scale);
  if (n === 17) await halftone(picture, 5, parseColor('#21335c'), parseColor('#ede0bd'));
  else await develop(picture, n, TONES[n % TONES.length] ?? 'sepia');
  const border = `<path d="M0 0h${width / enlarge / scale}v${height / enlarge / scale}H0z" fill="none" stroke="#ece5d6" stroke-width="30"/>`;
  if (n % 3) await drawOver(picture, border);
  const jpeg = await toJpeg(picture, enlarge);
  return n === 3 || n === 4 ? addMetadata(jpeg) : jpeg;
}

/** Returns the number of a page in a document, which its file record has. */
function pageOf(name: string): number {
  const record = readFileSync(join(SAMPLE, 'objects', name.replace('-a.jpg', '.json')), 'utf8');
  return Number((JSON.parse(record) as { sort: string }).sort);
}

/** Returns a recording of the sample by its path, as long as its record says; its interview's still is drawn before. */
function drawRecording(path: string): Buffer {
  const [, interview = '', number = '', segment = '', format = ''] = /(lica-ferry-\d+-(\d+))-(\d+)\.(\w+)$/.exec(path) ?? [];
  const still = readFileSync(join(SAMPLE, path, '..', `${interview}-still-a.jpg`));
  const pitch = 200 + ((Number(number) * 31 + Number(segment) * 57) % 500);
  const { ia_meta: media } = JSON.parse(readFileSync(join(SAMPLE, `objects/${interview}-${segment}.json`), 'utf8')) as {
    ia_meta: { files: Record<string, { length: string }> };
  };
  const length = media.files[format]?.length ?? '';
  const seconds = length.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const captions = globSync(`media/*/${interview}-${segment}-transcript-*.vtt`, { cwd: SAMPLE });
  const cues = captions.flatMap((file) => parseCues(readFileSync(join(SAMPLE, file), 'utf8')));
  return makeRecording(still, { seconds, pitch, cues }, format as Parameters<typeof makeRecording>[2]);
}

if (import.meta.main) {
  for (const path of globSync('media/*/*.jpg', { cwd: SAMPLE })) {
    const bytes = await drawImage(basename(path));
    if (bytes) writeFileSync(join(SAMPLE, path), bytes);
  }
  for (const path of globSync('media/*/*.{mp3,mp4,mpg,ogv}', { cwd: SAMPLE }))
    writeFileSync(join(SAMPLE, path), drawRecording(path));
}
