/** Programs of this machine that can do what the libraries cannot, where they are installed: ffmpeg for recordings, poppler for PDF. */
import { type ChildProcess, spawn } from 'node:child_process';
import { findProgram } from '../platform/find-program.ts';

/** By program: the package that brings it. */
const PACKAGES = { ffmpeg: 'ffmpeg', pdftoppm: 'poppler-utils', pdftotext: 'poppler-utils' } as const;
export type Tool = keyof typeof PACKAGES;

/** What a file needs and this machine lacks. */
export class ToolMissing extends Error {
  override name = 'ToolMissing';
  readonly tool: string;
  constructor(tool: string) {
    super(`${tool} is not installed`);
    this.tool = tool;
  }
}

/** A foreign file may keep a program busy for so many milliseconds. */
const TIMEOUT = 300_000;

const known = new Map<string, boolean>();

/** Whether a program is installed. */
export function hasTool(tool: Tool): boolean {
  const found = known.get(tool) ?? findProgram(tool) !== undefined;
  known.set(tool, found);
  return found;
}

/** Runs a program and hands over what it prints, piece by piece. @throws ToolMissing; an Error with its complaint where it fails, takes too long, or prints more than `most` bytes. */
export async function runTool(tool: Tool, args: string[], most: number, take: (chunk: Buffer) => void): Promise<void> {
  if (!hasTool(tool)) throw new ToolMissing(PACKAGES[tool]);
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
  let printed = 0;
  let complaint = '';
  let reason: string | undefined;
  const end = (why: string) => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => end(`${tool} took too long`), TIMEOUT);
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > most) end(`${tool} made too much of it`);
    else take(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 2000) complaint += chunk.toString();
  });
  try {
    const code = await exitOf(child);
    if (reason !== undefined || code !== 0)
      throw new Error(reason ?? `${tool} cannot read it${complaint.trim() ? `: ${complaint.trim().split('\n').at(-1)}` : ''}`);
  } finally {
    clearTimeout(timer);
  }
}

/** What a program prints, whole. @throws as `runTool` */
export async function outputOf(tool: Tool, args: string[], most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await runTool(tool, args, most, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** ffmpeg's reader of each type. Naming it keeps a foreign file from being read as a playlist that names other files. */
const READERS: Readonly<Record<string, string>> = {
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

/** The arguments by which ffmpeg reads a foreign recording and nothing else; undefined for a type that it is not trusted with. */
export function readingArguments(file: string, mimetype: string): string[] | undefined {
  const reader = READERS[mimetype];
  return reader === undefined ? undefined : ['-protocol_whitelist', 'file', '-f', reader, '-i', `file:${file}`];
}

export const QUIETLY = ['-nostdin', '-hide_banner', '-v', 'error'];
