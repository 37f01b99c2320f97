/** Imports a snapshot from a package that `export` wrote: a bag or a WACZ. */
import { mkdirSync } from 'node:fs';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { checkSignature } from '../publish/signature.ts';
import { findBagProblems, readBag, signedPartOf } from './bagit/read-bag.ts';
import { BAGGED_DATABASE } from './bagit/write-bag.ts';
import { WACZ_SITE } from './export-context.ts';
import { IDENTITY_FILE, parseIdentity, readIdentity } from './identity.ts';
import {
  checkStagedSnapshot,
  countFiles,
  type ImportOptions,
  type ImportReport,
  refusePackage,
  withStaging,
} from './import-staging.ts';
import { importWacz } from './wacz/import-wacz.ts';

/**
 * Imports the package at `path` as the snapshot `target`.
 * @throws {UserError} if the target is not empty, or the package is damaged, was changed, or contains no snapshot.
 */
export async function importPackage(path: string, target: string, options: ImportOptions = {}): Promise<ImportReport> {
  const format = (await readIdentity(path))?.format;
  if (/\.wacz$/i.test(path) || format === 'wacz' || format === WACZ_SITE) return importWacz(path, target, options);
  if (format !== undefined && format !== 'bagit')
    refusePackage(path, `it was exported as ${format}, and only bags and WACZs contain a snapshot`);
  return importBag(path, target, options);
}

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
function importBag(path: string, target: string, { signersFile, progress }: ImportOptions): Promise<ImportReport> {
  return withStaging(path, target, async ({ snapshot }) => {
    mkdirSync(snapshot);
    const bag = await readBag(path, { snapshot: toSafeDirectory(snapshot), onRead: progress?.onRead });
    for (const { problem } of findBagProblems(bag)) refusePackage(path, problem);
    const signature = await checkSignature(signedPartOf(bag), signersFile);
    if (signature && 'problem' in signature) refusePackage(path, signature.problem);
    if (!bag.digests.has(BAGGED_DATABASE)) refusePackage(path, `it contains no snapshot (${BAGGED_DATABASE})`);
    const identity = parseIdentity(bag.texts.get(IDENTITY_FILE) ?? '');
    const fingerprint = await checkStagedSnapshot(snapshot, path, identity, progress);
    return { snapshot: target, ...countFiles(snapshot), fingerprint };
  });
}
