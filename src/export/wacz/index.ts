/** WACZ files for programs for web archives: the exchanges with the API and the media files of a snapshot, or a site. */
import { WACZ_SITE } from '../export-context.ts';
import type { ExportFormat } from '../export-format.ts';

const BOTH = {
  name: 'wacz',
  replaces: ['wacz', WACZ_SITE],
  form: 'zip',
  isSigned: true,
  ending: { pattern: /\.wacz$/i, note: 'Programs for web archives know a WACZ by the end of its name, .wacz.' },
} as const;

/** The format of `export wacz`. */
export const format: ExportFormat = {
  ...BOTH,
  source: 'snapshot',
  load: async () => ({ write: (await import('./wacz.ts')).writeWacz }),
  ofSite: {
    ...BOTH,
    source: 'site',
    insteadOfCollections:
      'A WACZ of a site has all of its pages. Build the site with --collection, or name the snapshot with --snapshot for a WACZ of the snapshot.',
    load: async () => ({ write: (await import('./wacz-site.ts')).writeWaczSite }),
  },
};
