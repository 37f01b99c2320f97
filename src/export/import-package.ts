/** Imports a snapshot from a package that `export` wrote: a bag or a WACZ. */
import { existsSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { isBag } from '../publish/copies/site-source.ts';
import { LEFT_OUT_FILE } from '../publish/partial-copy.ts';
import { checkSignature } from '../publish/signature.ts';
import { IDENTITY_FILE as SITE_IDENTITY } from '../publish/site-identity.ts';
import { computeFingerprint } from '../snapshot/fingerprint.ts';
import { hasSnapshot, openSnapshot } from '../snapshot/store.ts';
import { findBagProblems, isOfSnapshot, readBag, signedPartOf } from './bagit/read-bag.ts';
import { syncBag } from './bagit/sync-bag.ts';
import { BAGGED_DATABASE } from './bagit/write-bag.ts';
import { WACZ_SITE } from './export-context.ts';
import { IDENTITY_FILE, parseIdentity, readIdentity } from './identity.ts';
import { countFiles, type ImportOptions, type ImportReport, refusePackage, withStaging } from './import-staging.ts';
import { readPackage } from './package/package-reader.ts';
import { importWacz } from './wacz/import-wacz.ts';

/**
 * Imports the package at `path` as the snapshot `target`, or the update of a bag into the snapshot that is there.
 * @throws {UserError} if the target is not empty, or the package is damaged, was changed, or contains no snapshot.
 */
export async function importPackage(path: string, target: string, options: ImportOptions = {}): Promise<ImportReport> {
  const format = (await readIdentity(path))?.format;
  if (/\.wacz$/i.test(path) || format === 'wacz' || format === WACZ_SITE) return importWacz(path, target, options);
  if (format !== undefined && format !== 'bagit')
    refusePackage(path, `it was exported as ${format}, and only bags and WACZs contain a snapshot`);
  if (existsSync(join(path, SITE_IDENTITY)) && !isBag(path))
    refusePackage(path, 'it is a site, or the update of one. To copy or apply it, use "microfiche sync"');
  if (hasSnapshot(target) && (await isUpdate(path))) return importUpdate(path, target, options);
  return importBag(path, target, options);
}

async function isUpdate(path: string): Promise<boolean> {
  let found = false;
  await readPackage(path, async (entry) => {
    found = basename(entry.path) === LEFT_OUT_FILE;
    return found ? 'stop' : undefined;
  });
  return found;
}

async function importUpdate(path: string, target: string, { signersFile }: ImportOptions): Promise<ImportReport> {
  await syncBag(path, target, { force: false, signers: signersFile });
  using store = openSnapshot(target);
  return { snapshot: target, ...countFiles(target), fingerprint: computeFingerprint(store) };
}

/**
 * Imports the bag at `path`, a directory, ZIP or TAR file, as the snapshot `target`.
 * @throws {UserError} if the target exists, or the bag is damaged, was changed, or contains no snapshot.
 */
function importBag(path: string, target: string, { signersFile, progress }: ImportOptions): Promise<ImportReport> {
  return withStaging(path, target, progress, async ({ snapshot, workDirectory }) => {
    const directory = toSafeDirectory(workDirectory);
    const bag = await readBag(path, { directory, isWanted: isOfSnapshot, onRead: progress?.onRead });
    if (bag.manifests.has(LEFT_OUT_FILE))
      refusePackage(path, 'it is the update of a bag. Name the snapshot that it updates with --snapshot');
    for (const { problem } of findBagProblems(bag)) refusePackage(path, problem);
    const signature = await checkSignature(signedPartOf(bag), signersFile);
    if (signature && 'problem' in signature) refusePackage(path, signature.problem);
    if (!bag.digests.has(BAGGED_DATABASE)) refusePackage(path, `it contains no snapshot (${BAGGED_DATABASE})`);
    renameSync(directory.resolve('data'), snapshot);
    const written = (path: string) => bag.digests.get(`data/${path}`)?.checksums['sha256'];
    return { identity: parseIdentity(bag.texts.get(IDENTITY_FILE) ?? ''), written };
  });
}
