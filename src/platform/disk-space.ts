/** Measures free disk space, of which a part remains for other programs. */
import { statfsSync } from 'node:fs';
import { MAX_CLUSTER_BYTES } from './portability.ts';

/** Disk space that harvests and downloads leave free: for the other data of the database, and for other programs. */
const RESERVED_BYTES = 16 * 1024 * 1024;

/**
 * Returns the free bytes of the disk of a directory, infinity if its file system does not say, and the bytes of a cluster. On a
 * network share, the system says how many bytes it reads at once instead, which may be more than any cluster has.
 */
export function readDiskSpace(dir: string): { free: number; cluster: number } {
  const { bavail, bsize, blocks } = statfsSync(dir);
  return {
    free: blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize,
    cluster: Math.min(bsize || MAX_CLUSTER_BYTES, MAX_CLUSTER_BYTES),
  };
}

/** Returns how many bytes may still be written to the disk of a directory. */
export const freeDiskSpace = (dir: string): number => Math.max(0, readDiskSpace(dir).free - RESERVED_BYTES);

/** Age at which a measurement is repeated. */
const MAX_AGE_MS = 250;

/** Creates a probe that calls `measure`, which returns bytes, at intervals. */
export function createSpaceProbe(measure: () => number) {
  let measuredBytes = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    availableBytes() {
      if (performance.now() - measuredAt > MAX_AGE_MS) {
        measuredBytes = measure();
        measuredAt = performance.now();
      }
      return measuredBytes;
    },
    /** Subtracts what is to be written until the next measurement. */
    subtract(bytes: number) {
      measuredBytes -= bytes;
    },
    /** Makes the next call measure again. */
    invalidate() {
      measuredAt = Number.NEGATIVE_INFINITY;
    },
  };
}
