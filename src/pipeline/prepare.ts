/** Prepares what pages are rendered from: the catalogue, the derivatives, and the site in each locale. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Catalogue, readCatalogue } from '../catalogue/catalogue.ts';
import { countChangedRecords, type RecordChanges } from '../catalogue/catalogue-changes.ts';
import { createCatalogueFile } from '../catalogue/catalogue-file.ts';
import { findChangedKeys } from '../catalogue/changed-keys.ts';
import { createRecorder, type Recorder } from '../catalogue/recorder.ts';
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
import { readBodies } from '../snapshot/read.ts';
import type { SiteCache } from './build-caches.ts';
import { ownsFile, type Shard } from './shard.ts';
import { createSite, keepOpenForReading, type OpenSite, type SiteMedia, type SiteSource, writeLookups } from './site-source.ts';

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
  /**
   * The keys of everything that pages would read otherwise than in the last complete build (src/catalogue/read-keys.ts); undefined if that is not
   * known.
   */
  changedKeys: ReadonlySet<string> | undefined;
  /** Records what pages read that are rendered in this thread. */
  recorder: Recorder;
  /** Keeps the catalogue file for the next build, because this one is complete. */
  keep(): void;
  /** Closes the catalogue file. */
  close(): void;
}

/** The catalogue file of a build, which replaces that of the last one when the build is complete. */
interface CatalogueFile {
  db: DatabaseSync;
  path: string;
  /** As in `Prepared`. */
  changes: RecordChanges | undefined;
  /** As in `Prepared`. */
  changedKeys: ReadonlySet<string> | undefined;
  /** As in `Prepared`. */
  keep(): void;
}

/** Writes the catalogue file of a site beside that of the last build, and compares the two. */
function writeCatalogueFile(
  directory: string,
  catalogue: Catalogue,
  media: SiteMedia,
  sourceVersions: Readonly<Record<string, string>>,
): CatalogueFile {
  const [last, path] = [join(directory, 'catalogue.sqlite'), join(directory, `catalogue-${process.pid}.sqlite`)];
  rmSync(path, { force: true });
  const db = createCatalogueFile(catalogue, path);
  writeLookups(db, media, catalogue.facts.emptyFiles, sourceVersions);
  const hasLast = existsSync(last);
  const changes = hasLast ? countChangedRecords(db, last) : undefined;
  const changedKeys = hasLast ? findChangedKeys(db, last) : undefined;
  keepOpenForReading(db);
  return { db, path, changes, changedKeys, keep: () => renameSync(path, last) };
}

/** Returns the SHA-256 of the body of each source, by name. */
function sourceVersionsOf(store: VisibleStore): Record<string, string> {
  return Object.fromEntries(Array.from(readBodies(store, 'source'), ({ name, sha256 }) => [name, sha256]));
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
  cache.noteUsedFiles(shown.flatMap(({ sha256 }) => (shard && !ownsFile(shard, sha256) ? [] : [sha256])));
  const file = await timed('catalogue file', () =>
    writeCatalogueFile(cache.directory, catalogue, media, sourceVersionsOf(store)),
  );
  const recorder = createRecorder();
  const { facts, withdrawn, authors, articles } = catalogue;
  const source: SiteSource = {
    ...{ snapshot, visible, catalogueFile: file.path },
    catalogue: { facts, withdrawn, authors, articles },
    settings: { languages, archiveLanguage, kiosk, searchForms, compact, siteUrl },
  };
  return {
    ...createSite(file.db, store, source, recorder.onRead),
    ...{ recorder, changes: file.changes, changedKeys: file.changedKeys, keep: file.keep },
    ...{ catalogue, source, images, tiles, copiedFiles, problems, lacking, files },
    made: media.newCount,
    guessedCharsets: listGuessedCharsets(shown),
    close() {
      file.db.close();
      rmSync(file.path, { force: true }); // unless it was kept
    },
  };
}
