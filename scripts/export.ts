/** `microfiche export`: writes the snapshot or the site as a package that other programs open. */
import { Argument, Command, Option } from 'commander';
import type { ExportReport } from '../src/export/export-context.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../src/export/formats.ts';
import { formatBytes } from '../src/platform/quantities.ts';
import { formatCount } from '../src/platform/text-lines.ts';
import { readConfiguredNotices, readConfiguredWithholding } from './config.ts';
import { assertSuitable } from './export-checks.ts';
import {
  commandLineOnly,
  createArchiveLanguageOption,
  createDirOption,
  createJsonOption,
  createSignOption,
  createSnapshotOption,
  createWithholdLessOption,
  createWithSourceOption,
  DEFAULT_ARCHIVE_LANGUAGE,
  HELP_OPTION,
  parseBaseUrlOption,
  parseObjectIds,
  parsePath,
} from './options.ts';
import { createProgress } from './progress.ts';
import { saveMemory } from './save-memory.ts';

interface Flags {
  to: string;
  snapshot: string;
  dir: string;
  site?: string;
  archiveLanguage?: string;
  collection?: string[];
  sign?: string;
  withSource?: boolean;
  fulltext?: boolean;
  withholdLess?: boolean;
  json?: boolean;
}

/** Returns the command `export`. */
export function exportCommand(): Command {
  return new Command('export')
    .summary('Write a package that other programs open')
    .description(
      `Write a package that other programs open: ${EXPORT_FORMATS.join(', ')}. The same snapshot gives the same bytes. What the archive withholds is in none of them; bags and a WACZ of the snapshot also contain private records.`,
    )
    .helpOption(...HELP_OPTION)
    .addArgument(new Argument('<format>', 'format of the package').choices(EXPORT_FORMATS))
    .addOption(
      commandLineOnly(
        new Option(
          '--to <path>',
          'File or directory to write; bags and tables are a directory, or a file if the name ends in .zip or .tar',
        )
          .argParser(parsePath)
          .makeOptionMandatory(),
      ),
    )
    .addOption(createSnapshotOption())
    .addOption(createDirOption())
    .addOption(new Option('--site <url>', 'URL where the export or the site will be hosted').argParser(parseBaseUrlOption))
    .addOption(createArchiveLanguageOption())
    .option('--collection <ids...>', 'Export only these collections', parseObjectIds)
    .addOption(createSignOption())
    .addOption(createWithholdLessOption())
    .addOption(createWithSourceOption())
    .option('--fulltext', 'zim: add an index for the search of Kiwix itself, with zimwriterfs')
    .addOption(createJsonOption())
    .action(async (format: ExportFormat, flags: Flags, command: Command) => {
      const fromSite = format === 'wacz' && isSiteNamed(command);
      assertSuitable(format, flags, fromSite, command);
      const { runExport } = await import('../src/export/run-export.ts');
      saveMemory();
      const progress = createProgress('Export', flags.json);
      let report: ExportReport;
      try {
        report = await runExport(format, {
          to: flags.to,
          snapshot: flags.snapshot,
          dir: flags.dir,
          siteUrl: flags.site,
          archiveLanguage: flags.archiveLanguage ?? DEFAULT_ARCHIVE_LANGUAGE,
          collections: flags.collection,
          keyFile: flags.sign,
          fromSite,
          withSource: flags.withSource === true,
          fullText: flags.fulltext === true,
          withholding: await readConfiguredWithholding(),
          withholdLess: flags.withholdLess,
          notices: format === 'iiif' ? ((await readConfiguredNotices())?.notices ?? []) : [],
          onProgress: progress.update,
        });
      } finally {
        progress.stop();
      }
      if (flags.json) console.log(JSON.stringify(report));
      else for (const line of exportLines(report)) console.log(line);
    });
}

/** Whether the site is named and the snapshot is not. On the command line, --dir alone names the site even if a configuration file names both. */
function isSiteNamed(command: Command): boolean {
  const [dir, snapshot] = ['dir', 'snapshot'].map((option) => command.getOptionValueSource(option));
  return dir !== 'default' && (snapshot === 'default' || (dir === 'cli' && snapshot !== 'cli'));
}

function exportLines({ format, to, files, bytes, fingerprint, notes }: ExportReport): string[] {
  return [
    `Exported to ${to} (${format}): ${formatCount(files, 'file')}, ${formatBytes(bytes)}.`,
    `Fingerprint of the content: ${fingerprint}`,
    ...notes,
  ];
}
