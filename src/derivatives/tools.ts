/** Runs ffmpeg (for recordings) and Poppler (for PDF) if they are installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian package of each program. */
const PACKAGES = { ffmpeg: 'ffmpeg', pdftoppm: 'poppler-utils', pdftotext: 'poppler-utils' } as const;
/** A program that can be run. */
export type Tool = keyof typeof PACKAGES;

/** A media file needs something that is not installed. */
export class ToolMissing extends Error {
  override name = 'ToolMissing';
  /** Name of the package, library or decoder. */
  readonly tool: string;
  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.tool = tool;
  }
}

/** Maximum run time: an untrusted file may keep a program busy. */
const TIMEOUT_MS = 300_000;

const isInstalled = new Map<string, boolean>();

/** Whether a program is installed. Looked up once per process. */
export function hasTool(tool: Tool): boolean {
  const installed =
    isInstalled.get(tool) ?? (process.env['PATH'] ?? '').split(delimiter).some((folder) => isExecutable(join(folder, tool)));
  isInstalled.set(tool, installed);
  return installed;
}

function isExecutable(file: string): boolean {
  return [file, `${file}.exe`].some((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Runs a program, and passes its output to `onChunk` as it arrives.
 * @throws {ToolMissing} if the program is not installed
 * @throws {Error} if it fails (with the last line of its error output), takes too long, or prints more than `maxBytes`
 */
export async function runTool(tool: Tool, args: string[], maxBytes: number, onChunk: (chunk: Buffer) => void): Promise<void> {
  if (!hasTool(tool)) throw new ToolMissing(PACKAGES[tool]);
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
  let outputBytes = 0;
  let errorOutput = '';
  let reason: string | undefined;
  const stop = (because: string) => {
    reason ??= because;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop(`${tool} exceeded the time limit`), TIMEOUT_MS);
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > maxBytes) stop(`${tool} produced too much output`);
    else onChunk(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (errorOutput.length < 2000) errorOutput += chunk.toString();
  });
  try {
    const code = await exitOf(child);
    if (reason !== undefined || code !== 0)
      throw new Error(
        reason ?? `${tool} cannot read the file${errorOutput.trim() ? `: ${errorOutput.trim().split('\n').at(-1)}` : ''}`,
      );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a program and returns its entire output.
 * @throws like `runTool`
 */
export async function outputOf(tool: Tool, args: string[], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runTool(tool, args, maxBytes, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
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

/** Returns the arguments with which ffmpeg reads one untrusted recording and no other file; undefined for unknown media types. */
export function readingArguments(file: string, mimetype: string): string[] | undefined {
  const demuxer = DEMUXERS[mimetype];
  return demuxer === undefined ? undefined : ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`];
}

/** Arguments with which ffmpeg prints errors only, and never waits for input. */
export const QUIETLY = ['-nostdin', '-hide_banner', '-v', 'error'];
