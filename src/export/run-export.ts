/** Runs an export: opens the snapshot and the target, writes the format, and gives the package its name when it is complete. */
import { lstatSync } from 'node:fs';
import { readCatalogue } from '../catalogue/catalogue.ts';
import { createVisibleStore } from '../catalogue/visible-store.ts';
import type { Withholding } from '../catalogue/withholding.ts';
import { openArchive } from '../sample/archive.ts';
import { BAG_DIGESTS } from './bag.ts';
import { writeBag } from './bagit.ts';
import { writeEadExport } from './ead.ts';
import type { ExportContext, ExportReport } from './export-context.ts';
import type { ExportFormat } from './formats.ts';
import { readIdentity } from './identity.ts';
import { writeIiif } from './iiif.ts';
import { openPackage, type PackageForm, type PackageWriter } from './package-writer.ts';
import { writeStaticApi } from './static-api.ts';
import { writeTablesPackage } from './tables.ts';
import { writeWacz } from './wacz.ts';
import { WACZ_SITE_FORMAT, writeWaczSite } from './wacz-site.ts';
import { isOwnZim, writeZim } from './zim/zim.ts';

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
  /** Whether it is a WACZ that is to contain the site, and not the snapshot. */
  fromSite: boolean;
  /** Adds a full-text index, in formats that have one. */
  fullText: boolean;
  withholding: Withholding;
  onProgress?: ExportContext['onProgress'];
}

type Write = (
  context: ExportContext,
  writer: PackageWriter,
  root: string,
  keyFile: string | undefined,
) => Promise<Omit<ExportReport, 'format' | 'to'>>;

const FORMATS: Readonly<Record<Exclude<ExportFormat, 'zim'>, Write>> = {
  bagit: writeBag,
  wacz: writeWacz,
  tables: writeTablesPackage,
  iiif: writeIiif,
  api: writeStaticApi,
  ead: writeEadExport,
};

/**
 * Writes the package. An interrupted export leaves nothing at its path.
 * @throws {UserError} if the snapshot or the target cannot be used.
 */
export async function runExport(format: ExportFormat, options: ExportOptions): Promise<ExportReport> {
  if (format === 'zim') return exportZim(options);
  if (options.fromSite) return exportWaczSite(options);
  const { to, snapshot, dir, withholding, collections, siteUrl, archiveLanguage, keyFile, onProgress } = options;
  const opened = openArchive(snapshot);
  try {
    const store = createVisibleStore(opened, { withholding, collections });
    const publicStore = createVisibleStore(opened, { withholding, collections, publicOnly: true });
    const { records, fields, fieldsBelow, persons } = withholding;
    const isRestricted = collections !== undefined || records.size + fields.size + fieldsBelow.size + persons.length > 0;
    const catalogue = readCatalogue(publicStore);
    const { title } = catalogue.facts;
    const context: ExportContext = {
      ...{ store, publicStore, isRestricted, catalogue, title },
      ...{ snapshot, dir, siteUrl, archiveLanguage, onProgress },
    };
    const form = format === 'wacz' ? 'zip' : formOf(to);
    const writer = await openPackage(to, { form, digests: BAG_DIGESTS, isOwn: (path) => isOwnExport(path, format) });
    try {
      // The directory in a ZIP or TAR file does not depend on the name of the file, nor do the bytes.
      const report = await FORMATS[format](
        context,
        writer,
        form === 'directory' || format === 'wacz' ? '' : `microfiche-${format}/`,
        keyFile,
      );
      await writer.finish();
      return { format, to, ...report };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  } finally {
    opened.close();
  }
}

/** Exports the site, without the snapshot. */
async function exportZim({ to, dir, fullText, onProgress }: ExportOptions): Promise<ExportReport> {
  const writer = await openPackage(to, { form: 'file', isOwn: async (path) => lstatSync(path).isFile() && isOwnZim(path) });
  try {
    const report = await writeZim({ dir, fullText, onProgress }, writer);
    await writer.finish();
    const notes = /\.zim$/i.test(to) ? [] : ['Kiwix opens only files whose names end in .zim.'];
    return { format: 'zim', to, ...report, notes };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Exports the site, without the snapshot. */
async function exportWaczSite({ to, dir, siteUrl, keyFile, onProgress }: ExportOptions): Promise<ExportReport> {
  const writer = await openPackage(to, { form: 'zip', digests: ['sha256'], isOwn: (path) => isOwnExport(path, 'wacz') });
  try {
    const report = await writeWaczSite({ dir, siteUrl, keyFile, onProgress }, writer);
    await writer.finish();
    return { format: 'wacz', to, ...report };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function formOf(to: string): PackageForm {
  const [, form] = /\.(zip|tar)$/i.exec(to) ?? [];
  return form === undefined ? 'directory' : (form.toLowerCase() as PackageForm);
}

/** Returns whether a path has an export of a format that Microfiche wrote, which names itself in its identity file. */
async function isOwnExport(path: string, format: ExportFormat): Promise<boolean> {
  try {
    const own = (await readIdentity(path))?.format;
    return own === format || (format === 'wacz' && own === WACZ_SITE_FORMAT);
  } catch {
    return false; // nothing that can be read as a package is one of ours
  }
}
