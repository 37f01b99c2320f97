/** Imports a snapshot from a package that `export` wrote: a bag or a WACZ. */

import { importBag } from './bag/import-bag.ts';
import { WACZ_SITE_FORMAT } from './formats.ts';
import { readIdentity } from './identity.ts';
import { type ImportOptions, type ImportReport, refusePackage } from './import-staging.ts';
import { importWacz } from './wacz/import-wacz.ts';

/**
 * Imports the package at `path` as the snapshot `target`.
 * @throws {UserError} if the target is not empty, or the package is damaged, was changed, or contains no snapshot.
 */
export async function importPackage(path: string, target: string, options: ImportOptions = {}): Promise<ImportReport> {
  const format = (await readIdentity(path))?.format;
  if (/\.wacz$/i.test(path) || format === 'wacz' || format === WACZ_SITE_FORMAT) return importWacz(path, target, options);
  if (format !== undefined && format !== 'bagit')
    refusePackage(path, `it was exported as ${format}, and only bags and WACZs contain a snapshot`);
  return importBag(path, target, options);
}
