/** Limits the memory of everything that reads media files, in this process and in others: what is large waits. */
import type { Sharp } from 'sharp';

/** Maximum bytes of memory that another program may use for one file. */
export const MAX_PROGRAM_BYTES = 1_000_000_000;

/** The one queue of a build: half of the free memory, and at least what one program may use. A larger image is decoded alone. */
export const memoryLimiter = createMemoryLimiter(Math.max(MAX_PROGRAM_BYTES, process.availableMemory() / 2));

/** Creates a queue with a limit of `maxBytes`. */
export function createMemoryLimiter(maxBytes: number) {
  let inUse = 0;
  const queue: Array<{ bytes: number; start: () => void }> = [];

  function admit(): void {
    for (let next = queue[0]; next && (inUse === 0 || inUse + next.bytes <= maxBytes); next = queue[0]) {
      queue.shift();
      inUse += next.bytes;
      next.start();
    }
  }

  return {
    /**
     * Runs `work`, which needs `bytes` of memory, as soon as they are free. Tasks start in the order of the calls. `work` must
     * not call `run`: it could wait for itself.
     */
    async run<T>(bytes: number, work: () => Promise<T>) {
      await new Promise<void>((start) => {
        queue.push({ bytes, start });
        admit();
      });
      try {
        return await work();
      } finally {
        inUse -= bytes;
        admit();
      }
    },
  };
}

const BYTES_BY_DEPTH: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };
/** Rows of an image that are in memory while it is read as a stream. */
const STREAMED_ROWS = 1_000;
/** Formats that are read as a stream. Decoders of the others may hold all rows. */
const STREAMED_FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png']);
/** How much more than its pixels the decoder of a format holds, as measured. */
const FACTORS: Readonly<Record<string, number>> = { gif: 1.5, heif: 6, jp2: 6 };

/** Estimates the bytes to scale down an image: the streamed rows, or all if it is progressive, rotated or not streamed. */
export async function estimateMemory(opened: Sharp): Promise<number> {
  const { format, width, height, channels, depth, orientation = 1, isProgressive } = await opened.metadata();
  const isStreamed = STREAMED_FORMATS.has(format) && orientation <= 1 && !isProgressive;
  const rows = isStreamed ? Math.min(height, STREAMED_ROWS) : height;
  return width * rows * channels * (BYTES_BY_DEPTH[depth] ?? 8) * (FACTORS[format] ?? 1);
}
