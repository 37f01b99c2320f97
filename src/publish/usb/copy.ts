/** Copies a built site to a mounted stick: resumable, read back, and touching nothing on the stick but its own. Neither is trusted: no symbolic link is followed in either. */
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

export interface UsbOptions {
  /** The built site. */
  dir: string;
  /** The stick, or a folder on it. */
  to: string;
  /** Use a folder that holds other things too, or another archive's mirror. */
  force: boolean;
  onProgress?: (done: number, total: number) => void;
}

export interface UsbReport {
  files: number;
  /** Bytes of all files. */
  bytes: number;
  /** Copied in this run, and read back. */
  copied: number;
  /** Already there, from this run's forerunner or from an earlier one. */
  kept: number;
  removed: number;
  /** Files in the stick's root that somebody else put there under names of ours; they are left as they are. */
  leftAlone: string[];
}

/** `statfs` of FAT on Linux. */
const FAT = 0x4d44;

/** @throws UserError when the stick is not there, holds something else, has a symbolic link where a folder belongs, or lacks disk space. */
export async function copyToStick({ dir, to, force, onProgress }: UsbOptions): Promise<UsbReport> {
  const { site, files } = readSite(dir);
  const stick = openStick(to);
  assertUsable(stick, force);
  if (!force) refuseOtherArchive(dir, stick.root);
  refuseWhatDoesNotFit(files, stick.root);
  const { there, copied } = notesOn(stick);
  const missing = files.filter(({ path, sha256, size }) => {
    const known = (copied.get(path) ?? there.get(path)) === sha256;
    return sizeOn(stick, path) !== size || !known;
  });
  assertSpace(stick, missing);

  const log = inSentence(() => appendTo(stick, `${FOLDER}/${LOG}`), REMOVE_IT, stick.root);
  try {
    for (const [i, { path, sha256 }] of missing.entries()) {
      await copyOne(site, stick, path, sha256);
      writeSync(log, `${sha256}  ${path}\n`);
      onProgress?.(i + 1, missing.length);
    }
  } finally {
    closeSync(log);
  }
  const paths = new Set(files.map(({ path }) => path));
  const gone = [...new Set([...there.keys(), ...copied.keys()])].filter((path) => !paths.has(path) && canRemove(stick, path));
  const leftAlone = inSentence(() => finish(site, stick, gone), REMOVE_IT, stick.root);
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    copied: missing.length,
    kept: files.length - missing.length,
    removed: gone.length,
    leftAlone,
  };
}

/** Removes what the site does not have any longer, and writes what says that the copy is whole. Returns the names in the root that are somebody else's. */
function finish(site: Contained, stick: Contained, gone: string[]): string[] {
  for (const path of gone) stick.remove(`${FOLDER}/${path}`);
  for (const folder of new Set(gone.map((path) => dirname(path))))
    if (folder !== '.') stick.removeEmptyFolders(`${FOLDER}/${folder}`);
  writeWhole(stick, `${FOLDER}/${MANIFEST}`, readFileSync(site.at(MANIFEST)));
  const leftAlone = writeRoot(site, stick);
  for (const name of [LOG, PART]) stick.remove(`${FOLDER}/${name}`);
  return leftAlone;
}

interface SiteFile {
  path: string;
  sha256: string;
  size: number;
}

/** Every file that the site's manifest names. */
function readSite(dir: string): { site: Contained; files: SiteFile[] } {
  const lines = readManifest(dir);
  if (lines.length === 0)
    throw new UserError(`${dir} holds no built site: run “microfiche build” first, or name its folder with --dir.`);
  const site = containedIn(dir);
  const files = lines.map(({ path, sha256 }) => {
    if ([LOG, PART, MANIFEST].includes(path))
      throw new UserError(`The manifest in ${dir} names ${path}, which no site has: run “microfiche build” again, then copy.`);
    const there = inSentence(() => site.stat(path), `run “microfiche build” again, then copy.`, dir);
    if (!there) throw new UserError(`${join(dir, path)} is lost: run “microfiche build” again, then copy.`);
    return { path, sha256, size: there.size };
  });
  return { site, files };
}

function assertUsable(stick: Contained, force: boolean): void {
  const { root } = stick;
  const isOurs = [MANIFEST, LOG].some((name) => ownFile(stick, `${FOLDER}/${name}`) !== undefined);
  const foreign = readdirSync(root).filter((name) => !SYSTEM.test(name));
  if (foreign.length > 0 && !isOurs && !force)
    throw new UserError(
      `${root} holds other things (${printable(foreign.slice(0, 3).join(', '))}${foreign.length > 3 ? ' …' : ''}): name an empty folder on the stick, or add --force to put the mirror beside them.`,
    );
  const folder = join(root, FOLDER);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there && !isOurs && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new UserError(`${folder} is not ours: name another folder with --to, or move it away yourself.`);
}

function refuseOtherArchive(dir: string, root: string): void {
  const [own, there] = [siteIdentity(dir), siteIdentity(join(root, FOLDER))];
  if (own && there && !isSameArchive(own, there))
    throw new UserError(
      `${root} holds the mirror of ${archiveName(there)}, not of ${archiveName(own)}: name another folder with --to, or add --force to replace it.`,
    );
}

function refuseWhatDoesNotFit(files: SiteFile[], root: string): void {
  const large = files.filter(({ size }) => size > LARGEST_FILE);
  if (large.length > 0 && statfsSync(root).type === FAT)
    throw new UserError(
      `${large[0]?.path} is larger than 4 GB, which a stick with FAT32 cannot hold: format the stick as exFAT, or build without that file.`,
    );
  const [first] = unportable(files.map(({ path }) => [path, 0] as const));
  if (first) throw new UserError(`${first.path} cannot stand on a stick: ${first.problem}.`);
}

function assertSpace(stick: Contained, missing: SiteFile[]): void {
  const { bavail, bsize } = statfsSync(stick.root);
  const needed = spaceFor(missing, bsize, (path) => sizeOn(stick, path) ?? 0);
  const free = bavail * bsize;
  if (needed > free)
    throw new UserError(
      `There is not enough room on ${stick.root}: ${formatBytes(needed)} are needed and ${formatBytes(free)} are free.`,
    );
}

/** A file stands under its name only when it was read back and is what it should be. */
async function copyOne(site: Contained, stick: Contained, path: string, sha256: string): Promise<void> {
  const target = `${FOLDER}/${path}`;
  const part = `${FOLDER}/${PART}`;
  const begin = () => {
    stick.makeFolder(dirname(target));
    closeSync(stick.create(part));
  };
  inSentence(begin, REMOVE_IT, stick.root);
  await copyFile(site.at(path), stick.at(part));
  sync(stick.at(part));
  if ((await sumOf(stick.at(part))) !== sha256) {
    stick.remove(part);
    const cause =
      (await sumOf(site.at(path))) === sha256 ? 'the stick gave back something else than was written' : 'the site has changed';
    throw new UserError(
      `${path} could not be copied: ${cause}. Run the command again; if it goes on, ${cause.startsWith('the stick') ? 'take another stick' : 'build again'}.`,
    );
  }
  inSentence(() => renameSync(stick.at(part), join(stick.root, target)), REMOVE_IT, stick.root);
}

/** Writes the page to begin with, and the text that tells what this is. Returns the names that somebody else's files have. */
function writeRoot(site: Contained, stick: Contained): string[] {
  const home = site.stat('index.html') ? readFileSync(site.at('index.html'), 'utf8') : '';
  const title = plainText(/<title>([^<]*)<\/title>/.exec(home)?.[1]);
  const first = `${FOLDER}/index.html`;
  return [
    { name: START_NAME, content: startPage(title, first), mark: first },
    { name: README_NAME, content: readmeText(title, FOLDER), mark: START_NAME },
  ].flatMap(({ name, content, mark }) => {
    const there = regularText(stick, name);
    if (there !== undefined && !there.includes(mark)) return [name];
    writeWhole(stick, name, content);
    return [];
  });
}

function sync(file: string): void {
  closing(openSync(file, 'r+'), fsyncSync);
}
