/** A file on its way: written beside its place, summed as it comes, and taken up again where it stopped. */
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Algorithm, Measured } from '../../model/fixity.ts';
import { createSums } from './sums.ts';

export interface Part {
  /** Bytes that are there. */
  size(): number;
  /** Puts more bytes at its end; they may be written later. */
  append(chunk: Uint8Array): Promise<void>;
  /** Forgets everything: the file begins anew. */
  reset(): Promise<void>;
  /** Writes all that was appended, and closes the file. `bytes` is the whole of a small one, else where it stands. */
  finish(): Promise<{ measured: Measured & { sha256: string }; bytes: Uint8Array | string }>;
  /** Keeps what is there for another time. */
  close(): Promise<void>;
}

/** Bytes that are written at once; a file that has no more is written when it is whole. */
const PIECE = 1024 * 1024;

/** Opens the file with what an earlier run has left of it, `keep` bytes at most. `algorithms` are computed besides SHA-256. */
export async function openPart(file: string, algorithms: ReadonlySet<Algorithm>, keep: number): Promise<Part> {
  let handle: FileHandle | undefined;
  let sums = createSums(algorithms);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let failure: unknown;

  if (keep > 0 && existsSync(file)) {
    handle = await open(file, 'r+');
    if ((await handle.stat()).size > keep) await handle.truncate(keep);
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) sums.add(chunk as Buffer);
  }

  /** Hands over what is waiting; one write is under way at a time, and the next piece comes in meanwhile. */
  async function handOver(): Promise<void> {
    await settled();
    if (waiting.length === 0) return;
    handle ??= await openAnew(file);
    const pieces = waiting;
    const at = sums.size() - waitingBytes;
    waiting = [];
    waitingBytes = 0;
    writing = writeAll(handle, pieces, at).catch((error: unknown) => {
      failure = error;
    });
  }

  async function settled(): Promise<void> {
    await writing;
    if (failure !== undefined) throw failure;
  }

  async function close(): Promise<void> {
    try {
      if (handle !== undefined) await handOver();
      await settled();
    } finally {
      const opened = handle;
      handle = undefined;
      await opened?.close();
    }
  }

  return {
    size: () => sums.size(),
    async append(chunk) {
      sums.add(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= PIECE) await handOver();
    },
    async reset() {
      await settled();
      waiting = [];
      waitingBytes = 0;
      sums = createSums(algorithms);
      await handle?.truncate(0);
    },
    async finish() {
      if (handle === undefined) {
        const bytes = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting);
        writeSmall(file, bytes);
        waiting = [];
        return { measured: sums.measured(), bytes };
      }
      await close();
      return { measured: sums.measured(), bytes: file };
    },
    close,
  };
}

/** A small file is written sooner than the thread that would write it is woken. */
function writeSmall(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

async function openAnew(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'w+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(dirname(file), { recursive: true });
    return open(file, 'w+');
  }
}

async function writeAll(handle: FileHandle, pieces: Uint8Array[], at: number): Promise<void> {
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  const { bytesWritten } = await handle.writev(pieces, at);
  if (bytesWritten === total) return;
  // A disk that is nearly full takes what it can: the rest says why.
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  for (let done = 0; done < rest.length; )
    done += (await handle.write(rest, done, rest.length - done, at + bytesWritten + done)).bytesWritten;
}
