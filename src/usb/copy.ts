/** Copies a built site to a mounted stick: resumable, read back, and touching nothing on the stick but its own. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatBytes } from '../model/durations.ts';
import { UserError } from '../model/errors.ts';
import { clusteredSize, LARGEST_FILE, unportable, wholeClusters } from '../model/portable.ts';
import { plainText } from '../model/text.ts';
import { MANIFEST, readManifest } from '../site/manifest.ts';
import { manifestLines } from '../site/manifest-lines.ts';
import { removeEmptyFolders, sumOf } from '../snapshot/files.ts';
import { README_NAME, readmeText, START_NAME, startPage } from './pages.ts';

export interface UsbOptions {
  /** The built site. */
  dir: string;
  /** The stick, or a folder on it. */
  to: string;
  /** Use a folder that holds other things too. */
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
}

/** Below the stick's root: the site. */
export const FOLDER = 'mirror';
/** What was copied and read back before the copy was cut short: lines as in the manifest. */
const LOG = 'microfiche-copy.txt';
/** What systems leave on every stick. */
const SYSTEM =
  /^(?:System Volume Information|\$RECYCLE\.BIN|lost\+found|\.Trash.*|\.Trashes|\.fseventsd|\.Spotlight-V100|\.DS_Store|\._.*|autorun\.inf|desktop\.ini)$/i;
/** `statfs` of FAT on Linux. */
const FAT = 0x4d44;

/** @throws UserError when the stick is not there, holds something else, or has no room. */
export async function copyToStick({ dir, to, force, onProgress }: UsbOptions): Promise<UsbReport> {
  const wanted = siteFiles(dir);
  const root = resolve(to);
  const target = join(root, FOLDER);
  assertUsable(root, force);
  refuseWhatDoesNotFit(wanted, root);
  const there = new Map(readManifest(target).map(({ path, sha256 }) => [path, sha256]));
  const log = join(target, LOG);
  const noted = existsSync(log) ? manifestLines(readFileSync(log, 'utf8')) : [];
  const copied = new Map(noted.map(({ path, sha256 }) => [path, sha256]));
  const missing = wanted.filter(({ path, sha256, size }) => {
    const known = (copied.get(path) ?? there.get(path)) === sha256;
    return !known || statSync(join(target, path), { throwIfNoEntry: false })?.size !== size;
  });
  assertRoom(root, target, missing);

  mkdirSync(target, { recursive: true });
  const notes = openSync(log, 'a');
  try {
    for (const [i, { path, sha256 }] of missing.entries()) {
      await copyOne(join(dir, path), target, path, sha256);
      writeSync(notes, `${sha256}  ${path}\n`);
      onProgress?.(i + 1, missing.length);
    }
  } finally {
    closeSync(notes);
  }
  const paths = new Set(wanted.map(({ path }) => path));
  const gone = [...new Set([...there.keys(), ...copied.keys()])].filter((path) => !paths.has(path));
  for (const path of gone) rmSync(join(target, path), { force: true });
  for (const folder of new Set(gone.map((path) => dirname(path)))) removeEmptyFolders(target, folder);
  writeWhole(join(target, MANIFEST), readFileSync(join(dir, MANIFEST)));
  const title = plainText(/<title>([^<]*)<\/title>/.exec(readFileSync(join(dir, 'index.html'), 'utf8'))?.[1]);
  writeWhole(join(root, START_NAME), startPage(title, `${FOLDER}/index.html`));
  writeWhole(join(root, README_NAME), readmeText(title, FOLDER));
  for (const name of [LOG, PART]) rmSync(join(target, name), { force: true });
  return {
    files: wanted.length,
    bytes: wanted.reduce((sum, { size }) => sum + size, 0),
    copied: missing.length,
    kept: wanted.length - missing.length,
    removed: gone.length,
  };
}

interface SiteFile {
  path: string;
  sha256: string;
  size: number;
}

/** Every file that the site's manifest names. */
function siteFiles(dir: string): SiteFile[] {
  const files = readManifest(dir);
  if (files.length === 0)
    throw new UserError(`${dir} holds no built site: run “microfiche build” first, or name its folder with --dir.`);
  return files.map(({ path, sha256 }) => {
    const there = statSync(join(dir, path), { throwIfNoEntry: false });
    if (!there) throw new UserError(`${join(dir, path)} is lost: run “microfiche build” again, then copy.`);
    return { path, sha256, size: there.size };
  });
}

function assertUsable(root: string, force: boolean): void {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`There is no folder ${root}: mount the stick, and name where it is mounted with --to.`);
  const isOurs = existsSync(join(root, FOLDER, MANIFEST)) || existsSync(join(root, FOLDER, LOG));
  const foreign = readdirSync(root).filter((name) => !SYSTEM.test(name));
  if (foreign.length > 0 && !isOurs && !force)
    throw new UserError(
      `${root} holds other things (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ' …' : ''}): name an empty folder on the stick, or add --force to put the mirror beside them.`,
    );
  if (existsSync(join(root, FOLDER)) && !isOurs && readdirSync(join(root, FOLDER)).length > 0)
    throw new UserError(`${join(root, FOLDER)} is not ours: name another folder with --to, or move it away yourself.`);
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

function assertRoom(root: string, target: string, missing: SiteFile[]): void {
  const { bavail, bsize } = statfsSync(root);
  const inPlace = missing.reduce(
    (sum, { path }) => sum + wholeClusters(statSync(join(target, path), { throwIfNoEntry: false })?.size ?? 0, bsize),
    0,
  );
  // A file is whole before it takes the place of an older one.
  const largest = Math.max(0, ...missing.map(({ size }) => wholeClusters(size, bsize)));
  const needed =
    clusteredSize(
      missing.map(({ path, size }) => [path, size] as const),
      bsize,
    ) -
    inPlace +
    largest;
  const free = bavail * bsize;
  if (needed > free)
    throw new UserError(
      `There is not enough room on ${root}: ${formatBytes(needed)} are needed and ${formatBytes(free)} are free.`,
    );
}

/** A file on its way. */
const PART = 'microfiche-copy.part';

/** A file stands under its name only when it was read back and is what it should be. */
async function copyOne(source: string, folder: string, path: string, sha256: string): Promise<void> {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  const part = join(folder, PART);
  await copyFile(source, part);
  sync(part);
  if ((await sumOf(part)) !== sha256) {
    rmSync(part, { force: true });
    const cause =
      (await sumOf(source)) === sha256 ? 'the stick gave back something else than was written' : 'the site has changed';
    throw new UserError(
      `${path} could not be copied: ${cause}. Run the command again; if it goes on, ${cause.startsWith('the stick') ? 'take another stick' : 'build again'}.`,
    );
  }
  renameSync(part, target);
}

function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.part`, content);
  sync(`${file}.part`);
  renameSync(`${file}.part`, file);
}

function sync(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
