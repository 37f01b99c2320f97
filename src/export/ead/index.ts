/** Finding aids of the collections (EAD3). */
import type { ExportFormat } from '../export-format.ts';

/** The format of `export ead`. */
export const format: ExportFormat = {
  name: 'ead',
  source: 'snapshot',
  isListed: true,
  load: async () => ({ write: (await import('./ead.ts')).writeEadExport }),
};
