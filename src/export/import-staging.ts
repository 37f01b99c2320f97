/** Where a snapshot is imported to, until it is complete and checked. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../model/errors.ts';
import { syncDirectory } from '../platform/sync-directory.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { auditSnapshot } from '../snapshot/audit.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { openSnapshot } from '../snapshot/store.ts';
import { PackageError } from './package-reader.ts';

/** What an import wrote. */
export interface ImportReport {
  /** The snapshot directory. */
  snapshot: string;
  files: number;
  /** Bytes of these files. */
  bytes: number;
  fingerprint: string;
}

/** Gets the progress of an import. */
export interface ImportProgress {
  /** Some bytes of the package were read. */
  onRead(bytes: number): void;
  /** Some bytes of the new snapshot were checked. */
  onChecked(done: number, total: number): void;
}

/**
 * Calls `work` with an empty directory. If it succeeds, the directory, or the one with the name `part` in it, becomes the snapshot `target`;
 * otherwise nothing remains.
 * @throws {UserError} if the target is not empty.
 */
export async function withStaging<T>(target: string, work: (staging: string) => Promise<T>, part = '.'): Promise<T> {
  const directory = resolve(target);
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UserError(`${target} is not empty. Name a new directory with --snapshot.`);
  const parent = dirname(directory);
  mkdirSync(parent, { recursive: true });
  const staging = mkdtempSync(join(parent, `.${basename(directory)}.importing-`));
  try {
    const result = await work(staging);
    if (existsSync(directory)) rmSync(directory, { recursive: true });
    renameSync(join(staging, part), directory);
    syncDirectory(parent);
    return result;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Ends an import because of what is wrong with the package. */
export function refusePackage(path: string, problem: string): never {
  throw new PackageError(`${toPrintable(path)} was not imported: ${toPrintable(problem, 500)}.`);
}

/** Audits a staged snapshot, and compares its fingerprint with that of the package. Returns the fingerprint. */
export async function checkStagedSnapshot(
  staging: string,
  path: string,
  expected: string | undefined,
  progress?: ImportProgress,
): Promise<string> {
  const store = openSnapshot(staging);
  try {
    const { findings } = await auditSnapshot(store, progress?.onChecked);
    const [first] = findings;
    const more = findings.length > 1 ? `; and ${findings.length - 1} more problems` : '';
    if (first) refusePackage(path, `${first.what}: ${first.problem}${more}`);
    const fingerprint = computeFingerprint(store);
    if (expected !== undefined && expected !== fingerprint) refusePackage(path, 'its content is not that of its fingerprint');
    return fingerprint;
  } finally {
    store.close();
  }
}
