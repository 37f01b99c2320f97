/** Moves a build's changed files into the site, so that links lead somewhere at each moment, and deletes obsolete ones. */
import * as fs from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { STAGING_DIRECTORY } from '../../catalogue/urls.ts';
import { originalOfCopy } from '../../formats/compressed-names.ts';
import { langAttributes } from '../../formats/direction.ts';
import { formatChecksums, type ManifestLine } from '../../formats/manifest-lines.ts';
import { escapeHtml } from '../../model/text/markup.ts';
import type { SafeDirectory } from '../../platform/safe-directory.ts';
import { contentSecurityPolicy } from '../../site/csp.ts';
import { createLocales, LANGUAGES } from '../../site/language/locale.ts';
import { MANIFEST_FILE, readManifestText, SIGNATURE_FILE } from '../manifest.ts';
import { type ComparedFile, changedMeanwhile, stampOfSource } from './compare-files.ts';
import { statsOf } from './site-paths.ts';
import { stampOf } from './site-state.ts';

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
 * Makes changed files ready: writes copies of them, and the manifest of all files, into the staging directory. Files that are
 * moved stay where they are, unless they cannot be moved from there.
 * @throws {UserError} if a file changes while it is copied
 */
export async function stageFiles(
  changed: readonly ComparedFile[],
  files: readonly ComparedFile[],
  staging: string,
): Promise<ReadyFile[]> {
  const directories = new Set<string>();
  const firstMoved = changed.find(({ source }) => source.isMoved)?.source.file;
  const canMove = firstMoved !== undefined && canMoveFiles(dirname(firstMoved), staging);
  const ready: ReadyFile[] = [];
  for (const { path, source, isNew } of changed) {
    if (source.isMoved && canMove) {
      ready.push({ path, from: source.file as string, isNew });
      continue;
    }
    const target = join(staging, path);
    const directory = dirname(target);
    if (!directories.has(directory)) fs.mkdirSync(directory, { recursive: true });
    directories.add(directory);
    if (!(source.canLink && linkSource(source, target))) await copySource(source, target);
    ready.push({ path, from: target, isNew });
  }
  fs.writeFileSync(join(staging, MANIFEST_FILE), formatChecksums(files));
  return ready;
}

/** Tries whether a file can be moved from one directory to another: not between file systems, and not between mounts of one. */
function canMoveFiles(from: string, to: string): boolean {
  const name = `.moving-${process.pid}`;
  fs.writeFileSync(join(from, name), '');
  try {
    fs.renameSync(join(from, name), join(to, name));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  } finally {
    for (const directory of [from, to]) fs.rmSync(join(directory, name), { force: true });
  }
}

/** Links to a file, if it has the mode of a new file and the file system has links. Returns whether it did. */
function linkSource({ file, stamp }: ComparedFile['source'], target: string): boolean {
  const source = file as string;
  if (!hasUsualMode(fs.statSync(source).mode)) return false;
  if (!tryLink(source, target)) return false;
  if (stamp !== stampOf(fs.statSync(target))) throw changedMeanwhile(source);
  return true;
}

const usualMode = (): number => 0o666 & ~process.umask();

const hasUsualMode = (mode: number): boolean => (mode & 0o777) === usualMode();

/** Copies or clones a file. The copy has the mode of a new file: that of the source may hide it from a server. */
async function copySource({ file, canLink, stamp }: ComparedFile['source'], target: string): Promise<void> {
  const source = file as string;
  if (fs.statSync(source).size <= MAX_BYTES_AT_ONCE) fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
  else await copyFile(source, target, fs.constants.COPYFILE_FICLONE);
  const stats = fs.statSync(source);
  if (stamp !== undefined && stampOfSource(stats, canLink) !== stamp) throw changedMeanwhile(source);
  if (!hasUsualMode(stats.mode)) fs.chmodSync(target, usualMode());
}

/**
 * Moves files one by one, each at once: first new ones, of these the pages last; then the others, the compressed copies of pages,
 * and the manifest last. New pages may link to each other, so a placeholder is at the path of each one first. Deletes obsolete
 * files whose paths are needed. Returns the stamp that each file has in the site, by path.
 */
export function moveIntoPlace(
  ready: readonly ReadyFile[],
  obsolete: readonly ManifestLine[],
  safeDir: SafeDirectory,
): ReadonlyMap<string, string> {
  const staging = join(safeDir.root, STAGING_DIRECTORY);
  const isInTheWay = createBlockFinder(ready);
  const inTheWay = obsolete.filter(({ path }) => isInTheWay(path));
  deleteObsolete(inTheWay, safeDir);
  for (const directory of new Set(ready.map(({ path }) => dirname(path)))) safeDir.createDirectory(directory);
  const isPage = ({ path }: ReadyFile) => path.endsWith('.html');
  const isCopy = ({ path }: ReadyFile) => isCopyOfPage(path);
  const isFile = (file: ReadyFile) => !isPage(file) && !isCopy(file);
  const stamps = new Map<string, string>();
  const move = (file: ReadyFile) => {
    const target = join(safeDir.root, file.path);
    if (statsOf(safeDir, file.path)?.isDirectory()) fs.rmSync(target, { recursive: true }); // its files are deleted already
    // Taken before the move, so that a change of the published file shows.
    stamps.set(file.path, stampOf(fs.statSync(file.from)));
    fs.renameSync(file.from, target);
  };
  const [added = [], replaced = []] = [ready.filter(({ isNew }) => isNew), ready.filter(({ isNew }) => !isNew)];
  for (const file of added.filter(isFile)) move(file);
  writePlaceholders(added.filter(isPage), safeDir);
  for (const file of [...added.filter(isPage), ...replaced.filter(isFile), ...replaced.filter(isPage)]) move(file);
  for (const file of ready.filter(isCopy)) move(file);
  const manifest = join(staging, MANIFEST_FILE);
  if (fs.readFileSync(manifest, 'utf8') === readManifestText(safeDir.root)) return stamps;
  safeDir.delete(SIGNATURE_FILE); // it is that of another manifest
  fs.renameSync(manifest, join(safeDir.root, MANIFEST_FILE));
  return stamps;
}

/** Puts a notice at each new page's path until the page is moved there: links to one file, if the file system has links. */
function writePlaceholders(pages: readonly ReadyFile[], safeDir: SafeDirectory): void {
  if (pages.length < 2) return; // nothing new links to a new page
  const html = renderPlaceholder();
  const placeholder = join(safeDir.root, STAGING_DIRECTORY, 'placeholder.html');
  fs.writeFileSync(placeholder, html);
  let canLink = true;
  for (const { path } of pages) {
    const target = join(safeDir.root, path);
    if (statsOf(safeDir, path)) continue;
    canLink &&= tryLink(placeholder, target);
    if (!canLink) fs.writeFileSync(target, html, { flag: 'wx' });
  }
}

/** Whether a file is a compressed copy of a page, which hosts send instead of the page. */
const isCopyOfPage = (path: string) => originalOfCopy(path)?.endsWith('.html') ?? false;

/** Replaces pages to be deleted by a notice, so that none links to one that is deleted already. Deletes their copies. */
export function retirePages(obsolete: readonly ManifestLine[], safeDir: SafeDirectory): void {
  const html = renderPlaceholder();
  const notice = join(safeDir.root, STAGING_DIRECTORY, 'retired.html');
  for (const { path } of obsolete) if (isCopyOfPage(path)) safeDir.delete(path);
  for (const { path } of obsolete) {
    if (!path.endsWith('.html') || statsOf(safeDir, path)?.isFile() !== true) continue;
    fs.writeFileSync(notice, html);
    fs.renameSync(notice, join(safeDir.root, path));
  }
}

/** Makes a hard link. Returns whether the file system could; otherwise, the caller makes a copy. */
export function tryLink(file: string, link: string): boolean {
  try {
    fs.linkSync(file, link);
    return true;
  } catch (error) {
    // File systems that have no links give various reasons. A copy has the same problem if it is another one.
    if ((error as NodeJS.ErrnoException).code !== undefined) return false;
    throw error;
  }
}

/** Deletes the files of former builds, as far as they are still there, and directories that are empty then. */
export function deleteObsolete(obsolete: readonly ManifestLine[], safeDir: SafeDirectory): void {
  for (const { path } of obsolete) safeDir.delete(path);
  for (const directory of new Set(obsolete.map(({ path }) => dirname(path)))) safeDir.deleteEmptyDirectories(directory);
}

/** Returns a function that returns whether a file is where a directory is needed, or in one that becomes a file. */
function createBlockFinder(ready: readonly ReadyFile[]): (path: string) => boolean {
  const paths = new Set(ready.map(({ path }) => path));
  const directories = new Set([...new Set(ready.map(({ path }) => dirname(path)))].flatMap(withParents));
  return (path) => directories.has(path) || withParents(dirname(path)).some((directory) => paths.has(directory));
}

/** Returns a directory and those above it. */
const withParents = (directory: string): string[] => (directory === '.' ? [] : [directory, ...withParents(dirname(directory))]);

/** Returns a page without links that says in each language that the page is not there yet. */
function renderPlaceholder(): string {
  const notices = createLocales(LANGUAGES).map(
    ({ language, t }) => `<p ${langAttributes(language)}>${escapeHtml(t.notFound.notYet)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>Microfiche</title></head><body><main>${notices.join('')}</main></body></html>\n`;
}
