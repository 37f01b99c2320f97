/** ZIM files of a site, for Kiwix and other offline readers. */
import type { ExportFormat } from '../export-format.ts';

/** The format of `export zim`. */
export const format: ExportFormat = {
  name: 'zim',
  source: 'site',
  form: 'file',
  hasFullText: true,
  insteadOfCollections: 'A ZIM file has all pages of the site. Leave out --collection, and build the site with --collection.',
  ending: { pattern: /\.zim$/i, note: 'Kiwix opens only files whose names end in .zim.' },
  load: async () => {
    const { isOwnZim, writeZim } = await import('./zim.ts');
    return { write: writeZim, isOwn: isOwnZim };
  },
};
