/** Computes checksums of bytes that arrive in chunks. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Algorithm } from '../model/fixity.ts';

/** Checksums in progress. */
export type Hasher = ReturnType<typeof createHasher>;

/** Creates a hasher for SHA-256 and the given algorithms. */
export function createHasher(algorithms: Iterable<Algorithm>) {
  const wanted = new Set(algorithms);
  const sha256 = createHash('sha256');
  const others = [...wanted]
    .filter((algorithm) => algorithm !== 'crc32' && algorithm !== 'sha256')
    .map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  let crc = 0;
  let size = 0;
  return {
    update(bytes: Uint8Array) {
      sha256.update(bytes);
      for (const { hash } of others) hash.update(bytes);
      if (wanted.has('crc32')) crc = crc32(bytes, crc);
      size += bytes.length;
    },
    /** Returns the number of bytes so far. */
    size: () => size,
    /** Returns a copy of the SHA-256 state, which can be continued or finished independently. */
    sha256SoFar: () => sha256.copy(),
    /** Returns the size and all checksums. Nothing can be added afterwards. */
    finish() {
      const checksums = Object.fromEntries(others.map(({ algorithm, hash }) => [algorithm, hash.digest('hex')]));
      return {
        size,
        sha256: sha256.digest('hex'),
        ...checksums,
        ...(wanted.has('crc32') ? { crc32: crc.toString(16).padStart(8, '0') } : {}),
      };
    },
  };
}
