/** Signs manifests, and checks their signatures, with OpenSSH (`ssh-keygen -Y`), so that they can be checked without Microfiche too. */
import { closeSync, existsSync, fsyncSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { findProgram } from '../platform/find-program.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { MANIFEST_FILE, readManifestText, SIGNATURE_FILE } from './manifest.ts';

/** Appended to the name of a signed file. */
export const SIGNATURE_EXTENSION = '.sig';
/** What is signed, for OpenSSH: a signature for another purpose is not accepted. */
const NAMESPACE = 'file';
const PROGRAM = 'ssh-keygen';
const MAX_SIGNATURE_BYTES = 64 * 1024;

/** Who signed a file, as the list of signers names them; or why a signature does not count. */
export type SignatureCheck = { signer: string } | { problem: string };

/**
 * Returns the signature of `content` by a private key of OpenSSH.
 * @throws {UserError} if the key cannot be used, or OpenSSH is not installed.
 */
export async function sign(content: Uint8Array, keyFile: string): Promise<string> {
  if (!existsSync(keyFile)) throw new UserError(`${keyFile} does not exist. Name a private key of OpenSSH with --sign.`);
  return withFile(content, async (file) => {
    const { exitCode, stderr } = await runKeygen(['-Y', 'sign', '-q', '-f', keyFile, '-n', NAMESPACE, file]);
    if (exitCode !== 0)
      throw new UserError(
        `${keyFile} cannot sign: ${firstLine(stderr)}. Name a private key of OpenSSH without a passphrase, or one that the agent has.`,
      );
    return readFileSync(`${file}${SIGNATURE_EXTENSION}`, 'utf8');
  });
}

/**
 * Checks a signature with a list of signers in the form of OpenSSH (`ssh-keygen(1)`, ALLOWED SIGNERS).
 * @throws {UserError} if OpenSSH is not installed.
 */
export async function checkSignature(content: Uint8Array, signature: string, signersFile: string): Promise<SignatureCheck> {
  return withFile(signature, async (file) => {
    const found = await runKeygen(['-Y', 'find-principals', '-s', file, '-f', signersFile]);
    const signer = firstLine(found.stdout);
    if (found.exitCode !== 0 || signer === '') return { problem: 'its key is not one of the signers' };
    const { exitCode } = await runKeygen(['-Y', 'verify', '-f', signersFile, '-I', signer, '-n', NAMESPACE, '-s', file], content);
    if (exitCode === 0) return { signer: toPrintable(signer) };
    return { problem: (await findMismatchIn(file, content)) ?? REFUSED_BY_LIST };
  });
}

/** The list of signers has the key, with options that do not fit. */
const REFUSED_BY_LIST =
  'the list of signers does not let its key sign files (see the options namespaces, valid-after and valid-before in that list)';

/**
 * Returns why a signature does not belong to a content, regardless of its signer; undefined if it does.
 * @throws {UserError} if OpenSSH is not installed.
 */
export async function findMismatch(content: Uint8Array, signature: string): Promise<string | undefined> {
  return withFile(signature, (file) => findMismatchIn(file, content));
}

async function findMismatchIn(signatureFile: string, content: Uint8Array): Promise<string | undefined> {
  const { exitCode } = await runKeygen(['-Y', 'check-novalidate', '-n', NAMESPACE, '-s', signatureFile], content);
  return exitCode === 0 ? undefined : 'the signature does not match the file';
}

/** Returns whether signatures can be checked on this machine. */
export function canCheckSignatures(): boolean {
  return findProgram(PROGRAM) !== undefined;
}

/**
 * Signs the manifest of the site in a directory.
 * @throws {UserError} like `sign`, or if the directory has no manifest.
 */
export async function signManifest(directory: string, keyFile: string): Promise<void> {
  const safeDir = toSafeDirectory(directory);
  const manifest = readManifestText(directory);
  if (manifest === undefined) throw new UserError(`${directory} has no manifest to sign. Run "microfiche build" first.`);
  const signature = await sign(Buffer.from(manifest), keyFile);
  const handle = safeDir.create(SIGNATURE_FILE);
  try {
    writeFileSync(handle, signature);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Checks the signature of the manifest of a site. */
export async function checkManifestSignature(directory: string, signersFile: string): Promise<SignatureCheck> {
  return checkSignatureFile(directory, MANIFEST_FILE, signersFile);
}

/** Checks the signature beside a file of a directory. */
export async function checkSignatureFile(directory: string, name: string, signersFile: string): Promise<SignatureCheck> {
  const safeDir = toSafeDirectory(directory);
  const signature = `${name}${SIGNATURE_EXTENSION}`;
  if (!safeDir.stat(name) || !safeDir.stat(signature)) return { problem: 'it has not been signed' };
  if ((safeDir.stat(signature)?.size ?? 0) > MAX_SIGNATURE_BYTES) return { problem: 'its signature is too large' };
  return checkSignature(readFileSync(safeDir.resolve(name)), readFileSync(safeDir.resolve(signature), 'utf8'), signersFile);
}

async function withFile<T>(content: Uint8Array | string, work: (file: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-signature-'));
  try {
    const file = join(directory, 'signed');
    writeFileSync(file, content);
    return await work(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
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

function firstLine(text: string): string {
  return toPrintable(text.trim().split('\n')[0] ?? '').replace(/\.$/, '');
}
