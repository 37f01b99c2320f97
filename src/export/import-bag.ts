/** Imports a snapshot from a bag that `export bagit` wrote. Everything is checked first, and the snapshot is there as a whole or not at all. */
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../model/errors.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { auditSnapshot } from '../snapshot/audit.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { BAG_DIGESTS, parseBagManifest } from './bag.ts';
import { BAGGED_DATABASE } from './bagit.ts';
import { createDigest, type Digest } from './digest.ts';
import { IDENTITY_FILE, parseIdentity } from './identity.ts';
import { PackageError, readPackage } from './package-reader.ts';

/** What an import wrote. */
export interface ImportReport {
  /** The snapshot directory. */
  snapshot: string;
  files: number;
  /** Bytes of these files. */
  bytes: number;
  fingerprint: string;
}

/** Manifests of a million files have some 200 MB. */
const MAX_TAG_FILE_BYTES = 1_000_000_000;
const SNAPSHOT_FILE = /^data\/(?:snapshot\.sqlite$|media\/|quarantine\/)/;

/** A bag as it was read. */
interface ReadBag {
  /** Texts of the files outside `data/`, by path. */
  tags: Map<string, string>;
  /** Digests of all files, by path. */
  digests: Map<string, Digest>;
}

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
export async function importBag(path: string, target: string, onProgress?: (done: number) => void): Promise<ImportReport> {
  const directory = resolve(target);
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UserError(`${target} is not empty. Name a new directory with --snapshot.`);
  const parent = dirname(directory);
  mkdirSync(parent, { recursive: true });
  const staging = mkdtempSync(join(parent, `.${basename(directory)}.importing-`));
  try {
    const bag = await readBag(path, staging, onProgress);
    checkBag(bag, path);
    const report = await checkSnapshot(staging, bag, path);
    if (existsSync(directory)) rmSync(directory, { recursive: true });
    renameSync(staging, directory);
    syncDirectory(parent);
    return { snapshot: target, ...report };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Reads a bag once: computes all checksums, and writes the files of the snapshot to `staging`. */
async function readBag(path: string, staging: string, onProgress?: (done: number) => void): Promise<ReadBag> {
  const safeDir = toSafeDirectory(staging);
  const bag: ReadBag = { tags: new Map(), digests: new Map() };
  let root: string | undefined;
  await readPackage(path, async (entry) => {
    // The bag is the package itself, or the only directory in it.
    root ??= /^(?:data\/|[^/]*$)/.test(entry.path) ? '' : entry.path.slice(0, entry.path.indexOf('/') + 1);
    if (!entry.path.startsWith(root)) refuse(path, `it contains more than one directory`);
    const own = entry.path.slice(root.length);
    const digest = createDigest(BAG_DIGESTS);
    if (SNAPSHOT_FILE.test(own)) {
      const file = own.slice('data/'.length);
      const parentDirectory = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      if (parentDirectory !== '') safeDir.createDirectory(parentDirectory);
      const handle = safeDir.create(file);
      await pipeline(tee(entry.read(), digest.update), createWriteStream('', { fd: handle, flush: true }));
    } else if (own.startsWith('data/')) {
      for await (const chunk of entry.read()) digest.update(chunk);
    } else {
      if (entry.size > MAX_TAG_FILE_BYTES) refuse(path, `${own} is too large for a file of a bag`);
      bag.tags.set(own, await readText(entry.read(), digest.update));
    }
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

function refuse(path: string, problem: string): never {
  throw new PackageError(`${toPrintable(path)} was not imported: ${toPrintable(problem, 500)}.`);
}

/** Checks that a bag is complete and unchanged. */
function checkBag({ tags, digests }: ReadBag, path: string): void {
  const declaration = tags.get('bagit.txt');
  if (declaration === undefined || !/^BagIt-Version: (?:0\.97|1\.0)\s/.test(declaration)) refuse(path, 'it is not a BagIt bag');
  const payload = [...digests.keys()].filter((name) => name.startsWith('data/'));
  const manifests = BAG_DIGESTS.filter((algorithm) => tags.has(`manifest-${algorithm}.txt`));
  if (manifests.length === 0) refuse(path, 'it has no manifest with SHA-256 or SHA-512');
  for (const algorithm of manifests) checkManifest(`manifest-${algorithm}.txt`, algorithm, payload);
  for (const algorithm of BAG_DIGESTS)
    if (tags.has(`tagmanifest-${algorithm}.txt`)) checkManifest(`tagmanifest-${algorithm}.txt`, algorithm, []);

  function checkManifest(name: string, algorithm: (typeof BAG_DIGESTS)[number], complete: readonly string[]): void {
    const checksums = parseBagManifest(tags.get(name) ?? '');
    if (!checksums) refuse(path, `${name} is damaged`);
    for (const [file, checksum] of checksums) {
      const found = digests.get(file);
      if (!found) refuse(path, `${file} is missing`);
      if (found.checksums[algorithm] !== checksum) refuse(path, `${file} was changed: its checksum is not that of ${name}`);
    }
    const unlisted = complete.find((file) => !checksums.has(file));
    if (unlisted !== undefined) refuse(path, `${unlisted} is not listed in ${name}`);
  }
}

/** Checks the staged snapshot. Returns what it has. */
async function checkSnapshot(staging: string, bag: ReadBag, path: string): Promise<Omit<ImportReport, 'snapshot'>> {
  if (!bag.digests.has(BAGGED_DATABASE)) refuse(path, `it contains no snapshot (${BAGGED_DATABASE})`);
  const store = openSnapshot(staging);
  try {
    const { findings } = await auditSnapshot(store);
    const [first] = findings;
    if (first)
      refuse(path, `${first.what}: ${first.problem}${findings.length > 1 ? `; and ${findings.length - 1} more problems` : ''}`);
    const fingerprint = computeFingerprint(store);
    const expected = parseIdentity(bag.tags.get(IDENTITY_FILE) ?? '');
    if (expected && expected.fingerprint !== fingerprint) refuse(path, 'its content is not that of its fingerprint');
    const own = [...bag.digests].filter(([name]) => SNAPSHOT_FILE.test(name));
    return { files: own.length, bytes: own.reduce((total, [, { size }]) => total + size, 0), fingerprint };
  } finally {
    store.close();
  }
}
