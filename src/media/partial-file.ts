/** Writes a partial file: a download under a temporary name, which can be resumed from its last checkpoint. */
import type { Algorithm } from '../model/media/fixity.ts';
import { sniffType } from '../model/media/sniff.ts';
import type { Checkpoint, DiskFile, DiskThreads } from './disk-threads.ts';

/** Options of `openPartialFile`. */
export interface PartialFileOptions {
  /** Path relative to the directory of the disk threads. */
  path: string;
  /** Computed in addition to SHA-256. */
  algorithms: ReadonlySet<Algorithm>;
  /** The checkpoint of an earlier run, and the maximum number of its bytes to continue from. */
  resumeFrom?: { checkpoint: Checkpoint; maxBytes: number } | undefined;
  onCheckpoint(checkpoint: Checkpoint): void;
  /** Returns the absolute path of the partial file, for content sniffing. */
  absolutePath(): string;
}

/** Bytes that are buffered before they are passed to a thread. A smaller file is written only when it is complete. */
const CHUNK_BYTES = 1024 * 1024;

/** Opens a partial file. If `resumeFrom` is given and its checkpoint matches the file on disk, continues from there. */
export async function openPartialFile(
  disk: DiskThreads,
  { path, algorithms, resumeFrom, onCheckpoint, absolutePath }: PartialFileOptions,
) {
  let file: DiskFile | undefined;
  let size = 0;
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;

  if (resumeFrom) {
    file = disk.file(path, algorithms, onCheckpoint);
    size = await file.resume(resumeFrom.checkpoint, resumeFrom.maxBytes);
  }

  function clearBuffer(): void {
    disk.addPendingBytes(-bufferedBytes);
    buffered = [];
    bufferedBytes = 0;
  }

  function flush(): Promise<void> | undefined {
    if (buffered.length === 0) return undefined;
    file ??= disk.file(path, algorithms, onCheckpoint);
    const chunks = buffered.map(toTransferable);
    clearBuffer();
    return file.append(chunks);
  }

  return {
    /** Returns the number of bytes so far, written or buffered. */
    size: () => size,
    /** Appends bytes, which may be written later. If it returns a promise, await it before the next call. */
    append(chunk: Uint8Array) {
      buffered.push(chunk);
      bufferedBytes += chunk.length;
      disk.addPendingBytes(chunk.length);
      size += chunk.length;
      return bufferedBytes >= CHUNK_BYTES ? flush() : undefined;
    },
    /** Discards all bytes, so that the file starts over. */
    reset() {
      clearBuffer();
      size = 0;
      file?.reset();
    },
    /** Writes and syncs all bytes, and closes the file. Returns its checksums and detected media type. */
    async finish() {
      if (file !== undefined) {
        await flush();
        const measured = await file.finish();
        return { measured, type: await sniffType(absolutePath()) };
      }
      const bytes = concatenate(buffered);
      const type = await sniffType(bytes);
      buffered = bytes.length === 0 ? [] : [bytes];
      file = disk.file(path, algorithms, onCheckpoint);
      // Not awaited in turn, so that both commands are posted in one message and wake the thread once.
      const [, measured] = await Promise.all([flush(), file.finish()]);
      return { measured, type };
    },
    /** Writes and syncs the bytes so far, and closes the file to be resumed later. */
    async suspend() {
      if (bufferedBytes > 0) await flush();
      await file?.suspend();
    },
    /** Closes the file. The caller deletes it. */
    async close() {
      clearBuffer();
      await file?.close();
    },
  };
}

/** Joins chunks. Releases their memory at once, which would otherwise trigger the garbage collector again and again. */
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

/**
 * Returns the bytes in an `ArrayBuffer` of their own, which can be transferred to a thread: the chunk's own if nothing else is in
 * it, else a copy.
 */
function toTransferable(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return ownsItsBuffer(chunk) ? new Uint8Array(chunk.buffer) : Uint8Array.from(chunk);
}
