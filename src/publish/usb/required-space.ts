/** Computes the disk space that copying files requires. */
import { roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';

/**
 * Returns the disk space, in bytes, that copying files requires on a file system with clusters of `blockSize` bytes. `replacedSize` returns the
 * size of the file that is replaced at a path.
 */
export function requiredSpace(
  files: ReadonlyArray<{ path: string; size: number }>,
  blockSize: number,
  replacedSize: (path: string) => number,
): number {
  const clustered = (size: number) => roundUpToClusters(size, blockSize);
  const replaced = files.reduce((total, { path }) => total + clustered(replacedSize(path)), 0);
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
