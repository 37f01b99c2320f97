/** Where a snapshot is imported to, until it is complete and checked. */
import { existsSync, fsyncSync, lstatSync, mkdtempSync, openSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describeError, isExpected, UserError } from '../model/errors.ts';
import { listDirectoryEntries } from '../platform/directory-entries.ts';
import { usingDescriptor } from '../platform/safe-directory.ts';
import { SQLITE_FULL, SQLITE_IO_ERROR, sqliteCode } from '../platform/sqlite-errors.ts';
import { isWithin, openStaging, realPath } from '../platform/staging.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { formatCount, toPrintable } from '../platform/text-lines.ts';
import { describeArchive, isSameArchive, readArchiveIdentity } from '../publish/site-identity.ts';
import { auditSnapshot } from '../snapshot/audit.ts';
import { DATABASE_FILE } from '../snapshot/file-names.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { openSnapshot } from '../snapshot/store.ts';
import type { PackageIdentity } from './identity.ts';
import { PackageError } from './package/package-reader.ts';

/** What an import wrote: the directory of the snapshot, its files and their bytes, and its fingerprint. */
export type ImportReport = Awaited<ReturnType<typeof withStaging>>;

/** Options of an import. */
export interface ImportOptions {
  /** Signers, one of whom must have signed the package; see `ssh-keygen(1)`, ALLOWED SIGNERS. */
  signersFile?: string | undefined;
  progress?: ImportProgress;
}

/** What was staged. */
export interface StagedSnapshot {
  /** The identity of the package. */
  identity: PackageIdentity | undefined;
  /** Returns the SHA-256 of a file, computed while it was written. */
  written: (path: string) => string | undefined;
}

/** Gets the progress of an import. */
export interface ImportProgress {
  /** Some bytes of the package were read. */
  onRead(bytes: number): void;
  /** Some bytes of the new snapshot were checked. */
  onChecked(done: number, total: number): void;
}

/**
 * Calls `work` with the paths of a snapshot, which does not exist yet, and of a directory for other files. If the snapshot that
 * it made passes the audit, and is that of the package's identity, it becomes the snapshot `target`; otherwise nothing remains.
 * What an interrupted import to the same target left is deleted.
 * @throws {UserError} if the target is not empty, is in the package at `path`, or another process is importing to it.
 */
export async function withStaging(
  path: string,
  target: string,
  progress: ImportProgress | undefined,
  work: (staging: { snapshot: string; workDirectory: string }) => Promise<StagedSnapshot>,
) {
  const directory = realPath(target);
  if (isWithin(directory, path))
    throw new UserError(`${target} is in the package itself. Name a directory outside ${path} with --snapshot.`);
  assertEmpty(directory, target);
  using staging = openStaging(directory, 'importing');
  if (!staging) throw new UserError(`Another process is importing to ${target}. Wait until it has finished.`);
  const snapshot = join(staging.directory, 'snapshot');
  const staged = await work({ snapshot, workDirectory: mkdtempSync(join(staging.directory, 'work-')) });
  const fingerprint = await checkStagedSnapshot(snapshot, path, staged, progress);
  assertEmpty(directory, target); // another process may have written there in the meantime
  if (existsSync(directory)) rmdirSync(directory);
  renameSync(snapshot, directory);
  syncDirectory(dirname(directory));
  return { snapshot: target, ...countFiles(directory), fingerprint };
}

function assertEmpty(directory: string, target: string): void {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw new UserError(`${target} is a broken symbolic link. Name a new directory with --snapshot.`);
  if (!found.isDirectory()) throw new UserError(`${target} is a file. Name a new directory with --snapshot.`);
  if (readdirSync(directory).length > 0) throw new UserError(`${target} is not empty. Name a new directory with --snapshot.`);
}

/** Ends an import because of what is wrong with the package. */
export function refusePackage(path: string, problem: string): never {
  throw new PackageError(`${toPrintable(path)} was not imported: ${toPrintable(problem, 500)}.`);
}

/** Audits a staged snapshot, and checks its archive and fingerprint against those of the package. Returns the fingerprint. */
async function checkStagedSnapshot(
  snapshot: string,
  path: string,
  { identity, written }: StagedSnapshot,
  progress?: ImportProgress,
): Promise<string> {
  try {
    using store = openSnapshot(snapshot);
    const { findings } = await auditSnapshot(store, progress?.onChecked, { written });
    const [first] = findings;
    const more = findings.length > 1 ? `; and ${formatCount(findings.length - 1, 'more problem')}` : '';
    if (first) refusePackage(path, `${first.what}: ${first.problem}${more}`);
    const fingerprint = computeFingerprint(store);
    if (identity && identity.fingerprint !== fingerprint) refusePackage(path, 'its content is not that of its fingerprint');
    if (identity?.archive && !isSameArchive(identity.archive, readArchiveIdentity(store)))
      refusePackage(path, `its content is not that of ${describeArchive(identity.archive)}, which it names as its archive`);
    return fingerprint;
  } catch (error) {
    refuseDatabase(error, snapshot, path);
  }
}

/** Ends an import because of an error of its database: what to do about it is to get another copy of the package. */
export function refuseDatabase(error: unknown, snapshot: string, path: string): never {
  if (error instanceof PackageError || !isExpected(error) || isDiskError(error)) throw error;
  // What a message advises about a snapshot does not help with a package, except to update.
  const message = describeError(error).replaceAll(`${snapshot}${sep}`, '');
  const problem = message.includes('Update Microfiche') ? message : `${message.split('. ')[0]?.replace(/\.$/, '')}.`;
  throw new PackageError(`${toPrintable(path)} was not imported: ${toPrintable(problem)}`, { cause: error });
}

/** Returns whether the disk, and not the package, is the cause of an error. */
export function isDiskError(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== undefined) return code === SQLITE_IO_ERROR || code === SQLITE_FULL;
  return typeof (error as { code?: unknown }).code === 'string';
}

/** Waits until the database of a staged snapshot is on the disk. */
export function syncDatabase(snapshot: string): void {
  usingDescriptor(openSync(join(snapshot, DATABASE_FILE), 'r+'), fsyncSync);
}

/** Counts the files of a snapshot and their bytes. */
export function countFiles(snapshot: string): { files: number; bytes: number } {
  const { files } = listDirectoryEntries(snapshot);
  return { files: files.size, bytes: files.values().reduce((total, size) => total + size, 0) };
}
