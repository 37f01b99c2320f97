/** Opens a media file as an image: the image itself, the first page of a PDF, or a frame of a video. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { formatOf } from '../model/media/formats.ts';
import { readStart } from '../platform/read-start.ts';
import { MAX_PROGRAM_BYTES } from './memory-limiter.ts';
import * as tools from './tools.ts';

/** Maximum time for one image. */
const IMAGE_TIMEOUT_SECONDS = 300;
/** Edge length of a PDF page or video frame in pixels: that of a display image. */
const RENDERED_EDGE = 1600;
/** Maximum output of a program: twice the size of an uncompressed image. */
const MAX_OUTPUT_BYTES = RENDERED_EDGE * RENDERED_EDGE * 4 * 2;
/** The same of an image, which is not scaled: half of what a program may use, because it holds the pixels too. */
const MAX_IMAGE_BYTES = MAX_PROGRAM_BYTES / 2;

/** Maximum bytes of an SVG. A longer one is truncated, and so broken. */
const MAX_DRAWING_BYTES = 32_000_000;

/** Returns whether files of this media type can be rendered as an image. */
export function isRenderable(mimetype: string): boolean {
  return mimetype.startsWith('image/') || mimetype === 'application/pdf' || mimetype.startsWith('video/');
}

/** Returns what decodes an image here, if machines differ in that, or in what it returns; undefined for other types. */
export function decoderOf(mimetype: string): 'ffmpeg' | 'libvips' | 'libheif' | undefined {
  const { decoder } = formatOf(mimetype) ?? {};
  if (decoder === 'libvips') return sharp.format.jp2.input.file ? decoder : 'ffmpeg';
  return decoder === 'sharp' ? undefined : decoder;
}

/**
 * Opens a media file as an upright image: of a TIFF, one of its pages, which are numbered from 0.
 * @throws {MissingToolError} if this machine lacks a program or decoder for it
 * @throws {Error} if the file is broken
 */
export async function openImage(file: string, mimetype: string, page = 0): Promise<Sharp> {
  if (mimetype === 'application/pdf') {
    const args = ['-png', '-singlefile', '-f', '1', '-l', '1', '-scale-to', String(RENDERED_EDGE), file];
    return openWithSharp(await tools.readToolOutput('pdftoppm', args, MAX_OUTPUT_BYTES));
  }
  const decoder = decoderOf(mimetype);
  if (mimetype.startsWith('video/') || decoder === 'ffmpeg') return openWithSharp(await extractFrame(file, mimetype));
  if (decoder === 'libheif') return openWithSharp(await decodeHeic(file), 0, true);
  // Bytes have no folder from which a drawing could read other files.
  if (mimetype === 'image/svg+xml') return openWithSharp(readStart(file, MAX_DRAWING_BYTES));
  if (!decoder && formatOf(mimetype)?.decoder !== 'sharp') throw new tools.MissingToolError(`a decoder for ${mimetype}`);
  return openWithSharp(file, page);
}

/** Opens an image. Unless a decoder has turned it, it is turned by its EXIF. sharp drops all metadata and converts to sRGB. */
function openWithSharp(input: string | Buffer, page = 0, isTurned = false): Sharp {
  const options = { limitInputPixels: tools.MAX_PIXELS, failOn: 'error', sequentialRead: true, page } as const;
  const image = sharp(input, options).timeout({ seconds: IMAGE_TIMEOUT_SECONDS });
  return isTurned ? image : image.rotate();
}

/** More than any image has: it is not scaled down. In pixels. */
const ANY_EDGE = '65535';

/** Returns the main image of a HEIC file as PNG. The program writes no other, even if the file has several. */
async function decodeHeic(file: string): Promise<Buffer> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-heic-'));
  const png = join(directory.path, 'image.png');
  try {
    await tools.readToolOutput('heif-thumbnailer', ['-s', ANY_EDGE, '-p', file, png], MAX_OUTPUT_BYTES);
  } catch (error) {
    const { width, height } = NO_MEMORY.test((error as Error).message) ? await sharp(file).metadata() : { width: 0, height: 0 };
    if (width * height * HEIC_PIXEL_BYTES < MAX_PROGRAM_BYTES) throw error;
    const millions = Math.round((width * height) / 1e6);
    throw new tools.ToolLimitError(`heif-thumbnailer needs more than 1 GB of memory for ${millions} million pixels`);
  }
  return readStart(png, MAX_IMAGE_BYTES);
}
/** What libheif says if it gets no memory for the pixels of a large image. It needs up to so many bytes for each. */
const [NO_MEMORY, HEIC_PIXEL_BYTES] = [/color conversion/, 12];

/** Seconds into a video: usually past a black or title frame; the first frame if the video is shorter. */
const FRAME_POSITIONS = ['5', '0'];

async function extractFrame(file: string, mimetype: string): Promise<Buffer> {
  const inputArguments = tools.ffmpegInputArguments(file, mimetype);
  // Digitized tapes often have pixels that are not square.
  const size = `scale='if(gt(sar,0),iw*sar,iw)':ih,setsar=1,scale='min(${RENDERED_EDGE},iw)':-2`;
  const isImage = mimetype.startsWith('image/');
  const output = '-frames:v 1 -c:v png -compression_level 1 -threads 1 -f image2pipe -'.split(' ');
  for (const position of FRAME_POSITIONS.slice(isImage ? -1 : 0)) {
    const args = [...tools.FFMPEG_QUIET, '-ss', position, ...inputArguments, ...(isImage ? [] : ['-vf', size]), ...output];
    try {
      const frame = await tools.readToolOutput('ffmpeg', args, isImage ? MAX_IMAGE_BYTES : MAX_OUTPUT_BYTES);
      if (frame.length > 0) return frame;
    } catch (error) {
      // a shorter video fails at the first position
      if (position === FRAME_POSITIONS.at(-1) || error instanceof tools.ToolLimitError) throw error;
    }
  }
  throw new tools.ToolError('no image can be extracted from the file');
}
