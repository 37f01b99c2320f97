/** Prepares what pages are rendered from: the catalogue, the derivatives, and the site in each locale. */
import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createRecorder } from '../../catalogue/dependencies/read-keys.ts';
import type { VisibleStore } from '../../catalogue/read/visible-store.ts';
import type { ImageFormat } from '../../derivatives/image-formats.ts';
import { listGuessedCharsets } from '../../derivatives/shown-files.ts';
import { prepareSiteFiles, type TimeStep } from '../../derivatives/site-files.ts';
import type { StripMetadata } from '../../model/media/media-kinds.ts';
import { shortHash } from '../../platform/short-hash.ts';
import type { ReadDesign } from '../../settings/read-design.ts';
import { locateNotices, type ReadNotices } from '../../settings/read-notices.ts';
import type { ReadOwnContent } from '../../settings/read-own-content.ts';
import { noticeLookup, openNotices } from '../../site/notices/notices.ts';
import { NO_CONTENT, ownLookup } from '../../site/own/own-content.ts';
import type { SiteOptions } from '../../site/site.ts';
import { readBaseUrls, readBody } from '../../snapshot/read.ts';
import { readWithdrawn } from '../../snapshot/withdrawn.ts';
import type { OwnComponents } from '../astro/open-components.ts';
import type { SiteCache } from '../cache/build-caches.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import { createSite, type SiteSource } from '../pages/site-source.ts';
import { distanceOfFile, type Shard } from '../shards/shard.ts';
import { checkLeadRecord } from './check-home.ts';
import { readSiteCatalogue, type SiteCatalogue } from './site-catalogue.ts';

/** Options that change what pages show. */
export interface SiteSettings
  extends Pick<SiteOptions, 'languages' | 'words' | 'archiveLanguage' | 'featured' | 'kiosk' | 'compact' | 'search'> {
  /** The URL at which the site will be hosted, with a trailing slash; adds the sitemap. */
  site: string | undefined;
  design?: ReadDesign | undefined;
  components?: OwnComponents | undefined;
  /** The archive's own pages and exhibits. */
  own?: ReadOwnContent | undefined;
  /**
   * Whether the site does without records that own pages and settings name but that are not in it, with a defect in the report;
   * otherwise they are an error. An update has to take a record off the site in any case.
   */
  leavesOut?: boolean | undefined;
  /** Content warnings and cultural-protocol labels. */
  notices?: ReadNotices | undefined;
  imageFormat: ImageFormat;
  /** What is removed from the published copies of media files. */
  stripMetadata: StripMetadata;
  /** Reports the progress of a step. */
  onProgress?: (step: string, done: number, total: number) => void;
}

/** What pages are rendered from. `problems` and `lacking` concern media files; pages show a placeholder for such images. */
export type PreparedSite = Awaited<ReturnType<typeof prepareFiles>>;

/** The snapshot of a site, and what is not to be seen of it. */
export type VisibleSnapshot = Pick<SiteSource, 'snapshot' | 'visible'> & { store: VisibleStore };

/** Reads the catalogue of a snapshot and creates the derivatives that are not cached; for a shard, only its own. */
export async function prepareSite(
  snapshot: VisibleSnapshot,
  cache: Pick<SiteCache, 'directory' | 'catalogues' | 'derivatives' | 'noteUsedFiles'>,
  settings: SiteSettings,
  timed: TimeStep,
  shard?: Shard,
): Promise<PreparedSite> {
  const { withholding, collections } = snapshot.visible;
  // All that decides what a catalogue has of a snapshot, except the snapshot's resources.
  const key = hash('sha256', JSON.stringify([hashOfProgram(), withholding.digest, collections, readBaseUrls(snapshot.store)]));
  const name = shortHash(`${key} ${realpathSync(snapshot.snapshot)}`);
  const shared = shard && cache.catalogues && join(cache.catalogues, `${name}.sqlite`);
  using unlessPrepared = new DisposableStack();
  const read = await timed('catalogue', () => readSiteCatalogue(snapshot.store, cache.directory, key, { shared }));
  unlessPrepared.defer(read.close);
  const prepared = await prepareFiles(snapshot, read, cache, settings, timed, shard);
  unlessPrepared.move();
  return prepared;
}

/** Returns what pages need of the settings: a message to a thread has nothing else, and the build key depends on all of it. */
export function pickSiteSettings(settings: Omit<SiteSettings, 'site' | 'imageFormat' | 'stripMetadata' | 'onProgress'>) {
  const { languages, words, archiveLanguage, featured, design, components, own, notices, kiosk, search, compact } = settings;
  return { languages, words, archiveLanguage, featured, design, components, own, notices, kiosk, search, compact };
}

async function prepareFiles(
  { store, snapshot, visible }: VisibleSnapshot,
  { catalogue, toFile }: SiteCatalogue,
  cache: Pick<SiteCache, 'directory' | 'derivatives' | 'noteUsedFiles'>,
  { site: siteUrl, imageFormat, stripMetadata, leavesOut, onProgress, ...settings }: SiteSettings,
  timed: TimeStep,
  shard: Shard | undefined,
) {
  const { design, components, own, notices: read, ...siteSettings } = pickSiteSettings(settings);
  const ownContent = own?.content ?? NO_CONTENT;
  const { filter: _, ...unfiltered } = store;
  const isStored = (id: string) =>
    readBody(unfiltered, 'object', id) !== undefined || readWithdrawn(unfiltered).has({ kind: 'object', name: id });
  const notices = locateNotices(read, catalogue.objects, isStored);
  if (!leavesOut) checkLeadRecord(design, catalogue.objects, openNotices(notices));
  const media = await prepareSiteFiles(store, catalogue, {
    cacheDirectory: cache.directory,
    derivatives: cache.derivatives,
    imageFormat,
    stripMetadata,
    distance: shard && ((sha256) => distanceOfFile(shard, sha256)),
    onProgress: (done, total) => onProgress?.('Images', done, total),
    timed,
  });
  const { images, tiles, copiedFiles, shown, files, problems, lacking, missing, stripped, blankScans } = media;
  cache.noteUsedFiles(shown.flatMap(({ sha256 }) => (shard && distanceOfFile(shard, sha256) > 0 ? [] : [sha256])));
  const { db, path, changes, changedKeys, keep, close } = await timed('catalogue file', () =>
    toFile({ ...media, own: ownLookup(ownContent), notices: noticeLookup(notices) }),
  );
  /** Records what pages read that are rendered in this thread. */
  const recorder = createRecorder();
  const { facts, withdrawn, authors, articles } = catalogue;
  /** What other threads need to open the same site. */
  const source: SiteSource = {
    snapshot,
    visible,
    catalogueFile: path,
    catalogue: { facts, withdrawn, authors, articles },
    settings: { ...siteSettings, design: design?.design, components: components?.additions, own: ownContent, notices, siteUrl },
  };
  return {
    ...createSite(db, store, source, recorder.onRead),
    ...{ recorder, changes, changedKeys, keep },
    [Symbol.dispose]: close,
    ...{ catalogue, source, images, tiles, copiedFiles, problems, lacking, missing, stripped, files, blankScans },
    made: media.newCount,
    guessedCharsets: listGuessedCharsets(shown),
  };
}
