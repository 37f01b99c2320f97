/** Imports a snapshot from a bag that `export bagit` wrote. Everything is checked first, and the snapshot is there as a whole or not at all. */
import { createWriteStream, mkdirSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { mediaPathProblem } from '../snapshot/media-path.ts';
import { BAG_DIGESTS, parseBagManifest } from './bag.ts';
import { BAGGED_DATABASE } from './bagit.ts';
import { createDigest, type Digest } from './digest.ts';
import { IDENTITY_FILE, parseIdentity } from './identity.ts';
import { checkStagedSnapshot, countFiles, type ImportReport, refusePackage, withStaging } from './import-staging.ts';
import { readPackage } from './package-reader.ts';

/** A manifest of a million files has some 200 MB. */
const MAX_MANIFEST_BYTES = 500_000_000;
const MAX_TAG_FILE_BYTES = 1_000_000;
const MANIFEST = /^(?:tag)?manifest-sha(?:256|512)\.txt$/;
const DECLARATION = 'bagit.txt';
const SNAPSHOT_FILE = /^data\/(?:snapshot\.sqlite$|media\/|quarantine\/)/;

/** A bag as it was read. */
interface ReadBag {
  /** Texts of the tag files that an import reads, by path. */
  tags: Map<string, string>;
  /** Digests of all files, by path. */
  digests: Map<string, Digest>;
}

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
export function importBag(path: string, target: string, onProgress?: (done: number) => void): Promise<ImportReport> {
  return withStaging(path, target, async ({ snapshot }) => {
    const bag = await readBag(path, snapshot, onProgress);
    checkBag(bag, path);
    if (!bag.digests.has(BAGGED_DATABASE)) refusePackage(path, `it contains no snapshot (${BAGGED_DATABASE})`);
    const identity = parseIdentity(bag.tags.get(IDENTITY_FILE) ?? '');
    const fingerprint = await checkStagedSnapshot(snapshot, path, identity?.fingerprint);
    return { snapshot: target, ...countFiles(snapshot), fingerprint };
  });
}

/** Reads a bag once: computes all checksums, and writes the files of the snapshot to the directory `snapshot`. */
async function readBag(path: string, snapshot: string, onProgress?: (done: number) => void): Promise<ReadBag> {
  mkdirSync(snapshot);
  const safeDir = toSafeDirectory(snapshot);
  const bag: ReadBag = { tags: new Map(), digests: new Map() };
  let root: string | undefined;
  await readPackage(path, async (entry) => {
    // The bag is the package itself, or the only directory in it.
    root ??= /^(?:data\/|[^/]*$)/.test(entry.path) ? '' : entry.path.slice(0, entry.path.indexOf('/') + 1);
    if (!entry.path.startsWith(root)) refusePackage(path, `it contains more than one directory`);
    const own = entry.path.slice(root.length);
    const digest = createDigest(BAG_DIGESTS);
    if (SNAPSHOT_FILE.test(own)) {
      const file = own.slice('data/'.length);
      const problem = own === BAGGED_DATABASE ? undefined : mediaPathProblem(file);
      if (problem !== undefined) refusePackage(path, `${own}: ${problem}`);
      const handle = safeDir.create(file);
      await pipeline(tee(entry.read(), digest.update), createWriteStream('', { fd: handle, flush: true }));
    } else if (MANIFEST.test(own) || own === DECLARATION || own === IDENTITY_FILE) {
      if (entry.size > (MANIFEST.test(own) ? MAX_MANIFEST_BYTES : MAX_TAG_FILE_BYTES))
        refusePackage(path, `${own} is too large for a file of a bag`);
      bag.tags.set(own, await readText(entry.read(), digest.update));
    } else for await (const chunk of entry.read()) digest.update(chunk);
    bag.digests.set(own, digest.digest());
    onProgress?.(bag.digests.size);
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

/** Checks that a bag is complete and unchanged. */
function checkBag({ tags, digests }: ReadBag, path: string): void {
  const [, version] = /^BagIt-Version: (\d+\.\d+)\s/.exec(tags.get(DECLARATION) ?? '') ?? [];
  if (version === undefined) refusePackage(path, 'it is not a BagIt bag');
  if (version !== '1.0' && version !== '0.97')
    refusePackage(path, `it is a bag of BagIt ${version}, and this Microfiche reads BagIt 0.97 and 1.0`);
  const payload = [...digests.keys()].filter((name) => name.startsWith('data/'));
  const manifests = BAG_DIGESTS.filter((algorithm) => tags.has(`manifest-${algorithm}.txt`));
  if (manifests.length === 0) refusePackage(path, 'it has no manifest with SHA-256 or SHA-512');
  for (const algorithm of manifests) checkManifest(`manifest-${algorithm}.txt`, algorithm, payload);
  for (const algorithm of BAG_DIGESTS)
    if (tags.has(`tagmanifest-${algorithm}.txt`)) checkManifest(`tagmanifest-${algorithm}.txt`, algorithm, []);

  function checkManifest(name: string, algorithm: (typeof BAG_DIGESTS)[number], complete: readonly string[]): void {
    const checksums = parseBagManifest(tags.get(name) ?? '');
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
