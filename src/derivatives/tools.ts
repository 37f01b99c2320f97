/** Runs ffmpeg (for recordings) and Poppler (for PDF) if they are installed. */
import { findProgram } from '../platform/find-program.ts';

/** The Debian package of each program. */
const PACKAGES = { ffmpeg: 'ffmpeg', pdftoppm: 'poppler-utils', pdftotext: 'poppler-utils' } as const;
/** A program that can be run. */
export type Tool = keyof typeof PACKAGES;

/** A media file needs a program or decoder that is not installed. */
export class MissingToolError extends Error {
  override name = 'MissingToolError';
  /** Name of the package, library or decoder. */
  readonly tool: string;
  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.tool = tool;
  }
}

/** Maximum run time. An untrusted file may keep a program busy. */
const TIMEOUT_MS = 300_000;
/** Maximum error output. A program that prints more is stopped. */
const MAX_ERROR_BYTES = 1_000_000;

const isInstalled = new Map<string, boolean>();

/** Returns whether a program is installed. Looks it up once per process. */
export function hasTool(tool: Tool): boolean {
  const installed = isInstalled.get(tool) ?? findProgram(tool) !== undefined;
  isInstalled.set(tool, installed);
  return installed;
}

/**
 * Runs a program, and passes its output to `onChunk` as it arrives.
 * @throws {MissingToolError} if the program is not installed
 * @throws {Error} if it fails (with the last line of its error output), takes too long, or prints more than `maxBytes`
 */
export async function runTool(tool: Tool, args: string[], maxBytes: number, onChunk: (chunk: Buffer) => void): Promise<void> {
  if (!hasTool(tool)) throw new MissingToolError(PACKAGES[tool]);
  const { execa } = await import('execa'); // slow to load
  const child = execa(tool, args, {
    stdin: 'ignore',
    encoding: 'buffer',
    buffer: { stdout: false },
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    extendEnv: false,
    timeout: TIMEOUT_MS,
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
      throw new Error(`${tool} produced too much output`);
    }
    onChunk(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  const { failed, timedOut, stderr } = await child;
  if (timedOut) throw new Error(`${tool} exceeded the time limit`);
  if (!failed) return;
  const reason = Buffer.from(stderr).toString().trim().split('\n').at(-1);
  throw new Error(`${tool} cannot read the file${reason ? `: ${reason}` : ''}`);
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

/** ffmpeg's demuxer for each media type. Naming it prevents an untrusted file from being read as a playlist of other files. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/mpeg': 'mpeg',
  'video/ogg': 'ogg',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'audio/mp4': 'mov',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/webm': 'matroska',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
};

/** Returns the arguments for ffmpeg to read one untrusted recording and no other file; undefined if the media type has no demuxer. */
export function ffmpegInputArguments(file: string, mimetype: string): string[] | undefined {
  const demuxer = DEMUXERS[mimetype];
  return demuxer === undefined ? undefined : ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`];
}

/** Arguments for ffmpeg to print only errors and never wait for input. */
export const FFMPEG_QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];
