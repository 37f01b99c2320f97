/** IIIF manifests of the images and recordings of a site (Presentation API 3). */
import type { ExportFormat } from '../export-format.ts';

/** The format of `export iiif`. */
export const format: ExportFormat = {
  name: 'iiif',
  source: 'snapshot',
  isListed: true,
  hasUrls: true,
  hasNotices: true,
  load: async () => ({ write: (await import('./iiif.ts')).writeIiif }),
};
