/** Signs lists of files, and checks signatures, with OpenSSH (`ssh-keygen -Y`), so that others can check them without us. */
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseManifest } from '../formats/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { findProgram } from '../platform/find-program.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { findCoverageProblem, SIGNATURE_EXTENSION, SIGNED_KINDS, type SignedKind, signatureFileOf } from './signed-kinds.ts';

const PROGRAM = 'ssh-keygen';
/** Characters or bytes. */
const MAX_SIGNATURE_LENGTH = 64 * 1024;

/**
 * Checks that the file of `--signers` exists, if one is named.
 * @throws {UserError} if it does not
 */
export function assertSigners(file: string | undefined): void {
  if (file !== undefined && !existsSync(file))
    throw new UserError(`${file} does not exist. Name a file of allowed signers with --signers.`);
}

/** Who signed something, as the list of signers names them; or why a signature does not count. */
export type SignatureCheck = { signer: string } | { problem: string };

/** The check of what has no signature, if it must have one. */
export const UNSIGNED: SignatureCheck = { problem: 'it has not been signed' };

/** Something of which a signature is checked. */
export interface Signed {
  kind: SignedKind;
  /** The signed file. */
  content: Uint8Array;
  /** A signature of OpenSSH; undefined if there is none. */
  signature: string | undefined;
  /** The paths that the signed file lists. */
  listed: { has(path: string): boolean };
  /** The paths of all files that are there, if something else may be among them. */
  files?: Iterable<string>;
}

/**
 * Returns the signature by a private key of OpenSSH of the signed file of something.
 * @throws {UserError} if the key cannot be used, or OpenSSH is not installed.
 */
export async function sign(kind: SignedKind, content: Uint8Array, keyFile: string): Promise<string> {
  if (!existsSync(keyFile)) throw new UserError(`${keyFile} does not exist. Name a private key of OpenSSH with --sign.`);
  const { namespace } = SIGNED_KINDS[kind];
  return withFile(content, async (file) => {
    const { exitCode, stderr } = await runKeygen(['-Y', 'sign', '-q', '-f', keyFile, '-n', namespace, file]);
    if (exitCode !== 0)
      throw new UserError(
        `${keyFile} cannot sign: ${firstLine(stderr)}. Name a private key of OpenSSH without a passphrase, or one that the agent has.`,
      );
    return readFileSync(`${file}${SIGNATURE_EXTENSION}`, 'utf8');
  });
}

/**
 * Checks that one of the signers in a file (`ssh-keygen(1)`, ALLOWED SIGNERS) signed something, and that the signature covers all
 * of it. Without such a file, checks a signature regardless of its signer; then the result is undefined, unless it is not valid.
 * @throws {UserError} if OpenSSH is needed and not installed.
 */
export async function checkSignature(signed: Signed, signersFile: string | undefined): Promise<SignatureCheck | undefined> {
  const { kind, content, signature, listed, files = [] } = signed;
  if (signature === undefined) return signersFile === undefined ? undefined : UNSIGNED;
  if (signature.length > MAX_SIGNATURE_LENGTH) return { problem: 'its signature is too large' };
  if (signersFile === undefined && findProgram(PROGRAM) === undefined) return undefined;
  const check = await withFile(signature, (file) => checkSignatureFile(kind, content, file, signersFile));
  const problem = findCoverageProblem(kind, listed, files);
  return problem !== undefined && !(check && 'problem' in check) ? { problem } : check;
}

async function checkSignatureFile(
  kind: SignedKind,
  content: Uint8Array,
  file: string,
  signersFile: string | undefined,
): Promise<SignatureCheck | undefined> {
  const { namespace, name } = SIGNED_KINDS[kind];
  const signer = signersFile && (await findSigner(file, signersFile));
  if (signer === '') return { problem: 'its key is not one of the signers' };
  const { exitCode } = await runKeygen(['-Y', 'check-novalidate', '-n', namespace, '-s', file], content);
  if (exitCode !== 0) return { problem: `the signature does not match the file, or is not that of a ${name}` };
  if (signersFile === undefined || signer === undefined) return undefined;
  const verified = await runKeygen(['-Y', 'verify', '-f', signersFile, '-I', signer, '-n', namespace, '-s', file], content);
  if (verified.exitCode === 0) return { signer: toPrintable(signer) };
  return {
    problem: `the list of signers does not let its key sign a ${name} (see the options namespaces, valid-after and valid-before in that list)`,
  };
}

/** Returns the name that the list of signers gives to a signature's key, in its first line with it; empty if none. */
async function findSigner(file: string, signersFile: string): Promise<string> {
  const { exitCode, stdout } = await runKeygen(['-Y', 'find-principals', '-s', file, '-f', signersFile]);
  return exitCode === 0 ? firstLine(stdout) : '';
}

/**
 * Signs the list of files in a directory.
 * @throws {UserError} like `sign`, or if the directory has no such list.
 */
export async function signDirectory(kind: 'site' | 'drive', directory: string, keyFile: string): Promise<void> {
  const safeDir = toSafeDirectory(directory);
  const { signedFile } = SIGNED_KINDS[kind];
  if (!safeDir.stat(signedFile)) throw new UserError(`${directory} has no manifest to sign. Run "microfiche build" first.`);
  const signature = await sign(kind, readFileSync(safeDir.resolve(signedFile)), keyFile);
  replaceFile(safeDir, signatureFileOf(kind), signature);
}

/** Checks the signature of a directory's list of files, like `checkSignature`. What it does not list is for an audit to find. */
export async function checkDirectorySignature(kind: 'site' | 'drive', directory: string, signersFile: string | undefined) {
  const safeDir = toSafeDirectory(directory);
  const { signedFile } = SIGNED_KINDS[kind];
  if (!safeDir.stat(signedFile)) return signersFile === undefined ? undefined : UNSIGNED;
  const content = readFileSync(safeDir.resolve(signedFile));
  const listed = new Set(parseManifest(content.toString()).map(({ path }) => path));
  const signatureFile = signatureFileOf(kind);
  const size = safeDir.stat(signatureFile)?.size ?? 0;
  if (size > MAX_SIGNATURE_LENGTH) return { problem: 'its signature is too large' };
  const signature = size === 0 ? undefined : readFileSync(safeDir.resolve(signatureFile), 'utf8');
  return checkSignature({ kind, content, signature, listed }, signersFile);
}

async function withFile<T>(content: Uint8Array | string, work: (file: string) => Promise<T>): Promise<T> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-signature-'));
  const file = join(directory.path, 'signed');
  writeFileSync(file, content);
  return await work(file);
}

async function runKeygen(
  args: string[],
  input?: Uint8Array,
): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { execa } = await import('execa'); // slow to load
  const result = await execa(PROGRAM, args, {
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    env: { SSH_ASKPASS_REQUIRE: 'never' },
  });
  if (result.code === 'ENOENT')
    throw new UserError(`${PROGRAM} was not found. Install OpenSSH (Debian: apt install openssh-client).`);
  return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
}

const firstLine = (text: string): string => toPrintable(text.trim().split('\n')[0] ?? '').replace(/\.$/, '');
