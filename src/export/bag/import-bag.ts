/** Imports a snapshot from a bag that `export bagit` wrote. Everything is checked first, and the snapshot is there as a whole or not at all. */
import { mkdirSync } from 'node:fs';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { checkSignature } from '../../publish/signature.ts';
import { IDENTITY_FILE, parseIdentity } from '../identity.ts';
import {
  checkStagedSnapshot,
  countFiles,
  type ImportOptions,
  type ImportReport,
  refusePackage,
  withStaging,
} from '../import-staging.ts';
import { BAGGED_DATABASE } from './bagit.ts';
import { findBagProblems, readBag, signedPartOf } from './read-bag.ts';

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
export function importBag(path: string, target: string, { signersFile, progress }: ImportOptions): Promise<ImportReport> {
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
