/** Builds a site from a snapshot: derivatives, pages, assets and search index. Then it publishes the site. Uses no network. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listUnreadDates } from '../catalogue/lists/unread-dates.ts';
import { createPageProblems } from '../catalogue/page-problems.ts';
import { createVisibleStore } from '../catalogue/read/visible-store.ts';
import { unmatchedLine } from '../catalogue/read/withholding.ts';
import { HOME_PATH } from '../catalogue/urls.ts';
import { cacheRootDirectory } from '../derivatives/cache-directories.ts';
import type { TimeStep } from '../derivatives/site-files.ts';
import { writeSiteData } from '../export/tables/site-data.ts';
import { ICON_PATH } from '../formats/icon-path.ts';
import { PROGRAM } from '../platform/module-file.ts';
import { type PublishedSite, type SiteFile, toSiteFiles } from '../publish/files/compare-files.ts';
import { findChangedFiles } from '../publish/files/look-thread.ts';
import { assertPublishable, publish } from '../publish/files/publish.ts';
import { lockSite, type SiteLock } from '../publish/files/site-lock.ts';
import { openSiteState, STATE_FILE } from '../publish/files/site-state.ts';
import { createMachineFiles } from '../publish/machine-files.ts';
import {
  assertSameArchive,
  createSiteIdentity,
  formatIdentity,
  IDENTITY_FILE,
  readArchiveIdentity,
  type SiteIdentity,
} from '../publish/site-identity.ts';
import { assertWithholdsNoLess, protectSnapshot, type WithheldNow } from '../publish/withheld-before.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import { countQueued, readLastRun } from '../snapshot/read.ts';
import { lend, openSnapshot } from '../snapshot/store.ts';
import { writeWithheldFile } from '../snapshot/withheld-file.ts';
import { completeDesign, writeSettingFiles } from './astro/design-files.ts';
import { COMPONENT_SCRIPT_PATH, completeComponents } from './astro/open-components.ts';
import { createWithCache, deleteLinkedFiles, openSiteCache, type SiteCache } from './cache/build-caches.ts';
import { listMade, openMade } from './cache/program-cache.ts';
import { isFirst, type Shard } from './shards/shard.ts';
import { describeShard, SHARD_FILE } from './shards/shard-description.ts';
import { computeBuildKey } from './steps/build-key.ts';
import type { BuildOptions, BuildState } from './steps/build-options.ts';
import { type BuildReport, REASONS } from './steps/build-report.ts';
import { homeDefects } from './steps/check-home.ts';
import { findEmbedMistakes, reportOwnMistakes } from './steps/check-own-content.ts';
import { completeSite } from './steps/complete-site.ts';
import { planSite, renderSite } from './steps/create-pages.ts';
import { startSearch } from './steps/create-search.ts';
import { updateIiifDocuments, writeTileDescriptions } from './steps/iiif.ts';
import { type LastReport, openLastBuild } from './steps/last-build.ts';
import { pagesInCache, pagesInSite } from './steps/page-store.ts';
import { type PreparedSite, prepareSite, type VisibleSnapshot } from './steps/prepare.ts';

/** What a site says of itself to programs. */
type SiteDescription = { identity: SiteIdentity; withheld: WithheldNow };

/**
 * Builds and publishes a site. `held` is the lock of `out`, if the caller holds it.
 * @throws {UserError} if the snapshot does not exist, if less is withheld than before, or if `out` contains anything but a site
 * of this archive
 * @throws {LockedError} if another build writes to `out`
 */
export async function buildSite(options: BuildOptions, held?: SiteLock): Promise<BuildReport> {
  assertPublishable(resolve(options.out));
  using rawStore = openSnapshot(options.snapshot);
  const { withheld, remember } = protectSnapshot(rawStore, options.withholding, options.withholdLess);
  const visible = { withholding: options.withholding, collections: options.collections };
  const store = createVisibleStore(rawStore, visible);
  using lock = held ? lend(held) : lockSite(resolve(options.out));
  const unknownArchive = assertSameArchive(readArchiveIdentity(store), lock.out);
  if (!options.withholdLess) assertWithholdsNoLess('site', lock.out, withheld);
  const siteCache = openSiteCache(cacheRootDirectory(), lock.out, options);
  const snapshot = { store, snapshot: options.snapshot, visible };
  const report = await createWithCache(siteCache, (writtenSince) =>
    buildInto(lock.out, snapshot, { ...siteCache, writtenSince }, withheld, options),
  );
  return {
    ...report,
    interrupted: readLastRun(store)?.finished_at === null ? { waiting: countQueued(store) } : undefined,
    notes: [...remember(), unknownArchive ?? [], store.unmatched().map(unmatchedLine)].flat(),
  };
}

type BuildCache = Omit<SiteCache, 'writtenSince'> & Pick<PublishedSite, 'writtenSince'>;

async function buildInto(
  out: string,
  snapshot: VisibleSnapshot,
  siteCache: BuildCache,
  withheld: WithheldNow,
  options: BuildOptions,
): Promise<Omit<BuildReport, 'interrupted' | 'notes'>> {
  const seconds: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    seconds[step] = Math.round(performance.now() - startedAt) / 1000;
    return result;
  };
  const lastBuild = openLastBuild(siteCache.directory, snapshot.store, options);
  const unchanged = await timed('unchanged', () => lastBuild.findUnchanged(out));
  if (unchanged) {
    siteCache.noteSameFiles();
    siteCache.finish(options);
    return { ...unchanged, seconds };
  }
  lastBuild.forget();
  const changedFiles = findChangedFiles(join(siteCache.directory, STATE_FILE), out);
  changedFiles.catch(() => undefined); // awaited below, unless another error comes first
  const isKiosk = options.kiosk !== undefined;
  const design = await timed('design', () => completeDesign(options.design, isKiosk));
  const settings = { ...options, design, components: await completeComponents(options.components, design, isKiosk) };
  using prepared = await prepareSite(snapshot, siteCache, settings, timed, options.shard).catch(async (error: unknown) => {
    await Promise.allSettled([changedFiles]); // the next build may begin now
    throw error;
  });
  const { report, buildKey, hasFailures } = await createAndPublish(
    out,
    prepared,
    siteCache,
    { identity: createSiteIdentity(snapshot.store), withheld },
    settings,
    timed,
    await changedFiles,
  );
  siteCache.finish(options);
  lastBuild.keep(out, buildKey, report, hasFailures);
  return { ...report, seconds };
}

/** Makes and publishes a site. `hasFailures`: pages have to be rendered again, or media files may be available next time. */
async function createAndPublish(
  out: string,
  prepared: PreparedSite,
  siteCache: BuildCache,
  description: SiteDescription,
  options: BuildOptions,
  timed: TimeStep,
  changedOnDisk: ReadonlySet<string> | undefined,
): Promise<{ report: LastReport; buildKey: string; hasFailures: boolean }> {
  const { directory: cacheDirectory } = siteCache;
  const { catalogue } = prepared;
  const { shard } = options;
  const pageProblems = createPageProblems();
  reportOwnMistakes(findEmbedMistakes(options.own, prepared), options, pageProblems);
  for (const { page, cause } of catalogue.problems) pageProblems.addDefect(page, cause);
  for (const { place, defect } of homeDefects(options, prepared)) pageProblems.addDefect(HOME_PATH, defect, place);
  const buildKey = computeBuildKey(options, catalogue.facts);
  await using closing = new AsyncDisposableStack();
  const state = closing.use(openSiteState(join(cacheDirectory, STATE_FILE), buildKey, changedOnDisk));
  // It is not known which files the last build has left.
  if (state.lastBuild === 'none') deleteLinkedFiles(siteCache);
  const inSite = pagesInSite(out, state);
  const pages = options.compact && !shard ? pagesInCache(join(cacheDirectory, 'pages'), buildKey) : inSite;
  closing.defer(pages.close);
  const work = { prepared, options, cacheDirectory, buildKey, pageProblems, timed };
  const searchWork = startSearch(work);
  closing.defer(searchWork.settle);
  const plan = await planSite(pages, work);
  const pageFiles = await renderSite(plan, pages, work, searchWork.isAside);
  const others = await createOtherFiles(description, work);
  const iiifDocuments = await timed('iiif', () => updateIiifDocuments(inSite, work));
  const search = await searchWork.finish();
  const files = [...pageFiles, ...others, ...iiifDocuments, ...search.files];
  const siteFiles = shard
    ? [...files, writeDescription(shard, description.identity, search.partsOfAll, work)]
    : await timed('whole', () => completeSite(files, { ...options, cacheDirectory, state }));
  // A shard has no compressed copies: `merge` makes them.
  const compression = shard
    ? {}
    : { compression: { encodings: options.compress, cacheDirectory, onProgress: options.onProgress } };
  const published = await timed('publish', () =>
    publish(siteFiles, out, state, { writtenSince: siteCache.writtenSince, ...compression }),
  );
  await prepared.keep();
  for (const made of new Set([pages, inSite, search])) made.confirm();
  const report = {
    ...published,
    pages: pageFiles.filter(({ path }) => path.endsWith('.html')).length,
    documents: search.documents,
    pageProblems: pageProblems.list(),
    rebuilt: {
      reason: options.clean ? ('clean' as const) : REASONS[pages.lastBuild],
      records: prepared.changes,
      pages: plan.stale.length,
      derivatives: prepared.made,
      index: search.index,
    },
    ...reportPrepared(prepared),
  };
  return { report, buildKey, hasFailures: prepared.missing > 0 || pageProblems.hasIncomplete() };
}

/** Reports what was found while a site was prepared. */
function reportPrepared({ catalogue, images, made, stripped, guessedCharsets, blankScans, problems, lacking }: PreparedSite) {
  return {
    images: Object.keys(images).length,
    unreadDates: listUnreadDates(catalogue.objects.unreadDates()),
    unusablePositions: catalogue.objects.unusablePositions(),
    made,
    stripped,
    problems,
    lacking,
    guessedCharsets: { count: guessedCharsets.length, files: guessedCharsets },
    blankScans: { count: blankScans.length, files: blankScans },
  };
}

/** Writes the file that says of what a shard is a part. */
function writeDescription(
  shard: Shard,
  { snapshot }: SiteIdentity,
  searchParts: number,
  { prepared, options, cacheDirectory }: BuildState,
): SiteFile {
  const file = join(cacheDirectory, 'extra', SHARD_FILE);
  writeFileSync(file, `${JSON.stringify(describeShard(shard, options, prepared, { snapshot, searchParts }), undefined, 1)}\n`);
  return { path: SHARD_FILE, file };
}

/** Makes what is not made of single records: scripts, styles, feeds, descriptions for programs. Media files are there already. */
async function createOtherFiles(
  { identity, withheld: { published } }: SiteDescription,
  { prepared, options, cacheDirectory, timed }: BuildState,
): Promise<SiteFile[]> {
  const { catalogue, sites, tiles, files } = prepared;
  const [mainSite] = sites;
  const extra = join(cacheDirectory, 'extra');
  rmSync(extra, { recursive: true, force: true });
  mkdirSync(extra);
  // What exports of the site need to know is added.
  const facts = { harvestedOn: catalogue.facts.harvestedAt?.slice(0, 10), language: mainSite.archiveLanguages.main };
  writeFileSync(join(extra, IDENTITY_FILE), formatIdentity({ ...identity, ...facts }));
  if (!isFirst(options.shard)) return toSiteFiles([...listFiles(extra), ...files]);
  if (published.entries.length > 0) writeWithheldFile(extra, published);
  const assets = await timed('assets', () => listAssets(options));
  const settingFiles = writeSettingFiles(join(cacheDirectory, 'design'), [options.design, options.notices]);
  for (const [path, text] of createMachineFiles(catalogue.objects, mainSite)) writeFileSync(join(extra, path), text);
  if (!options.kiosk) await timed('data', () => writeSiteData(extra, catalogue.objects, mainSite));
  writeTileDescriptions(extra, Object.values(tiles), options.site);
  // Files that are copied as they are. A design may have another icon.
  const publicFiles = listFiles(join(PROGRAM, 'public')).filter(([path]) => path !== ICON_PATH || !options.design?.icon);
  return toSiteFiles([...assets, ...listFiles(extra), ...publicFiles, ...settingFiles, ...(options.own?.files ?? []), ...files]);
}

/** Returns the styles and scripts of a site by their paths in it. */
async function listAssets({ kiosk, compact, design, components }: BuildOptions): Promise<Array<[path: string, file: string]>> {
  const settings = { kiosk: kiosk !== undefined, compact };
  const { icon } = design ?? {};
  const css = [design?.design.css, components?.css].filter(Boolean).join('\n') || undefined;
  const directory = await openMade(['assets', settings, css, icon?.toString('base64')], async (out) => {
    const { writeAssets } = await import('./astro/assets.ts');
    await writeAssets(out, { ...settings, css, icon });
  });
  const scripts: Array<[path: string, file: string]> = components?.script ? [[COMPONENT_SCRIPT_PATH, components.script]] : [];
  return [...listMade(directory), ...scripts];
}
