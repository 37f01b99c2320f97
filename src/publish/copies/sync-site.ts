/** Brings a copy of a site up to date with another copy. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE } from '../../catalogue/urls.ts';
import { formatChecksums, type ManifestLine, parseChecksums } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { createDirectories } from '../../platform/create-directory.ts';
import { objectFileName, roundUpToClusters, sizeInClusters } from '../../platform/portability.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { formatCount } from '../../platform/text-lines.ts';
import { MANIFEST_FILE, readManifest, readManifestText, readText, SIGNATURE_FILE, siteDirectoryOf } from '../manifest.ts';
import { LEFT_OUT_FILE, PATCH_DIRECTORY, rankOf, readLeftOut } from '../partial-copy.ts';
import { checkSignature } from '../signature.ts';
import { signatureFileOf } from '../signed-kinds.ts';
import { describeArchive, findOtherArchive, IDENTITY_FILE, readSiteIdentity } from '../site-identity.ts';
import { createUpdate, IDENTIFYING_FILES, isInUpdate, UPDATE_FILE } from '../site-update.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../withheld-before.ts';
import { assertApart, COPY_LOG, readOwnFile, writeAtomically } from './copied-files.ts';
import { type CopyOptions, copySite } from './copy-site.ts';
import { writePatch } from './patch.ts';
import { isBag, isUrl, openSiteSource, type SiteFile, type SiteSource } from './site-source.ts';

/** Options of both kinds of copies. */
export interface SyncOptions extends CopyOptions {
  /** Replaces a newer copy by an older one. */
  force: boolean;
  /** Requires a site to be signed by one of these signers; a file as of `verify --signers`. */
  signers?: string | undefined;
}

/**
 * Makes the site in the directory or on the drive `to` the same as that in the directory, on the drive or at the URL `from`. What
 * was withheld from the copy does not come back.
 * @throws {UserError} if `to` has the site of another archive, a newer one, or other files
 */
export async function syncSite(from: string, to: string, { force, signers, ...options }: SyncOptions) {
  if (!isUrl(from)) assertApart(from, to);
  const present = siteDirectoryOf(to);
  using source = await openSiteSource(from, { leavesOutCopies: present !== to, copy: present });
  assertSite(source.dir, from, [...source.files, ...source.absent]);
  const listed = readManifest(present);
  const isSite = listed.length > 0;
  if (isSite) assertSite(present, to, listed);
  const other = findOtherArchive(source.dir, present);
  if (other) throw new UserError(`${to} contains the site of ${describeArchive(other)}. Name a copy of the same archive.`);
  const { manifest: content, signature: signed } = source;
  const what = { content: Buffer.from(content), signature: signed, listed: parseChecksums(content) };
  const signature = signers === undefined ? undefined : await checkSignature({ kind: 'site', ...what }, signers);
  if (signature && 'problem' in signature) throw new UserError(`The signature of ${from} is not valid: ${signature.problem}.`);
  const [own, identity] = [source.dir, present].map(readSiteIdentity);
  if (!force && identity) {
    const isSigned = source.signature !== undefined || source.leftOut > 0;
    const copied = {
      day: identity.harvestedOn,
      content: identity.snapshot,
      isSigned: readText(present, SIGNATURE_FILE) !== undefined,
    };
    assertNotNewer({ day: own?.harvestedOn, content: own?.snapshot, isSigned }, from, copied, to);
  }
  assertComplete(source, present);
  if (present !== to) {
    const { copyToDrive } = await import('./copy-to-usb.ts'); // slow to load, with the texts of all languages
    const wasSigned = existsSync(join(to, signatureFileOf('drive')));
    return { ...(await copyToDrive(source, { to, force, ...options })), wasSigned };
  }
  assertWithholdsNoLess('site', to, withheldFromSite(source.dir));
  createDirectories(to);
  const copy = toSafeDirectory(to);
  const isOurs = isSite || readOwnFile(copy, COPY_LOG) !== undefined;
  if (!isOurs && readdirSync(to).some((name) => !isSystemName(name) && name !== LOCK_FILE))
    throw new UserError(`${to} contains other files, and no site. Name an empty directory, or that of a copy.`);
  return await copySite(source, copy, options);
}

/** @throws {UserError} if the lines of a manifest are those of no site, or what says whose it is differs from the manifest */
function assertSite(dir: string, name: string, lines: readonly ManifestLine[]): void {
  if (isBag(dir) || !lines.some(({ path }) => path === IDENTITY_FILE))
    throw new UserError(
      `${name} is ${isBag(dir) ? 'a bag, which is updated from a bag' : 'not a site of Microfiche'}. Name two copies of the same kind.`,
    );
  // An interrupted copy has some files of the new site, and the manifest of the old one.
  if (readText(dir, COPY_LOG) !== undefined) return;
  const damaged = lines.find(
    ({ path, sha256 }) => IDENTIFYING_FILES.includes(path) && hash('sha256', readText(dir, path) ?? '') !== sha256,
  );
  if (damaged)
    throw new UserError(
      `${damaged.path} of ${name} is missing or damaged. Repair it first: microfiche verify --dir ${name} --with OTHER --repair`,
    );
}

/** What says which of two copies is newer: the day of the harvest, and what is the same in both if their content is. */
interface Dated {
  day: string | undefined;
  content: string | undefined;
  isSigned: boolean;
}

/** @throws {UserError} if the copy `to` is newer than `from`, if that is not known, or if it is signed and `from` is not */
export function assertNotNewer(own: Dated, from: string, copy: Dated, to: string): void {
  const days = [own.day || 'an unknown day', copy.day || 'an unknown day'] as const;
  const advice = 'To update the other one, name them in the other order; to replace this one, add --force.';
  if ((own.day ?? '') < (copy.day ?? ''))
    throw new UserError(`${to} is newer than ${from}: harvested on ${days[1]}, not ${days[0]}. ${advice}`);
  if (own.day === copy.day && own.content !== copy.content)
    throw new UserError(
      `${to} and ${from} differ, and both were harvested on ${days[0]}, so that it is not known which one is newer. ${advice}`,
    );
  if ((own.day ?? '') > new Date().toISOString().slice(0, 10))
    throw new UserError(
      `${from} says that it was harvested on ${days[0]}, which is in the future. If the clock is right, it may be forged. To use it, add --force.`,
    );
  if (!own.isSigned && copy.isSigned)
    throw new UserError(`${to} is signed, and ${from} is not. To replace it by one without a signature, add --force.`);
}

/** @throws {UserError} if a partial site would leave pages out of the copy, or files out of a copy that has all of its own */
function assertComplete({ absent, files }: SiteSource, copy: string): void {
  if (absent.length === 0 && files.every(({ base }) => base === undefined)) return;
  const present = parseChecksums(readManifestText(copy) ?? '');
  const left = readLeftOut(copy);
  const lacks = ({ path, sha256, base = sha256 }: Pick<SiteFile, 'path' | 'sha256' | 'base'>) =>
    ![sha256, base].includes(present.get(path) ?? '') || !existsSync(join(copy, path));
  const [lacking, unpatched] = [absent.filter(lacks), files.filter((file) => file.base !== undefined && lacks(file))];
  const isWhole = present.size > 0 && left.size === 0;
  const isEnough = lacking.length === 0 || (!isWhole && lacking.every(({ path }) => rankOf(path) > 0));
  if (isEnough && unpatched.length === 0) return;
  throw new UserError(
    `This partial site cannot be applied to ${copy}: it does not contain ${formatCount(lacking.length + unpatched.length, 'file')} that the copy lacks. Apply earlier updates first, or sync with a whole copy.`,
  );
}

/** Returns a selection of the files that differ from those in a manifest: an update of the site that has it. */
export function selectChanged(manifest: string): (files: readonly SiteFile[]) => SiteFile[] {
  const before = parseChecksums(readFileSync(manifest, 'utf8'));
  if (!before.has(IDENTITY_FILE))
    throw new UserError(`${manifest} is not the manifest of a site. Name its file manifest-sha256.txt.`);
  return (files) => files.filter(isInUpdate(before));
}

/**
 * Makes the partial copy in the directory `to` an update: replaces its changed files by patches, as far as the site with the
 * manifest `since` lies beside it, and its lists by how they differ from that manifest.
 */
export async function makeUpdate(to: string, since: string): Promise<void> {
  const update = toSafeDirectory(to);
  const before = readFileSync(since, 'utf8');
  const earlier = { directory: toSafeDirectory(dirname(since)), checksums: parseChecksums(before) };
  for (const { path } of readManifest(to)) {
    const size = update.stat(path)?.size ?? 0;
    if (!earlier.checksums.has(path) || size < MIN_PATCHED_BYTES || IDENTIFYING_FILES.includes(path)) continue;
    const patch = `${PATCH_DIRECTORY}${path}`;
    update.createDirectory(dirname(patch));
    const isSmaller = await writePatch(earlier, path, update.resolve(path), update.resolve(patch));
    update.delete(isSmaller ? path : patch);
  }
  writeAtomically(update, UPDATE_FILE, JSON.stringify(createUpdate(before, readManifestText(to) ?? '')));
  for (const name of [LEFT_OUT_FILE, MANIFEST_FILE]) update.delete(name);
}

/** Smaller files are not patched. */
const MIN_PATCHED_BYTES = 1024;

/**
 * Returns a selection of as many files as fit into so many bytes, in the clusters of the disk: pages and search, thumbnails,
 * images, sound, video. Media of the collections with these IDs go before all others, in this order.
 */
export function selectFitting(bytes: number, collections: readonly string[] = []): NonNullable<CopyOptions['select']> {
  const names = collections.map(objectFileName);
  const turnOf = (path: string): number => {
    const [, name = ''] = /^(?:media|thumbs|iiif)\/([^/]+)/.exec(path) ?? [];
    const place = names.findIndex((id) => name.startsWith(id) && !/^\w/.test(name.slice(id.length)));
    return place < 0 ? names.length : place;
  };
  return (files, cluster) => {
    const ranked = files
      .map((file) => ({ file, rank: rankOf(file.path), turn: turnOf(file.path) }))
      .sort((a, b) => Math.min(a.rank, 1) - Math.min(b.rank, 1) || a.turn - b.turn || a.rank - b.rank);
    // Two lists of files, and the directories.
    const listed = Buffer.byteLength(formatChecksums(files));
    let used = sizeInClusters(
      [[MANIFEST_FILE, listed], [LEFT_OUT_FILE, listed], ...files.map(({ path }) => [path, 0] as const)],
      cluster,
    );
    return ranked.flatMap(({ file, rank }) => {
      const needed = roundUpToClusters(file.size ?? 0, cluster);
      if (rank === 0 && used + needed > bytes)
        throw new UserError(
          `The pages and the search index do not fit into ${formatBytes(bytes)}. Build with --compact, or use a larger drive.`,
        );
      if (used + needed > bytes) return [];
      used += needed;
      return [file];
    });
  };
}
