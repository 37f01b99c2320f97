/** Runs ffmpeg (for recordings), Poppler (for PDF) and libheif (for HEIC) if they are installed. */
import { formatOf } from '../model/media/formats.ts';
import { findProgram } from '../platform/find-program.ts';
import { memoized } from '../platform/lazy.ts';
import { MAX_PROGRAM_BYTES, memoryLimiter } from './memory-limiter.ts';

/** A program that can be run. */
export type Tool = 'ffmpeg' | 'heif-thumbnailer' | 'pdfdetach' | 'pdftoppm' | 'pdftotext';
/** Returns the Debian package of a program. */
const packageOf = (tool: Tool) => (tool.startsWith('pdf') ? 'poppler-utils' : tool);

/** A program cannot be run, or cannot read a media file: it would fail again. */
export class ToolError extends Error {}

/** A program exceeded a limit. */
export class ToolLimitError extends ToolError {}

/** A media file needs a program or decoder that is not installed. */
export class MissingToolError extends ToolError {
  override name = 'MissingToolError';
  /** Name of the package, library or decoder. */
  readonly tool: string;
  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.tool = tool;
  }
}

/** Maximum run time, unless a caller sets another. An untrusted file may keep a program busy. */
const TIMEOUT_MS = 300_000;
/** Maximum pixels of an image, or of a frame of a video. Larger ones are not decoded. */
export const MAX_PIXELS = 200_000_000;
/** Why a larger image or video has no derivatives. */
export const PIXEL_LIMIT_EXCEEDED = `the image exceeds the maximum of ${MAX_PIXELS / 1_000_000} million pixels`;
/** What ffmpeg prints about a video whose frames exceed its option `max_pixels`. */
const TOO_MANY_PIXELS = 'exceeds specified max pixel count';
/** Maximum error output. A program that prints more is stopped. */
const MAX_ERROR_BYTES = 10_000_000;
/** What Poppler prints about a Chinese, Japanese or Korean font whose maps are not installed. It leaves the text out. */
const NO_LANGUAGE_PACK = "Missing language pack for '";

/** What Poppler prints about a PDF that opens with a password. */
const LOCKED = 'Incorrect password';

/** Returns whether a program is installed. Looks it up once per process. */
export const hasTool: (tool: Tool) => boolean = memoized((tool) => findProgram(tool) !== undefined);

/**
 * Runs a program as soon as memory for it is free, and passes its output to `onChunk` as it arrives.
 * @throws {MissingToolError} if the program, or data that it needs for the file, is not installed
 * @throws {ToolLimitError} if it takes too long, prints more than `maxBytes`, or the file exceeds the maximum of pixels
 * @throws {ToolError} if it fails (with the last line of its error output)
 */
export async function runTool(...run: Parameters<typeof runLimited>): Promise<void> {
  const [tool] = run;
  if (!hasTool(tool)) throw new MissingToolError(packageOf(tool));
  await memoryLimiter.run(MAX_PROGRAM_BYTES, () => runLimited(...run));
}

/** Starts a program that is given as arguments, with this maximum of memory in KiB. A lower one that is set already stays. */
const WITH_LIMIT = 'ulimit -d "$0" 2>/dev/null; exec "$@"';

/** Returns the command line of a program that may use `MAX_PROGRAM_BYTES`. Only Linux can limit that. */
function limitMemory(tool: Tool, args: string[]): [file: string, args: string[]] {
  if (process.platform !== 'linux') return [tool, args];
  return ['/bin/sh', ['-c', WITH_LIMIT, String(Math.floor(MAX_PROGRAM_BYTES / 1024)), tool, ...args]];
}

async function runLimited(
  tool: Tool,
  args: string[],
  maxBytes: number,
  onChunk: (chunk: Buffer) => void,
  timeout = TIMEOUT_MS,
): Promise<void> {
  const { execa } = await import('execa'); // slow to load
  const child = execa(...limitMemory(tool, args), {
    stdin: 'ignore',
    encoding: 'buffer',
    buffer: { stdout: false },
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    extendEnv: false,
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: { stderr: MAX_ERROR_BYTES },
    reject: false,
  });
  let outputBytes = 0;
  for await (const chunk of child.iterable({ binary: true })) {
    outputBytes += chunk.length;
    if (outputBytes > maxBytes) {
      child.kill();
      await child;
      throw new ToolLimitError(`${tool} produced too much output`);
    }
    onChunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  const { failed, timedOut, stderr } = await child;
  if (timedOut) throw new ToolLimitError(`${tool} exceeded the time limit`);
  if (Buffer.from(stderr).includes(NO_LANGUAGE_PACK)) throw new MissingToolError('poppler-data');
  if (!failed) return;
  const lines = Buffer.from(stderr).toString().trim().split('\n');
  if (lines.some((line) => line.includes(TOO_MANY_PIXELS))) throw new ToolLimitError(PIXEL_LIMIT_EXCEEDED);
  if (lines.some((line) => line.includes(LOCKED))) throw new ToolError('the file is locked with a password');
  const reason = lines.at(-1);
  throw new ToolError(`${tool} cannot read the file${reason ? `: ${reason}` : ''}`);
}

/**
 * Runs a program and returns its entire output.
 * @throws like `runTool`
 */
export async function readToolOutput(tool: Tool, args: string[], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runTool(tool, args, maxBytes, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Whether ffmpeg reads recordings of a media type here. */
export const isReadable = (mimetype: string): boolean => formatOf(mimetype)?.demuxer !== undefined;

/**
 * Returns ffmpeg's arguments to read one untrusted recording and no other file.
 * @throws {MissingToolError} if its type has no demuxer
 */
export function ffmpegInputArguments(file: string, mimetype: string): string[] {
  const { demuxer } = formatOf(mimetype) ?? {};
  if (demuxer === undefined) throw new MissingToolError(`a decoder for ${mimetype}`);
  return [...DECODER_LIMITS, '-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`];
}

/** Each thread of a decoder holds frames of its own. */
const DECODER_LIMITS = ['-max_pixels', String(MAX_PIXELS), '-threads', '1'];

/** Arguments for ffmpeg to print only errors and never wait for input. */
export const FFMPEG_QUIET = ['-nostdin', '-hide_banner', '-v', 'error', '-filter_threads', '1'];
