/** Copies a site, and reads back what it wrote. Copies only what differs, and resumes an interrupted copy. */
import { closeSync, readFileSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { type SafeDirectory, toSafeDirectory, undefinedIfUnsafe } from '../../platform/safe-directory.ts';
import { MANIFEST_FILE, SIGNATURE_FILE } from '../manifest.ts';
import {
  COPY_LOG,
  describeObstacles,
  openForAppend,
  PARTIAL_FILE,
  REMOVE_ADVICE,
  readCopyState,
  sizeInCopy,
  writeAtomically,
  writeVerified,
} from './copied-files.ts';
import type { SiteFile, SiteSource } from './site-source.ts';

/**
 * Makes the directory `copy` the same as the site. What the copy's own manifest lists and the site does not have is deleted;
 * other files stay. Returns numbers of files, unless they are in bytes.
 * @throws {UserError} if something is in the way, the site is damaged, or the disk is full
 */
export async function copySite(source: SiteSource, copy: SafeDirectory, onProgress?: (done: number, total: number) => void) {
  const { files, leftOut } = source;
  const { copiedEarlier: previous, copiedSinceInterruption } = readCopyState(copy);
  const missing = files.filter(({ path, sha256, size }) => {
    const known = (copiedSinceInterruption.get(path) ?? previous.get(path)) === sha256;
    const present = sizeInCopy(copy, path);
    return !known || present === undefined || (size !== undefined && present !== size);
  });
  assertSpace(copy, missing);
  const log = describeObstacles(() => openForAppend(copy, COPY_LOG), REMOVE_ADVICE, copy.root);
  try {
    for (const [i, file] of missing.entries()) {
      await copyFile(source, copy, file);
      writeSync(log, `${file.sha256}  ${file.path}\n`);
      onProgress?.(i + 1, missing.length);
    }
  } finally {
    closeSync(log);
  }
  const paths = new Set(files.map(({ path }) => path));
  const removed = [...new Set([...previous.keys(), ...copiedSinceInterruption.keys()])].filter(
    (path) => !paths.has(path) && undefinedIfUnsafe(() => copy.delete(path)),
  );
  for (const directory of new Set(removed.map(dirname))) copy.deleteEmptyDirectories(directory);
  describeObstacles(() => copyManifest(source, copy), REMOVE_ADVICE, copy.root);
  for (const name of [COPY_LOG, PARTIAL_FILE]) copy.delete(name);
  return {
    files: files.length,
    /** The size of all files, as far as it is known. */
    bytes: files.reduce((total, { path, size }) => total + (size ?? sizeInCopy(copy, path) ?? 0), 0),
    /** Files that were copied and read back. */
    copied: missing.length,
    /** Files that an earlier or interrupted copy left. */
    unchanged: files.length - missing.length,
    /** Files that were deleted, because the site does not have them any more. */
    removed: removed.length,
    /** Compressed copies for hosts, which are not copied. */
    leftOut,
  };
}

/** Writes the manifest. If it is the same as that of the site, its signature is valid here too. */
function copyManifest({ dir, files, leftOut }: SiteSource, copy: SafeDirectory): void {
  const ownLines = () => files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  const read = (name: string) => readFileSync(join(dir, name));
  writeAtomically(copy, MANIFEST_FILE, leftOut > 0 ? ownLines() : read(MANIFEST_FILE));
  if (leftOut === 0 && isRegularFile(toSafeDirectory(dir), SIGNATURE_FILE))
    writeAtomically(copy, SIGNATURE_FILE, read(SIGNATURE_FILE));
  else copy.delete(SIGNATURE_FILE);
}

/** Copies a file of the site, and renames it to its path only after it was read back and verified. */
async function copyFile(source: SiteSource, copy: SafeDirectory, { path, sha256 }: SiteFile): Promise<void> {
  const write = (file: string) => source.write(path, file);
  if (await writeVerified(copy, { partial: PARTIAL_FILE, target: path, sha256 }, write)) return;
  const [cause, advice] = (await source.isIntact(path, sha256))
    ? ['the drive returned other bytes than were written', 'If it fails again, use another drive.']
    : ['it is not the file in the manifest of the site', source.advice];
  throw new UserError(`${path} could not be copied: ${cause}. Run the command again. ${advice}`);
}

/** @throws {UserError} if the disk has less space than the files require, each of which is written before it replaces another */
function assertSpace(copy: SafeDirectory, missing: readonly SiteFile[]): void {
  const { bavail, bsize } = statfsSync(copy.root);
  const known = missing.map(({ path, size = 0 }) => ({ path, size }));
  const needed = requiredSpace(known, bsize, (path) => sizeInCopy(copy, path) ?? 0);
  const free = bavail * bsize;
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
  // Each file is written completely before it replaces an older one.
  const largest = files.reduce((max, { size }) => Math.max(max, clustered(size)), 0);
  return (
    sizeInClusters(
      files.map(({ path, size }) => [path, size] as const),
      blockSize,
    ) -
    replaced +
    largest
  );
}
