/**
 * Publishes a finished build. All changed files are written to a staging directory first, so that a failure there does not touch the
 * existing site. Then the files are moved into place one by one, and obsolete files are deleted last. A process that is killed in between
 * leaves a mixture of old and new files and a journal (src/publish/publish-journal.ts); `verify` reports that, and the next build completes it.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE, RESERVED_NAMES, STAGING_DIRECTORY } from '../catalogue/reserved-names.ts';
import type { ManifestLine } from '../client/manifest-lines.ts';
import { UserError } from '../model/errors.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { listPortabilityProblems, type PortabilityProblem, pathProblem, sizeInClusters } from '../platform/portability.ts';
import { type SafeDirectory, toSafeDirectory, UnsafePathError } from '../platform/safe-directory.ts';
import { MANIFEST_FILE, readManifest, readManifestText, SIGNATURE_FILE } from '../publish/manifest.ts';
import { openPublishJournal, type PublishJournal } from '../publish/publish-journal.ts';
import { sha256OfFile } from '../snapshot/directory-files.ts';

const CONCURRENCY = 64;

/** The result of publishing. Numbers are numbers of files, unless they are in bytes. */
export interface PublishResult {
  files: number;
  bytes: number;
  /** New and changed files. */
  written: number;
  /** Deleted files. */
  removed: number;
  /** Bytes that the site takes on a USB drive with the largest clusters. */
  onStick: number;
  /** Files that some file systems cannot store. */
  unportable: PortabilityProblem[];
  /** Files that were left out, because some systems do not allow their paths. */
  refused: PortabilityProblem[];
}

/**
 * Checks that a site may be published to the directory `out`.
 * @throws {UserError} if `out` is a file, or a directory that is not empty and does not contain a site
 */
export function assertPublishable(out: string): void {
  if (!existsSync(out)) return;
  if (!statSync(out).isDirectory()) throw new UserError(`${out} is a file. Choose a directory with --out.`);
  const otherFiles = readdirSync(out).filter((name) => !RESERVED_NAMES.has(name));
  const safeDir = toSafeDirectory(out);
  if (otherFiles.length > 0 && !isRegularFile(safeDir, MANIFEST_FILE) && !isRegularFile(safeDir, JOURNAL_FILE)) {
    throw new UserError(
      `${out} is not empty and does not contain a site made by Microfiche. Choose another directory with --out, or empty this one.`,
    );
  }
}

/**
 * Makes `out` contain exactly `sources` (path in the site → file on disk), and any files that the operator added.
 * @throws {UserError} if a symbolic link or a file of the operator has a path that the site needs
 */
export async function publish(sources: ReadonlyMap<string, string>, out: string): Promise<PublishResult> {
  assertPublishable(out);
  await mkdir(out, { recursive: true });
  const safeDir = toSafeDirectory(out);
  const refused = [...sources.keys()].flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [{ path, problem }];
  });
  const refusedPaths = new Set(refused.map(({ path }) => path));
  const publishable = [...sources].filter(([path]) => !refusedPaths.has(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const journal = openPublishJournal(safeDir);
  const { files, changed, obsolete } = await stageSite(publishable, safeDir, journal);
  journal.append([...changed, ...obsolete]);
  await moveIntoPlace(changed, obsolete, safeDir);
  await rm(join(safeDir.root, STAGING_DIRECTORY), { recursive: true, force: true });
  journal.end();
  const sizes = files.map(({ path, size }) => [path, size] as const);
  return {
    files: files.length,
    bytes: files.reduce((total, { size }) => total + size, 0),
    written: changed.length,
    removed: obsolete.length,
    onStick: sizeInClusters(sizes),
    unportable: listPortabilityProblems(sizes),
    refused,
  };
}

interface StagedFile extends ManifestLine {
  size: number;
}

interface StagedSite {
  files: StagedFile[];
  /** New and changed files. */
  changed: StagedFile[];
  /** Files of former builds that this one does not have. */
  obsolete: ManifestLine[];
}

/**
 * Writes changed files and the manifest into the staging directory, and checks that all of them can be moved into place. Cleans up if it
 * fails.
 */
async function stageSite(
  publishable: Array<[path: string, source: string]>,
  safeDir: SafeDirectory,
  journal: PublishJournal,
): Promise<StagedSite> {
  const staging = join(safeDir.root, STAGING_DIRECTORY);
  const hadNoJournal = journal.pending.length === 0;
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging);
    const { files, changed } = await stageFiles(publishable, safeDir, staging);
    const manifest = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    await writeFile(join(staging, MANIFEST_FILE), manifest);
    const paths = new Set(files.map(({ path }) => path));
    const previous = new Map([...readManifest(safeDir.root), ...journal.pending].map((line) => [line.path, line]));
    const obsolete = [...previous.values()].filter(({ path }) => !paths.has(path) && canRemove(safeDir, path));
    assertPathsFree(changed, new Set(obsolete.map(({ path }) => path)), safeDir);
    return { files, changed, obsolete };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (hadNoJournal) journal.end();
    throw error;
  }
}

async function stageFiles(
  publishable: Array<[path: string, source: string]>,
  safeDir: SafeDirectory,
  staging: string,
): Promise<Pick<StagedSite, 'files' | 'changed'>> {
  const files: StagedFile[] = [];
  const changed: StagedFile[] = [];
  const directories = new Set<string>();
  await forEachConcurrently(publishable, async ([path, source]) => {
    const { size } = await stat(source);
    const content = size > MAX_BUFFERED_BYTES ? undefined : await readFile(source);
    const sha256 = content ? createHash('sha256').update(content).digest('hex') : await sha256OfFile(source);
    const file = { path, sha256, size };
    files.push(file);
    const current = statRegularFile(safeDir, path);
    const target = join(safeDir.root, path);
    if (current?.size === size && (content ? content.equals(await readFile(target)) : (await sha256OfFile(target)) === sha256))
      return;
    changed.push(file);
    const directory = dirname(join(staging, path));
    if (!directories.has(directory)) await mkdir(directory, { recursive: true });
    directories.add(directory);
    await (content ? writeFile(join(staging, path), content) : copyFile(source, join(staging, path)));
  });
  const byPath = (a: StagedFile, b: StagedFile) => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), changed: changed.sort(byPath) };
}

/** Larger files are not read into memory. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/**
 * Returns the regular file that the site has at a path; undefined if there is none, or a symbolic link.
 * @throws {UserError} if a directory above it is a symbolic link
 */
function statRegularFile(safeDir: SafeDirectory, path: string): Stats | undefined {
  assertNoLinkAbove(safeDir, dirname(path));
  try {
    return safeDir.stat(path);
  } catch (error) {
    if (error instanceof UnsafePathError) return undefined; // the file replaces the link
    throw error;
  }
}

function assertNoLinkAbove(safeDir: SafeDirectory, directory: string): void {
  if (directory === '.') return;
  try {
    safeDir.resolve(directory);
  } catch (error) {
    if (!(error instanceof UnsafePathError)) throw error;
    throw new UserError(
      `${join(safeDir.root, directory)} is a symbolic link or is inside one, and symbolic links are not followed. Remove the link, or choose another directory with --out.`,
      { cause: error },
    );
  }
}

/** Whether a path is a file or link that can be deleted without following a link. */
function canRemove(safeDir: SafeDirectory, path: string): boolean {
  try {
    if (dirname(path) !== '.') safeDir.resolve(dirname(path));
  } catch (error) {
    if (error instanceof UnsafePathError) return false;
    throw error;
  }
  return statsOf(safeDir, path)?.isDirectory() === false;
}

function statsOf(safeDir: SafeDirectory, path: string): Stats | undefined {
  try {
    return lstatSync(join(safeDir.root, path), { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** @throws {UserError} if a file of the operator has the name of a directory of the site, or vice versa */
function assertPathsFree(changed: StagedFile[], obsolete: ReadonlySet<string>, safeDir: SafeDirectory): void {
  const checked = new Set<string>();
  for (const { path } of changed) {
    for (let directory = dirname(path); directory !== '.' && !checked.has(directory); directory = dirname(directory)) {
      checked.add(directory);
      if (statsOf(safeDir, directory)?.isDirectory() === false && !obsolete.has(directory))
        throw new UserError(
          `${join(safeDir.root, directory)} is in the way: the site needs a directory with this name. Move the file away, then build again.`,
        );
    }
    if (statsOf(safeDir, path)?.isDirectory() && containsOtherFiles(safeDir, path, obsolete))
      throw new UserError(
        `The directory ${join(safeDir.root, path)} is in the way: the site needs a file with this name. Move it away, then build again.`,
      );
  }
}

/** Whether a directory contains files that will not be deleted. */
function containsOtherFiles(safeDir: SafeDirectory, directory: string, obsolete: ReadonlySet<string>): boolean {
  return readdirSync(join(safeDir.root, directory), { withFileTypes: true }).some((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? containsOtherFiles(safeDir, path, obsolete) : !obsolete.has(path);
  });
}

/**
 * Replaces files one by one, atomically, the manifest last. Deletes obsolete files last, except those whose paths are needed earlier.
 */
async function moveIntoPlace(changed: StagedFile[], obsolete: ManifestLine[], safeDir: SafeDirectory): Promise<void> {
  const staging = join(safeDir.root, STAGING_DIRECTORY);
  const paths = new Set(changed.map(({ path }) => path));
  const directories = new Set(changed.map(({ path }) => dirname(path)));
  const neededDirectories = new Set([...directories].flatMap((directory) => withParents(directory)));
  const blocksNewFile = (path: string) =>
    neededDirectories.has(path) || withParents(dirname(path)).some((directory) => paths.has(directory));
  const { early = [], late = [] } = Object.groupBy(obsolete, ({ path }) => (blocksNewFile(path) ? 'early' : 'late'));
  removeAll(early, safeDir);
  for (const directory of directories) safeDir.createDirectory(directory);
  await forEachConcurrently(changed, async ({ path }) => {
    const target = join(safeDir.root, path);
    if (statsOf(safeDir, path)?.isDirectory()) await rm(target, { recursive: true }); // its files are deleted already
    await rename(join(staging, path), target);
  });
  // A signature of another manifest would not match.
  if (readFileSync(join(staging, MANIFEST_FILE), 'utf8') !== readManifestText(safeDir.root)) safeDir.delete(SIGNATURE_FILE);
  await rename(join(staging, MANIFEST_FILE), join(safeDir.root, MANIFEST_FILE));
  removeAll(late, safeDir);
}

function removeAll(lines: ManifestLine[], safeDir: SafeDirectory): void {
  for (const { path } of lines) safeDir.delete(path);
  for (const directory of new Set(lines.map(({ path }) => dirname(path)))) safeDir.deleteEmptyDirectories(directory);
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
