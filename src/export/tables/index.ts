/** Tables of the published records: CSV, Parquet and SQLite. */
import type { ExportFormat } from '../export-format.ts';

/** The format of `export tables`. */
export const format: ExportFormat = {
  name: 'tables',
  source: 'snapshot',
  load: async () => {
    const { isTablesFile, writeTablesPackage } = await import('./tables.ts');
    return { write: writeTablesPackage, ownFiles: () => isTablesFile };
  },
};
