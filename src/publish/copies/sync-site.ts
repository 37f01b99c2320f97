/** Brings a copy of a site up to date with another copy. */
import { readdirSync } from 'node:fs';
import { UserError } from '../../model/errors.ts';
import { createDirectories } from '../../platform/create-directory.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { isSystemName } from '../../platform/system-files.ts';
import { readManifest } from '../manifest.ts';
import { describeArchive, readSiteIdentity } from '../site-identity.ts';
import { assertWithholdsNoLess, withheldFromSite } from '../withheld-before.ts';
import { COPY_LOG, readOwnFile } from './copied-files.ts';
import { copySite } from './copy-site.ts';
import { copyToDrive, findOtherArchive } from './copy-to-usb.ts';
import { openSiteSource, siteDirectoryOf } from './site-source.ts';

/** Options of both kinds of copies. */
export interface SyncOptions {
  /** Replaces a newer copy by an older one. */
  force: boolean;
  /** Counts files. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Makes the site in the directory or on the drive `to` the same as that in the directory, on the drive or at the URL `from`. What
 * is withheld from one of them is not brought back.
 * @throws {UserError} if `to` has the site of another archive, a newer one, or other files
 */
export async function syncSite(from: string, to: string, { force, onProgress }: SyncOptions) {
  const present = siteDirectoryOf(to);
  using source = await openSiteSource(from, { leavesOutCopies: present !== to });
  const other = findOtherArchive(source.dir, present);
  if (other) throw new UserError(`${to} contains the site of ${describeArchive(other)}. Name the copy of the same archive.`);
  const [own, before] = [source.dir, present].map((dir) => readSiteIdentity(dir)?.harvestedOn ?? '') as [string, string];
  if (own < before && !force)
    throw new UserError(
      `${to} is newer than ${from}: harvested on ${before}, not ${own || 'on a known day'}. To update the older one, name them in the other order; to replace the newer one, add --force.`,
    );
  if (present !== to) return await copyToDrive(source, { to, force, onProgress });
  assertWithholdsNoLess('site', to, withheldFromSite(source.dir));
  createDirectories(to);
  const copy = toSafeDirectory(to);
  const isOurs = readManifest(to).length > 0 || readOwnFile(copy, COPY_LOG) !== undefined;
  if (!isOurs && readdirSync(to).some((name) => !isSystemName(name)))
    throw new UserError(`${to} contains other files, and no site. Name an empty directory, or that of a copy.`);
  return await copySite(source, copy, onProgress);
}
