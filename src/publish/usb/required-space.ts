/** Computes the disk space that copying files takes. */
import { roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';

/**
 * Returns the bytes that copying files takes on a file system with blocks of this size. `replacedSize` returns the size of the file that
 * one replaces.
 */
export function requiredSpace(
  files: ReadonlyArray<{ path: string; size: number }>,
  blockSize: number,
  replacedSize: (path: string) => number,
): number {
  const clustered = (size: number) => roundUpToClusters(size, blockSize);
  const replaced = files.reduce((sum, { path }) => sum + clustered(replacedSize(path)), 0);
  // Each file is written completely before it replaces an older one.
  const largest = files.reduce((max, { size }) => Math.max(max, clustered(size)), 0);
  return (
    sizeInClusters(
      files.map(({ path, size }) => [path, size] as const),
      blockSize,
    ) -
    replaced +
    largest
  );
}
