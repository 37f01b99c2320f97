/**
 * `npm run sample`: draws the images of content/sample again, and makes its recordings. Its records, which are edited by hand,
 * have the checksums of these files. Recordings need ffmpeg, and their bytes depend on its version.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { drawScene, toJpeg } from './drawings.ts';
import { makeRecording } from './recordings.ts';

const SAMPLE = join(import.meta.dirname, '../../content/sample');

/** Sizes of the first photographs in pixels: one for the zoom viewer, and one that is large enough for tiles. */
const LARGE_SIZES = [
  [2400, 1650],
  [4400, 3025],
] as const satisfies ReadonlyArray<readonly [number, number]>;

/** Returns an image of the sample by its file name; undefined for the file that only claims to be an image. */
export async function drawImage(name: string): Promise<Buffer | undefined> {
  const [, collection = '', number = '', kind = ''] = /^(lica-\w+-\d+)-(\d+)-(scan|still|mezzanine)\b/.exec(name) ?? [];
  const n = Number(number);
  if (kind === 'still') return toJpeg(drawScene('portrait', n + (collection === 'lica-ferry-1' ? 0 : 30), 480, 360));
  if (collection === 'lica-quay-1') {
    const [width, height] = LARGE_SIZES[n - 1] ?? (n % 5 ? [640, 440] : [420, 600]);
    return n === 39 ? undefined : toJpeg(drawScene('harbour', n, width, height), { metadata: n === 3 || n === 4 });
  }
  return toJpeg(drawScene('letter', kind === 'scan' ? n + 50 : pageOf(name), 420, 560));
}

/** Returns the number of a page in a letter, which its file record has. */
function pageOf(name: string): number {
  const record = readFileSync(join(SAMPLE, 'objects', name.replace('-a.jpg', '.json')), 'utf8');
  return Number((JSON.parse(record) as { sort: string }).sort);
}

/** Returns a recording of the sample by its file name. */
async function drawRecording(name: string): Promise<Buffer | undefined> {
  const [, interview = '', number = '', segment = '', format = ''] = /^(lica-ferry-\d+-(\d+))-(\d+)\.(\w+)$/.exec(name) ?? [];
  const still = await drawImage(`${interview}-still-a.jpg`);
  const pitch = 200 + ((Number(number) * 31 + Number(segment) * 57) % 500);
  return still && makeRecording(still, pitch, format as Parameters<typeof makeRecording>[2]);
}

if (import.meta.main) {
  for (const path of globSync('media/*/*.{jpg,mp3,mp4,mpg,ogv}', { cwd: SAMPLE })) {
    const name = basename(path);
    const bytes = await (name.endsWith('.jpg') ? drawImage(name) : drawRecording(name));
    if (bytes) writeFileSync(join(SAMPLE, path), bytes);
  }
}
