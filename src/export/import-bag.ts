/** Imports a snapshot from a bag that `export bagit` wrote. Everything is checked first, and the snapshot is there as a whole or not at all. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { BAG_DIGESTS, createManifestParser } from './bag.ts';
import { BAGGED_DATABASE } from './bagit.ts';
import { createDigest, type Digest } from './digest.ts';
import { IDENTITY_FILE, parseIdentity } from './identity.ts';
import { checkStagedSnapshot, type ImportProgress, type ImportReport, refusePackage, withStaging } from './import-staging.ts';
import { readPackage } from './package-reader.ts';

/** The texts that an import reads as a whole. */
const TEXTS: readonly string[] = ['bagit.txt', IDENTITY_FILE];
const MAX_TEXT_BYTES = 1_000_000;
/** Manifests of a million files have some 200 MB. */
const MAX_MANIFEST_BYTES = 1_000_000_000;
const MANIFEST = /^(?:tag)?manifest-sha(?:256|512)\.txt$/;
const SNAPSHOT_FILE = /^data\/(?:snapshot\.sqlite$|media\/|quarantine\/)/;

/** A bag as it was read. */
interface ReadBag {
  /** The texts `TEXTS`, by path. */
  texts: Map<string, string>;
  /** The checksums in each manifest, by path; undefined for a manifest that is damaged. */
  manifests: Map<string, Map<string, string> | undefined>;
  /** Digests of all files, by path. */
  digests: Map<string, Digest>;
}

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
export function importBag(path: string, target: string, progress?: ImportProgress): Promise<ImportReport> {
  return withStaging(target, async (staging) => {
    const bag = await readBag(path, staging, progress);
    checkBag(bag, path);
    if (!bag.digests.has(BAGGED_DATABASE)) refusePackage(path, `it contains no snapshot (${BAGGED_DATABASE})`);
    const identity = parseIdentity(bag.texts.get(IDENTITY_FILE) ?? '');
    const fingerprint = await checkStagedSnapshot(staging, path, identity?.fingerprint, progress);
    const own = [...bag.digests].filter(([name]) => SNAPSHOT_FILE.test(name));
    const bytes = own.reduce((total, [, { size }]) => total + size, 0);
    return { snapshot: target, files: own.length, bytes, fingerprint };
  });
}

/** Reads a bag once: computes all checksums, and writes the files of the snapshot to `staging`. */
async function readBag(path: string, staging: string, progress?: ImportProgress): Promise<ReadBag> {
  const safeDir = toSafeDirectory(staging);
  const bag: ReadBag = { texts: new Map(), manifests: new Map(), digests: new Map() };
  let root: string | undefined;
  await readPackage(path, async (entry) => {
    // The bag is the package itself, or the only directory in it.
    root ??= /^(?:data\/|[^/]*$)/.test(entry.path) ? '' : entry.path.slice(0, entry.path.indexOf('/') + 1);
    if (!entry.path.startsWith(root)) refusePackage(path, `it contains more than one directory`);
    const own = entry.path.slice(root.length);
    const digest = createDigest(BAG_DIGESTS);
    const onChunk = (chunk: Uint8Array) => {
      digest.update(chunk);
      progress?.onRead(chunk.length);
    };
    if (SNAPSHOT_FILE.test(own)) {
      const file = own.slice('data/'.length);
      const parentDirectory = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      if (parentDirectory !== '') safeDir.createDirectory(parentDirectory);
      const handle = safeDir.create(file);
      await pipeline(tee(entry.read(), onChunk), createWriteStream('', { fd: handle, flush: true }));
    } else if (TEXTS.includes(own)) {
      if (entry.size > MAX_TEXT_BYTES) refusePackage(path, `${own} is too large for a file of a bag`);
      bag.texts.set(own, await readText(entry.read(), onChunk));
    } else if (MANIFEST.test(own)) {
      if (entry.size > MAX_MANIFEST_BYTES) refusePackage(path, `${own} is too large for a file of a bag`);
      bag.manifests.set(own, await readManifest(entry.read(), onChunk));
    } else {
      for await (const chunk of entry.read()) onChunk(chunk);
    }
    bag.digests.set(own, digest.digest());
    return undefined;
  });
  return bag;
}

async function* tee(chunks: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onChunk(chunk);
    yield chunk;
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => void): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const chunk of tee(chunks, onChunk)) read.push(chunk);
  return Buffer.concat(read).toString('utf8');
}

async function readManifest(
  chunks: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): Promise<Map<string, string> | undefined> {
  const decoder = new StringDecoder('utf8');
  const parser = createManifestParser();
  for await (const chunk of tee(chunks, onChunk)) parser.add(decoder.write(Buffer.from(chunk)));
  parser.add(decoder.end());
  return parser.finish();
}

/** Checks that a bag is complete and unchanged. */
function checkBag({ texts, manifests, digests }: ReadBag, path: string): void {
  const declaration = texts.get('bagit.txt');
  if (declaration === undefined || !/^BagIt-Version: (?:0\.97|1\.0)\s/.test(declaration))
    refusePackage(path, 'it is not a BagIt bag');
  const payload = [...digests.keys()].filter((name) => name.startsWith('data/'));
  const algorithms = BAG_DIGESTS.filter((algorithm) => manifests.has(`manifest-${algorithm}.txt`));
  if (algorithms.length === 0) refusePackage(path, 'it has no manifest with SHA-256 or SHA-512');
  for (const algorithm of algorithms) checkManifest(`manifest-${algorithm}.txt`, algorithm, payload);
  for (const algorithm of BAG_DIGESTS)
    if (manifests.has(`tagmanifest-${algorithm}.txt`)) checkManifest(`tagmanifest-${algorithm}.txt`, algorithm, []);

  function checkManifest(name: string, algorithm: (typeof BAG_DIGESTS)[number], complete: readonly string[]): void {
    const checksums = manifests.get(name);
    if (!checksums) refusePackage(path, `${name} is damaged`);
    for (const [file, checksum] of checksums) {
      const found = digests.get(file);
      if (!found) refusePackage(path, `${file} is missing`);
      if (found.checksums[algorithm] !== checksum)
        refusePackage(path, `${file} was changed: its checksum is not that of ${name}`);
    }
    const unlisted = complete.find((file) => !checksums.has(file));
    if (unlisted !== undefined) refusePackage(path, `${unlisted} is not listed in ${name}`);
  }
}
