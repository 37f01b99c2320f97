/** Checks the files of a WACZ that Microfiche wrote: all are described, unchanged, and as they were signed. */
import { parseJson } from '../../model/json.ts';
import { isObject } from '../../model/values.ts';
import { tee } from '../../platform/in-parts.ts';
import { checkSignature, type SignatureCheck } from '../../publish/signature.ts';
import { createDigest } from '../digest.ts';
import { type PackageIdentity, parseIdentity } from '../identity.ts';
import { readPackage } from '../package/package-reader.ts';
import { DESCRIPTION_FILE, DIGEST_FILE, WACZ_IDENTITY } from './wacz-container.ts';
import { findSignatureProblem } from './wacz-signature.ts';

/** Files that are read into the memory. */
const SMALL_FILES: ReadonlySet<string> = new Set([DESCRIPTION_FILE, DIGEST_FILE, WACZ_IDENTITY]);
/** A larger one is not kept. */
const MAX_SMALL_FILE_BYTES = 50_000_000;

/** A WACZ as it was read: SHA-256 by path, and the small files. */
export interface ReadWacz {
  checksums: ReadonlyMap<string, string>;
  small: ReadonlyMap<string, Uint8Array>;
}

/** Returns what is wrong with the files; undefined if nothing is. */
export function findWaczProblem({ checksums, small }: ReadWacz): string | undefined {
  const tooLarge = [...SMALL_FILES].find((path) => checksums.has(path) && !small.has(path));
  if (tooLarge !== undefined) return `${tooLarge} is too large`;
  const described = readDescribed(small);
  const digest = readDigest(small);
  if (!described) return 'it is not a WACZ';
  if (digest['hash'] !== `sha256:${checksums.get(DESCRIPTION_FILE)}`)
    return `${DESCRIPTION_FILE} was changed: its checksum is not that of ${DIGEST_FILE}`;
  const problem = findSignatureProblem(digest);
  if (problem !== undefined) return problem;
  for (const [file, hash] of described) {
    if (!checksums.has(file)) return `${file} is missing`;
    if (hash !== `sha256:${checksums.get(file)}`) return `${file} was changed: its checksum is not that of ${DESCRIPTION_FILE}`;
  }
  const extra = [...checksums.keys()].find((file) => !described.has(file) && file !== DESCRIPTION_FILE && file !== DIGEST_FILE);
  return extra === undefined ? undefined : `${extra} is not listed in ${DESCRIPTION_FILE}`;
}

/** Returns the file with the checksum of the description, and with signatures. */
function readDigest(small: ReadWacz['small']): Readonly<Record<string, unknown>> {
  const digest = parseJson(textOf(small, DIGEST_FILE));
  return isObject(digest) ? digest : {};
}

/** Returns the checksums in the description by path; undefined if it has another form. */
function readDescribed(small: ReadWacz['small']): Map<string, string> | undefined {
  const description = parseJson(textOf(small, DESCRIPTION_FILE));
  if (!isObject(description) || !Array.isArray(description['resources'])) return undefined;
  const resources: unknown[] = description['resources'];
  return new Map(resources.filter(isObject).map(({ path, hash }) => [String(path), String(hash)]));
}

/** Returns the identity of the package, if Microfiche wrote it. */
export const identityOf = ({ small }: ReadWacz): PackageIdentity | undefined => parseIdentity(textOf(small, WACZ_IDENTITY));

/**
 * Checks the signatures, as `checkSignature` does. The checksums of the files must be checked too.
 * @throws {UserError} if OpenSSH is needed and not installed.
 */
export async function checkSignatureOf(
  { checksums, small }: ReadWacz,
  signersFile: string | undefined,
): Promise<SignatureCheck | undefined> {
  const content = small.get(DESCRIPTION_FILE) ?? new Uint8Array();
  const digest = readDigest(small);
  const problem = findSignatureProblem(digest);
  if (problem !== undefined) return { problem };
  const signature = typeof digest['sshSignature'] === 'string' ? digest['sshSignature'] : undefined;
  const listed = readDescribed(small) ?? new Set<string>();
  return checkSignature({ kind: 'wacz', content, listed, files: checksums.keys(), signature }, signersFile);
}

/**
 * Reads the WACZ at `path` once: computes all checksums, and keeps the small files. `onRead` gets the number of bytes just
 * read, `use` the content of the other files, of which it need not read all.
 * @throws {UserError} if it cannot be read as a package.
 */
export async function readWacz(
  path: string,
  onRead?: (bytes: number) => void,
  use?: (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<ReadWacz & { bytes: number }> {
  const checksums = new Map<string, string>();
  const small = new Map<string, Uint8Array>();
  let bytes = 0;
  await readPackage(path, async (entry) => {
    const digest = createDigest(['sha256']);
    const counted = tee(entry.read(), (chunk) => {
      digest.update(chunk);
      bytes += chunk.length;
      onRead?.(chunk.length);
    });
    const isKept = SMALL_FILES.has(entry.path) && entry.size <= MAX_SMALL_FILE_BYTES;
    if (isKept) small.set(entry.path, Buffer.concat(await Array.fromAsync(counted, (chunk) => Buffer.from(chunk))));
    // It does not end with who reads it: the checksum is that of all bytes.
    else await use?.(entry.path, { [Symbol.asyncIterator]: () => ({ next: () => counted.next() }) });
    for await (const _ of counted);
    checksums.set(entry.path, digest.digest().checksums.sha256 as string);
    return undefined;
  });
  return { checksums, small, bytes };
}

const textOf = (small: ReadWacz['small'], path: string): string => Buffer.from(small.get(path) ?? []).toString('utf8');
