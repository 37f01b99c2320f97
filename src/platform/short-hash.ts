/** A short name for any text: distinct in practice, legal on every file system. */
import { createHash } from 'node:crypto';

/** Ten characters of base 32 of the SHA-256 of the UTF-8 bytes: 50 bits. */
export function shortHash(identity: string): string {
  const digest = createHash('sha256').update(identity).digest();
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte & 31]).join('');
}
