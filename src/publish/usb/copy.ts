/** Copies a site to a mounted USB drive, and reads back what it wrote. Both are untrusted: no symbolic link is followed. */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, statfsSync, statSync, writeSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../../model/errors.ts';
import { plainText } from '../../model/text.ts';
import { type Contained, closing, containedIn } from '../../platform/contained.ts';
import { formatBytes } from '../../platform/durations.ts';
import { printable } from '../../platform/lines.ts';
import { LARGEST_FILE, unportable } from '../../platform/portable.ts';
import { sumOf } from '../../snapshot/files.ts';
import { archiveName, isSameArchive, siteIdentity } from '../identity.ts';
import { MANIFEST, readManifest } from '../manifest.ts';
import { FOLDER, README_NAME, START_NAME } from '../stick-names.ts';
import { readmeText, startPage } from './pages.ts';
import { spaceFor } from './space.ts';
import {
  appendTo,
  canRemove,
  inSentence,
  LOG,
  notesOn,
  openStick,
  ownFile,
  PART,
  REMOVE_IT,
  regularText,
  SYSTEM,
  sizeOn,
  writeWhole,
} from './stick.ts';

/** What to copy, and where. */
export interface UsbOptions {
  /** Directory of the site. */
  dir: string;
  /** Mount point of the drive, or a directory on it. */
  to: string;
  /** Uses a directory that contains other files too, and replaces the site of another archive. */
  force: boolean;
  /** Counts files. */
  onProgress?: (done: number, total: number) => void;
}

/** The result of a copy. Numbers are numbers of files, unless they are in bytes. */
export interface UsbReport {
  files: number;
  bytes: number;
  /** Files that were copied and read back. */
  copied: number;
  /** Files that an earlier or interrupted copy left. */
  kept: number;
  /** Files that were deleted, because the site does not have them any more. */
  removed: number;
  /** Files in the root of the drive that have names of ours and were not written by us. They are not touched. */
  leftAlone: string[];
}

/** The type of FAT file systems that `statfs` returns on Linux. */
const FAT = 0x4d44;

/**
 * Copies a site to a USB drive. Resumes an interrupted copy.
 * @throws {UserError} if the drive is not mounted, contains other files, has a symbolic link instead of a directory, or lacks disk space
 */
export async function copyToStick({ dir, to, force, onProgress }: UsbOptions): Promise<UsbReport> {
  const { site, files } = readSite(dir);
  const drive = openStick(to);
  assertUsable(drive, force);
  if (!force) assertSameArchive(dir, drive.root);
  assertPortable(files, drive.root);
  const { there: previous, copied } = notesOn(drive);
  const missing = files.filter(({ path, sha256, size }) => {
    const known = (copied.get(path) ?? previous.get(path)) === sha256;
    return sizeOn(drive, path) !== size || !known;
  });
  assertSpace(drive, missing);

  const log = inSentence(() => appendTo(drive, `${FOLDER}/${LOG}`), REMOVE_IT, drive.root);
  try {
    for (const [i, { path, sha256 }] of missing.entries()) {
      await copyOne(site, drive, path, sha256);
      writeSync(log, `${sha256}  ${path}\n`);
      onProgress?.(i + 1, missing.length);
    }
  } finally {
    closeSync(log);
  }
  const paths = new Set(files.map(({ path }) => path));
  const obsolete = [...new Set([...previous.keys(), ...copied.keys()])].filter(
    (path) => !paths.has(path) && canRemove(drive, path),
  );
  const leftAlone = inSentence(() => finish(site, drive, obsolete), REMOVE_IT, drive.root);
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    copied: missing.length,
    kept: files.length - missing.length,
    removed: obsolete.length,
    leftAlone,
  };
}

/** Deletes obsolete files, and writes what marks the copy as complete. Returns the names in the root that belong to other files. */
function finish(site: Contained, drive: Contained, obsolete: string[]): string[] {
  for (const path of obsolete) drive.remove(`${FOLDER}/${path}`);
  for (const directory of new Set(obsolete.map((path) => dirname(path))))
    if (directory !== '.') drive.removeEmptyFolders(`${FOLDER}/${directory}`);
  writeWhole(drive, `${FOLDER}/${MANIFEST}`, readFileSync(site.at(MANIFEST)));
  const leftAlone = writeRoot(site, drive);
  for (const name of [LOG, PART]) drive.remove(`${FOLDER}/${name}`);
  return leftAlone;
}

interface SiteFile {
  path: string;
  sha256: string;
  size: number;
}

/** Returns the files that the site's manifest lists. */
function readSite(dir: string): { site: Contained; files: SiteFile[] } {
  const lines = readManifest(dir);
  if (lines.length === 0)
    throw new UserError(`${dir} does not contain a site. Run "microfiche build" first, or name the site's directory with --dir.`);
  const site = containedIn(dir);
  const files = lines.map(({ path, sha256 }) => {
    if ([LOG, PART, MANIFEST].includes(path))
      throw new UserError(
        `The manifest in ${dir} lists ${path}, which is never part of a site. Run "microfiche build" again, then copy.`,
      );
    const stats = inSentence(() => site.stat(path), `Run "microfiche build" again, then copy.`, dir);
    if (!stats) throw new UserError(`${join(dir, path)} is missing. Run "microfiche build" again, then copy.`);
    return { path, sha256, size: stats.size };
  });
  return { site, files };
}

function assertUsable(drive: Contained, force: boolean): void {
  const { root } = drive;
  const isOurs = [MANIFEST, LOG].some((name) => ownFile(drive, `${FOLDER}/${name}`) !== undefined);
  const otherFiles = readdirSync(root).filter((name) => !SYSTEM.test(name));
  if (otherFiles.length > 0 && !isOurs && !force)
    throw new UserError(
      `${root} contains other files (${printable(otherFiles.slice(0, 3).join(', '))}${otherFiles.length > 3 ? ' …' : ''}). Name an empty directory on the drive, or add --force to put the site beside them.`,
    );
  const directory = join(root, FOLDER);
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats && !isOurs && (!stats.isDirectory() || readdirSync(directory).length > 0))
    throw new UserError(`${directory} was not made by Microfiche. Choose another directory with --to, or move it away.`);
}

function assertSameArchive(dir: string, root: string): void {
  const [own, present] = [siteIdentity(dir), siteIdentity(join(root, FOLDER))];
  if (own && present && !isSameArchive(own, present))
    throw new UserError(
      `${root} contains the site of ${archiveName(present)}, not of ${archiveName(own)}. Choose another directory with --to, or add --force to replace it.`,
    );
}

function assertPortable(files: SiteFile[], root: string): void {
  const large = files.filter(({ size }) => size > LARGEST_FILE);
  if (large.length > 0 && statfsSync(root).type === FAT)
    throw new UserError(
      `${large[0]?.path} is larger than 4 GB, the maximum of FAT32. Format the drive as exFAT, or build without this file.`,
    );
  const [first] = unportable(files.map(({ path }) => [path, 0] as const));
  if (first) throw new UserError(`${first.path} cannot be copied to a USB drive: ${first.problem}.`);
}

function assertSpace(drive: Contained, missing: SiteFile[]): void {
  const { bavail, bsize } = statfsSync(drive.root);
  const needed = spaceFor(missing, bsize, (path) => sizeOn(drive, path) ?? 0);
  const free = bavail * bsize;
  if (needed > free)
    throw new UserError(
      `Not enough disk space in ${drive.root}: ${formatBytes(needed)} required, ${formatBytes(free)} available.`,
    );
}

/** Copies a file, and renames it to its path only after it was read back and verified. */
async function copyOne(site: Contained, drive: Contained, path: string, sha256: string): Promise<void> {
  const target = `${FOLDER}/${path}`;
  const partial = `${FOLDER}/${PART}`;
  const createPartial = () => {
    drive.makeFolder(dirname(target));
    closeSync(drive.create(partial));
  };
  inSentence(createPartial, REMOVE_IT, drive.root);
  await copyFile(site.at(path), drive.at(partial));
  sync(drive.at(partial));
  if ((await sumOf(drive.at(partial))) !== sha256) {
    drive.remove(partial);
    const cause =
      (await sumOf(site.at(path))) === sha256 ? 'the drive returned other bytes than were written' : 'the site has changed';
    throw new UserError(
      `${path} could not be copied: ${cause}. Run the command again. If it fails again, ${cause.startsWith('the drive') ? 'use another drive' : 'build the site again'}.`,
    );
  }
  inSentence(() => renameSync(drive.at(partial), join(drive.root, target)), REMOVE_IT, drive.root);
}

/**
 * Writes the start page and the README into the root of the drive. Returns the names that belong to other files, which are not replaced.
 */
function writeRoot(site: Contained, drive: Contained): string[] {
  const home = site.stat('index.html') ? readFileSync(site.at('index.html'), 'utf8') : '';
  const title = plainText(/<title>([^<]*)<\/title>/.exec(home)?.[1]);
  const homePath = `${FOLDER}/index.html`;
  return [
    { name: START_NAME, content: startPage(title, homePath), mark: homePath },
    { name: README_NAME, content: readmeText(title, FOLDER), mark: START_NAME },
  ].flatMap(({ name, content, mark }) => {
    const existing = regularText(drive, name);
    if (existing !== undefined && !existing.includes(mark)) return [name];
    writeWhole(drive, name, content);
    return [];
  });
}

function sync(file: string): void {
  closing(openSync(file, 'r+'), fsyncSync);
}
