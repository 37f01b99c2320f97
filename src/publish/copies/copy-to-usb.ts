/** Copies a site to a mounted USB drive, and reads back what it wrote. Both are untrusted: no symbolic link is followed. */

import { closeSync, readdirSync, readFileSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { originalOfCopy } from '../../formats/compressed-names.ts';
import { UserError } from '../../model/errors.ts';
import { listPortabilityProblems, MAX_FILE_BYTES, roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { MANIFEST_FILE, readManifest, SIGNATURE_FILE } from '../manifest.ts';
import { SOURCE_FILE } from '../program-source.ts';
import { signDirectory } from '../signature.ts';
import { type ArchiveIdentity, describeArchive, isSameArchive, readSiteIdentity } from '../site-identity.ts';
import { SITE_DIRECTORY } from '../usb-names.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../withheld-before.ts';
import { writeDriveManifest } from './drive-manifest.ts';
import { createRootFiles, type RootFile } from './root-files.ts';
import {
  COPY_LOG,
  canRemove,
  copySource,
  copyVerified,
  describeObstacles,
  openDrive,
  openForAppend,
  PARTIAL_FILE,
  REMOVE_ADVICE,
  readCopyState,
  readOwnFile,
  readRegularText,
  sizeOnDrive,
  writeAtomically,
} from './usb-drive.ts';

/** Options of a copy. */
export interface UsbOptions {
  /** Directory of the site. */
  dir: string;
  /** Mount point of the drive, or a directory on it. */
  to: string;
  /** Uses a directory that contains other files too, and replaces the site of another archive. */
  force: boolean;
  /** Replaces a site from which more was withheld. */
  withholdLess?: boolean;
  /** Private key of OpenSSH, which signs the manifest on the drive. */
  keyFile?: string | undefined;
  /** Also copies the source of this program. */
  withSource?: boolean;
  /** Counts files. */
  onProgress?: (done: number, total: number) => void;
}

/** The result of a copy. Numbers are numbers of files, unless they are in bytes. */
export type UsbReport = Awaited<ReturnType<typeof copyToUsb>>;

/** The type of FAT file systems that `statfs` returns on Linux. */
const FAT_MAGIC = 0x4d44;

/**
 * Copies a site to a USB drive. Resumes an interrupted copy.
 * @throws {UserError} if the drive is not mounted, contains other files, has a symbolic link instead of a directory, or lacks
 * disk space
 */
export async function copyToUsb(options: UsbOptions) {
  const { dir, to, force, withholdLess = false, keyFile, withSource = false, onProgress } = options;
  const { site, files, leftOut } = readSite(dir);
  const drive = openDrive(to);
  assertUsable(drive, force);
  const other = findOtherArchive(dir, drive.root);
  if (other && !force)
    throw new UserError(
      `${drive.root} contains the site of ${describeArchive(other)}, not of ${describeArchive(readSiteIdentity(dir) ?? {})}. Choose another directory with --to, or add --force to replace it.`,
    );
  // What another archive withheld does not matter.
  if (!withholdLess && !other) assertWithholdsNoLess('site', join(drive.root, SITE_DIRECTORY), withheldFromSite(dir));
  assertPortable(files, drive.root);
  const { copiedEarlier: previous, copiedSinceInterruption } = readCopyState(drive);
  const missing = files.filter(({ path, sha256, size }) => {
    const known = (copiedSinceInterruption.get(path) ?? previous.get(path)) === sha256;
    return sizeOnDrive(drive, path) !== size || !known;
  });
  assertSpace(drive, missing);

  const log = describeObstacles(() => openForAppend(drive, `${SITE_DIRECTORY}/${COPY_LOG}`), REMOVE_ADVICE, drive.root);
  try {
    for (const [i, { path, sha256 }] of missing.entries()) {
      await copySiteFile(site, drive, path, sha256);
      writeSync(log, `${sha256}  ${path}\n`);
      onProgress?.(i + 1, missing.length);
    }
  } finally {
    closeSync(log);
  }
  const paths = new Set(files.map(({ path }) => path));
  const obsolete = [...new Set([...previous.keys(), ...copiedSinceInterruption.keys()])].filter(
    (path) => !paths.has(path) && canRemove(drive, path),
  );
  describeObstacles(() => finishCopy(site, drive, { files, obsolete, leftOut }), REMOVE_ADVICE, drive.root);
  if (keyFile !== undefined) await signDirectory('site', join(drive.root, SITE_DIRECTORY), keyFile);
  const withOwnSource = withSource && (await copySource(drive));
  const rootFiles = createRootFiles(site, drive, keyFile !== undefined);
  const leftAlone = describeObstacles(() => writeRootFiles(drive, rootFiles), REMOVE_ADVICE, drive.root);
  const ownNames = rootFiles.map(({ name }) => name).filter((name) => !leftAlone.includes(name));
  await writeDriveManifest(drive, withOwnSource ? [...ownNames, SOURCE_FILE] : ownNames, keyFile);
  if (withSource && !withOwnSource) leftAlone.push(SOURCE_FILE);
  return {
    files: files.length,
    bytes: files.reduce((total, { size }) => total + size, 0),
    /** Files that were copied and read back. */
    copied: missing.length,
    /** Files that an earlier or interrupted copy left. */
    unchanged: files.length - missing.length,
    /** Files that were deleted, because the site does not have them any more. */
    removed: obsolete.length,
    /** Files in the root of the drive that have the name of one of our files and other content. They are not touched. */
    leftAlone,
    /** Compressed copies for hosts, which are not copied. */
    leftOut,
    /** Whether the signature of the site is not copied, because it is that of a manifest with compressed copies. */
    isSignatureLeftOut: leftOut > 0 && keyFile === undefined && site.stat(SIGNATURE_FILE) !== undefined,
  };
}

/** Completes a copy: deletes obsolete files, writes the manifest, and deletes the log of copied files. */
function finishCopy(
  site: SafeDirectory,
  drive: SafeDirectory,
  { files, obsolete, leftOut }: { files: readonly SiteFile[]; obsolete: readonly string[]; leftOut: number },
): void {
  for (const path of obsolete) drive.delete(`${SITE_DIRECTORY}/${path}`);
  for (const directory of new Set(obsolete.map((path) => dirname(path))))
    if (directory !== '.') drive.deleteEmptyDirectories(`${SITE_DIRECTORY}/${directory}`);
  const ownLines = () => Buffer.from(files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''));
  const manifest = leftOut > 0 ? ownLines() : readFileSync(site.resolve(MANIFEST_FILE));
  writeAtomically(drive, `${SITE_DIRECTORY}/${MANIFEST_FILE}`, manifest);
  // If the manifest is the same, its signature is valid here too.
  if (leftOut === 0 && site.stat(SIGNATURE_FILE))
    writeAtomically(drive, `${SITE_DIRECTORY}/${SIGNATURE_FILE}`, readFileSync(site.resolve(SIGNATURE_FILE)));
  else drive.delete(`${SITE_DIRECTORY}/${SIGNATURE_FILE}`);
  for (const name of [COPY_LOG, PARTIAL_FILE]) drive.delete(`${SITE_DIRECTORY}/${name}`);
}

interface SiteFile {
  path: string;
  sha256: string;
  size: number;
}

/** Returns the files that the site's manifest lists, without compressed copies for hosts, whose number is `leftOut`. */
function readSite(dir: string): { site: SafeDirectory; files: SiteFile[]; leftOut: number } {
  const all = readManifest(dir);
  const lines = all.filter(({ path }) => originalOfCopy(path) === undefined);
  if (lines.length === 0)
    throw new UserError(`${dir} does not contain a site. Run "microfiche build" first, or name the site's directory with --dir.`);
  const site = toSafeDirectory(dir);
  const files = lines.map(({ path, sha256 }) => {
    if ([COPY_LOG, PARTIAL_FILE, MANIFEST_FILE].includes(path))
      throw new UserError(
        `The manifest in ${dir} lists ${path}, which is never part of a site. Run "microfiche build" again, then copy.`,
      );
    const stats = describeObstacles(() => site.stat(path), `Run "microfiche build" again, then copy.`, dir);
    if (!stats) throw new UserError(`${join(dir, path)} is missing. Run "microfiche build" again, then copy.`);
    return { path, sha256, size: stats.size };
  });
  return { site, files, leftOut: all.length - lines.length };
}

function assertUsable(drive: SafeDirectory, force: boolean): void {
  const { root } = drive;
  const isOurs = [MANIFEST_FILE, COPY_LOG].some((name) => readOwnFile(drive, `${SITE_DIRECTORY}/${name}`) !== undefined);
  const otherFiles = readdirSync(root).filter((name) => !isSystemName(name));
  if (otherFiles.length > 0 && !isOurs && !force)
    throw new UserError(
      `${root} contains other files (${toPrintable(otherFiles.slice(0, 3).join(', '))}${otherFiles.length > 3 ? ' …' : ''}). Name an empty directory on the drive, or add --force to copy the site next to them.`,
    );
  const directory = join(root, SITE_DIRECTORY);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats && !isOurs && (!stats.isDirectory() || readdirSync(directory).length > 0))
    throw new UserError(`${directory} was not made by Microfiche. Choose another directory with --to, or move it away.`);
}

/** Returns the archive of the site on a drive, if it is not that of the site to copy. */
function findOtherArchive(dir: string, root: string): ArchiveIdentity | undefined {
  const [own, present] = [readSiteIdentity(dir), readSiteIdentity(join(root, SITE_DIRECTORY))];
  return own && present && !isSameArchive(own, present) ? present : undefined;
}

function assertPortable(files: SiteFile[], root: string): void {
  const large = files.filter(({ size }) => size > MAX_FILE_BYTES);
  if (large.length > 0 && statfsSync(root).type === FAT_MAGIC)
    throw new UserError(
      `${large[0]?.path} is larger than 4 GB, the maximum of FAT32. Format the drive as exFAT, or build without this file.`,
    );
  const [first] = listPortabilityProblems(files.map(({ path }) => [path, 0] as const));
  if (first) throw new UserError(`${first.path} cannot be copied to a USB drive: ${first.problem}.`);
}

function assertSpace(drive: SafeDirectory, missing: SiteFile[]): void {
  const { bavail, bsize } = statfsSync(drive.root);
  const needed = requiredSpace(missing, bsize, (path) => sizeOnDrive(drive, path) ?? 0);
  const free = bavail * bsize;
  if (needed > free)
    throw new UserError(
      `Not enough disk space in ${drive.root}: ${formatBytes(needed)} required, ${formatBytes(free)} available.`,
    );
}

/** Copies a file of the site, and renames it to its path only after it was read back and verified. */
async function copySiteFile(site: SafeDirectory, drive: SafeDirectory, path: string, sha256: string): Promise<void> {
  const source = site.resolve(path);
  const [partial, target] = [PARTIAL_FILE, path].map((name) => `${SITE_DIRECTORY}/${name}`) as [string, string];
  if (await copyVerified(drive, { source, partial, target, sha256 })) return;
  const cause =
    (await sha256OfFile(source)) === sha256 ? 'the drive returned other bytes than were written' : 'the site has changed';
  throw new UserError(
    `${path} could not be copied: ${cause}. Run the command again. If it fails again, ${cause.startsWith('the drive') ? 'use another drive' : 'build the site again'}.`,
  );
}

/** Writes our files into the root of the drive. Returns the names that belong to other files, which are not replaced. */
function writeRootFiles(drive: SafeDirectory, files: readonly RootFile[]): string[] {
  return files.flatMap(({ name, content, marker }) => {
    const existing = readRegularText(drive, name);
    if (existing !== undefined && !existing.includes(marker)) return [name];
    writeAtomically(drive, name, content);
    return [];
  });
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
