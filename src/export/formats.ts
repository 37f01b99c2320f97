/** The formats of export. */
import { BAG_DIGESTS } from './digest.ts';
import { WACZ_SITE } from './export-context.ts';
import type { ExportFormat } from './export-format.ts';

const WACZ = {
  name: 'wacz',
  replaces: ['wacz', WACZ_SITE],
  form: 'zip',
  isSigned: true,
  ending: { pattern: /\.wacz$/i, note: 'Programs for web archives know a WACZ by the end of its name, .wacz.' },
} as const;

/** All formats by name, in the order of the help. */
export const FORMATS = {
  /** BagIt bags (RFC 8493), which are also RO-Crates: the whole snapshot, with tables and finding aids. */
  bagit: {
    name: 'bagit',
    source: 'snapshot',
    digests: BAG_DIGESTS,
    isSigned: true,
    hasSource: true,
    hasUpdates: true,
    load: async () => {
      const { writeBag, readBagFiles } = await import('./bagit/write-bag.ts');
      return { write: writeBag, ownFiles: readBagFiles };
    },
  },
  /** For programs for web archives: the exchanges with the API and the media files of a snapshot, or a site. */
  wacz: {
    ...WACZ,
    source: 'snapshot',
    load: async () => ({ write: (await import('./wacz/wacz.ts')).writeWacz }),
    ofSite: {
      ...WACZ,
      source: 'site',
      insteadOfCollections:
        'A WACZ of a site has all of its pages. Build the site with --collection, or name the snapshot with --snapshot for a WACZ of the snapshot.',
      load: async () => ({ write: (await import('./wacz/wacz-site.ts')).writeWaczSite }),
    },
  },
  /** A site, for Kiwix and other offline readers. */
  zim: {
    name: 'zim',
    source: 'site',
    form: 'file',
    hasFullText: true,
    insteadOfCollections: 'A ZIM file has all pages of the site. Leave out --collection, and build the site with --collection.',
    ending: { pattern: /\.zim$/i, note: 'Kiwix opens only files whose names end in .zim.' },
    load: async () => {
      const { isOwnZim, writeZim } = await import('./zim/zim.ts');
      return { write: writeZim, isOwn: isOwnZim };
    },
  },
  /** The published records: CSV, Parquet and SQLite. */
  tables: {
    name: 'tables',
    source: 'snapshot',
    load: async () => {
      const { isTablesFile, writeTablesPackage } = await import('./tables/tables.ts');
      return { write: writeTablesPackage, ownFiles: () => isTablesFile };
    },
  },
  /** IIIF manifests of the images and recordings of a site (Presentation API 3). */
  iiif: {
    name: 'iiif',
    source: 'snapshot',
    isListed: true,
    hasUrls: true,
    hasNotices: true,
    load: async () => ({ write: (await import('./iiif/iiif.ts')).writeIiif }),
  },
  /** A static copy of the archive’s APIs, for any web server. */
  api: {
    name: 'api',
    source: 'snapshot',
    isListed: true,
    hasUrls: true,
    load: async () => ({ write: (await import('./api/static-api.ts')).writeStaticApi }),
  },
  /** Finding aids of the collections (EAD3). */
  ead: {
    name: 'ead',
    source: 'snapshot',
    isListed: true,
    load: async () => ({ write: (await import('./ead/ead.ts')).writeEadExport }),
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;
/** The name of a format. */
export type FormatName = keyof typeof FORMATS;
/** The names of all formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** Returns a format by name: that of sites if the package is to contain the site, and not the snapshot. */
export function formatOf(name: FormatName, fromSite: boolean): ExportFormat {
  const format: ExportFormat = FORMATS[name];
  return (fromSite && format.ofSite) || format;
}
