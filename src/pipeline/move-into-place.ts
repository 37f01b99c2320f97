/** Moves the changed files of a build into the site, in an order in which links lead somewhere at each moment, and deletes obsolete ones. */
import { constants, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { STAGING_DIRECTORY } from '../catalogue/reserved-names.ts';
import type { ManifestLine } from '../client/manifest-lines.ts';
import type { SafeDirectory } from '../platform/safe-directory.ts';
import { MANIFEST_FILE, readManifestText, SIGNATURE_FILE } from '../publish/manifest.ts';
import type { ComparedFile } from './compare-files.ts';
import { statsOf } from './site-paths.ts';

/** A file of a former build that this one does not have. */
export type Obsolete = ManifestLine;

/** A changed file that only needs its name. */
export interface ReadyFile {
  path: string;
  /** On the file system of the site. */
  from: string;
  /** Whether the site has no file at this path. */
  isNew: boolean;
}

/** Larger files are copied without blocking other work. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

/**
 * Makes changed files ready: writes copies of them, and the manifest of all files, into the staging directory. Files that are moved stay where
 * they are, unless they are on another file system.
 */
export async function stageFiles(
  changed: readonly ComparedFile[],
  files: readonly ComparedFile[],
  staging: string,
): Promise<ReadyFile[]> {
  const directories = new Set<string>();
  const { dev: device } = statSync(staging);
  const ready: ReadyFile[] = [];
  for (const { path, size, source, isNew } of changed) {
    if (source.isMoved && statSync(source.file as string).dev === device) {
      ready.push({ path, from: source.file as string, isNew });
      continue;
    }
    const target = join(staging, path);
    const directory = dirname(target);
    if (!directories.has(directory)) mkdirSync(directory, { recursive: true });
    directories.add(directory);
    // A clone, where the file system can make one.
    if (size <= MAX_BYTES_AT_ONCE) copyFileSync(source.file as string, target, constants.COPYFILE_FICLONE);
    else await copyFile(source.file as string, target, constants.COPYFILE_FICLONE);
    ready.push({ path, from: target, isNew });
  }
  writeFileSync(join(staging, MANIFEST_FILE), files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''));
  return ready;
}

/**
 * Moves files one by one, each at once: first new ones, of these the pages last, because they may link to the others; then the others, and the
 * manifest last. Deletes obsolete files whose paths are needed.
 */
export function moveIntoPlace(ready: readonly ReadyFile[], obsolete: readonly Obsolete[], safeDir: SafeDirectory): void {
  const staging = join(safeDir.root, STAGING_DIRECTORY);
  const isInTheWay = createBlockFinder(ready);
  deleteObsolete(
    obsolete.filter(({ path }) => isInTheWay(path)),
    safeDir,
  );
  for (const directory of new Set(ready.map(({ path }) => dirname(path)))) safeDir.createDirectory(directory);
  const rankOf = ({ isNew, path }: ReadyFile) => (isNew ? 0 : 2) + (path.endsWith('.html') ? 1 : 0);
  for (const { path, from } of ready.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (statsOf(safeDir, path)?.isDirectory()) rmSync(join(safeDir.root, path), { recursive: true }); // its files are deleted already
    renameSync(from, join(safeDir.root, path));
  }
  const manifest = join(staging, MANIFEST_FILE);
  if (readFileSync(manifest, 'utf8') === readManifestText(safeDir.root)) return;
  safeDir.delete(SIGNATURE_FILE); // it is that of another manifest
  renameSync(manifest, join(safeDir.root, MANIFEST_FILE));
}

/** Deletes the files of former builds, as far as they are still there, and directories that are empty then. */
export function deleteObsolete(obsolete: readonly Obsolete[], safeDir: SafeDirectory): void {
  for (const { path } of obsolete) safeDir.delete(path);
  for (const directory of new Set(obsolete.map(({ path }) => dirname(path)))) safeDir.deleteEmptyDirectories(directory);
}

/** Returns a function that returns whether a file has the path of a directory that is needed, or is in one that becomes a file. */
function createBlockFinder(ready: readonly ReadyFile[]): (path: string) => boolean {
  const paths = new Set(ready.map(({ path }) => path));
  const directories = new Set([...new Set(ready.map(({ path }) => dirname(path)))].flatMap(withParents));
  return (path) => directories.has(path) || withParents(dirname(path)).some((directory) => paths.has(directory));
}

/** Returns a directory and those above it. */
function withParents(directory: string): string[] {
  return directory === '.' ? [] : [directory, ...withParents(dirname(directory))];
}
