/** What a format of export is. `formats.ts` has all. */
import type { DigestName } from './digest.ts';
import type { ExportContext, PackageReport, SiteContext } from './export-context.ts';
import type { IsOwnFile } from './own-files.ts';
import type { PackageWriter } from './package/package-writer.ts';

/** A format of export. The command line reads all formats when it starts: what one needs to run is loaded by `load`. */
export type ExportFormat = Rules &
  (
    | { source: 'snapshot'; load: () => Promise<FormatWriter<ExportContext>> }
    | { source: 'site'; load: () => Promise<FormatWriter<SiteContext>> }
  );

/** What writes a format, and recognizes what it wrote before. */
export interface FormatWriter<Context> {
  /** `root` is the directory of the package in a ZIP or TAR file, with a slash at its end; empty for others. */
  write: (context: Context, writer: PackageWriter, root: string) => Promise<PackageReport>;
  /** Returns which files of an earlier export in a directory are its own: by default, those in its list of checksums. */
  ownFiles?: (directory: string) => IsOwnFile | Promise<IsOwnFile>;
  /** Returns whether a file is an export of this format, which has no identity file. */
  isOwn?: (file: string) => boolean;
}

/** What an operator can ask of a format. */
interface Rules {
  /** As the operator and reports name it. */
  name: string;
  /** The names in identity files of packages that it replaces: by default, its own. */
  replaces?: readonly string[];
  /** Set if it is always one file. Others are a directory, or a ZIP or TAR file, by the name of the package. */
  form?: 'file' | 'zip';
  /** Checksums of each file: by default, SHA-256. */
  digests?: readonly DigestName[];
  /** Whether it has a list of checksums, by which `verify` checks a directory. */
  isListed?: true;
  /** Whether it contains absolute URLs, so that it needs the URL at which it will be hosted. */
  hasUrls?: true;
  /** Whether content warnings and cultural-protocol labels are in it. */
  hasNotices?: true;
  /** Whether it can be signed. */
  isSigned?: true;
  /** Whether it can contain the source of this program. */
  hasSource?: true;
  /** Whether it can be limited to what differs from an earlier one. */
  hasUpdates?: true;
  /** Whether it can have a full-text index of its own. */
  hasFullText?: true;
  /** If it always has all collections: what to do instead of naming some. */
  insteadOfCollections?: string;
  /** The ending of its files, and what to say of a file with another one. */
  ending?: { pattern: RegExp; note: string };
  /** The format that is meant if the site is named, and the snapshot is not. */
  ofSite?: ExportFormat;
}
