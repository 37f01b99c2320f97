/** Builds a site from a snapshot: derivatives, pages, assets and search index. Then it publishes the site. Uses no network. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SiteFacts } from '../catalogue/catalogue.ts';
import { createPageProblems, type PageProblem, type PageProblems } from '../catalogue/page-problems.ts';
import { listUnreadDates, type UnreadDate } from '../catalogue/unread-dates.ts';
import { createVisibleStore, type VisibleStore } from '../catalogue/visible-store.ts';
import { unmatchedLine, type Withholding } from '../catalogue/withholding.ts';
import { isInOfflineCopy } from '../client/manifest-lines.ts';
import { cacheRootDirectory } from '../derivatives/cache-directories.ts';
import { describeTiles, type Tiles } from '../derivatives/iiif.ts';
import type { DerivativeProblems } from '../derivatives/problems.ts';
import type { GuessedCharset } from '../derivatives/shown-files.ts';
import { createMachineFiles } from '../publish/machine-files.ts';
import {
  assertSameArchive,
  createSiteIdentity,
  formatIdentity,
  IDENTITY_FILE,
  type SiteIdentity,
} from '../publish/site-identity.ts';
import { recordWithholding } from '../publish/site-withholding.ts';
import { openArchive } from '../sample/archive.ts';
import { type PlannedPage, planPages } from '../site/plan.ts';
import type { Site } from '../site/site.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import { countQueued, readLastRun } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { writeAssets } from './assets.ts';
import { openSiteCache } from './build-caches.ts';
import { createCompactSite } from './compact.ts';
import { writeIiifDocuments } from './iiif.ts';
import { type KeyedPage, openPageCache } from './page-cache.ts';
import { prepareSite, type SiteSettings } from './prepare.ts';
import { assertPublishable, type PublishResult, publish } from './publish.ts';
import { renderPages } from './render.ts';
import { listSearchFiles, type SearchIndexResult, updateSearchIndex, updateSearchPacks } from './search-index.ts';
import { lockSite } from './site-lock.ts';

/** Options of a build. */
export interface BuildOptions extends SiteSettings {
  /** Directory of the snapshot. */
  snapshot: string;
  /** Directory of the site. */
  out: string;
  /** Makes a full build: ignores the caches of former builds. */
  clean: boolean;
  /** What to withhold, as the setting `withhold` lists it. */
  withholding: Withholding;
  /** IDs of the collections to show; undefined: all. */
  collections: readonly string[] | undefined;
}

/** Result of a build. `problems` and `lacking` are about media files; if such a file is an image, pages show a placeholder. */
export interface BuildReport extends PublishResult, DerivativeProblems {
  /** Number of pages. */
  pages: number;
  /** Number of documents in the search index. */
  documents: number;
  /** Number of media files with an image. */
  pictures: number; // prose-ok: JSON key of the report
  /** Pages and search documents that failed. Such a page shows a notice. */
  pageProblems: PageProblem[];
  /** Dates that no rule can read; their records count as undated. */
  unreadDates: UnreadDate[];
  /** Places that are not on the map because their position cannot be used, with the record and the words of the position. */
  unusablePositions: Array<{ record: string; place: string; position: string }>;
  /** Number of derivatives that were created because they were not cached. */
  made: number;
  /** Text files whose charset is not declared, so that it was guessed: their number, and all of them. */
  guessedCharsets: { count: number; files: GuessedCharset[] };
  /** Duration of each step. */
  seconds: Record<string, number>;
  /** Set if the last harvest was interrupted or is in progress: the number of queued resources. */
  interrupted: { waiting: number } | undefined;
  /** Further report lines. */
  notes: string[];
}

const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds and publishes a site.
 * @throws {UserError} if the snapshot does not exist, if another build writes to `out`, or if `out` contains anything but a site of this archive
 */
export async function buildSite(options: BuildOptions): Promise<BuildReport> {
  assertPublishable(resolve(options.out));
  const rawStore = openArchive(options.snapshot);
  try {
    const store = createVisibleStore(rawStore, options);
    const lock = lockSite(resolve(options.out));
    try {
      const identity = createSiteIdentity(store, options.snapshot);
      const unknownArchive = assertSameArchive(identity, lock.out);
      const report = await buildInto(lock.out, store, identity, options);
      return {
        ...report,
        interrupted: readInterruption(store),
        notes: [...(unknownArchive === undefined ? [] : [unknownArchive]), ...store.unmatched().map(unmatchedLine)],
      };
    } finally {
      lock.close();
    }
  } finally {
    rawStore.close();
  }
}

function readInterruption(store: Store): { waiting: number } | undefined {
  return readLastRun(store)?.finished_at === null ? { waiting: countQueued(store) } : undefined;
}

type Built = Omit<BuildReport, 'interrupted' | 'notes'>;

async function buildInto(out: string, store: VisibleStore, identity: SiteIdentity, options: BuildOptions): Promise<Built> {
  const seconds: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    seconds[step] = Math.round(performance.now() - startedAt) / 1000;
    return result;
  };
  const siteCache = openSiteCache(cacheRootDirectory(), out, options);
  const { directory: cacheDirectory } = siteCache;
  const prepared = await prepareSite(store, siteCache, options, timed);
  const { catalogue, relations, sites, content, images, copiedFiles, problems, lacking } = prepared;
  const pageProblems = createPageProblems();
  for (const { page, cause } of catalogue.problems) pageProblems.addDefect(page, cause);
  const buildKey = computeBuildKey(options, catalogue.facts);
  const site = join(cacheDirectory, 'site');
  const pageCache = openPageCache(cacheDirectory, buildKey, (path) => existsSync(join(site, path)));
  const plan = await timed('plan', () => computeKeys(planPages({ sites, catalogue, content }), pageProblems));
  const pages = await timed('pages', () =>
    renderPages(
      { site: options.site, out: site, cache: join(cacheDirectory, 'astro') },
      { sites, catalogue, content, plan, stale: plan.filter((page) => pageCache.isStale(page)), problems: pageProblems },
    ),
  );
  // Other files are pages of former builds, and may show records that are now withheld.
  const current = new Set(pages);
  for (const [path, file] of listFiles(site)) if (!current.has(path)) rmSync(file);
  const extra = join(cacheDirectory, 'extra');
  rmSync(extra, { recursive: true, force: true });
  await timed('assets', () => writeAssets(extra, { kiosk: options.kiosk !== undefined, compact: options.compact }));
  const [mainSite] = sites;
  if (!mainSite) throw new Error('A site has at least one language');
  for (const [path, text] of createMachineFiles(catalogue.objects, mainSite)) writeFileSync(join(extra, path), text);
  writeFileSync(join(extra, IDENTITY_FILE), formatIdentity(withFacts(identity, catalogue.facts, mainSite)));
  writeTileDescriptions(extra, Object.values(prepared.tiles), options.site);
  const writeIiif = () => writeIiifDocuments(prepared, { cacheDirectory, buildKey, problems: pageProblems });
  const iiifDocuments = options.site === undefined ? [] : await timed('iiif', writeIiif);
  const index = join(cacheDirectory, 'search');
  const { index: wantsIndex, packs: wantsPacks } = options.searchForms;
  const { documents, problems: notIndexed }: SearchIndexResult =
    wantsIndex || wantsPacks
      ? await timed('search', () =>
          updateSearchIndex(
            index,
            buildKey,
            store,
            catalogue,
            relations,
            { images, copiedFiles, locales: sites.map(({ locale }) => locale), archiveLanguages: mainSite.archiveLanguages },
            options.onProgress,
          ),
        )
      : { documents: 0, problems: [] };
  for (const { page, cause } of notIndexed) pageProblems.addDefect(page, cause);
  if (wantsPacks) await timed('packs', () => updateSearchPacks(index));

  const sources = new Map([
    ...pages.map((path) => [path, join(site, path)] as const),
    ...listFiles(extra),
    ...iiifDocuments,
    ...listSearchFiles(index, options.searchForms),
    ...listFiles(join(ROOT, 'public')),
    ...prepared.files,
  ]);
  const compacted = options.compact
    ? await timed('compact', () => createCompactSite(sources, join(cacheDirectory, 'compact')))
    : sources;
  if (!options.kiosk) {
    const offlineFile = join(extra, 'offline.json');
    writeFileSync(offlineFile, `${JSON.stringify(measureOfflineCopy(compacted, wantsIndex))}\n`);
    compacted.set('offline.json', offlineFile);
  }
  const published = await timed('publish', () => publish(compacted, out));
  recordWithholding(cacheDirectory, out, options.withholding);
  pageCache.store(plan, (path) => pageProblems.hasFailed(path));
  siteCache.finish();
  return {
    ...published,
    pages: pages.filter((path) => path.endsWith('.html')).length,
    documents,
    pictures: Object.keys(images).length, // prose-ok: JSON key of the report
    pageProblems: pageProblems.list(),
    unreadDates: listUnreadDates(catalogue.objects),
    unusablePositions: catalogue.objects.flatMap(({ id, unusablePositions }) =>
      unusablePositions.map(({ place, position }) => ({ record: id, place, position })),
    ),
    made: prepared.made,
    guessedCharsets: { count: prepared.guessedCharsets.length, files: prepared.guessedCharsets },
    problems,
    lacking,
    seconds,
  };
}

/** Adds what exports of the site need to know. */
function withFacts(
  identity: SiteIdentity,
  { harvestedAt }: SiteFacts,
  { archiveLanguages }: Pick<Site, 'archiveLanguages'>,
): SiteIdentity {
  return { ...identity, harvestedOn: harvestedAt?.slice(0, 10), language: archiveLanguages.main };
}

/** Writes the `info.json` of all tiled images, for IIIF viewers. */
function writeTileDescriptions(out: string, tiles: Tiles[], site: string | undefined): void {
  for (const image of tiles) {
    mkdirSync(join(out, image.path), { recursive: true });
    writeFileSync(join(out, image.path, 'info.json'), describeTiles(image, site));
  }
}

/** Returns the number and size of the files that a browser stores if the reader saves the site for offline use. It stores one form of the search index. */
function measureOfflineCopy(sources: ReadonlyMap<string, string>, hasIndex: boolean): { files: number; bytes: number } {
  const stored = [...sources].filter(([path]) => isInOfflineCopy(path, hasIndex));
  return { files: stored.length, bytes: stored.reduce((total, [, file]) => total + statSync(file).size, 0) };
}

/** Computes the page keys. If that fails for a page, its key is undefined, so that it is rendered and shows a notice. */
function computeKeys(plan: Iterable<PlannedPage>, problems: PageProblems): KeyedPage[] {
  return Array.from(plan, ({ key, ...page }): KeyedPage => {
    try {
      return { ...page, key: key?.() };
    } catch (error) {
      problems.addFailure(page.path, error);
      return { ...page, key: undefined };
    }
  });
}

/** Returns a hash of everything that all pages share: the program's files, the version of Node, options, and facts about the archive. */
function computeBuildKey(
  { site, languages, archiveLanguage, kiosk, searchForms, compact: isCompact, withholding }: BuildOptions,
  { title, authorsUrl, catalogUrl, languages: namedLanguages }: SiteFacts,
): string {
  const shared = [
    process.version,
    site,
    languages,
    kiosk,
    searchForms,
    isCompact,
    title,
    authorsUrl,
    catalogUrl,
    withholding.persons,
    archiveLanguage,
    namedLanguages,
  ];
  const hash = createHash('sha256').update(JSON.stringify(shared));
  const code = [...listFiles(join(ROOT, 'src')), ['lock', join(ROOT, 'package-lock.json')] as const];
  for (const [, file] of code) hash.update(readFileSync(file));
  return hash.digest('hex');
}
