/** Copies a site to a mounted USB drive, with a page to start from. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LOCK_FILE } from '../../catalogue/urls.ts';
import { UserError } from '../../model/errors.ts';
import { listPortabilityProblems, MAX_FILE_BYTES } from '../../platform/portability.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { MANIFEST_FILE, readText } from '../manifest.ts';
import { SOURCE_FILE } from '../program-source.ts';
import { signDirectory } from '../signature.ts';
import { describeArchive, findOtherArchive, readSiteIdentity } from '../site-identity.ts';
import { SITE_DIRECTORY } from '../usb-names.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../withheld-before.ts';
import { COPY_LOG, describeObstacles, readOwnFile, writeAtomically } from './copied-files.ts';
import { type CopyOptions, copySite } from './copy-site.ts';
import { writeDriveManifest } from './drive-manifest.ts';
import { copySource } from './drive-source.ts';
import { createRootFiles, type RootFile, writeArchiveList } from './root-files.ts';
import { openSiteSource, type SiteFile, type SiteSource } from './site-source.ts';

/** Options of a copy. */
export interface UsbOptions extends CopyOptions {
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
export async function copyToUsb({ dir, ...options }: UsbOptions) {
  using source = await openSiteSource(dir, { leavesOutCopies: true, advice: 'Run "microfiche build" again, then copy.' });
  return await copyToDrive(source, options);
}

/** Copies a site to a drive, like `copyToUsb`. */
export async function copyToDrive(source: SiteSource, options: Omit<UsbOptions, 'dir'>) {
  const { to, force, withholdLess = false, keyFile, withSource = false } = options;
  const { dir, files, leftOut } = source;
  const drive = openDrive(to);
  const directory = join(drive.root, SITE_DIRECTORY);
  assertUsable(drive, force);
  const other = findOtherArchive(dir, directory);
  if (other && !force)
    throw new UserError(
      `${drive.root} contains the site of ${describeArchive(other)}, not of ${describeArchive(readSiteIdentity(dir) ?? {})}. Choose another directory with --to, or add --force to replace it.`,
    );
  // What another archive withheld does not matter.
  if (!withholdLess && !other) assertWithholdsNoLess('site', directory, withheldFromSite(dir));
  assertPortable(files, drive.root);
  describeObstacles(() => drive.createDirectory(SITE_DIRECTORY), drive.root);
  const copy = toSafeDirectory(directory);
  const report = await copySite(source, copy, options);
  if (keyFile !== undefined) await signDirectory('site', directory, keyFile);
  const withOwnSource = withSource && (await copySource(drive));
  const rootFiles = createRootFiles(copy, drive, keyFile !== undefined);
  const leftAlone = describeObstacles(() => writeRootFiles(drive, rootFiles), drive.root);
  const ownNames = rootFiles.map(({ name }) => name).filter((name) => !leftAlone.includes(name));
  await writeDriveManifest(drive, withOwnSource ? [...ownNames, SOURCE_FILE] : ownNames, keyFile);
  if (withSource && !withOwnSource) leftAlone.push(SOURCE_FILE);
  return {
    ...report,
    /** Files in the root of the drive that have the name of one of our files and other content. They are not touched. */
    leftAlone,
    /** Path of the page that lists this archive and others on the drive; absent if there are no others. */
    archiveList: writeArchiveList(drive.root),
    /** Whether the signature of the site is not copied, because it is that of a manifest with compressed copies. */
    isSignatureLeftOut: leftOut > 0 && keyFile === undefined && source.signature !== undefined,
  };
}

/**
 * Opens the directory in which a drive is mounted, or one on it.
 * @throws {UserError} if the directory does not exist
 */
function openDrive(to: string): SafeDirectory {
  const root = resolve(to);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`The directory ${root} does not exist. Mount the drive, and name its mount point with --to.`);
  return toSafeDirectory(root);
}

function assertUsable(drive: SafeDirectory, force: boolean): void {
  const { root } = drive;
  const isOurs = [MANIFEST_FILE, COPY_LOG, LOCK_FILE].some(
    (name) => readOwnFile(drive, `${SITE_DIRECTORY}/${name}`) !== undefined,
  );
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

function assertPortable(files: readonly SiteFile[], root: string): void {
  const large = files.filter(({ size = 0 }) => size > MAX_FILE_BYTES);
  if (large.length > 0 && statfsSync(root).type === FAT_MAGIC)
    throw new UserError(
      `${large[0]?.path} is larger than 4 GB, the maximum of FAT32. Format the drive as exFAT, or build without this file.`,
    );
  const [first] = listPortabilityProblems(files.map(({ path }) => [path, 0] as const));
  if (first) throw new UserError(`${first.path} cannot be copied to a USB drive: ${first.problem}.`);
}

/** Writes our files into the root of the drive. Returns the names that belong to other files, which are not replaced. */
function writeRootFiles(drive: SafeDirectory, files: readonly RootFile[]): string[] {
  return files.flatMap(({ name, content, marker }) => {
    const existing = readText(drive.root, name);
    if (existing !== undefined && !existing.includes(marker)) return [name];
    writeAtomically(drive, name, content);
    return [];
  });
}
