/**
 * Groups the content of a ZIM file into clusters. Text is compressed with Zstandard into a temporary file, because the size of
 * each cluster must be known before the first one is written. Media are only listed, and are read when the file is written.
 */
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { constants, zstdCompressSync } from 'node:zlib';
import { concatenate } from '../../platform/in-parts.ts';
import { openThreadCalls } from '../../platform/thread-calls.ts';
import { doTasks } from '../../platform/thread-pool.ts';
import { encodeClusterStart, encodeOffsets, ZSTANDARD } from './format.ts';

/** Content that is stored as it is, or a finished cluster. `read` yields exactly `size` bytes. */
export interface StoredBlob {
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Text of a cluster before compression. A reader decompresses one cluster to show a page. */
const TEXT_CLUSTER_BYTES = 1024 * 1024;
/** Size from which no more blobs are added to a cluster that is not compressed. */
const STORED_CLUSTER_BYTES = 16 * 1024 * 1024;
/** Clusters that are compressed, or wait for that. */
const MAX_COMPRESSING = 4;
const CHUNK_BYTES = 1024 * 1024;

/** Collects the content of a ZIM file. */
export type ClusterBuilder = ReturnType<typeof createClusterBuilder>;

/** Creates a builder that writes compressed clusters to `temporaryFile`. */
export function createClusterBuilder(temporaryFile: string) {
  const descriptor = openSync(temporaryFile, 'wx+', 0o600);
  const compressor = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE } });
  const compress = openThreadCalls<Request, Uint8Array>(compressor);
  const clusters: Array<StoredBlob | undefined> = [];
  const compressing: Array<Promise<void>> = [];
  let written = 0;
  let text: { number: number; blobs: Uint8Array[]; bytes: number } | undefined;
  let stored: { number: number; blobs: StoredBlob[]; bytes: number } | undefined;
  const open = () => clusters.push(undefined) - 1;

  async function endText(): Promise<void> {
    if (!text) return;
    const { number, blobs } = text;
    text = undefined;
    const { bytes } = encodeOffsets(blobs.map(({ length }) => length));
    const content = new Uint8Array(Buffer.concat([bytes, ...blobs]));
    const previous = compressing.at(-1);
    const done = compress({ bytes: content }, [content.buffer]).then(async (reply) => {
      const packed = reply as Uint8Array;
      await previous; // clusters are written in their order, so that the same content gives the same bytes
      const at = written;
      writeFileSync(descriptor, packed);
      written += packed.length;
      clusters[number] = { size: 1 + packed.length, read: () => readPacked(descriptor, at, packed.length) };
    });
    done.catch(() => undefined); // awaited below
    compressing.push(done);
    if (compressing.length > MAX_COMPRESSING) await compressing.shift();
  }

  function endStored(): void {
    if (stored) clusters[stored.number] = storedCluster(stored.blobs);
    stored = undefined;
  }

  return {
    /** Adds content that is compressed. */
    async addText(bytes: Uint8Array) {
      if (text && text.bytes + bytes.length > TEXT_CLUSTER_BYTES) await endText();
      text ??= { number: open(), blobs: [], bytes: 0 };
      text.bytes += bytes.length;
      return { cluster: text.number, blob: text.blobs.push(bytes) - 1 };
    },
    /** Adds content that is stored as it is. */
    addStored(blob: StoredBlob) {
      if (stored && stored.bytes + blob.size > STORED_CLUSTER_BYTES) endStored();
      stored ??= { number: open(), blobs: [], bytes: 0 };
      stored.bytes += blob.size;
      return { cluster: stored.number, blob: stored.blobs.push(blob) - 1 };
    },
    /** Ends the current cluster of stored content, so that the next blob begins another one. */
    endStored,
    /** Returns all clusters by their numbers. No content may be added afterwards. */
    async finish() {
      await endText();
      endStored();
      await Promise.all(compressing);
      return clusters as StoredBlob[];
    },
    /** Closes the temporary file, after what is being written. */
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(compressing);
      await compressor.terminate();
      closeSync(descriptor);
    },
  };
}

function storedCluster(blobs: readonly StoredBlob[]): StoredBlob {
  const start = encodeClusterStart(blobs.map(({ size }) => size));
  return {
    size: start.length + blobs.reduce((total, { size }) => total + size, 0),
    read: () => concatenate([[start], ...blobs.map((blob) => blob.read())]),
  };
}

async function* readPacked(descriptor: number, at: number, length: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from([ZSTANDARD]);
  for (let done = 0; done < length; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, length - done));
    const size = readSync(descriptor, chunk, 0, chunk.length, at + done);
    if (size === 0) throw new Error('The temporary file of compressed clusters has changed');
    done += size;
    yield chunk.subarray(0, size);
  }
}

const COMPRESSION_LEVEL = 15;
const WORKER_ROLE = 'microfiche-zim-compressor';

/** What the thread compresses. The memory is transferred to it. */
interface Request {
  bytes: Uint8Array<ArrayBuffer>;
}

doTasks(WORKER_ROLE, () => ({ bytes }: Request) => {
  // With the size, Zstandard takes less memory.
  const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
  return new Uint8Array(zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length }));
});
