/** Prepares what pages are rendered from: the catalogue, the derivatives, and the site in each locale. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, readCatalogue } from '../catalogue/catalogue.ts';
import { countChangedRecords, type RecordChanges } from '../catalogue/catalogue-changes.ts';
import { createCatalogueFile } from '../catalogue/catalogue-file.ts';
import type { VisibleStore } from '../catalogue/visible-store.ts';
import type { SearchForms } from '../client/search-forms.ts';
import type { CopiedFiles } from '../derivatives/copied-files.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { ImageFormat } from '../derivatives/image-formats.ts';
import type { DerivativeProblems } from '../derivatives/problems.ts';
import { type GuessedCharset, listGuessedCharsets } from '../derivatives/shown-files.ts';
import { prepareSiteFiles, type TimeStep } from '../derivatives/site-files.ts';
import type { SiteImages } from '../site/images.ts';
import type { Language } from '../site/language/locale.ts';
import type { KioskSettings } from '../site/site.ts';
import type { SiteCache } from './build-caches.ts';
import { ownsFile, type Shard } from './shard.ts';
import {
  createSite,
  keepOpenForReading,
  type OpenSite,
  type SiteMedia,
  type SiteSource,
  writeMediaLookups,
} from './site-source.ts';

/** Options that change what pages show. */
export interface SiteSettings {
  /** The URL at which the site will be hosted, with a trailing slash; adds the sitemap. */
  site: string | undefined;
  /** Languages of the interface; the first one is at the top of the site. */
  languages: readonly Language[];
  /** The main language of the archive's texts: a BCP 47 tag. */
  archiveLanguage: string;
  /** Set in kiosk mode: no link leaves the site, and it returns to its attract screen when it is idle. */
  kiosk: KioskSettings | undefined;
  /** Whether pages and thumbnails are in packs: for USB drives, on which every file takes an entire cluster. */
  compact: boolean;
  /** File format of images on pages. */
  imageFormat: ImageFormat;
  /** Forms in which the search index is made; may be none. */
  searchForms: SearchForms;
  /** Reports the progress of a step. */
  onProgress?: (step: string, done: number, total: number) => void;
}

/** Everything that pages are rendered from. `problems` and `lacking` are about media files; if such a file is an image, pages show a placeholder. */
export interface Prepared extends DerivativeProblems, OpenSite {
  catalogue: Catalogue;
  images: SiteImages;
  tiles: Readonly<Record<string, Tiles>>;
  copiedFiles: CopiedFiles;
  /** What other threads need to open the same site. */
  source: SiteSource;
  /** Media files and derivatives: path in the site → file on disk. */
  files: ReadonlyMap<string, string>;
  /** Number of derivatives that were created because they were not cached. */
  made: number;
  /** Text files whose charset was guessed. */
  guessedCharsets: GuessedCharset[];
  /** The records that changed since the catalogue file of the last build; undefined if there is none. */
  changes: RecordChanges | undefined;
  /** Closes the catalogue file. */
  close(): void;
}

/** Writes the catalogue file of a site, and compares it with that of the last build, which it replaces. */
function replaceCatalogueFile(file: string, catalogue: Catalogue, media: SiteMedia) {
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const db = createCatalogueFile(catalogue, draft);
  writeMediaLookups(db, media);
  const changes = existsSync(file) ? countChangedRecords(db, file) : undefined;
  renameSync(draft, file); // whole, if the process is killed
  keepOpenForReading(db);
  return { db, changes };
}

/** The snapshot of a site, and what is not to be seen of it. */
export interface VisibleSnapshot extends Pick<SiteSource, 'snapshot' | 'visible'> {
  store: VisibleStore;
}

/** Reads the catalogue of a snapshot and creates the derivatives that are not cached; for a shard, only its own. */
export async function prepareSite(
  { store, snapshot, visible }: VisibleSnapshot,
  cache: Pick<SiteCache, 'directory' | 'derivatives' | 'noteUsedFiles'>,
  { languages, archiveLanguage, kiosk, searchForms, compact, site: siteUrl, imageFormat, onProgress }: SiteSettings,
  timed: TimeStep,
  shard?: Shard,
): Promise<Prepared> {
  const catalogue = await timed('catalogue', () => readCatalogue(store));
  const media = await prepareSiteFiles(store, catalogue, {
    cacheDirectory: cache.directory,
    derivatives: cache.derivatives,
    imageFormat,
    owns: shard && ((sha256) => ownsFile(shard, sha256)),
    onProgress: (done, total) => onProgress?.('Images', done, total),
    timed,
  });
  const { images, tiles, copiedFiles, shown, files, problems, lacking } = media;
  cache.noteUsedFiles(shown.map(({ sha256 }) => sha256));
  const catalogueFile = join(cache.directory, 'catalogue.sqlite');
  const { db, changes } = await timed('catalogue file', () => replaceCatalogueFile(catalogueFile, catalogue, media));
  const { facts, withdrawn, authors, articles } = catalogue;
  const source: SiteSource = {
    ...{ snapshot, visible, catalogueFile },
    catalogue: { facts, withdrawn, authors, articles },
    settings: { languages, archiveLanguage, kiosk, searchForms, compact, siteUrl },
  };
  return {
    changes,
    ...createSite(db, store, source),
    ...{ catalogue, source, images, tiles, copiedFiles, problems, lacking, files },
    made: media.newCount,
    guessedCharsets: listGuessedCharsets(shown),
    close: () => db.close(),
  };
}
