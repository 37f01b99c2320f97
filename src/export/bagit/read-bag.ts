/** Reads a bag that others may have made, and finds what is wrong with it. */
import { StringDecoder } from 'node:string_decoder';
import { chunksOfFile } from '../../platform/file-chunks.ts';
import { tee } from '../../platform/in-parts.ts';
import type { SafeDirectory } from '../../platform/safe-directory.ts';
import { openSyncs } from '../../platform/sync-files.ts';
import { adviceOnSystemFile, isSystemPath } from '../../platform/system-files.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { LEFT_OUT_FILE } from '../../publish/partial-copy.ts';
import type { Signed } from '../../publish/signature.ts';
import { SIGNED_KINDS, signatureFileOf } from '../../publish/signed-kinds.ts';
import { mediaPathProblem } from '../../snapshot/media-files.ts';
import { BAG_DIGESTS, createDigest, type Digest } from '../digest.ts';
import { IDENTITY_FILE } from '../identity.ts';
import { createManifestParser } from '../package/manifest.ts';
import { PackageError, readPackage } from '../package/package-reader.ts';
import { BAGGED_DATABASE } from './write-bag.ts';

/** The manifest of the tag files, which is signed. */
export const TAG_MANIFEST = SIGNED_KINDS.bag.signedFile;
const TAG_SIGNATURE = signatureFileOf('bag');
const DECLARATION = 'bagit.txt';
/** The tag file that says when a bag was made. */
export const INFO_FILE = 'bag-info.txt';
/** The files that are kept as text. */
const TEXTS: readonly string[] = [DECLARATION, INFO_FILE, IDENTITY_FILE, TAG_MANIFEST, TAG_SIGNATURE];
const MAX_TEXT_BYTES = 1_000_000;
/** A manifest of a million files has some 200 MB. */
const MAX_MANIFEST_BYTES = 500_000_000;
const MANIFEST = /^(?:(?:tag)?manifest-sha(?:256|512)|left-out-sha256|patched-sha256)\.txt$/;
const SNAPSHOT_FILE = /^data\/(?:snapshot\.sqlite$|media\/|quarantine\/)/;

/** Whether a file of a bag is one of the snapshot, or the patch of one. */
export const isOfSnapshot = (path: string): boolean => SNAPSHOT_FILE.test(path.replace(/^patches\//, ''));

/** A bag as it was read. */
export interface ReadBag {
  /** The small files that are read as text, by path. */
  texts: Map<string, string>;
  /** The checksums in each manifest, by path; undefined for a manifest that is damaged. */
  manifests: Map<string, Map<string, string> | undefined>;
  /** Digests of all files, by path. */
  digests: Map<string, Digest>;
}

/** What is done while a bag is read. */
interface ReadBagOptions {
  /** Gets the files for which `isWanted` returns true. */
  directory?: SafeDirectory;
  isWanted?: (path: string) => boolean;
  /** Gets the number of bytes just read. */
  onRead?: ((bytes: number) => void) | undefined;
}

/**
 * Reads the bag at `path` once: computes all checksums, and writes the wanted files if it gets a directory for them.
 * @throws {UserError} if it cannot be read as a package, or is not safe to write.
 */
export async function readBag(path: string, { directory, isWanted, onRead }: ReadBagOptions): Promise<ReadBag> {
  const bag: ReadBag = { texts: new Map(), manifests: new Map(), digests: new Map() };
  let root: string | undefined;
  await using syncs = openSyncs();
  await readPackage(path, async (entry) => {
    if (isSystemPath(entry.path) && !entry.path.startsWith(root ?? '/')) return undefined;
    // The bag is the package itself, or the only directory in it.
    root ??= /^(?:data\/|[^/]*$)/.test(entry.path) ? '' : entry.path.slice(0, entry.path.indexOf('/') + 1);
    if (!entry.path.startsWith(root)) refuse(path, 'it contains more than one directory');
    const bagPath = entry.path.slice(root.length);
    const digest = createDigest(BAG_DIGESTS);
    const chunks = tee(entry.read(), (chunk) => {
      digest.update(chunk);
      onRead?.(chunk.length);
    });
    const isText = MANIFEST.test(bagPath) || TEXTS.includes(bagPath);
    if (isText && entry.size > (MANIFEST.test(bagPath) ? MAX_MANIFEST_BYTES : MAX_TEXT_BYTES))
      refuse(path, `${bagPath} is too large for a file of a bag`);
    if (directory && isWanted?.(bagPath)) {
      const problem =
        SNAPSHOT_FILE.test(bagPath) && bagPath !== BAGGED_DATABASE ? mediaPathProblem(bagPath.slice('data/'.length)) : undefined;
      if (problem !== undefined) refuse(path, `${bagPath}: ${problem}`);
      await syncs.add(directory.create(bagPath), chunks);
      if (isText) await readText(bag, bagPath, chunksOfFile(directory.resolve(bagPath)));
    } else if (isText) await readText(bag, bagPath, chunks);
    else for await (const _ of chunks);
    bag.digests.set(bagPath, digest.digest());
    return undefined;
  });
  await syncs.finish();
  return bag;
}

/** @throws {PackageError} that says why a bag cannot be used */
export function refuse(path: string, problem: string): never {
  throw new PackageError(`${toPrintable(path)} cannot be used: ${toPrintable(problem, 500)}.`);
}

/** Reads a manifest, or one of the files that are kept as text. */
async function readText(bag: ReadBag, bagPath: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const parser = MANIFEST.test(bagPath) ? createManifestParser() : undefined;
  const decoder = new StringDecoder('utf8');
  let text = '';
  for await (const chunk of chunks) {
    const part = decoder.write(Buffer.from(chunk));
    parser?.add(part);
    if (text.length < MAX_TEXT_BYTES && TEXTS.includes(bagPath)) text += part;
  }
  parser?.add(decoder.end());
  if (parser) bag.manifests.set(bagPath, parser.finish());
  if (TEXTS.includes(bagPath)) bag.texts.set(bagPath, text);
}

/** Returns what a signature of a bag must fit. */
export function signedPartOf({ texts, manifests, digests }: ReadBag): Signed {
  return {
    kind: 'bag',
    content: Buffer.from(texts.get(TAG_MANIFEST) ?? ''),
    signature: texts.get(TAG_SIGNATURE),
    listed: manifests.get(TAG_MANIFEST) ?? new Set(),
    files: digests.keys(),
  };
}

/** Yields what is wrong with a bag: it is not complete, or was changed. */
export function* findBagProblems({ texts, manifests, digests }: ReadBag): Generator<{ what: string; problem: string }> {
  const [, version] = /^BagIt-Version: (\d+\.\d+)\s/.exec(texts.get(DECLARATION) ?? '') ?? [];
  if (version === undefined) return yield { what: DECLARATION, problem: 'it is not a BagIt bag' };
  if (version !== '1.0' && version !== '0.97')
    return yield {
      what: DECLARATION,
      problem: `it is a bag of BagIt ${version}, and this Microfiche reads BagIt 0.97 and 1.0`,
    };
  const leftOut = manifests.get(LEFT_OUT_FILE);
  const algorithms = BAG_DIGESTS.filter((algorithm) => manifests.has(`manifest-${algorithm}.txt`));
  if (algorithms.length === 0) yield { what: 'manifest-sha256.txt', problem: 'it has no manifest with SHA-256 or SHA-512' };
  for (const algorithm of algorithms) {
    const name = `manifest-${algorithm}.txt`;
    yield* compareManifest(name, algorithm);
    const listed = manifests.get(name);
    for (const file of digests.keys())
      if (file.startsWith('data/') && listed && !listed.has(file))
        yield { what: file, problem: `${file} is not listed in ${name}${adviceOnSystemFile(file)}` };
  }
  for (const algorithm of BAG_DIGESTS)
    if (manifests.has(`tagmanifest-${algorithm}.txt`)) yield* compareManifest(`tagmanifest-${algorithm}.txt`, algorithm);

  function* compareManifest(name: string, algorithm: (typeof BAG_DIGESTS)[number]): Generator<{ what: string; problem: string }> {
    const checksums = manifests.get(name);
    if (!checksums) return yield { what: name, problem: `${name} is damaged` };
    for (const [file, checksum] of checksums) {
      const found = digests.get(file);
      if (!found && leftOut?.has(file)) {
        if (algorithm === 'sha256' && leftOut.get(file) !== checksum)
          yield { what: file, problem: `${LEFT_OUT_FILE} names another ${file} than ${name}` };
      } else if (!found) yield { what: file, problem: `${file} is missing` };
      else if (found.checksums[algorithm] !== checksum)
        yield { what: file, problem: `${file} was changed: its checksum is not that of ${name}` };
    }
  }
}
