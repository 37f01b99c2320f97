/** Computes checksums of what is written, as it is written. */
import { createHash } from 'node:crypto';

/** Checksum algorithms of packages. */
export type DigestName = 'sha256' | 'sha512' | 'sha1' | 'md5';

/** Those of the manifests of a bag. */
export const BAG_DIGESTS = ['sha256', 'sha512'] as const satisfies DigestName[];

/** Size in bytes, and hexadecimal checksums by algorithm. */
export interface Digest {
  size: number;
  checksums: Readonly<Partial<Record<DigestName, string>>>;
}

/** Creates a builder for some algorithms. */
export function createDigest(names: readonly DigestName[]) {
  const hashes = names.map((name) => [name, createHash(name)] as const);
  let size = 0;
  return {
    update(chunk: Uint8Array) {
      size += chunk.length;
      for (const [, hash] of hashes) hash.update(chunk);
    },
    digest: () => ({ size, checksums: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest('hex')])) }),
  };
}
