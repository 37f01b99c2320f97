/** Exports a snapshot and site in every format, for tests in another environment. Arguments: snapshot, site, target directory. */
import { join } from 'node:path';
import { NOTHING_WITHHELD } from '../../src/catalogue/read/withholding.ts';
import type { FormatName } from '../../src/export/formats.ts';
import { runExport } from '../../src/export/run-export.ts';

/** The WACZ of the site, and not of the snapshot. */
const SITE = 'site.wacz';

/** Every format of export, and the name of a package of it. */
export const PACKAGES: ReadonlyArray<readonly [format: FormatName, name: string, collections?: readonly string[]]> = [
  ['bagit', 'bag'],
  ['bagit', 'bag.zip'],
  ['bagit', 'bag.tar'],
  ['bagit', 'part', ['lica-quay-1']],
  ['wacz', 'archive.wacz'],
  ['wacz', 'part.wacz', ['lica-quay-1']],
  ['wacz', SITE],
  ['tables', 'tables'],
  ['tables', 'tables.zip'],
  ['ead', 'ead.tar'],
  ['api', 'api'],
  ['iiif', 'iiif.zip'],
  ['zim', 'archive.zim'],
];

/** Exports all of them into a directory. */
export async function exportAll(snapshot: string, dir: string, to: string): Promise<void> {
  for (const [format, name, collections] of PACKAGES)
    await runExport(format, {
      ...{ to: join(to, name), snapshot, dir, collections, siteUrl: 'https://mirror.example/archive', archiveLanguage: 'en' },
      ...{
        keyFile: undefined,
        fullText: false,
        withSource: name === 'bag',
        fromSite: name === SITE,
        withholding: NOTHING_WITHHELD,
      },
    });
}

if (import.meta.main) await exportAll(...(process.argv.slice(2) as [string, string, string]));
