/** `microfiche export`: writes the snapshot or the site as a package that other programs open. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ExportReport } from '../../src/export/export-context.ts';
import { type FormatName, formatOf } from '../../src/export/formats.ts';
import { sizeOfPackage } from '../../src/export/package/package-reader.ts';
import { openSite } from '../../src/export/site-files.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount } from '../../src/platform/text-lines.ts';
import { COPY_LOG } from '../../src/publish/copies/copied-files.ts';
import { signDirectory } from '../../src/publish/signature.ts';
import { readConfigured, readConfiguredWithholding } from '../options/config.ts';
import type { Flags } from '../options/options.ts';
import { createProgress } from '../progress.ts';
import { saveMemory } from '../save-memory.ts';

/** The name of the format that is the site itself. */
const SITE = 'site';

/** Runs the command `export`. */
export async function exportPackage(format: FormatName | typeof SITE, flags: Flags<'export'>, command: Command) {
  if (format === SITE) return await exportSite(flags, command);
  const fromSite = isSiteNamed(command);
  assertSuitable(format, flags, fromSite, command);
  const { runExport } = await import('../../src/export/run-export.ts');
  saveMemory();
  using progress = createProgress('Export', flags.json);
  const report = await runExport(format, {
    ...flags,
    siteUrl: flags.site,
    collections: flags.collection,
    keyFile: flags.sign,
    fromSite,
    withSource: flags.withSource === true,
    fullText: flags.fulltext === true,
    withholding: await readConfiguredWithholding(),
    notices: formatOf(format, fromSite).hasNotices ? ((await readConfigured('notices'))?.notices ?? []) : [],
    onProgress: progress.update,
  });
  return { report, lines: exportLines(report) };
}

/** Copies the site, or only what differs from an earlier one, for `microfiche sync`. */
async function exportSite({ dir, to, snapshot, since, sign, withSource, json }: Flags<'export'>, command: Command) {
  if (command.getOptionValueSource('collection') === 'cli')
    throw new UsageError('A site is exported as a whole. Build it with --collection instead.');
  if (/\.(?:zip|tar)$/i.test(to) || OTHER_ARCHIVE.test(to) || withSource)
    throw new UsageError('A site is exported as a directory, without the source of the program. Name a new directory with --to.');
  if (existsSync(to) && readdirSync(to).length > 0 && !existsSync(join(to, COPY_LOG)))
    throw new UserError(`${to} is not empty. Name a new directory with --to.`);
  openSite(dir, await readConfiguredWithholding(), snapshot);
  const { makeUpdate, selectChanged, syncSite } = await import('../../src/publish/copies/sync-site.ts');
  using progress = createProgress('Export', json);
  const select = since === undefined ? undefined : selectChanged(since);
  const copied = await syncSite(dir, to, { force: false, select, onProgress: progress.update });
  if (sign !== undefined) await signDirectory('site', to, sign);
  if (since !== undefined) await makeUpdate(to, since);
  const bytes = since === undefined ? copied.bytes : sizeOfPackage(to);
  const report = { format: SITE, to, files: copied.copied + copied.unchanged, bytes, lacking: copied.lacking };
  const lines = [`Exported to ${to} (${SITE}): ${formatCount(report.files, 'file')}, ${formatBytes(bytes)}.`];
  if (since !== undefined) lines.push(`It updates a copy with that manifest: microfiche sync ${to} COPY`);
  return { report, lines };
}

/** Whether the site is named and the snapshot is not. --dir alone names the site, even if a configuration file names both. */
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

/** The options that only some formats have. */
type FormatFlags = Pick<Flags<'export'>, 'to'> & Partial<Pick<Flags<'export'>, 'site' | 'sign' | 'withSource'>>;

/** Files that look like an archive, and that no format is. */
const OTHER_ARCHIVE = /\.(?:t?gz|t?bz2?|tbz2|t?xz|t?zst|7z|rar|lz|lzma|jar)$/i;

/**
 * Rejects options that are missing, or that name something that the format cannot do. Where the sources and the site are may be
 * given for any format, and a setting may be meant for other commands and formats; these are ignored, except to sign or to add
 * the source.
 * @throws {UsageError} that says what to do instead.
 */
export function assertSuitable(name: FormatName, flags: FormatFlags, fromSite: boolean, command: Command): void {
  const format = formatOf(name, fromSite);
  const isTyped = (option: string) => command.getOptionValueSource(option) === 'cli';
  if (format.hasUrls && flags.site === undefined)
    throw new UsageError(`export ${name} needs the URL where it will be hosted. Give it with --site.`);
  if (format.form === undefined && OTHER_ARCHIVE.test(flags.to))
    throw new UsageError(
      `export ${name} cannot write a file such as ${flags.to}. Name a directory with --to, or a file that ends in .zip or .tar.`,
    );
  if (flags.sign !== undefined && !format.isSigned)
    throw new UsageError(`export ${name} cannot be signed. Leave out --sign, or export a bag, which can.`);
  if (flags.withSource && !format.hasSource)
    throw new UsageError(`export ${name} cannot contain the source of the program. Leave out --with-source, or export a bag.`);
  if (isTyped('since') && !format.hasUpdates)
    throw new UsageError(`export ${name} has no updates. Leave out --since, or export a site or a bag.`);
  if (format.insteadOfCollections !== undefined && isTyped('collection')) throw new UsageError(format.insteadOfCollections);
  if (!format.hasFullText && isTyped('fulltext'))
    throw new UsageError(`export ${name} has no such index. Leave out --fulltext, or export a ZIM file.`);
}
