/** A file that is being downloaded: written under a temporary name, and resumed where its last checkpoint proves what is there. */

import type { Algorithm, Measured } from '../model/fixity.ts';
import { type FileType, sniffType } from '../model/sniff.ts';
import type { Checkpoint, Disk, DiskFile } from './disk.ts';

export interface Part {
  /** Bytes that are there. */
  size(): number;
  /** Puts more bytes at its end; they may be written later. To be awaited where it gives a promise. */
  append(chunk: Uint8Array): Promise<void> | undefined;
  /** Forgets everything: the file begins anew. */
  reset(): void;
  /** Writes and syncs all that was appended, and closes the file. */
  finish(): Promise<{ measured: Measured & { sha256: string }; type: FileType | undefined }>;
  /** Keeps what is there for another time, as far as a thread has it. */
  keep(): Promise<void>;
  /** Closes the file; whatever is left of it is to be deleted. */
  close(): Promise<void>;
}

export interface PartOptions {
  /** Below the disk's folder. */
  path: string;
  /** Computed besides SHA-256. */
  algorithms: ReadonlySet<Algorithm>;
  /** What an earlier run left, and how many bytes of it are wanted at most. */
  left?: { checkpoint: Checkpoint; keep: number } | undefined;
  onCheckpoint(checkpoint: Checkpoint): void;
  /** The absolute path of the part, to tell its type by. */
  absolute(): string;
}

/** Bytes that are handed over at once; a file that has no more is written when it is whole. */
const PIECE = 1024 * 1024;

export async function openPart(disk: Disk, { path, algorithms, left, onCheckpoint, absolute }: PartOptions): Promise<Part> {
  let file: DiskFile | undefined;
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;

  if (left) {
    file = disk.file(path, algorithms, onCheckpoint);
    size = await file.resume(left.checkpoint, left.keep);
  }

  function waitNoMore(): void {
    disk.hold(-waitingBytes);
    waiting = [];
    waitingBytes = 0;
  }

  function handOver(): Promise<void> | undefined {
    if (waiting.length === 0) return undefined;
    file ??= disk.file(path, algorithms, onCheckpoint);
    const chunks = waiting.map(ownMemory);
    waitNoMore();
    return file.append(chunks);
  }

  return {
    size: () => size,
    append(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      disk.hold(chunk.length);
      size += chunk.length;
      return waitingBytes >= PIECE ? handOver() : undefined;
    },
    reset() {
      waitNoMore();
      size = 0;
      file?.reset();
    },
    async finish() {
      if (file !== undefined) {
        await handOver();
        const measured = await file.finish();
        return { measured, type: await sniffType(absolute()) };
      }
      const bytes = joined(waiting);
      const type = await sniffType(bytes);
      waiting = bytes.length === 0 ? [] : [bytes];
      file = disk.file(path, algorithms, onCheckpoint);
      // In one message: a small file costs one waking of its thread.
      const [, measured] = await Promise.all([handOver(), file.finish()]);
      return { measured, type };
    },
    async keep() {
      if (waitingBytes > 0) await handOver();
      await file?.keep();
    },
    async close() {
      waitNoMore();
      await file?.close();
    },
  };
}

/** Chunks as one. Their memory is given back at once: the garbage collector would be called for it again and again. */
function joined(chunks: Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = Buffer.concat(chunks);
  for (const chunk of chunks) if (fillsMemory(chunk)) chunk.buffer.transfer(0);
  return bytes;
}

function fillsMemory(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength;
}

/** The bytes in memory that nobody else has a part of, so that a thread can have it: those of a chunk that fills its memory, else a copy. */
function ownMemory(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return fillsMemory(chunk) ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk);
}
