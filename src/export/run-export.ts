/** Runs an export: opens the snapshot and the target, writes the format, and gives the package its name when it is complete. */
import { existsSync, lstatSync } from 'node:fs';
import { readCatalogue, readRepositoryTitle } from '../catalogue/catalogue.ts';
import { createVisibleStore } from '../catalogue/read/visible-store.ts';
import { UserError } from '../model/errors.ts';
import { lazy } from '../platform/lazy.ts';
import { formatBytes } from '../platform/quantities.ts';
import { isWithin } from '../platform/staging.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { sign } from '../publish/signature.ts';
import { protectSnapshot } from '../publish/withheld-before.ts';
import type { Notice } from '../site/notices/notices.ts';
import { openSnapshot } from '../snapshot/store.ts';
import type { ExportContext, ExportReport, SiteContext } from './export-context.ts';
import type { ExportFormat, FormatWriter } from './export-format.ts';
import { type FormatName, formatOf } from './formats.ts';
import { readIdentity } from './identity.ts';
import { findForeignFile, readFileList } from './own-files.ts';
import type { PackageForm } from './package/create-sink.ts';
import { openPackage } from './package/package-writer.ts';
import { scopeOf } from './scope.ts';

/** Options of an export. */
export interface ExportOptions
  extends Omit<SiteContext, 'onProgress'>,
    Pick<ExportContext, 'archiveLanguage' | 'withSource' | 'since'> {
  /** Path of the package. */
  to: string;
  /** IDs of collections; all if undefined. */
  collections: readonly string[] | undefined;
  /** Whether the package is to contain the site, and not the snapshot, in a format that can be made of both. */
  fromSite: boolean;
  /** Whether what is withheld may be less than before. */
  withholdLess?: boolean | undefined;
  /** Content warnings and cultural-protocol labels. */
  notices?: readonly Notice[];
  /** Gets the number of files or records done, their total, and how many bytes were written, in words. */
  onProgress?: (done: number, total: number, written: string) => void;
}

/**
 * Writes the package. An interrupted export leaves nothing at its path.
 * @throws {UserError} if the snapshot or the target cannot be used.
 */
export async function runExport(name: FormatName, options: ExportOptions): Promise<ExportReport> {
  assertSeparate(options);
  // fails now, not after an hour of writing
  if (options.keyFile !== undefined) await sign('bag', new Uint8Array(), options.keyFile);
  const format = formatOf(name, options.fromSite);
  const { onProgress, onBytes } = combineProgress(options.onProgress);
  if (format.source === 'snapshot') return exportSnapshot(format, { ...options, onProgress }, onBytes);
  return writePackage(format, options.to, await format.load(), { ...options, onProgress }, onBytes);
}

/** Exports a snapshot, without what is withheld. */
async function exportSnapshot(
  format: Extract<ExportFormat, { source: 'snapshot' }>,
  options: Omit<ExportOptions, 'onProgress'> & Pick<SiteContext, 'onProgress'>,
  onBytes: (bytes: number) => void,
): Promise<ExportReport> {
  const { withholding, collections, notices = [] } = options;
  const writer = await format.load();
  using closing = new DisposableStack();
  const opened = closing.use(openSnapshot(options.snapshot));
  const { remember, withheld } = protectSnapshot(opened, withholding, options.withholdLess);
  const store = createVisibleStore(opened, { withholding, collections });
  const publicStore = createVisibleStore(opened, { withholding, collections, publicOnly: true, usesPerCheck: 100 });
  const catalogue = lazy(() => {
    const read = readCatalogue(publicStore);
    closing.use(read.db);
    return read;
  });
  const context: ExportContext = {
    ...options,
    store,
    publicStore,
    scope: { ...scopeOf(store, withholding, collections), withheld: withheld.published },
    notices,
    get catalogue() {
      return catalogue();
    },
    title: readRepositoryTitle(publicStore) ?? catalogue().facts.title,
  };
  const report = await writePackage(format, options.to, writer, context, onBytes);
  return { ...report, notes: [...report.notes, ...remember()] };
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
async function writePackage<Context>(
  format: ExportFormat,
  to: string,
  { write, ...own }: FormatWriter<Context>,
  context: Context,
  onBytes: (bytes: number) => void,
): Promise<ExportReport> {
  const { name, digests = ['sha256'], ending } = format;
  const form = format.form ?? formOfName(to);
  await using writer = await openPackage(to, { form, digests, isOwn: () => isOwnExport(to, format, own), onBytes });
  // The directory in a ZIP or TAR file does not depend on the name of the file, nor do the bytes.
  const report = await write(context, writer, form === 'directory' || format.form ? '' : `microfiche-${name}/`);
  await writer.finish();
  return {
    format: name,
    to,
    ...report,
    notes: [...report.notes, ...(ending?.pattern.test(to) === false ? [ending.note] : [])],
  };
}

/** Returns functions that report a format's progress, together with the bytes written: one file may take minutes. */
function combineProgress(onProgress: ExportOptions['onProgress']) {
  let [done, total, written] = [0, 0, 0];
  const report = () => onProgress?.(done, total, formatBytes(written));
  return {
    onProgress(nowDone: number, nowTotal: number) {
      [done, total] = [nowDone, nowTotal];
      report();
    },
    onBytes(bytes: number) {
      written += bytes;
      if (total > 0) report();
    },
  };
}

function formOfName(to: string): PackageForm {
  const [, form] = /\.(zip|tar)$/i.exec(to) ?? [];
  return form === undefined ? 'directory' : (form.toLowerCase() as PackageForm);
}

/**
 * Returns whether a path has an export of a format that Microfiche wrote, which names itself in its identity file.
 * @throws {UserError} if it is a directory to which others have added a file.
 */
async function isOwnExport(
  path: string,
  { name, replaces = [name] }: ExportFormat,
  { isOwn, ownFiles = readFileList }: Omit<FormatWriter<never>, 'write'>,
): Promise<boolean> {
  if (isOwn) return lstatSync(path).isFile() && isOwn(path);
  try {
    if (!replaces.includes((await readIdentity(path))?.format ?? '')) return false;
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
