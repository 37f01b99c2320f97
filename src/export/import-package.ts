/** Imports a snapshot from a package that `export` wrote: a bag or a WACZ. */
import { readIdentity } from './identity.ts';
import { importBag } from './import-bag.ts';
import type { ImportProgress, ImportReport } from './import-staging.ts';
import { importWacz } from './import-wacz.ts';

/**
 * Imports the package at `path` as the snapshot `target`.
 * @throws {UserError} if the target is not empty, or the package is damaged, was changed, or contains no snapshot.
 */
export async function importPackage(path: string, target: string, progress?: ImportProgress): Promise<ImportReport> {
  const isWacz = /\.wacz$/i.test(path) || (await readIdentity(path))?.format === 'wacz';
  return isWacz ? importWacz(path, target, progress) : importBag(path, target, progress);
}
