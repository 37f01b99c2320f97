/** What every format of export gets. */
import type { TemporaryCatalogue } from '../catalogue/catalogue.ts';
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import type { Withholding } from '../catalogue/read/withholding.ts';
import type { Notice } from '../site/notices/notices.ts';
import type { ExportScope } from './scope.ts';

/** The input of an export of a site. */
export interface SiteContext {
  /** Directory of the site. */
  dir: string;
  /** Directory of the snapshot, which may not exist. */
  snapshot: string;
  /** The URL at which the export or the site will be hosted, without a slash at its end; undefined if it is not known. */
  siteUrl: string | undefined;
  /** Private key of OpenSSH. */
  keyFile: string | undefined;
  /** Adds the full-text index of libzim. */
  fullText: boolean;
  withholding: Withholding;
  /** Gets the number of files or records done, and their total. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The input of an export of a snapshot. */
export interface ExportContext extends Omit<SiteContext, 'fullText' | 'withholding'> {
  /** The snapshot without what the archive withholds, limited to the chosen collections. It has private records. */
  store: VisibleStore;
  /** The same without private records, and everything below them. */
  publicStore: VisibleStore;
  /** What the package does not have of the snapshot: what is withheld or was purged, and other collections. */
  scope: ExportScope;
  /** What the archive publishes. It is read when it is first needed, because that takes time. */
  catalogue: TemporaryCatalogue;
  title: string;
  /** The main language of the archive's texts: a BCP 47 tag. */
  archiveLanguage: string;
  /** Content warnings and cultural-protocol labels, for formats that show images. */
  notices: readonly Notice[];
  /** Whether a bag also contains the source of this program. */
  withSource: boolean;
  /** The manifest of an earlier bag, if only what differs from it is written. */
  since?: string | undefined;
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
/** The format in the identity of a WACZ of a site, from which no snapshot can be made. */
export const WACZ_SITE = 'wacz-site';
