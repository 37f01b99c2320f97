/** Brings the copy of a bag, or a snapshot that was imported from it, up to date with the bag or with an update of it. */
import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVisibleStore } from '../../catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../catalogue/read/withholding.ts';
import { LOCK_FILE } from '../../catalogue/urls.ts';
import { parseChecksums } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { createDirectories } from '../../platform/create-directory.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { openStaging, realPath } from '../../platform/staging.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { listNames } from '../../platform/text-lines.ts';
import { assertApart, COPY_LOG, PARTIAL_FILES } from '../../publish/copies/copied-files.ts';
import { copySite } from '../../publish/copies/copy-site.ts';
import { applyPatch, writePatched } from '../../publish/copies/patch.ts';
import { isBag, openSiteSource, type SiteFile } from '../../publish/copies/site-source.ts';
import { assertNotNewer, type SyncOptions } from '../../publish/copies/sync-site.ts';
import { assertNothingReturns, syncSnapshot } from '../../publish/copies/sync-snapshot.ts';
import { MANIFEST_FILE, readManifestText, readText } from '../../publish/manifest.ts';
import { LEFT_OUT_FILE, PATCH_DIRECTORY, PATCHED_FILE } from '../../publish/partial-copy.ts';
import { checkSignature } from '../../publish/signature.ts';
import { signatureFileOf } from '../../publish/signed-kinds.ts';
import { describeArchive, isSameArchive } from '../../publish/site-identity.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { DATABASE_FILE } from '../../snapshot/file-names.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import { purgedIds } from '../../snapshot/purged.ts';
import { hasSnapshot, openSnapshot } from '../../snapshot/store.ts';
import { readPackagedLists } from '../../snapshot/withheld-file.ts';
import { IDENTITY_FILE, parseIdentity } from '../identity.ts';
import { writePortableDatabase } from '../portable-database.ts';
import { scopeOf } from '../scope.ts';
import * as bags from './read-bag.ts';
import { BAGGED_DATABASE } from './write-bag.ts';

/** Collections that a message names. */
const MAX_NAMES = 3;
const EARLIER_FIRST = 'Apply earlier updates first, or use a whole bag';

/**
 * Makes the bag or snapshot in the directory `to` the same as the bag `from`, which may be an update: a directory, ZIP or TAR
 * file. It is checked first.
 * @throws {UserError} if it is damaged, or an update of something else, or if `to` is another archive, newer, or signed by others
 */
export async function syncBag(from: string, to: string, options: SyncOptions) {
  assertApart(from, to);
  const isSnapshot = hasSnapshot(to);
  const isInPlace = !isSnapshot && existsSync(join(from, 'bagit.txt'));
  using staging = isInPlace ? undefined : openStaging(realPath(to), 'updating');
  if (!isInPlace && !staging) throw new UserError(`Another process is updating ${to}. Wait until it has finished.`);
  const directory = staging?.directory ?? from;
  const unpacking = { directory: toSafeDirectory(directory), isWanted: isSnapshot ? bags.isOfSnapshot : () => true };
  const bag = await bags.readBag(from, isInPlace ? {} : unpacking);
  for (const { problem } of bags.findBagProblems(bag)) bags.refuse(from, problem);
  const signature = await checkSignature(bags.signedPartOf(bag), options.signers);
  if (signature && 'problem' in signature) bags.refuse(from, signature.problem);
  return await (isSnapshot ? updateSnapshot : updateBag)({ bag, from, directory }, to, options);
}

/** A bag, and the directory into which it was unpacked. */
type Unpacked = Record<'from' | 'directory', string> & { bag: bags.ReadBag };

async function updateSnapshot({ bag, from, directory }: Unpacked, to: string, options: SyncOptions) {
  const snapshot = join(directory, 'data');
  const fingerprint = parseIdentity(bag.texts.get(IDENTITY_FILE) ?? '')?.fingerprint;
  if (!bag.digests.has(BAGGED_DATABASE)) await updateDatabase({ bag, from, directory }, to, fingerprint);
  using store = openSnapshot(snapshot);
  if (fingerprint !== undefined && fingerprint !== computeFingerprint(store))
    bags.refuse(from, 'its content is not that of its fingerprint');
  return await syncSnapshot(snapshot, to, options, { name: from, howToPurge: `${howToPurgeIn(from)} sync from that directory.` });
}

const howToPurgeIn = (from: string) => `Import ${from} into a new directory, purge them there, and`;

/** Makes the new database of that in the snapshot, as a bag has it. */
async function updateDatabase({ bag, from, directory }: Unpacked, to: string, fingerprint: string | undefined): Promise<void> {
  using store = openSnapshot(to);
  if (computeFingerprint(store) === fingerprint) bags.refuse(from, `${to} has its content already`);
  const [base, database] = [join(directory, 'base.sqlite'), join(directory, BAGGED_DATABASE)];
  const visible = createVisibleStore(store, { withholding: NOTHING_WITHHELD });
  writePortableDatabase(visible, base, scopeOf(visible, NOTHING_WITHHELD, undefined));
  const isPatched = bag.manifests.get(PATCHED_FILE)?.has(BAGGED_DATABASE);
  if ((await sha256OfFile(base)) !== bag.manifests.get(isPatched ? PATCHED_FILE : LEFT_OUT_FILE)?.get(BAGGED_DATABASE))
    bags.refuse(from, `it is not an update of what ${to} contains now. ${EARLIER_FIRST}`);
  mkdirSync(join(directory, 'data'), { recursive: true });
  if (!isPatched) return renameSync(base, database);
  await applyPatch(base, join(directory, PATCH_DIRECTORY, BAGGED_DATABASE), database);
  if ((await sha256OfFile(database)) !== bag.manifests.get(MANIFEST_FILE)?.get(BAGGED_DATABASE))
    bags.refuse(from, `${BAGGED_DATABASE} has another checksum than ${MANIFEST_FILE} lists`);
}

async function updateBag({ bag, from, directory }: Unpacked, to: string, { force, onProgress }: SyncOptions) {
  const present = readPresent(to, from);
  if (present.size > 0) assertMayUpdate(bag, from, to, force);
  using payload = await openSiteSource(directory, { copy: to, advice: `Check ${to} with "microfiche verify".` });
  const lacking = [...payload.absent, ...payload.files].find(
    ({ path, sha256, base = sha256 }: Omit<SiteFile, 'size'>) =>
      !bag.digests.has(path) && ![sha256, base].includes(present.get(path) ?? ''),
  );
  if (lacking) bags.refuse(from, `it is an update, and ${to} does not have ${lacking.path} as it was before. ${EARLIER_FIRST}`);
  const isTag = (path: string) =>
    bag.manifests.get(bags.TAG_MANIFEST)?.has(path) || /^tagmanifest-sha(?:256|512)\.txt(?:\.sig)?$/.test(path);
  const tags = [...bag.digests]
    .filter(([path]) => isTag(path) && ![MANIFEST_FILE, COPY_LOG, ...PARTIAL_FILES].includes(path))
    .map(([path, { size, checksums }]) => ({ path, size, sha256: String(checksums.sha256) }));
  const oldTags = [...parseChecksums(readText(to, bags.TAG_MANIFEST) ?? '').keys(), signatureFileOf('bag')];
  createDirectories(to);
  const copy = toSafeDirectory(to);
  if (hasSnapshot(join(to, 'data'))) await assertNothingReturnsToBag({ bag, from, directory }, copy);
  const report = await copySite({ ...payload, files: [...payload.files, ...tags], signature: undefined }, copy, { onProgress });
  for (const path of oldTags) if (tags.every((tag) => tag.path !== path) && path !== MANIFEST_FILE) copy.delete(path);
  return report;
}

/** @throws {UserError} if a bag, or what an update makes of a copy, has what was withdrawn from the copy */
async function assertNothingReturnsToBag({ bag, from, directory }: Unpacked, copy: SafeDirectory): Promise<void> {
  using present = openSnapshot(copy.resolve('data'));
  if (purgedIds(present).length + readPackagedLists(present).length === 0) return;
  const [base, sha256] = [PATCHED_FILE, MANIFEST_FILE].map((name) => bag.manifests.get(name)?.get(BAGGED_DATABASE));
  const isWhole = bag.digests.has(BAGGED_DATABASE);
  if (!isWhole && (base === undefined || sha256 === undefined)) return; // it stays as it is
  using temporary = isWhole ? undefined : mkdtempDisposableSync(join(tmpdir(), 'microfiche-update-'));
  const file = { path: BAGGED_DATABASE, base: String(base), sha256: String(sha256) };
  if (temporary) await writePatched(directory, copy, file, join(temporary.path, DATABASE_FILE));
  using source = openSnapshot(temporary?.path ?? join(directory, 'data'));
  assertNothingReturns(source, present, { name: from, howToPurge: `${howToPurgeIn(from)} export a new bag.` });
}

/** Returns the checksums in the manifest of a bag; none if nothing is there. */
function readPresent(to: string, from: string): Map<string, string> {
  const present = parseChecksums(readManifestText(to) ?? '');
  const others = existsSync(to) ? readdirSync(to).filter((name) => !isSystemName(name) && name !== LOCK_FILE) : [];
  const isUnfinished =
    others.includes(COPY_LOG) && others.every((name) => name === 'data' || /\.(?:txt|json|sig|part)$/.test(name));
  if (others.length === 0 || isUnfinished || (present.size > 0 && isBag(to))) return present;
  throw new UserError(`${to} is neither a bag nor a snapshot. Name a copy of ${from}, or a new directory.`);
}

/** @throws {UserError} if a bag must not be updated: it is of another archive, newer, or signed */
function assertMayUpdate({ texts, digests, manifests }: bags.ReadBag, from: string, to: string, force: boolean): void {
  const read = (name: string) => [texts.get(name), readText(to, name)].map((text) => text ?? '') as [string, string];
  const [own, present] = read(IDENTITY_FILE).map(parseIdentity);
  if (own?.archive && present?.archive && !isSameArchive(own.archive, present.archive))
    throw new UserError(
      `${to} contains ${describeArchive(present.archive)}, not ${describeArchive(own.archive)}. Name the copy of the same archive.`,
    );
  if (force) return;
  const has = (identity = own) =>
    identity?.collections ? `only ${listNames(identity.collections, MAX_NAMES)}` : 'all collections';
  if (present && JSON.stringify(own?.collections) !== JSON.stringify(present.collections))
    throw new UserError(
      `${from} has ${has(own)}, and ${to} has ${has(present)}. Name a bag of the same collections, or add --force.`,
    );
  const [day, before] = read(bags.INFO_FILE).map((text) => /^Bagging-Date: (\S+)$/m.exec(text)?.[1] ?? '');
  // An update fits what it was made for.
  const content = manifests.has(LEFT_OUT_FILE) ? present?.fingerprint : own?.fingerprint;
  const copied = { day: before, content: present?.fingerprint, isSigned: existsSync(join(to, signatureFileOf('bag'))) };
  assertNotNewer({ day, content, isSigned: digests.has(signatureFileOf('bag')) }, from, copied, to);
}
