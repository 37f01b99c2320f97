/**
 * Remembers with which setting `withhold` a site was built, so that an export of an older site does not contain what was withheld since. This
 * is in the cache of the site and not in the site itself, where anybody could try names and IDs until a checksum matches.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfWithholding, NOTHING_WITHHELD, type Withholding } from '../catalogue/withholding.ts';
import { cacheRootDirectory, siteCacheDirectory } from '../derivatives/cache-directories.ts';
import { UserError } from '../model/errors.ts';
import { isObject } from '../model/values.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { readManifestText } from './manifest.ts';

/** In the cache of a site: the checksums of its manifest and of the setting. */
const RECORD_FILE = 'withholding.json';

/** Remembers the setting of the site that was just published in the directory `out`. `setting` is its checksum. */
export function recordWithholding(cacheDirectory: string, out: string, setting: string): void {
  const record = { manifest: hash('sha256', readManifestText(out) ?? ''), setting };
  writeFileSync(join(cacheDirectory, RECORD_FILE), `${JSON.stringify(record)}\n`);
}

/**
 * Checks that the site in a directory was built with this setting. `manifest` is the SHA-256 of its manifest.
 * @throws {UserError} if it was not, or if that is unknown and something is withheld.
 */
export function assertSameWithholding(dir: string, manifest: string, withholding: Withholding): void {
  const setting = hashOfWithholding(withholding);
  const record = readRecord(siteCacheDirectory(cacheRootDirectory(), toSafeDirectory(dir).root));
  if (record?.['manifest'] === manifest) {
    if (record['setting'] !== setting)
      throw new UserError(`The site in ${dir} was built with another setting of "withhold". Build it again, then export.`);
  } else if (setting !== hashOfWithholding(NOTHING_WITHHELD))
    throw new UserError(
      `It is not known whether the site in ${dir} was built with the present setting of "withhold". Build it again in this working directory, then export.`,
    );
}

function readRecord(cacheDirectory: string): Record<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(cacheDirectory, RECORD_FILE), 'utf8'));
    return isObject(record) ? record : undefined;
  } catch {
    return undefined; // the cache was deleted, or another program wrote the file
  }
}
