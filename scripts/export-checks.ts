/** Checks the options of `microfiche export` that depend on its format. */
import type { Command } from 'commander';
import { type ExportFormat, FORMATS_WITH_URLS, SIGNED_FORMATS } from '../src/export/formats.ts';
import { UsageError } from '../src/model/errors.ts';

/** The options that only some formats have. */
export interface FormatOptions {
  to: string;
  site?: string;
  sign?: string;
  withSource?: boolean;
  fulltext?: boolean;
}

/** Formats of which only `wacz` and `zim` are always one file; the others are a directory, or a ZIP or TAR file. */
const FILE_FORMATS: ReadonlySet<ExportFormat> = new Set(['wacz', 'zim']);
const OTHER_ARCHIVE = /\.(?:t?gz|t?bz2?|tbz2|t?xz|t?zst|7z|rar|lz|lzma|jar)$/i;

/**
 * Rejects options that are missing, or that name something that the format cannot do. Where the sources and the site are may be given for any
 * format, and a setting may be meant for other commands and formats; these are ignored, except to sign or to add the source.
 * @throws {UsageError} that says what to do instead.
 */
export function assertSuitable(format: ExportFormat, flags: FormatOptions, fromSite: boolean, command: Command): void {
  if (FORMATS_WITH_URLS.has(format) && flags.site === undefined)
    throw new UsageError(`export ${format} needs the URL where it will be hosted. Give it with --site.`);
  if (!FILE_FORMATS.has(format) && OTHER_ARCHIVE.test(flags.to))
    throw new UsageError(
      `export ${format} cannot write a file such as ${flags.to}. Name a directory with --to, or a file that ends in .zip or .tar.`,
    );
  if (flags.sign !== undefined && !SIGNED_FORMATS.has(format))
    throw new UsageError(`export ${format} cannot be signed. Leave out --sign, or export a bag, which can.`);
  if (flags.withSource && format !== 'bagit')
    throw new UsageError(`export ${format} cannot contain the source of the program. Leave out --with-source, or export a bag.`);
  for (const [option, problem] of Object.entries(problemsOf(format, fromSite)))
    if (command.getOptionValueSource(option) === 'cli') throw new UsageError(problem);
}

/** Returns what to do if an option is given that would have to change the package and cannot, by the option's name. */
function problemsOf(format: ExportFormat, fromSite: boolean): Record<string, string> {
  return {
    ...(fromSite && {
      collection:
        'A WACZ of a site has all of its pages. Build the site with --collection, or name the snapshot with --snapshot for a WACZ of the snapshot.',
    }),
    ...(format === 'zim' && {
      collection: 'A ZIM file has all pages of the site. Leave out --collection, and build the site with --collection.',
    }),
    ...(format !== 'zim' && {
      fulltext: `export ${format} has no such index. Leave out --fulltext, or export a ZIM file.`,
    }),
  };
}
