/**
 * Compresses text with Zstandard in a thread of its own, while the main thread reads the next pages. The thread uses the same memory again; the
 * threads of Node's pool would keep several times as much of what they have freed.
 */

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { constants, zstdCompressSync } from 'node:zlib';
import { type PostedError, toError, toPostedError } from '../../platform/posted-error.ts';

/** The thread. */
export interface Compressor {
  /** Compresses bytes, whose memory is transferred. */
  compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Ends the thread. */
  close(): Promise<void>;
}

const COMPRESSION_LEVEL = 15;
const WORKER_ROLE = 'microfiche-zim-compressor';

type Reply = { bytes: Uint8Array<ArrayBuffer> } | { failure: PostedError };

/** Starts the thread. */
export function startCompressor(): Compressor {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE } });
  const waiting: Array<{ resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void }> = [];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  // Replies come in the order of the requests.
  worker.on('message', (reply: Reply) => {
    const caller = waiting.shift();
    if ('bytes' in reply) caller?.resolve(reply.bytes);
    else caller?.reject(toError(reply.failure));
  });
  worker.on('error', (error) => end(error as Error));
  worker.on('exit', () => end(new Error('A thread that compresses has ended.')));
  return {
    compress: (bytes) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.push({ resolve, reject });
        worker.postMessage(bytes, [bytes.buffer]);
      }),
    close: async () => void (await worker.terminate()),
  };
}

function compress(bytes: Uint8Array): Reply {
  try {
    // With the size, Zstandard takes less memory.
    const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
    return { bytes: new Uint8Array(zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length })) };
  } catch (error) {
    return { failure: toPostedError(error) };
  }
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE)
  parentPort?.on('message', (bytes: Uint8Array) => {
    const reply = compress(bytes);
    parentPort?.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer] : []);
  });
