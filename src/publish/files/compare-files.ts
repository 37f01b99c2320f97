/** Compares the files of a build with those of the site: by what is known of both, or else by their checksums. */
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Reads } from '../../catalogue/dependencies/stored-reads.ts';
import { UserError } from '../../model/errors.ts';
import type { SafeDirectory } from '../../platform/safe-directory.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { statRegularFile } from './site-paths.ts';
import { type KnownFile, type SiteState, sourceStampOf, stampOf } from './site-state.ts';

/** A file that the site consists of. */
export interface SiteFile {
  /** In the site. */
  path: string;
  /** On the disk; undefined if the site has the file, and it is as `known` says. */
  file: string | undefined;
  /** What is known of a file that the site has. */
  known?: KnownFile | undefined;
  /** Whether the file is moved into the site, because it was made for it, and not copied. */
  isMoved?: boolean;
  /**
   * Whether the site may have a hard link to the file instead of a copy: it is only replaced, never written again, and belongs to
   * this site alone.
   */
  canLink?: boolean;
  /** The stamp of the file when `sha256` was verified. */
  verifiedStamp?: string;
  /** The SHA-256 of the file, if it is known. */
  sha256?: string;
  /** Of a page that the next build need not render, unless its key changes. */
  pageKey?: string | undefined;
  /** Of a page that was rendered: its dependencies. */
  reads?: Reads | undefined;
}

/** Returns files as those of the site: path in the site → file on disk. */
export function toSiteFiles(files: Iterable<readonly [path: string, file: string]>): SiteFile[] {
  return Array.from(files, ([path, file]): SiteFile => ({ path, file }));
}

/** A file of a build, compared with that of the site. */
export interface ComparedFile extends Pick<KnownFile, 'path' | 'sha256' | 'size'> {
  /** Whether the site does not have it, or has another one. */
  isChanged: boolean;
  /** Whether the site has no file at this path. */
  isNew: boolean;
  /** Stamp of the file in the site; undefined if it has none. */
  stamp: string | undefined;
  /** What is known of it since the last build. */
  known: KnownFile | undefined;
  source: Pick<SiteFile, 'file' | 'isMoved' | 'canLink' | 'pageKey' | 'reads'> & {
    /** Stamp of the file that it is copied from or linked to; undefined if it is moved. */
    stamp: string | undefined;
  };
}

/** What is known of a site before it is published. */
export interface PublishedSite {
  safeDir: SafeDirectory;
  state: SiteState;
  /** Whether a build has recorded this SHA-256 for a file of the site. */
  isRecorded(path: string, sha256: string): boolean;
  /**
   * When this build, or one before it that was not completed, began to write to the cache, in milliseconds: a linked file that
   * was written before, and not by the last complete build, was edited through its link. Undefined if this build has written all
   * linked files.
   */
  writtenSince: number | undefined;
}

/**
 * Compares files with those of the site.
 * @throws {UserError} if one of them is behind a symbolic link
 * @throws {EditedLinkError} if a file in the cache was edited, because a file of a site is a link to it
 * @throws {Error} of the file system, if a file of the build cannot be read
 */
export async function compareFiles(files: readonly SiteFile[], site: PublishedSite): Promise<ComparedFile[]> {
  const compared: ComparedFile[] = [];
  for (const file of files) compared.push(await compareFile(file, site));
  return compared;
}

/** A site's file, which links to one in the cache, was edited in place, so that the cached one cannot be used any more. */
export class EditedLinkError extends Error {
  override name = 'EditedLinkError';
}

/** The error for a file that another process has changed. */
export function changedMeanwhile(file: string): UserError {
  return new UserError(`${file} changed while the site was made. Run the command again.`);
}

async function compareFile(siteFile: SiteFile, site: PublishedSite): Promise<ComparedFile> {
  const { safeDir, state } = site;
  const { path, file, isMoved = false, canLink = false, pageKey, reads } = siteFile;
  const known = siteFile.known ?? state.get(path);
  if (file === undefined) {
    if (!known) throw new Error(`Nothing is known of ${path}, which the site is said to have`);
    const { sha256, size, stamp } = known;
    return { path, sha256, size, stamp, known, isChanged: false, isNew: false, source: { file, stamp: known.sourceStamp } };
  }
  const stats = statSync(file);
  if (siteFile.verifiedStamp !== undefined && stampOf(stats) !== siteFile.verifiedStamp) throw changedMeanwhile(file);
  const { size } = stats;
  const current = known && state.isUntouched(path) ? known : statRegularFile(safeDir, path);
  const stamp = current && ('stamp' in current ? current.stamp : stampOf(current));
  const source = { file, isMoved, canLink, pageKey, reads, stamp: isMoved ? undefined : stampOfSource(stats, canLink) };
  const isIntact = known !== undefined && known.stamp === stamp;
  if (isIntact && !isMoved && known.sourceStamp === source.stamp)
    return { path, sha256: known.sha256, size, stamp, known, isChanged: false, isNew: false, source };
  const sha256 = siteFile.sha256 ?? (await sha256OfFile(file));
  if (canLink && siteFile.sha256 === undefined && wasEdited({ path, sha256, stats, known }, site))
    throw new EditedLinkError(`${file} was edited`);
  const published = isIntact ? known.sha256 : current?.size === size ? await sha256OfFile(join(safeDir.root, path)) : undefined;
  return { path, sha256, size, stamp, known, isChanged: published !== sha256, isNew: current === undefined, source };
}

/** Whether a file in the cache was written neither by this build nor by an earlier one. */
function wasEdited(
  { path, sha256, stats, known }: Pick<ComparedFile, 'path' | 'sha256' | 'known'> & { stats: Stats },
  { isRecorded, writtenSince }: PublishedSite,
): boolean {
  if (writtenSince === undefined || stats.mtimeMs >= writtenSince) return false;
  if (known === undefined || known.sourceStamp === stampOf(stats)) return false;
  return known.sha256 !== sha256 && !isRecorded(path, sha256);
}

/** Returns the stamp of a site file's source. If it may be a link instead, the number of links does not change the stamp. */
export const stampOfSource = (stats: Stats, canLink = false): string => (canLink ? stampOf(stats) : sourceStampOf(stats));
