/** A file on its way: written beside its place, hashed as it comes, and taken up again where it stopped. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Algorithm, Measured } from '../model/fixity.ts';

export interface Part {
  /** Bytes that are there. */
  size(): number;
  /** Puts more bytes at its end. They may be written later; `flush` waits for that. */
  append(chunk: Uint8Array): Promise<void>;
  /** Forgets everything: the file begins anew. */
  reset(): Promise<void>;
  /** All that was appended is on disk, as far as the system tells; the bytes' checksums. */
  finish(): Promise<Measured & { sha256: string }>;
  /** Keeps what is there for another time. */
  close(): Promise<void>;
}

/** Bytes that are written at once. */
const PIECE = 1024 * 1024;

/** Opens the file with what an earlier run has left of it, `keep` bytes at most. `algorithms` are computed besides SHA-256. */
export async function openPart(file: string, algorithms: ReadonlySet<Algorithm>, keep: number): Promise<Part> {
  await mkdir(dirname(file), { recursive: true });
  const resume = keep > 0 && existsSync(file);
  const handle = await open(file, resume ? 'r+' : 'w+');
  let state = createState(algorithms);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let failure: unknown;

  if (resume) {
    if ((await handle.stat()).size > keep) await handle.truncate(keep);
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE })) state.add(chunk as Buffer);
  }

  /** Hands over what is waiting; one write is under way at a time, and the next piece comes in meanwhile. */
  async function handOver(): Promise<void> {
    await writing;
    if (failure !== undefined) throw failure;
    const pieces = waiting;
    const at = state.size() - waitingBytes;
    waiting = [];
    waitingBytes = 0;
    if (pieces.length > 0)
      writing = writeAll(handle, pieces, at).catch((error: unknown) => {
        failure = error;
      });
  }

  async function flush(): Promise<void> {
    await handOver();
    await writing;
    if (failure !== undefined) throw failure;
  }

  return {
    size: () => state.size(),
    async append(chunk) {
      state.add(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= PIECE) await handOver();
    },
    async reset() {
      await writing;
      waiting = [];
      waitingBytes = 0;
      state = createState(algorithms);
      await handle.truncate(0);
    },
    async finish() {
      await flush();
      return state.measured();
    },
    async close() {
      try {
        await flush();
      } finally {
        await handle.close();
      }
    },
  };
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

function createState(algorithms: ReadonlySet<Algorithm>) {
  const hashes = [...new Set(['sha256', ...algorithms] as const)]
    .filter((algorithm) => algorithm !== 'crc32')
    .map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  let sum = 0;
  let size = 0;
  return {
    size: () => size,
    add(chunk: Uint8Array): void {
      for (const { hash } of hashes) hash.update(chunk);
      if (algorithms.has('crc32')) sum = crc32(chunk, sum);
      size += chunk.length;
    },
    measured(): Measured & { sha256: string } {
      const sums = Object.fromEntries(hashes.map(({ algorithm, hash }) => [algorithm, hash.digest('hex')]));
      return {
        size,
        ...(sums as { sha256: string }),
        ...(algorithms.has('crc32') ? { crc32: sum.toString(16).padStart(8, '0') } : {}),
      };
    },
  };
}
