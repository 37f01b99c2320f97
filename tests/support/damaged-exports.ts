/** Exports of a damaged snapshot, within the test's own process. */
import { NOTHING_WITHHELD, type Withholding } from '../../src/catalogue/read/withholding.ts';
import type { ExportReport } from '../../src/export/export-context.ts';
import type { FormatName } from '../../src/export/formats.ts';
import type { ExportOptions } from '../../src/export/run-export.ts';
import { exportInProcess } from './small-packages.ts';

const restricted: Partial<ExportOptions> = {
  collections: ['demo-org-1'],
  withholding: { ...NOTHING_WITHHELD, persons: ['Ada'] } satisfies Withholding,
};

const EXPORTS: Readonly<Record<string, readonly [format: FormatName, options?: Partial<ExportOptions>]>> = {
  bag: ['bagit'],
  'part-of-bag': ['bagit', restricted],
  'archive.wacz': ['wacz'],
  'part.wacz': ['wacz', restricted],
  api: ['api', { siteUrl: 'https://mirror.example' }],
  tables: ['tables', restricted],
  ead: ['ead'],
};

/** Their names. */
export const DAMAGED_EXPORTS: readonly string[] = Object.keys(EXPORTS);

/** Writes one of the exports to `to`. */
export function exportDamaged(name: string, snapshot: string, to: string): Promise<ExportReport> {
  const [format, options] = EXPORTS[name] as readonly [FormatName, Partial<ExportOptions>?];
  return exportInProcess(format, snapshot, to, options);
}
