/** Keeps the memory of pictures that are opened at once within bounds: large ones wait for one another. */
import type { Sharp } from 'sharp';

/** Bytes of decoded pixels at once. A picture that has more by itself is opened alone. */
export const MOST_AT_ONCE = 400_000_000;

export interface Scale {
  /** Does some work that takes so many bytes, as soon as there is room for it. */
  weigh<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export function createScale(limit = MOST_AT_ONCE): Scale {
  let inUse = 0;
  const waiting: Array<{ bytes: number; go: () => void }> = [];

  function admit(): void {
    for (let next = waiting[0]; next && (inUse === 0 || inUse + next.bytes <= limit); next = waiting[0]) {
      waiting.shift();
      inUse += next.bytes;
      next.go();
    }
  }

  return {
    async weigh(bytes, work) {
      await new Promise<void>((go) => {
        waiting.push({ bytes, go });
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

const BYTES: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4, double: 8 };
/** Rows of a picture that stand in memory while it streams through. */
const STREAMED_ROWS = 1_000;

/** Bytes that a picture takes while it is made smaller: all of it where it must be turned or comes in passes, else some rows at a time. */
export async function weightOf(opened: Sharp): Promise<number> {
  const { width, height, channels, depth, orientation = 1, isProgressive } = await opened.metadata();
  const rows = orientation > 1 || isProgressive ? height : Math.min(height, STREAMED_ROWS);
  return width * rows * channels * (BYTES[depth] ?? 8);
}
