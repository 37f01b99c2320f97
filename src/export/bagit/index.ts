/** BagIt bags (RFC 8493), which are also RO-Crates: the whole snapshot, with tables and finding aids. */
import type { ExportFormat } from '../export-format.ts';
import { BAG_DIGESTS } from './bag.ts';

/** The format of `export bagit`. */
export const format: ExportFormat = {
  name: 'bagit',
  source: 'snapshot',
  digests: BAG_DIGESTS,
  isSigned: true,
  hasSource: true,
  load: async () => {
    const { writeBag, readBagFiles } = await import('./write-bag.ts');
    return { write: writeBag, ownFiles: readBagFiles };
  },
};
