/**
 * Publishes a finished build. A file that did not change is only stat'ed. The others are prepared first, so that a failure there
 * does not touch the existing site: files that the build made for the site are moved from its cache, and copies are written to a
 * staging directory. Then each gets its name by one rename, first the new ones, and obsolete files are deleted last. A process
 * that is killed in between leaves a mixture of old and new files, in which each page is whole and each link has a page or a
 * notice at its end, and a journal; `verify` reports that, and the next build completes it.
 */
import { existsSync, fsyncSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE, RESERVED_NAMES, STAGING_DIRECTORY } from '../../catalogue/urls.ts';
import { originalOfCopy } from '../../formats/compressed-names.ts';
import { formatChecksums, type ManifestLine, parseManifest } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { listPortabilityProblems, type PortabilityProblem, pathProblem, sizeInClusters } from '../../platform/portability.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { type SafeDirectory, toSafeDirectory, usingDescriptor } from '../../platform/safe-directory.ts';
import { MANIFEST_FILE, readManifest } from '../manifest.ts';
import { type ComparedFile, compareFiles, type PublishedSite, type SiteFile } from './compare-files.ts';
import { type Compression, compressFiles } from './compress-files.ts';
import { deleteObsolete, moveIntoPlace, retirePages, stageFiles } from './move-into-place.ts';
import { assertPathsFree, canRemove } from './site-paths.ts';
import type { KnownFile, SiteState } from './site-state.ts';

/** The result of publishing. Numbers are numbers of files, unless they are in bytes. */
export type PublishResult = Awaited<ReturnType<typeof publish>>;

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
 * Makes `out` contain exactly `siteFiles`, and any files that the operator added. `state` is what is known of the site since the
 * last build, and is brought up to date. `writtenSince` is as in `PublishedSite`. With `compression`, adds compressed copies of
 * the files.
 * @throws {EditedLinkError} if a file in the cache was edited
 * @throws {UserError} if a symbolic link or a file of the operator has a path that the site needs
 */
export async function publish(
  siteFiles: readonly SiteFile[],
  out: string,
  state: SiteState,
  { writtenSince, compression }: { writtenSince?: number | undefined; compression?: Compression } = {},
) {
  assertPublishable(out);
  mkdirSync(out, { recursive: true });
  const safeDir = toSafeDirectory(out);
  const refused: PortabilityProblem[] = [];
  const publishable = siteFiles.filter(({ path }) => {
    const problem = pathProblem(path);
    if (problem !== undefined) refused.push({ path, problem });
    return problem === undefined;
  });
  publishable.sort((a, b) => (a.path < b.path ? -1 : 1));
  const journal = openPublishJournal(safeDir);
  const { files, changed, obsolete } = await replaceSite(publishable, { safeDir, state, writtenSince }, journal, compression);
  const sizes = files.map(({ path, size }) => [path, size] as const);
  return {
    files: files.length,
    bytes: files.reduce((total, { size }) => total + size, 0),
    written: changed.length,
    removed: obsolete.length,
    compressed: countCopies(files),
    /** Bytes that the site takes on a USB drive with the largest clusters. Compressed copies are not copied there. */
    bytesOnUsbDrive: sizeInClusters(sizes.filter(([path]) => originalOfCopy(path) === undefined)),
    /** Files that some file systems cannot store. */
    unportable: listPortabilityProblems(sizes),
    /** Files that were left out, because some systems do not allow their paths. */
    refused,
  };
}

/** Counts the compressed copies among the files, their bytes, and how many of them were made. */
function countCopies(files: readonly ComparedFile[]) {
  const copies = files.filter(({ path }) => originalOfCopy(path) !== undefined);
  const bytes = copies.reduce((total, { size }) => total + size, 0);
  return { files: copies.length, bytes, made: copies.filter(({ source }) => source.file !== undefined).length };
}

async function replaceSite(
  publishable: readonly SiteFile[],
  site: Omit<PublishedSite, 'isRecorded'>,
  journal: ReturnType<typeof openPublishJournal>,
  compression: Compression | undefined,
) {
  const { safeDir, state } = site;
  const staging = join(safeDir.root, STAGING_DIRECTORY);
  const removeStaging = () => rmSync(staging, { recursive: true, force: true });
  using unlessReady = new DisposableStack();
  unlessReady.defer(() => {
    removeStaging();
    if (journal.pending.length === 0) journal.end();
  });
  removeStaging();
  const recorded = [...readManifest(safeDir.root), ...journal.pending];
  const previous = new Map(recorded.map((line) => [line.path, line]));
  let recordedLines: Set<string> | undefined;
  const isRecorded = (path: string, sha256: string) => {
    // In the manifest or in the journal: if a build is killed, it has not moved all files.
    recordedLines ??= new Set(recorded.map((line) => `${line.sha256} ${line.path}`));
    return recordedLines.has(`${sha256} ${path}`);
  };
  const files = await compareWithCopies(publishable, { ...site, isRecorded }, compression);
  const changed = files.filter(({ isChanged }) => isChanged);
  const paths = new Set(files.map(({ path }) => path));
  const obsolete = [...previous.values()].filter(({ path }) => !paths.has(path) && canRemove(safeDir, path));
  assertPathsFree(changed, new Set(obsolete.map(({ path }) => path)), safeDir);
  mkdirSync(staging);
  const ready = await stageFiles(changed, files, staging);
  if (changed.length > 0 || obsolete.length > 0) journal.append([...changed, ...obsolete]);
  unlessReady.move();
  const stamps = moveIntoPlace(ready, obsolete, safeDir);
  retirePages(obsolete, safeDir);
  deleteObsolete(obsolete, safeDir);
  removeStaging();
  journal.end();
  state.update({ known: listKnownFiles(files, stamps), forgotten: obsolete.map(({ path }) => path) });
  return { files, changed, obsolete };
}

/** Compares a build's files, and their compressed copies, with those of the site. Returns them in the order of their paths. */
async function compareWithCopies(
  publishable: readonly SiteFile[],
  site: PublishedSite,
  compression: Compression | undefined,
): Promise<ComparedFile[]> {
  const files = await compareFiles(publishable, site);
  const copies = compression ? await compareFiles(await compressFiles(files, site, compression), site) : [];
  return copies.length === 0 ? files : [...files, ...copies].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Yields the files of which something else is known now. `stamps` are those of the changed files, by path. */
function* listKnownFiles(files: readonly ComparedFile[], stamps: ReadonlyMap<string, string>): Generator<KnownFile> {
  for (const { path, sha256, size, stamp, known: before, source } of files) {
    if (source.file === undefined) continue;
    const now = stamps.get(path) ?? (stamp as string);
    const known = { path, sha256, size, stamp: now, sourceStamp: source.stamp, pageKey: source.pageKey, reads: source.reads };
    const isSame = before?.stamp === now && before.sourceStamp === known.sourceStamp && before.pageKey === known.pageKey;
    if (!isSame || known.reads) yield known;
  }
}

/** Opens an interrupted publish's journal, or creates one. It also marks the directory as a site that Microfiche made. */
export function openPublishJournal(safeDir: SafeDirectory) {
  const interrupted = isRegularFile(safeDir, JOURNAL_FILE);
  const pending = interrupted ? parseManifest(readFileSync(safeDir.resolve(JOURNAL_FILE), 'utf8')) : [];
  if (!interrupted) usingDescriptor(safeDir.create(JOURNAL_FILE), fsyncSync);
  return {
    /** Files that an interrupted publish may have moved into place. */
    pending,
    /** Adds, durably, the files that will be moved or deleted. The staging directory must exist. */
    append(lines: readonly ManifestLine[]) {
      const partial = `${STAGING_DIRECTORY}/${JOURNAL_FILE}`;
      replaceFile(safeDir, JOURNAL_FILE, formatChecksums([...pending, ...lines]), partial);
    },
    /** Deletes the journal, because the publish is complete. */
    end: () => safeDir.delete(JOURNAL_FILE),
  };
}
