/** Limits the memory of images that are decoded at the same time: large images wait for each other. */
import type { Sharp } from 'sharp';

/** Maximum bytes of pixels that are decoded at the same time. A larger image is decoded alone. */
export const MAX_DECODED_BYTES = 400_000_000;

/** A queue that limits the memory of running tasks, not their number. */
export interface MemoryLimiter {
  /** Runs `work`, which needs `bytes` of memory, as soon as they are free. Tasks start in the order of the calls. */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Creates a queue with a limit of `maxBytes`. */
export function createMemoryLimiter(maxBytes = MAX_DECODED_BYTES): MemoryLimiter {
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
    async run(bytes, work) {
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

const BYTES_BY_DEPTH: Readonly<Record<string, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  double: 8,
};
/** Rows of an image that are in memory while it is read as a stream. */
const STREAMED_ROWS = 1_000;

/** Estimates the memory in bytes for scaling down an image: all rows if it is rotated or progressive, else the streamed rows. */
export async function estimateMemory(opened: Sharp): Promise<number> {
  const { width, height, channels, depth, orientation = 1, isProgressive } = await opened.metadata();
  const rows = orientation > 1 || isProgressive ? height : Math.min(height, STREAMED_ROWS);
  return width * rows * channels * (BYTES_BY_DEPTH[depth] ?? 8);
}
