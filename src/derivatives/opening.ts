/** What there is to see of a stored file: the picture itself, the first page of a PDF, a moment of a video. */
import sharp, { type Sharp } from 'sharp';
import { outputOf, QUIETLY, readingArguments, ToolMissing } from './tools.ts';

/** A picture with more pixels is not opened. */
export const MAX_PIXELS = 200_000_000;
/** Seconds that one picture may take. */
const MAX_SECONDS = 300;
/** Edge of a PDF's page and of a video's frame in pixels: as large as pages show them. */
const EDGE = 1600;
/** Bytes of a picture that a program hands over, uncompressed at the worst. */
const MOST = EDGE * EDGE * 4 * 2;

/** Types that sharp reads, whatever it was built with. */
const READ: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff']);
/** JPEG 2000 in its containers. */
const JPEG_2000: ReadonlySet<string> = new Set(['image/jp2', 'image/jpx', 'image/jpm', 'image/mj2']);

/** Whether a file of this type may have something to be seen in it. */
export function isVisible(mimetype: string): boolean {
  return mimetype.startsWith('image/') || mimetype === 'application/pdf' || mimetype.startsWith('video/');
}

/** Opens a stored file as a picture, upright. @throws ToolMissing where this machine cannot; an Error where the file is bad. */
export async function openPicture(file: string, mimetype: string): Promise<Sharp> {
  if (mimetype === 'application/pdf') return open(await firstPage(file));
  if (mimetype.startsWith('video/')) return open(await moment(file, mimetype));
  if (JPEG_2000.has(mimetype) && !readsJpeg2000()) throw new ToolMissing('libvips with JPEG 2000');
  if (!READ.has(mimetype) && !JPEG_2000.has(mimetype)) throw new ToolMissing(`a reader of ${mimetype}`);
  return open(file);
}

function open(input: string | Buffer): Sharp {
  return sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: MAX_SECONDS })
    .rotate(); // as EXIF says; sharp leaves all metadata behind, and converts to sRGB
}

function readsJpeg2000(): boolean {
  const { jp2k } = sharp.format as { jp2k?: { input: { file: boolean } } };
  return jp2k?.input.file === true;
}

function firstPage(file: string): Promise<Buffer> {
  return outputOf('pdftoppm', ['-q', '-png', '-singlefile', '-f', '1', '-l', '1', '-scale-to', String(EDGE), file], MOST);
}

/** Seconds into a video at which it is past its beginning; a shorter one shows its first picture. */
const PAST_BEGINNING = ['5', '0'];

async function moment(file: string, mimetype: string): Promise<Buffer> {
  const reading = readingArguments(file, mimetype);
  if (!reading) throw new ToolMissing(`a reader of ${mimetype}`);
  const size = `scale='min(${EDGE},iw)':-2`;
  for (const at of PAST_BEGINNING) {
    const args = [...QUIETLY, '-ss', at, ...reading, '-frames:v', '1', '-vf', size, '-c:v', 'png', '-f', 'image2pipe', '-'];
    try {
      const frame = await outputOf('ffmpeg', args, MOST);
      if (frame.length > 0) return frame;
    } catch (error) {
      if (at === PAST_BEGINNING.at(-1)) throw error; // else it may be shorter than that
    }
  }
  throw new Error('the video has no picture');
}
