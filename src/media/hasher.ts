/** The checksums of bytes that come piece by piece. */
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Algorithm, Measured } from '../model/fixity.ts';

export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Bytes that were added. */
  size(): number;
  /** SHA-256 of what was added so far, to go on with apart from these sums. */
  sha256SoFar(): Hash;
  /** Of all that was added; ends it. */
  finish(): Measured & { sha256: string };
}

/** SHA-256, and the algorithms besides. */
export function createHasher(algorithms: Iterable<Algorithm>): Hasher {
  const wanted = new Set(algorithms);
  const sha256 = createHash('sha256');
  const others = [...wanted]
    .filter((algorithm) => algorithm !== 'crc32' && algorithm !== 'sha256')
    .map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  let hash = 0;
  let size = 0;
  return {
    update(bytes) {
      sha256.update(bytes);
      for (const { hash } of others) hash.update(bytes);
      if (wanted.has('crc32')) hash = crc32(bytes, hash);
      size += bytes.length;
    },
    size: () => size,
    sha256SoFar: () => sha256.copy(),
    finish() {
      const sums = Object.fromEntries(others.map(({ algorithm, hash }) => [algorithm, hash.digest('hex')]));
      return {
        size,
        sha256: sha256.digest('hex'),
        ...sums,
        ...(wanted.has('crc32') ? { crc32: hash.toString(16).padStart(8, '0') } : {}),
      };
    },
  };
}
