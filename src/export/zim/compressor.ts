/**
 * Compresses text with Zstandard in a thread of its own, while the main thread reads the next pages. The thread uses the same memory again; the
 * threads of Node's pool would keep several times as much of what they have freed.
 */

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { constants, zstdCompressSync } from 'node:zlib';
import { toPostedError } from '../../platform/posted-error.ts';
import { openThreadCalls, type Reply } from '../../platform/thread-calls.ts';

/** The thread. */
export interface Compressor {
  /** Compresses bytes, whose memory is transferred. */
  compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
  /** Ends the thread. */
  close(): Promise<void>;
}

const COMPRESSION_LEVEL = 15;
const WORKER_ROLE = 'microfiche-zim-compressor';

interface Request {
  bytes: Uint8Array<ArrayBuffer>;
}

/** Starts the thread. */
export function startCompressor(): Compressor {
  const worker = new Worker(import.meta.filename, { workerData: { role: WORKER_ROLE } });
  const { send } = openThreadCalls<Request, Uint8Array>(worker);
  return {
    compress: async (bytes) => (await send({ bytes }, [bytes.buffer]).reply) as Uint8Array,
    close: async () => void (await worker.terminate()),
  };
}

function compress({ id, bytes }: Request & { id: number }): Reply<Uint8Array<ArrayBuffer>> {
  try {
    // With the size, Zstandard takes less memory.
    const params = { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL };
    return { id, result: new Uint8Array(zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length })) };
  } catch (error) {
    return { id, failure: toPostedError(error) };
  }
}

if (!isMainThread && (workerData as { role?: string } | null)?.role === WORKER_ROLE)
  parentPort?.on('message', (request: Request & { id: number }) => {
    const reply = compress(request);
    parentPort?.postMessage(reply, reply.result ? [reply.result.buffer] : []);
  });
