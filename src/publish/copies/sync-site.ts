/** Brings a copy of a site up to date with another copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { parseManifest } from '../../formats/manifest-lines.ts';
import { UserError } from '../../model/errors.ts';
import { createDirectories } from '../../platform/create-directory.ts';
import { roundUpToClusters } from '../../platform/portability.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { formatCount } from '../../platform/text-lines.ts';
import { WITHHELD_FILE } from '../../snapshot/file-names.ts';
import { readLeftOut, readManifest } from '../manifest.ts';
import { describeArchive, IDENTITY_FILE, readSiteIdentity } from '../site-identity.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../withheld-before.ts';
import { COPY_LOG, readOwnFile } from './copied-files.ts';
import { type CopyOptions, copySite } from './copy-site.ts';
import { copyToDrive, findOtherArchive } from './copy-to-usb.ts';
import { openSiteSource, type SiteFile, type SiteSource, siteDirectoryOf } from './site-source.ts';

/** Options of both kinds of copies. */
export interface SyncOptions extends CopyOptions {
  /** Replaces a newer copy by an older one. */
  force: boolean;
}

/**
 * Makes the site in the directory or on the drive `to` the same as that in the directory, on the drive or at the URL `from`. What
 * is withheld from one of them is not brought back.
 * @throws {UserError} if `to` has the site of another archive, a newer one, or other files
 */
export async function syncSite(from: string, to: string, { force, ...options }: SyncOptions) {
  const present = siteDirectoryOf(to);
  using source = await openSiteSource(from, { leavesOutCopies: present !== to });
  const other = findOtherArchive(source.dir, present);
  if (other) throw new UserError(`${to} contains the site of ${describeArchive(other)}. Name the copy of the same archive.`);
  const [own, before] = [source.dir, present].map((dir) => readSiteIdentity(dir)?.harvestedOn ?? '') as [string, string];
  if (own < before && !force)
    throw new UserError(
      `${to} is newer than ${from}: harvested on ${before}, not ${own || 'on a known day'}. To update the older one, name them in the other order; to replace the newer one, add --force.`,
    );
  assertComplete(source, present);
  if (present !== to) return await copyToDrive(source, { to, force, ...options });
  assertWithholdsNoLess('site', to, withheldFromSite(source.dir));
  createDirectories(to);
  const copy = toSafeDirectory(to);
  const isOurs = readManifest(to).length > 0 || readOwnFile(copy, COPY_LOG) !== undefined;
  if (!isOurs && readdirSync(to).some((name) => !isSystemName(name)))
    throw new UserError(`${to} contains other files, and no site. Name an empty directory, or that of a copy.`);
  return await copySite(source, copy, options);
}

/** @throws {UserError} if a partial site would leave pages out of the copy, or files out of a copy that has all of its own */
function assertComplete({ absent }: SiteSource, copy: string): void {
  const present = new Map(readManifest(copy).map(({ path, sha256 }) => [path, sha256]));
  const left = readLeftOut(copy);
  const lacking = absent.filter(({ path, sha256 }) => present.get(path) !== sha256 || left.get(path) === sha256);
  const isWhole = present.size > 0 && left.size === 0;
  if (lacking.length === 0 || (!isWhole && lacking.every(({ path }) => rankOf(path) > 0))) return;
  throw new UserError(
    `This update does not fit ${copy}: it does not contain ${formatCount(lacking.length, 'file')} that the copy lacks. Apply earlier updates first, or sync with a whole copy.`,
  );
}

/** They say whose site it is, and what is withheld from it. */
const IDENTIFYING_FILES: readonly string[] = [IDENTITY_FILE, WITHHELD_FILE];

/** Returns a selection of the files that differ from those in a manifest: an update of the site that has it. */
export function selectChanged(manifest: string): (files: readonly SiteFile[]) => SiteFile[] {
  const before = new Map(parseManifest(readFileSync(manifest, 'utf8')).map(({ path, sha256 }) => [path, sha256]));
  if (before.size === 0) throw new UserError(`${manifest} is not the manifest of a site. Name its file manifest-sha256.txt.`);
  return (files) => files.filter(({ path, sha256 }) => before.get(path) !== sha256 || IDENTIFYING_FILES.includes(path));
}

/** Returns a selection of as many files as fit into so many bytes: pages and search, thumbnails, images, sound, video. */
export function selectFitting(bytes: number): (files: readonly SiteFile[]) => SiteFile[] {
  return (files) => {
    const ranked = files.map((file) => ({ file, rank: rankOf(file.path) })).sort((a, b) => a.rank - b.rank);
    let used = 0;
    return ranked.flatMap(({ file, rank }) => {
      const { path, size } = file;
      if (size === undefined)
        throw new UserError('The sizes of files on a server are not known: --fit needs a directory or a drive.');
      const needed = roundUpToClusters(size);
      if (rank === 0 && used + needed > bytes)
        throw new UserError(
          `The pages and the search index do not fit into ${formatBytes(bytes)}. Build with --compact, or use a larger drive.`,
        );
      if (used + needed > bytes) return [];
      used += needed;
      return [{ path, sha256: file.sha256, size }];
    });
  };
}

/** The order in which files are left out, last first. What is in no pattern is needed by every page. */
const RANKS = [
  /^thumbs\//,
  /^(?:media|iiif)\/.*\.(?:jpe?g|png|webp|avif|gif|svg|bmp|tiff?|jp2|hei[cf]|pdf|json)$/i,
  /\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aiff?|wma)$/i,
  /\.(?:mp4|m4v|webm|mov|avi|mkv|mpe?g|wmv|ogv)$/i,
  /^media\//,
];
const rankOf = (path: string) => (/\.(?:vtt|srt|txt)$/i.test(path) ? 0 : RANKS.findIndex((pattern) => pattern.test(path)) + 1);
