/** Makes the pages of a build, and the search index beside them. */
import { join } from 'node:path';
import { planPages } from '../site/plan.ts';
import { RENDERED_DIRECTORY } from './build-caches.ts';
import type { Work } from './build-work.ts';
import type { SiteFile } from './compare-files.ts';
import { type MadeSearch, makeSearch } from './make-search.ts';
import type { KeyedPage, PageStore } from './page-store.ts';
import { areFew, renderPages } from './render.ts';
import { isFirst, ownsPosition } from './shard.ts';
import { writeSitemap } from './sitemap.ts';
import { findStale, withKeys } from './stale-pages.ts';
import { runsAside } from './thread-count.ts';

/** The pages of a build. */
export interface SitePlan {
  all: readonly KeyedPage[];
  /** Those that this build makes, unless another shard does. */
  own: readonly KeyedPage[];
  /** Those of them that have to be rendered. */
  stale: readonly KeyedPage[];
}

/** Plans the pages, and finds those that changed. */
export async function planSite(pages: PageStore, { prepared, options: { shard }, timed }: Work): Promise<SitePlan> {
  const { sites, catalogue, entries, changedKeys } = prepared;
  const all = await timed('plan', () => withKeys(planPages({ sites, entries }), catalogue));
  const own = shard ? all.filter((_, position) => ownsPosition(shard, position)) : all;
  const stale = await timed('stale', () => findStale(own, pages, changedKeys));
  return { all, own, stale };
}

/** With fewer records, a thread takes longer to start than it saves. */
const MIN_RECORDS_FOR_THREAD = 10_000;

/** Renders pages and makes the search index; at the same time, if few pages changed in a large archive. */
export async function makePagesAndSearch(
  plan: SitePlan,
  pages: PageStore,
  work: Work,
): Promise<{ pageFiles: SiteFile[]; search: MadeSearch }> {
  const { catalogue, changedKeys } = work.prepared;
  const isUpdate = changedKeys !== undefined && changedKeys.size > 0 && areFew(plan.stale.length);
  const isAside = isUpdate && runsAside(catalogue.objects.count() >= MIN_RECORDS_FOR_THREAD);
  if (!isAside) return { pageFiles: await renderSite(plan, pages, work, isAside), search: await makeSearch(work, { isAside }) };
  const searching = makeSearch(work, { isAside });
  const rendering = renderSite(plan, pages, work, isAside);
  await Promise.allSettled([searching, rendering]); // if one fails, the other one has ended too
  return { pageFiles: await rendering, search: await searching };
}

/** Renders the pages that changed. Returns all pages and the sitemap. */
async function renderSite(
  { all, own, stale }: SitePlan,
  pages: PageStore,
  { prepared, options, cacheDirectory, pageProblems, timed }: Work,
  isBesideSearch: boolean,
): Promise<SiteFile[]> {
  const { sites, catalogue } = prepared;
  const directory = join(cacheDirectory, RENDERED_DIRECTORY);
  const rendered = await timed('pages', () =>
    renderPages(
      { site: options.site, out: directory },
      { ...prepared, stale, problems: pageProblems, threads: isBesideSearch ? 0 : undefined },
    ),
  );
  const files = new Map(Array.from(rendered, ([path, page]) => [path, { file: join(directory, path), ...page }]));
  for (const { path } of stale) if (!files.has(path)) throw new Error(`The page ${path} was not rendered`);
  const { site, shard } = options;
  const listed = { paths: all.map(({ path }) => path), catalogue, sites };
  const names = site !== undefined && isFirst(shard) ? await writeSitemap(directory, { site, ...listed }) : [];
  const sitemaps = names.map((name): SiteFile => ({ path: name, file: join(directory, name) }));
  return [...pages.keep(own, files, pageProblems.hasFailed), ...sitemaps];
}
