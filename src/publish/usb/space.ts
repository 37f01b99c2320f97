/** How much of a disk it takes to copy files onto it. */
import { clusteredSize, wholeClusters } from '../../platform/portable.ts';

/** Bytes that it takes to copy files onto a file system with such blocks, where `there` tells the size of what they replace. */
export function spaceFor(
  missing: ReadonlyArray<{ path: string; size: number }>,
  blockSize: number,
  there: (path: string) => number,
): number {
  const whole = (size: number) => wholeClusters(size, blockSize);
  const inPlace = missing.reduce((sum, { path }) => sum + whole(there(path)), 0);
  // A file is whole before it takes the place of an older one.
  const largest = missing.reduce((most, { size }) => Math.max(most, whole(size)), 0);
  return (
    clusteredSize(
      missing.map(({ path, size }) => [path, size] as const),
      blockSize,
    ) -
    inPlace +
    largest
  );
}
