/** Reads ECDSA P-384 keys from private keys of OpenSSH (PROTOCOL.key), which the cryptography of Node.js cannot read. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { attempt } from '../platform/expected-errors.ts';

const OPENSSH_KEY = /-----BEGIN OPENSSH PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END OPENSSH PRIVATE KEY-----/;
const MAGIC = 'openssh-key-v1\0';
const KEY_TYPE = 'ecdsa-sha2-nistp384';
const COORDINATE_BYTES = 48;
/** The first byte of a point that is not compressed. */
const UNCOMPRESSED = 4;
const MAX_KEY_BYTES = 64 * 1024;

/** Returns the key in a file, if it is an ECDSA key on the curve P-384 without a passphrase; otherwise undefined. */
export function readP384Key(file: string): KeyObject | undefined {
  if (!existsSync(file) || statSync(file).size > MAX_KEY_BYTES) return undefined;
  const text = readFileSync(file, 'latin1');
  const [, base64] = OPENSSH_KEY.exec(text) ?? [];
  // It fails for another kind of key, or one with a passphrase.
  const key = attempt(() => (base64 === undefined ? createPrivateKey(text) : readOpenSshKey(Buffer.from(base64, 'base64'))));
  return key?.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? key : undefined;
}

/** Throws a `RangeError` if the bytes end too soon. */
function readOpenSshKey(bytes: Buffer): KeyObject | undefined {
  if (bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return undefined;
  const outer = createReader(bytes.subarray(MAGIC.length));
  const cipher = outer.string().toString();
  outer.string(); // key derivation
  outer.string(); // its options
  if (cipher !== 'none' || outer.number() !== 1) return undefined;
  outer.string(); // public key
  const inner = createReader(outer.string());
  const checks = [inner.number(), inner.number()];
  if (checks[0] !== checks[1] || inner.string().toString() !== KEY_TYPE) return undefined;
  inner.string(); // name of the curve
  const point = inner.string();
  if (point[0] !== UNCOMPRESSED || point.length !== 1 + 2 * COORDINATE_BYTES) return undefined;
  const secret = withLength(inner.string(), COORDINATE_BYTES);
  const encode = (part: Uint8Array) => Buffer.from(part).toString('base64url');
  const x = encode(point.subarray(1, 1 + COORDINATE_BYTES));
  const y = encode(point.subarray(1 + COORDINATE_BYTES));
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-384', x, y, d: encode(secret) } });
}

/** Returns a number with this many bytes: OpenSSH writes a zero more if the first bit is set, and no unneeded ones. */
function withLength(number: Uint8Array, length: number): Uint8Array {
  const digits = Buffer.concat([Buffer.alloc(length), number]);
  return digits.subarray(digits.length - length);
}

function createReader(bytes: Buffer): { number(): number; string(): Buffer } {
  let at = 0;
  const number = () => {
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  return {
    number,
    string() {
      const length = number();
      if (at + length > bytes.length) throw new RangeError('The key ends too soon.');
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}
