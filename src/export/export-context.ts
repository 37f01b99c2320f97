/** What every format of export gets. */
import type { TemporaryCatalogue } from '../catalogue/catalogue.ts';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import type { Notice } from '../site/notices/notices.ts';
import type { ExportScope } from './scope.ts';

/** The input of an export. */
export interface ExportContext {
  /** The snapshot without what the archive withholds, limited to the chosen collections. It has private records. */
  store: VisibleStore;
  /** The same without private records, and everything below them. */
  publicStore: VisibleStore;
  /** What the package does not have of the snapshot: what is withheld or was purged, and other collections. */
  scope: ExportScope;
  /** What the archive publishes. It is read when it is first needed, because that takes time. */
  catalogue: TemporaryCatalogue;
  /** The title of the archive. */
  title: string;
  /** Directory of the snapshot. */
  snapshot: string;
  /** Directory of the site. */
  dir: string;
  /** The main language of the archive's texts: a BCP 47 tag. */
  archiveLanguage: string;
  /** The URL at which the export or the site will be hosted, without a slash at its end; undefined if it is not known. */
  siteUrl: string | undefined;
  /** Content warnings and cultural-protocol labels, for formats that show images. */
  notices: readonly Notice[];
  /** Whether a bag also contains the source of this program. */
  withSource: boolean;
  /** Gets the number of files or records done, and their total. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What an export wrote. */
export interface ExportReport {
  format: string;
  /** The path given by the operator. */
  to: string;
  files: number;
  /** Bytes of these files, before the compression of a ZIP file. */
  bytes: number;
  /** SHA-256 over the content that the format can hold; snapshots with the same content have the same one. */
  fingerprint: string;
  /** What a reader should know, as sentences. */
  notes: string[];
}

/** What the writer of a format reports. */
export type PackageReport = Omit<ExportReport, 'format' | 'to'>;

/** The name and version of this program, for metadata of packages. Not part of what is compared between versions. */
export const SOFTWARE = 'Microfiche';
