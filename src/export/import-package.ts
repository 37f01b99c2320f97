/** Imports a snapshot from a package that `export` wrote: a bag or a WACZ. */
import { readIdentity } from './identity.ts';
import { importBag } from './import-bag.ts';
import type { ImportReport } from './import-staging.ts';
import { importWacz } from './import-wacz.ts';

/**
 * Imports the package at `path` as the snapshot `target`.
 * @throws {UserError} if the target is not empty, or the package is damaged, was changed, or contains no snapshot.
 */
export async function importPackage(path: string, target: string): Promise<ImportReport> {
  const isWacz = /\.wacz$/i.test(path) || /^wacz/.test((await readIdentity(path))?.format ?? '');
  return isWacz ? importWacz(path, target) : importBag(path, target);
}
