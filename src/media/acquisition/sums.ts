/** The checksums of bytes that come piece by piece. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Algorithm, Measured } from '../../model/fixity.ts';

export interface Sums {
  add(bytes: Uint8Array): void;
  /** Bytes that were added. */
  size(): number;
  /** Of all that was added; ends it. */
  measured(): Measured & { sha256: string };
}

/** SHA-256, and the algorithms besides. */
export function createSums(algorithms: ReadonlySet<Algorithm>): Sums {
  const hashes = [...new Set(['sha256', ...algorithms] as const)]
    .filter((algorithm) => algorithm !== 'crc32')
    .map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  let sum = 0;
  let size = 0;
  return {
    add(bytes) {
      for (const { hash } of hashes) hash.update(bytes);
      if (algorithms.has('crc32')) sum = crc32(bytes, sum);
      size += bytes.length;
    },
    size: () => size,
    measured() {
      const sums = Object.fromEntries(hashes.map(({ algorithm, hash }) => [algorithm, hash.digest('hex')]));
      return {
        size,
        ...(sums as { sha256: string }),
        ...(algorithms.has('crc32') ? { crc32: sum.toString(16).padStart(8, '0') } : {}),
      };
    },
  };
}
