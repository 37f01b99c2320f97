/**
 * Publishes a finished build. All changed files are written to a staging directory first, so that a failure there does not touch the
 * existing site. Then the files are moved into place one by one, and obsolete files are deleted last. A process that is killed in between
 * leaves a mixture of old and new files and a journal (src/publish/journal.ts); `verify` reports that, and the next build completes it.
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

const CONCURRENCY = 64;

/** What was published. Numbers are numbers of files, unless they are in bytes. */
export interface Published {
  files: number;
  bytes: number;
  /** New and changed files. */
  written: number;
  /** Deleted files. */
  removed: number;
  /** Bytes that the site takes on a USB drive with the largest clusters. */
  onStick: number;
  /** Files that some file systems cannot store. */
  unportable: Unportable[];
  /** Files that were left out, because some systems do not allow their paths. */
  refused: Unportable[];
}

/**
 * Checks that a site may be published to the directory `out`.
 * @throws {UserError} if `out` is a file, or a directory that is not empty and does not contain a site
 */
export function assertPublishable(out: string): void {
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new UserError(`${out} is a file. Choose a directory with --out.`);
  const otherFiles = readdirSync(out).filter((name) => !OWN_NAMES.has(name));
  const inside = containedIn(out);
  if (otherFiles.length > 0 && !isFile(inside, MANIFEST) && !isFile(inside, JOURNAL)) {
    throw new UserError(
      `${out} is not empty and does not contain a site made by Microfiche. Choose another directory with --out, or empty this one.`,
    );
  }
}

/**
 * Makes `out` contain exactly `sources` (path in the site → file on disk), and any files that the operator added.
 * @throws {UserError} if a symbolic link or a file of the operator has a path that the site needs
 */
export async function publish(sources: ReadonlyMap<string, string>, out: string): Promise<Published> {
  assertPublishable(out);
  await mkdir(out, { recursive: true });
  const inside = containedIn(out);
  const refused = [...sources.keys()].flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [{ path, problem }];
  });
  const refusedPaths = new Set(refused.map(({ path }) => path));
  const wanted = [...sources].filter(([path]) => !refusedPaths.has(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const journal = openJournal(inside);
  const { files, changed, obsolete } = await stageSite(wanted, inside, journal);
  journal.enter([...changed, ...obsolete]);
  await moveIn(changed, obsolete, inside);
  await rm(join(inside.root, STAGING), { recursive: true, force: true });
  journal.end();
  const sizes = files.map(({ path, size }) => [path, size] as const);
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    written: changed.length,
    removed: obsolete.length,
    onStick: clusteredSize(sizes),
    unportable: unportable(sizes),
    refused,
  };
}

interface SiteFile extends ManifestLine {
  size: number;
}

interface StagedSite {
  files: SiteFile[];
  /** New and changed files. */
  changed: SiteFile[];
  /** Files of former builds that this one does not have. */
  obsolete: ManifestLine[];
}

/**
 * Writes changed files and the manifest into the staging directory, and checks that all of them can be moved into place. Cleans up if it
 * fails.
 */
async function stageSite(
  wanted: Array<[path: string, source: string]>,
  inside: Contained,
  journal: Journal,
): Promise<StagedSite> {
  const staging = join(inside.root, STAGING);
  const hadNoJournal = journal.owed.length === 0;
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging);
    const { files, changed } = await stageFiles(wanted, inside, staging);
    const manifest = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    await writeFile(join(staging, MANIFEST), manifest);
    const paths = new Set(files.map(({ path }) => path));
    const previous = new Map([...readManifest(inside.root), ...journal.owed].map((line) => [line.path, line]));
    const obsolete = [...previous.values()].filter(({ path }) => !paths.has(path) && canRemove(inside, path));
    assertPathsFree(changed, new Set(obsolete.map(({ path }) => path)), inside);
    return { files, changed, obsolete };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (hadNoJournal) journal.end();
    throw error;
  }
}

async function stageFiles(
  wanted: Array<[path: string, source: string]>,
  inside: Contained,
  staging: string,
): Promise<Pick<StagedSite, 'files' | 'changed'>> {
  const files: SiteFile[] = [];
  const changed: SiteFile[] = [];
  const directories = new Set<string>();
  await forEachConcurrently(wanted, async ([path, source]) => {
    const { size } = await stat(source);
    const content = size > MAX_BUFFERED_BYTES ? undefined : await readFile(source);
    const sha256 = content ? createHash('sha256').update(content).digest('hex') : await sumOf(source);
    const file = { path, sha256, size };
    files.push(file);
    const current = fileAt(inside, path);
    const target = join(inside.root, path);
    if (current?.size === size && (content ? content.equals(await readFile(target)) : (await sumOf(target)) === sha256)) return;
    changed.push(file);
    const directory = dirname(join(staging, path));
    if (!directories.has(directory)) await mkdir(directory, { recursive: true });
    directories.add(directory);
    await (content ? writeFile(join(staging, path), content) : copyFile(source, join(staging, path)));
  });
  const byPath = (a: SiteFile, b: SiteFile) => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), changed: changed.sort(byPath) };
}

/** Larger files are not read into memory. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/**
 * Returns the regular file that the site has at a path; undefined if there is none, or a symbolic link.
 * @throws {UserError} if a directory above it is a symbolic link
 */
function fileAt(inside: Contained, path: string): Stats | undefined {
  assertNoLinkAbove(inside, dirname(path));
  try {
    return inside.stat(path);
  } catch (error) {
    if (error instanceof UnsafePath) return undefined; // the file replaces the link
    throw error;
  }
}

function assertNoLinkAbove(inside: Contained, directory: string): void {
  if (directory === '.') return;
  try {
    inside.at(directory);
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error;
    throw new UserError(
      `${join(inside.root, directory)} is a symbolic link or is inside one, and symbolic links are not followed. Remove the link, or choose another directory with --out.`,
      { cause: error },
    );
  }
}

/** Whether a path is a file or link that can be deleted without following a link. */
function canRemove(inside: Contained, path: string): boolean {
  try {
    if (dirname(path) !== '.') inside.at(dirname(path));
  } catch (error) {
    if (error instanceof UnsafePath) return false;
    throw error;
  }
  return statsOf(inside, path)?.isDirectory() === false;
}

function statsOf(inside: Contained, path: string): Stats | undefined {
  try {
    return lstatSync(join(inside.root, path), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @throws {UserError} if a file of the operator has the name of a directory of the site, or the other way round */
function assertPathsFree(changed: SiteFile[], obsolete: ReadonlySet<string>, inside: Contained): void {
  const checked = new Set<string>();
  for (const { path } of changed) {
    for (let directory = dirname(path); directory !== '.' && !checked.has(directory); directory = dirname(directory)) {
      checked.add(directory);
      if (statsOf(inside, directory)?.isDirectory() === false && !obsolete.has(directory))
        throw new UserError(
          `${join(inside.root, directory)} is in the way: the site needs a directory with this name. Move the file away, then build again.`,
        );
    }
    if (statsOf(inside, path)?.isDirectory() && holdsOtherFiles(inside, path, obsolete))
      throw new UserError(
        `The directory ${join(inside.root, path)} is in the way: the site needs a file with this name. Move it away, then build again.`,
      );
  }
}

/** Whether a directory contains files that will not be deleted. */
function holdsOtherFiles(inside: Contained, directory: string, obsolete: ReadonlySet<string>): boolean {
  return readdirSync(join(inside.root, directory), { withFileTypes: true }).some((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? holdsOtherFiles(inside, path, obsolete) : !obsolete.has(path);
  });
}

/**
 * Replaces files one by one, atomically, the manifest last. Obsolete files are deleted afterwards, unless their paths are needed before.
 */
async function moveIn(changed: SiteFile[], obsolete: ManifestLine[], inside: Contained): Promise<void> {
  const staging = join(inside.root, STAGING);
  const paths = new Set(changed.map(({ path }) => path));
  const directories = new Set(changed.map(({ path }) => dirname(path)));
  const neededDirectories = new Set([...directories].flatMap((folder) => withParents(folder)));
  const blocksNewFile = (path: string) =>
    neededDirectories.has(path) || withParents(dirname(path)).some((directory) => paths.has(directory));
  const { early = [], late = [] } = Object.groupBy(obsolete, ({ path }) => (blocksNewFile(path) ? 'early' : 'late'));
  removeAll(early, inside);
  for (const directory of directories) inside.makeFolder(directory);
  await forEachConcurrently(changed, async ({ path }) => {
    const target = join(inside.root, path);
    if (statsOf(inside, path)?.isDirectory()) await rm(target, { recursive: true }); // its files are deleted already
    await rename(join(staging, path), target);
  });
  await rename(join(staging, MANIFEST), join(inside.root, MANIFEST));
  removeAll(late, inside);
}

function removeAll(lines: ManifestLine[], inside: Contained): void {
  for (const { path } of lines) inside.remove(path);
  for (const directory of new Set(lines.map(({ path }) => dirname(path)))) inside.removeEmptyFolders(directory);
}

/** Returns a directory and those above it. */
function withParents(directory: string): string[] {
  return directory === '.' ? [] : [directory, ...withParents(dirname(directory))];
}

async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
