/** A static copy of the archive’s APIs, for any web server. */
import type { ExportFormat } from '../export-format.ts';

/** The format of `export api`. */
export const format: ExportFormat = {
  name: 'api',
  source: 'snapshot',
  isListed: true,
  hasUrls: true,
  load: async () => ({ write: (await import('./static-api.ts')).writeStaticApi }),
};
