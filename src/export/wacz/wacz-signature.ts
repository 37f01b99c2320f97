/**
 * Signs the description of a WACZ, which has the checksums of its files, and checks its signatures. There are two, both in the
 * file with the checksum of the description:
 *
 * - `signedData`: the anonymous signature of the convention “WACZ Signing and Verification” 0.1.0, which readers of WACZ files
 *   check. It says that the description was not changed since it was signed, and not who signed it. As in ArchiveWeb.page and
 *   ReplayWeb.page, the text of the checksum is signed with ECDSA on the curve P-384 and SHA-256, and the signature has the form
 *   of IEEE P1363.
 * - `sshSignature`: a signature of OpenSSH, which says who signed. The convention permits only its own fields in `signedData`,
 *   and WACZ no files that the description does not list, so it is beside `signedData`.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign as signWithKey, verify as verifyWithKey } from 'node:crypto';
import { isObject } from '../../model/values.ts';
import { VERSION } from '../../model/version.ts';
import { readP384Key } from '../../publish/openssh-key.ts';
import { sign } from '../../publish/signature.ts';
import { SOFTWARE } from '../export-context.ts';

/** Version of the convention. */
const CONVENTION_VERSION = '0.1.0';
const CURVE = 'P-384';
/** The same in OpenSSL. */
const CURVE_NAME = 'secp384r1';
const HASH = 'sha256';

/**
 * Signs the description of a WACZ. The anonymous signature is made by the same key if it is an ECDSA key on the curve P-384
 * without a passphrase, otherwise by a new key that is not kept.
 * @throws {UserError} if OpenSSH cannot sign with the key.
 */
export async function signWacz(
  description: Uint8Array,
  { hash, created, keyFile }: { hash: string; created: string; keyFile: string },
) {
  const sshSignature = await sign('wacz', description, keyFile);
  const key: KeyObject = readP384Key(keyFile) ?? generateKeyPairSync('ec', { namedCurve: CURVE }).privateKey;
  const signature = signWithKey(HASH, Buffer.from(hash), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const signedData = { hash, created, software: `${SOFTWARE} ${VERSION}`, version: CONVENTION_VERSION, signature, publicKey };
  return { signedData, sshSignature };
}

/**
 * Returns what is wrong with the anonymous signature in `datapackage-digest.json`; undefined if it is right, or if
 * there is none. Others may sign a WACZ by the ownership of a domain, which is not checked here.
 */
export function findSignatureProblem({ hash, signedData }: Readonly<Record<string, unknown>>): string | undefined {
  if (signedData === undefined) return undefined;
  if (!isObject(signedData) || signedData['hash'] !== hash) return 'its WACZ signature is that of another file';
  const { signature, publicKey } = signedData;
  if (typeof signature !== 'string') return 'its WACZ signature is damaged';
  if (typeof publicKey !== 'string') return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    const isOfCurve = key.asymmetricKeyDetails?.namedCurve === CURVE_NAME;
    const bytes = Buffer.from(signature, 'base64');
    return isOfCurve && verifyWithKey(HASH, Buffer.from(String(hash)), { key, dsaEncoding: 'ieee-p1363' }, bytes)
      ? undefined
      : 'its WACZ signature does not match';
  } catch {
    return 'its WACZ signature is damaged'; // not a key, or not a signature of its form
  }
}
