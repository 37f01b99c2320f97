/** Computes the disk space that copying files takes. */
import { clusteredSize, wholeClusters } from '../../platform/portable.ts';

/**
 * Returns the bytes that copying files takes on a file system with blocks of this size. `replacedSize` returns the size of the file that
 * one replaces.
 */
export function spaceFor(
  missing: ReadonlyArray<{ path: string; size: number }>,
  blockSize: number,
  replacedSize: (path: string) => number,
): number {
  const clustered = (size: number) => wholeClusters(size, blockSize);
  const replaced = missing.reduce((sum, { path }) => sum + clustered(replacedSize(path)), 0);
  // Each file is written completely before it replaces an older one.
  const largest = missing.reduce((max, { size }) => Math.max(max, clustered(size)), 0);
  return (
    clusteredSize(
      missing.map(({ path, size }) => [path, size] as const),
      blockSize,
    ) -
    replaced +
    largest
  );
}
