/** Makes a short name from any text. The name is legal on every file system. */
import { hash } from 'node:crypto';

/** Returns ten base 32 characters (50 bits) of the SHA-256 of the UTF-8 bytes. Collisions are very unlikely. */
export function shortHash(text: string): string {
  const digest = hash('sha256', text, 'buffer');
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte & 31]).join('');
}
