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
 * Rejects options that are missing or do not apply. A setting may be meant for other commands and formats, so one that does not apply is ignored,
 * except to sign or to add the source.
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

/** Returns what to do if an option is given that does not apply, by the option's name. */
function problemsOf(format: ExportFormat, fromSite: boolean): Record<string, string> {
  const isOfSite = fromSite || format === 'zim';
  return {
    ...(fromSite && {
      collection:
        'A WACZ of a site has all of its pages. Build the site with --collection, or name the snapshot with --snapshot for a WACZ of the snapshot.',
    }),
    ...(format === 'zim' && {
      collection: 'A ZIM file has all pages of the site. Leave out --collection, and build the site with --collection.',
      snapshot: 'A ZIM file is made from the site. Leave out --snapshot, and name the directory of the site with --dir.',
    }),
    ...(!isOfSite &&
      format !== 'iiif' &&
      format !== 'wacz' && {
        dir: `export ${format} reads the snapshot, not the site. Leave out --dir, and name the snapshot with --snapshot.`,
      }),
    ...((format === 'zim' || format === 'tables' || (format === 'wacz' && !fromSite)) && {
      site: `export ${format} writes no URLs of the site${format === 'wacz' ? ', unless --dir names one' : ''}. Leave out --site.`,
    }),
    ...(format !== 'iiif' && {
      archiveLanguage: `export ${format} does not use the main language. Leave out --archive-language${isOfSite ? ', and build the site with it' : ''}.`,
    }),
    ...(format !== 'zim' && {
      fulltext: `export ${format} has no such index. Leave out --fulltext, or export a ZIM file.`,
    }),
  };
}
