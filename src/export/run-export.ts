/** Runs an export: opens the snapshot and the target, writes the format, and gives the package its name when it is complete. */
import { existsSync, lstatSync } from 'node:fs';
import { readCatalogue, readRepositoryTitle, type TemporaryCatalogue } from '../catalogue/catalogue.ts';
import { createVisibleStore } from '../catalogue/read/visible-store.ts';
import type { Withholding } from '../catalogue/read/withholding.ts';
import { UserError } from '../model/errors.ts';
import { formatBytes } from '../platform/quantities.ts';
import { isWithin } from '../platform/staging.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { sign } from '../publish/signature.ts';
import { protectSnapshot } from '../publish/withheld-before.ts';
import { openArchive } from '../sample/archive.ts';
import type { Notice } from '../site/notices/notices.ts';
import { BAG_DIGESTS } from './bagit/bag.ts';
import type { ExportContext, ExportReport, PackageReport } from './export-context.ts';
import { type ExportFormat, WACZ_SITE_FORMAT } from './formats.ts';
import { readIdentity } from './identity.ts';
import { findForeignFile, type IsOwnFile, readFileList } from './own-files.ts';
import type { PackageForm } from './package/create-sink.ts';
import { openPackage, type PackageWriter, type TargetOptions } from './package/package-writer.ts';
import { scopeOf } from './scope.ts';

/** Options of an export. */
export interface ExportOptions {
  /** Path of the package. */
  to: string;
  snapshot: string;
  /** Site directory, for formats of the site. */
  dir: string;
  siteUrl: string | undefined;
  /** The main language of the archive's texts: a BCP 47 tag. */
  archiveLanguage: string;
  /** IDs of collections; all if undefined. */
  collections: readonly string[] | undefined;
  /** Private key of OpenSSH. */
  keyFile: string | undefined;
  /** Adds the source of this program, in bags. */
  withSource: boolean;
  /** Whether it is a WACZ that is to contain the site, and not the snapshot. */
  fromSite: boolean;
  /** Adds a full-text index, in formats that have one. */
  fullText: boolean;
  withholding: Withholding;
  /** Whether this may be less than before. */
  withholdLess?: boolean | undefined;
  /** Content warnings and cultural-protocol labels. */
  notices?: readonly Notice[];
  /** Gets the number of files or records done, their total, and how many bytes were written, in words. */
  onProgress?: (done: number, total: number, written: string) => void;
}

type Write = (context: ExportContext, writer: PackageWriter, root: string, keyFile: string | undefined) => Promise<PackageReport>;

/** How a format is written, and which files of an earlier export in a directory are its own. */
interface FormatWriter {
  write: Write;
  ownFiles: (directory: string) => IsOwnFile | Promise<IsOwnFile>;
}

/** Some formats load many modules, so an export loads only its own. */
const FORMATS: Readonly<Record<Exclude<ExportFormat, 'zim'>, () => Promise<FormatWriter>>> = {
  bagit: () => import('./bagit/write-bag.ts').then(({ writeBag, readBagFiles }) => ({ write: writeBag, ownFiles: readBagFiles })),
  wacz: () => import('./wacz/wacz.ts').then(({ writeWacz }) => ({ write: writeWacz, ownFiles: noFiles })),
  tables: () =>
    import('./tables/tables.ts').then(({ writeTablesPackage, isTablesFile }) => ({
      write: writeTablesPackage,
      ownFiles: () => isTablesFile,
    })),
  iiif: () => import('./iiif/iiif.ts').then(({ writeIiif }) => ({ write: writeIiif, ownFiles: readFileList })),
  api: () => import('./api/static-api.ts').then(({ writeStaticApi }) => ({ write: writeStaticApi, ownFiles: readFileList })),
  ead: () => import('./ead/ead.ts').then(({ writeEadExport }) => ({ write: writeEadExport, ownFiles: readFileList })),
};

/** A WACZ is always a file. */
const noFiles = (): IsOwnFile => () => false;

/**
 * Writes the package. An interrupted export leaves nothing at its path.
 * @throws {UserError} if the snapshot or the target cannot be used.
 */
export async function runExport(format: ExportFormat, options: ExportOptions): Promise<ExportReport> {
  assertSeparate(options);
  if (options.keyFile !== undefined) await sign('bag', new Uint8Array(), options.keyFile); // fails now, not after an hour of writing
  if (format === 'zim') return exportZim(options);
  if (options.fromSite) return exportWaczSite(options);
  const { to, snapshot, dir, withholding, collections, siteUrl, archiveLanguage, keyFile, withSource, notices = [] } = options;
  const { onProgress, onBytes } = combineProgress(options.onProgress);
  const { write, ownFiles } = await FORMATS[format]();
  const opened = openArchive(snapshot);
  let read: TemporaryCatalogue | undefined;
  try {
    const { remember } = protectSnapshot(opened, withholding, options.withholdLess);
    const store = createVisibleStore(opened, { withholding, collections });
    const publicStore = createVisibleStore(opened, { withholding, collections, publicOnly: true });
    const scope = scopeOf(store, withholding, collections);
    const catalogue = () => {
      read ??= readCatalogue(publicStore);
      return read;
    };
    const context: ExportContext = {
      ...{
        store,
        publicStore,
        scope,
        snapshot,
        dir,
        siteUrl,
        archiveLanguage,
        notices,
        withSource,
        onProgress,
      },
      get catalogue() {
        return catalogue();
      },
      title: readRepositoryTitle(publicStore) ?? catalogue().facts.title,
    };
    const form = format === 'wacz' ? 'zip' : formOf(to);
    const digests = format === 'bagit' ? BAG_DIGESTS : (['sha256'] as const);
    const target = { form, digests, isOwn: () => isOwnExport(to, format, ownFiles), onBytes };
    // The directory in a ZIP or TAR file does not depend on the name of the file, nor do the bytes.
    const root = form === 'directory' || format === 'wacz' ? '' : `microfiche-${format}/`;
    const report = await writePackage(format, to, target, (writer) => write(context, writer, root, keyFile));
    return { ...report, notes: [...report.notes, ...remember()] };
  } finally {
    read?.db.close();
    opened.close();
  }
}

/**
 * Checks that an export does not write into what it reads, or replace it.
 * @throws {UserError} if it would.
 */
function assertSeparate({ to, snapshot, dir }: ExportOptions): void {
  for (const [name, source] of [
    ['snapshot', snapshot],
    ['site', dir],
  ] as const) {
    if (isWithin(to, source))
      throw new UserError(`${to} is in the ${name} ${source}, from which exports are made. Choose a path outside it.`);
    if (existsSync(source) && isWithin(source, to))
      throw new UserError(`${to} contains the ${name} ${source}. Choose another path.`);
  }
}

/** Writes a package, and gives it its name when it is complete. What was written of an incomplete one is deleted. */
async function writePackage(
  format: ExportFormat,
  to: string,
  target: TargetOptions,
  write: (writer: PackageWriter) => Promise<PackageReport>,
): Promise<ExportReport> {
  const writer = await openPackage(to, target);
  try {
    const report = await write(writer);
    await writer.finish();
    return { format, to, ...report, notes: [...report.notes, ...nameNotes(format, to)] };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Exports the site, without the snapshot. */
async function exportZim({ to, dir, fullText, withholding, snapshot, ...options }: ExportOptions): Promise<ExportReport> {
  const { isOwnZim, writeZim } = await import('./zim/zim.ts');
  const { onProgress, onBytes } = combineProgress(options.onProgress);
  const isOwn = async (path: string) => lstatSync(path).isFile() && isOwnZim(path);
  return writePackage('zim', to, { form: 'file', isOwn, onBytes }, (writer) =>
    writeZim({ dir, fullText, withholding, snapshot, onProgress }, writer),
  );
}

/** Exports the site, without the snapshot. */
async function exportWaczSite(options: ExportOptions): Promise<ExportReport> {
  const { to, dir, siteUrl, keyFile, withholding, snapshot } = options;
  const { writeWaczSite } = await import('./wacz/wacz-site.ts');
  const { onProgress, onBytes } = combineProgress(options.onProgress);
  const isOwn = () => isOwnExport(to, 'wacz', noFiles);
  return writePackage('wacz', to, { form: 'zip', digests: ['sha256'], isOwn, onBytes }, (writer) =>
    writeWaczSite({ dir, siteUrl, keyFile, withholding, snapshot, onProgress }, writer),
  );
}

/** Returns functions that report the progress of a format together with the bytes that were written: one file may take minutes. */
function combineProgress(onProgress: ExportOptions['onProgress']): {
  onProgress: (done: number, total: number) => void;
  onBytes: (bytes: number) => void;
} {
  let [done, total, written] = [0, 0, 0];
  const report = () => onProgress?.(done, total, formatBytes(written));
  return {
    onProgress(nowDone, nowTotal) {
      [done, total] = [nowDone, nowTotal];
      report();
    },
    onBytes(bytes) {
      written += bytes;
      if (total > 0) report();
    },
  };
}

/** Returns what to say of the name of a file that programs know by the end of its name. */
function nameNotes(format: ExportFormat, to: string): string[] {
  if (format === 'zim' && !/\.zim$/i.test(to)) return ['Kiwix opens only files whose names end in .zim.'];
  if (format === 'wacz' && !/\.wacz$/i.test(to)) return ['Programs for web archives know a WACZ by the end of its name, .wacz.'];
  return [];
}

function formOf(to: string): PackageForm {
  const [, form] = /\.(zip|tar)$/i.exec(to) ?? [];
  return form === undefined ? 'directory' : (form.toLowerCase() as PackageForm);
}

/**
 * Returns whether a path has an export of a format that Microfiche wrote, which names itself in its identity file.
 * @throws {UserError} if it is a directory to which others have added a file.
 */
async function isOwnExport(path: string, format: ExportFormat, ownFiles: FormatWriter['ownFiles']): Promise<boolean> {
  try {
    const own = (await readIdentity(path))?.format;
    if (own !== format && !(format === 'wacz' && own === WACZ_SITE_FORMAT)) return false;
  } catch {
    return false; // nothing that can be read as a package is one of ours
  }
  if (!lstatSync(path).isDirectory()) return true;
  const foreign = findForeignFile(path, await ownFiles(path));
  if (foreign !== undefined)
    throw new UserError(
      `${path} contains ${toPrintable(foreign)}, which Microfiche did not write. Move it away, or choose another path.`,
    );
  return true;
}
