/** A file that is being downloaded: written under a temporary name, and resumed where its last checkpoint proves what is there. */

import type { Algorithm, Measured } from '../model/fixity.ts';
import { type FileType, sniffType } from '../model/sniff.ts';
import type { Checkpoint, DiskFile, DiskThreads } from './disk-threads.ts';

export interface PartialFile {
  /** Bytes that are there. */
  size(): number;
  /** Puts more bytes at its end; they may be written later. To be awaited where it gives a promise. */
  append(chunk: Uint8Array): Promise<void> | undefined;
  /** Forgets everything: the file begins anew. */
  reset(): void;
  /** Writes and syncs all that was appended, and closes the file. */
  finish(): Promise<{ measured: Measured & { sha256: string }; type: FileType | undefined }>;
  /** Keeps what is there for another time, as far as a thread has it. */
  suspend(): Promise<void>;
  /** Closes the file; whatever is left of it is to be deleted. */
  close(): Promise<void>;
}

export interface PartialFileOptions {
  /** Below the disk's folder. */
  path: string;
  /** Computed besides SHA-256. */
  algorithms: ReadonlySet<Algorithm>;
  /** What an earlier run left, and how many bytes of it are wanted at most. */
  resumeFrom?: { checkpoint: Checkpoint; maxBytes: number } | undefined;
  onCheckpoint(checkpoint: Checkpoint): void;
  /** The absolute path of the part, to tell its type by. */
  absolutePath(): string;
}

/** Bytes that are handed over at once; a file that has no more is written when it is whole. */
const CHUNK_BYTES = 1024 * 1024;

export async function openPartialFile(
  disk: DiskThreads,
  { path, algorithms, resumeFrom, onCheckpoint, absolutePath }: PartialFileOptions,
): Promise<PartialFile> {
  let file: DiskFile | undefined;
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;

  if (resumeFrom) {
    file = disk.file(path, algorithms, onCheckpoint);
    size = await file.resume(resumeFrom.checkpoint, resumeFrom.maxBytes);
  }

  function dropWaiting(): void {
    disk.addPendingBytes(-waitingBytes);
    waiting = [];
    waitingBytes = 0;
  }

  function sendWaiting(): Promise<void> | undefined {
    if (waiting.length === 0) return undefined;
    file ??= disk.file(path, algorithms, onCheckpoint);
    const chunks = waiting.map(toTransferable);
    dropWaiting();
    return file.append(chunks);
  }

  return {
    size: () => size,
    append(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      disk.addPendingBytes(chunk.length);
      size += chunk.length;
      return waitingBytes >= CHUNK_BYTES ? sendWaiting() : undefined;
    },
    reset() {
      dropWaiting();
      size = 0;
      file?.reset();
    },
    async finish() {
      if (file !== undefined) {
        await sendWaiting();
        const measured = await file.finish();
        return { measured, type: await sniffType(absolutePath()) };
      }
      const bytes = concatenate(waiting);
      const type = await sniffType(bytes);
      waiting = bytes.length === 0 ? [] : [bytes];
      file = disk.file(path, algorithms, onCheckpoint);
      // In one message: a small file costs one waking of its thread.
      const [, measured] = await Promise.all([sendWaiting(), file.finish()]);
      return { measured, type };
    },
    async suspend() {
      if (waitingBytes > 0) await sendWaiting();
      await file?.suspend();
    },
    async close() {
      dropWaiting();
      await file?.close();
    },
  };
}

/** Chunks as one. Their memory is given back at once: the garbage collector would be called for it again and again. */
function concatenate(chunks: Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = Buffer.concat(chunks);
  for (const chunk of chunks) if (ownsItsBuffer(chunk)) chunk.buffer.transfer(0);
  return bytes;
}

function ownsItsBuffer(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength;
}

/** The bytes in memory that nobody else has a part of, so that a thread can have it: those of a chunk that fills its memory, else a copy. */
function toTransferable(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return ownsItsBuffer(chunk) ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk);
}
