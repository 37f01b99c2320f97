/** Checks the signature of a package: who made it, or at least that it is the signature of this package. */
import { canCheckSignatures, checkSignature, findMismatch, type SignatureCheck } from '../publish/signature.ts';

/** A file of a package with its signature. */
export interface SignedFile {
  content: Uint8Array;
  /** A signature of OpenSSH; undefined if the file has not been signed. */
  signature: string | undefined;
}

/**
 * Checks that one of the signers in a file signed a package. Without such a file, checks that the signature, if there is one, is that of this
 * package and not of another one; then the result is undefined, unless it is not.
 * @throws {UserError} if OpenSSH is needed and not installed.
 */
export async function checkPackageSignature(
  { content, signature }: SignedFile,
  signersFile: string | undefined,
): Promise<SignatureCheck | undefined> {
  if (signature === undefined) return signersFile === undefined ? undefined : { problem: 'it has not been signed' };
  if (signersFile !== undefined) return checkSignature(content, signature, signersFile);
  if (!canCheckSignatures()) return undefined;
  const problem = await findMismatch(content, signature);
  return problem === undefined ? undefined : { problem };
}
