/** Copies a site, and reads back what it wrote. Copies only what differs, and resumes an interrupted copy. */
import { closeSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE } from '../../catalogue/urls.ts';
import { formatChecksums, type ManifestLine, parseChecksums } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { readDiskSpace } from '../../platform/disk-space.ts';
import { CHUNK_BYTES } from '../../platform/file-chunks.ts';
import { tryLock } from '../../platform/lock.ts';
import { roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { type SafeDirectory, undefinedIfUnsafe } from '../../platform/safe-directory.ts';
import { syncDirectory } from '../../platform/sync-directory.ts';
import { MANIFEST_FILE, SIGNATURE_FILE } from '../manifest.ts';
import { LEFT_OUT_FILE } from '../partial-copy.ts';
import * as copied from './copied-files.ts';
import type { SiteFile, SiteSource } from './site-source.ts';

/** How a site is copied. */
export interface CopyOptions {
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Returns the files that a partial copy has, of files whose sizes are known, on a disk with clusters of so many bytes. */
  select?: ((files: readonly SiteFile[], cluster: number) => SiteFile[]) | undefined;
}

/**
 * Makes the directory `copy` the same as the site, or as a part of it. What the copy's own manifest lists and the site does not
 * have is deleted; other files stay. Returns numbers of files, unless they are in bytes.
 * @throws {UserError} if something is in the way, the site is damaged, or the disk is full
 */
export async function copySite(source: SiteSource, copy: SafeDirectory, { onProgress, select }: CopyOptions = {}) {
  using lock = tryLock(copy, LOCK_FILE);
  if (!lock) throw new UserError(`Another process is writing to ${copy.root}. Wait until it has finished.`);
  const files = select ? select(await (source.measure?.() ?? source.files), readDiskSpace(copy.root).cluster) : source.files;
  const selected = new Set(files.map(({ path }) => path));
  const [previous, copiedSinceInterruption] = [MANIFEST_FILE, copied.COPY_LOG].map((name) =>
    parseChecksums(copied.readOwnFile(copy, name) ?? ''),
  ) as [Map<string, string>, Map<string, string>];
  const isPresent = ({ path, sha256, size }: Partial<SiteFile> & ManifestLine) => {
    const known = (copiedSinceInterruption.get(path) ?? previous.get(path)) === sha256;
    const present = known ? copied.sizeInCopy(copy, path) : undefined;
    return present !== undefined && (size === undefined || present === size);
  };
  const missing = files.filter((file) => !isPresent(file));
  const unchanged = source.absent.filter(isPresent);
  const paths = new Set([...selected, ...unchanged.map(({ path }) => path)]);
  const removed = [...new Set([...previous.keys(), ...copiedSinceInterruption.keys()])].filter((path) => !paths.has(path));
  assertSpace(copy, missing, removed);
  // What was withdrawn goes first, also if the copy is interrupted.
  const deleted = removed.filter((path) => undefinedIfUnsafe(() => copy.delete(path)));
  for (const directory of new Set(deleted.map(dirname))) copy.deleteEmptyDirectories(directory);
  const log = copied.describeObstacles(() => copied.openForAppend(copy, copied.COPY_LOG), copy.root);
  try {
    writeSync(log, '\n'); // ends a line that was cut off
    let done = 0;
    await copyFiles(source, copy, missing, ({ path, sha256 }) => {
      writeSync(log, `${sha256}  ${path}\n`);
      onProgress?.(++done, missing.length);
    });
  } finally {
    closeSync(log);
  }
  for (const directory of new Set(missing.map(({ path }) => dirname(path)))) syncDirectory(join(copy.root, directory));
  const listed = [...source.files, ...source.absent].sort((a, b) => (a.path < b.path ? -1 : 1));
  const lacking = listed.filter(({ path }) => !paths.has(path));
  copied.describeObstacles(() => writeLists(source, copy, listed, lacking), copy.root);
  for (const name of [copied.COPY_LOG, ...copied.PARTIAL_FILES]) copy.delete(name);
  return {
    files: paths.size,
    /** The size of all files, as far as it is known. */
    bytes: files.reduce((total, { path, size }) => total + (size ?? copied.sizeInCopy(copy, path) ?? 0), 0),
    /** Files that were copied and read back. */
    copied: missing.length,
    /** Files that an earlier or interrupted copy left. */
    unchanged: paths.size - missing.length,
    /** Files that were deleted, because the site does not have them any more. */
    removed: deleted.length,
    /** Files of the site that this copy does not have, because it is partial. */
    lacking: lacking.length,
    /** Compressed copies for hosts, which are not copied. */
    leftOut: source.leftOut,
  };
}

/** Writes the manifest, and what a partial copy lacks. If the manifest is that of the site, its signature is valid here too. */
function writeLists(
  { leftOut, manifest, signature }: SiteSource,
  copy: SafeDirectory,
  listed: readonly ManifestLine[],
  lacking: readonly ManifestLine[],
): void {
  if (lacking.length > 0) copied.writeAtomically(copy, LEFT_OUT_FILE, formatChecksums(lacking));
  else copy.delete(LEFT_OUT_FILE);
  copied.writeAtomically(copy, MANIFEST_FILE, leftOut > 0 ? formatChecksums(listed) : manifest);
  if (leftOut === 0 && signature !== undefined) copied.writeAtomically(copy, SIGNATURE_FILE, signature);
  else copy.delete(SIGNATURE_FILE);
}

/** Copies files: several small ones at the same time, and then each large one alone, because it takes space until it is whole. */
async function copyFiles(
  source: SiteSource,
  copy: SafeDirectory,
  files: readonly SiteFile[],
  onCopied: (file: SiteFile) => void,
): Promise<void> {
  const { small = [], large = [] } = Object.groupBy(files, ({ size = 0 }) => (size <= CHUNK_BYTES ? 'small' : 'large'));
  const copyInTurn = async (turns: Iterable<SiteFile>, partial: string) => {
    for (const file of turns) {
      await copyFile(source, copy, file, partial);
      onCopied(file);
    }
  };
  // A loop that fails closes the iterator, so that the others end as well: nothing is written any more when this function throws.
  const queue = small.values().filter(() => true);
  const copying = copied.PARTIAL_FILES.map((partial) => copyInTurn(queue, partial));
  await Promise.allSettled(copying);
  await Promise.all(copying);
  await copyInTurn(large, String(copied.PARTIAL_FILES[0]));
}

/** Copies a file of the site, and renames it to its path only after it was read back and verified. */
async function copyFile(source: SiteSource, copy: SafeDirectory, file: SiteFile, partial: string): Promise<void> {
  const { path, sha256 } = file;
  if (await copied.writeVerified(copy, { partial, target: path, sha256 }, (target) => source.write(file, target))) return;
  const [cause, advice] = (await source.isIntact(path, sha256))
    ? ['the drive returned other bytes than were written', 'If it fails again, use another drive.']
    : ['it is not the file in the manifest of the site', source.advice];
  throw new UserError(`${path} could not be copied: ${cause}. Run the command again. ${advice}`);
}

/** @throws {UserError} if the disk has less space than the files require, each of which is written before it replaces another */
function assertSpace(copy: SafeDirectory, missing: readonly SiteFile[], removed: readonly string[]): void {
  const { free: before, cluster } = readDiskSpace(copy.root);
  const known = missing.map(({ path, size = 0 }) => ({ path, size }));
  const needed = requiredSpace(known, cluster, (path) => copied.sizeInCopy(copy, path) ?? 0);
  const sizes = removed.map((path) => undefinedIfUnsafe(() => copy.stat(path)?.size) ?? 0);
  const freed = sizes.reduce((total, size) => total + roundUpToClusters(size, cluster), 0);
  const free = before + freed;
  if (needed > free)
    throw new UserError(
      `Not enough disk space in ${copy.root}: ${formatBytes(needed)} required, ${formatBytes(free)} available.`,
    );
}

/**
 * Returns the disk space, in bytes, that copying files requires on a file system with clusters of `blockSize` bytes.
 * `replacedSize` returns the size of the file that is replaced at a path.
 */
export function requiredSpace(
  files: ReadonlyArray<{ path: string; size: number }>,
  blockSize: number,
  replacedSize: (path: string) => number,
): number {
  const clustered = (size: number) => roundUpToClusters(size, blockSize);
  const replaced = files.reduce((total, { path }) => total + clustered(replacedSize(path)), 0);
  // Each file is written completely before it replaces an older one, some small ones at the same time.
  const largest = files.reduce((max, { size }) => Math.max(max, clustered(size)), 0);
  const others = (copied.PARTIAL_FILES.length - 1) * Math.min(largest, clustered(CHUNK_BYTES));
  const sizes = files.map(({ path, size }) => [path, size] as const);
  return sizeInClusters(sizes, blockSize) - replaced + largest + others;
}
