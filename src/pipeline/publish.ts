/**
 * Puts a finished site in place. Everything is written beside the site first, so that a failure there leaves the site of before untouched;
 * then the files are moved in one by one, and what is gone is deleted last. A publish that is killed while it moves files leaves
 * a mixture of old and new ones with a journal (src/publish/journal.ts): the next build completes it, and `verify` says so.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JOURNAL, OWN_NAMES, STAGING } from '../catalogue/own-names.ts';
import type { ManifestLine } from '../client/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { type Contained, containedIn, UnsafePath } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';
import { clusteredSize, pathProblem, type Unportable, unportable } from '../platform/portable.ts';
import { type Journal, openJournal } from '../publish/journal.ts';
import { MANIFEST, readManifest } from '../publish/manifest.ts';
import { sumOf } from '../snapshot/files.ts';

const IN_FLIGHT = 64;

export interface Published {
  files: number;
  bytes: number;
  /** Files that were new or had changed. */
  written: number;
  removed: number;
  /** Bytes that it takes on a stick with the largest clusters. */
  onStick: number;
  /** What some file system will not take. */
  unportable: Unportable[];
  /** Files that were left out, since their paths are not legal everywhere. */
  refused: Unportable[];
}

/** @throws UserError when the folder holds something that is not a site of ours. */
export function assertPublishable(out: string): void {
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new UserError(`${out} is a file: name a folder with --out.`);
  const foreign = readdirSync(out).filter((name) => !OWN_NAMES.has(name));
  const inside = containedIn(out);
  if (foreign.length > 0 && !isFile(inside, MANIFEST) && !isFile(inside, JOURNAL)) {
    throw new UserError(
      `${out} is not empty and holds no site made by Microfiche: name another folder with --out, or empty it yourself.`,
    );
  }
}

/** Makes `out` hold exactly `sources` (path below dist → file on disk), besides what its owner has added. @throws UserError where a link or another's file is in the way */
export async function publish(sources: ReadonlyMap<string, string>, out: string): Promise<Published> {
  assertPublishable(out);
  await mkdir(out, { recursive: true });
  const inside = containedIn(out);
  const refused = [...sources.keys()].flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [{ path, problem }];
  });
  const left = new Set(refused.map(({ path }) => path));
  const wanted = [...sources].filter(([path]) => !left.has(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const journal = openJournal(inside);
  const { files, changed, gone } = await staged(wanted, inside, journal);
  journal.enter([...changed, ...gone]);
  await moveIn(changed, gone, inside);
  await rm(join(inside.root, STAGING), { recursive: true, force: true });
  journal.end();
  const sizes = files.map(({ path, size }) => [path, size] as const);
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    written: changed.length,
    removed: gone.length,
    onStick: clusteredSize(sizes),
    unportable: unportable(sizes),
    refused,
  };
}

interface SiteFile extends ManifestLine {
  size: number;
}

interface Staged {
  files: SiteFile[];
  /** Those that are not in place yet. */
  changed: SiteFile[];
  /** Files of earlier builds that this one does not have. */
  gone: ManifestLine[];
}

/** Writes what changed, and the manifest, into the staging folder, and makes sure that all of it can be moved in. A failure leaves nothing behind. */
async function staged(wanted: Array<[path: string, source: string]>, inside: Contained, journal: Journal): Promise<Staged> {
  const staging = join(inside.root, STAGING);
  const isFirst = journal.owed.length === 0;
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging);
    const { files, changed } = await stageFiles(wanted, inside, staging);
    const manifest = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    await writeFile(join(staging, MANIFEST), manifest);
    const paths = new Set(files.map(({ path }) => path));
    const before = new Map([...readManifest(inside.root), ...journal.owed].map((line) => [line.path, line]));
    const gone = [...before.values()].filter(({ path }) => !paths.has(path) && canRemove(inside, path));
    assertRoomFor(changed, new Set(gone.map(({ path }) => path)), inside);
    return { files, changed, gone };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (isFirst) journal.end();
    throw error;
  }
}

async function stageFiles(
  wanted: Array<[path: string, source: string]>,
  inside: Contained,
  staging: string,
): Promise<Pick<Staged, 'files' | 'changed'>> {
  const files: SiteFile[] = [];
  const changed: SiteFile[] = [];
  const folders = new Set<string>();
  await each(wanted, async ([path, source]) => {
    const { size } = await stat(source);
    const content = size > LARGE ? undefined : await readFile(source);
    const sha256 = content ? createHash('sha256').update(content).digest('hex') : await sumOf(source);
    const file = { path, sha256, size };
    files.push(file);
    const there = fileAt(inside, path);
    const target = join(inside.root, path);
    if (there?.size === size && (content ? content.equals(await readFile(target)) : (await sumOf(target)) === sha256)) return;
    changed.push(file);
    const folder = dirname(join(staging, path));
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    await (content ? writeFile(join(staging, path), content) : copyFile(source, join(staging, path)));
  });
  const byPath = (a: SiteFile, b: SiteFile) => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), changed: changed.sort(byPath) };
}

/** A larger file is never held in memory. */
const LARGE = 16 * 1024 * 1024;

/** The regular file that is in place; a link in its place is none. @throws UserError where a folder above it is a link */
function fileAt(inside: Contained, path: string): Stats | undefined {
  assertRealFolder(inside, dirname(path));
  try {
    return inside.stat(path);
  } catch (error) {
    if (error instanceof UnsafePath) return undefined; // the link itself gives way to the file
    throw error;
  }
}

function assertRealFolder(inside: Contained, folder: string): void {
  if (folder === '.') return;
  try {
    inside.at(folder);
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error;
    throw new UserError(
      `${join(inside.root, folder)} is, or is below, a symbolic link, and a site is never written through one: remove the link, or name another folder with --out.`,
      { cause: error },
    );
  }
}

/** Whether there is a file, or a link, that can be removed without crossing a link. */
function canRemove(inside: Contained, path: string): boolean {
  try {
    if (dirname(path) !== '.') inside.at(dirname(path));
  } catch (error) {
    if (error instanceof UnsafePath) return false;
    throw error;
  }
  return statusOf(inside, path)?.isDirectory() === false;
}

function statusOf(inside: Contained, path: string): Stats | undefined {
  try {
    return lstatSync(join(inside.root, path), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @throws UserError where somebody else's file or folder has a name that the site needs for the opposite. */
function assertRoomFor(changed: SiteFile[], gone: ReadonlySet<string>, inside: Contained): void {
  const folders = new Set<string>();
  for (const { path } of changed) {
    for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
      if (statusOf(inside, folder)?.isDirectory() === false && !gone.has(folder))
        throw new UserError(
          `${join(inside.root, folder)} is in the way: the site needs a folder of this name. Move it away, then build again.`,
        );
    }
    if (statusOf(inside, path)?.isDirectory() && holdsMore(inside, path, gone))
      throw new UserError(
        `The folder ${join(inside.root, path)} is in the way: the site needs a file of this name. Move it away, then build again.`,
      );
  }
}

/** Whether a folder holds something besides what will be removed. */
function holdsMore(inside: Contained, folder: string, gone: ReadonlySet<string>): boolean {
  return readdirSync(join(inside.root, folder), { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? holdsMore(inside, path, gone) : !gone.has(path);
  });
}

/** Each file takes the place of an older one in one step, the manifest last; what is gone goes afterwards, but for what is in the way. */
async function moveIn(changed: SiteFile[], gone: ManifestLine[], inside: Contained): Promise<void> {
  const staging = join(inside.root, STAGING);
  const paths = new Set(changed.map(({ path }) => path));
  const folders = new Set(changed.map(({ path }) => dirname(path)));
  const needed = new Set([...folders].flatMap((folder) => upTo(folder)));
  const isInTheWay = (path: string) => needed.has(path) || upTo(dirname(path)).some((folder) => paths.has(folder));
  const { early = [], late = [] } = Object.groupBy(gone, ({ path }) => (isInTheWay(path) ? 'early' : 'late'));
  removeAll(early, inside);
  for (const folder of folders) inside.makeFolder(folder);
  await each(changed, async ({ path }) => {
    const target = join(inside.root, path);
    if (statusOf(inside, path)?.isDirectory()) await rm(target, { recursive: true }); // all its files are gone
    await rename(join(staging, path), target);
  });
  await rename(join(staging, MANIFEST), join(inside.root, MANIFEST));
  removeAll(late, inside);
}

function removeAll(lines: ManifestLine[], inside: Contained): void {
  for (const { path } of lines) inside.remove(path);
  for (const folder of new Set(lines.map(({ path }) => dirname(path)))) inside.removeEmptyFolders(folder);
}

/** A folder and those above it. */
function upTo(folder: string): string[] {
  return folder === '.' ? [] : [folder, ...upTo(dirname(folder))];
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(IN_FLIGHT, items.length) }, worker));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
