/** Makes the pages of a build. */
import { join } from 'node:path';
import { MOVED_ROUTES, planPages } from '../site/plan.ts';
import { RENDERED_DIRECTORY } from './build-caches.ts';
import type { Work } from './build-work.ts';
import { findLinkMistakes } from './check-own-content.ts';
import type { SiteFile } from './compare-files.ts';
import { reportOwnMistakes } from './own-mistakes.ts';
import type { KeyedPage, PageStore } from './page-store.ts';
import { renderPages } from './render.ts';
import { isFirst, ownsPosition } from './shard.ts';
import { writeSitemap } from './sitemap.ts';
import { findStale, withKeys } from './stale-pages.ts';

/** The pages of a build. */
export interface SitePlan {
  all: readonly KeyedPage[];
  /** Those that this build makes, unless another shard does. */
  own: readonly KeyedPage[];
  /** Those of them that have to be rendered. */
  stale: readonly KeyedPage[];
}

/** Plans the pages, and finds those that changed. */
export async function planSite(pages: PageStore, { prepared, options, pageProblems, timed }: Work): Promise<SitePlan> {
  const { sites, catalogue, entries, changedKeys } = prepared;
  const { shard, featured } = options;
  const all = await timed('plan', () => withKeys(planPages({ sites, entries }), catalogue, featured));
  const paths = options.own ? all.map(({ path }) => path) : [];
  reportOwnMistakes(findLinkMistakes(options.own, paths), options, pageProblems);
  const own = shard ? all.filter((_, position) => ownsPosition(shard, position)) : all;
  const stale = await timed('stale', () => findStale(own, pages, changedKeys));
  return { all, own, stale };
}

/** Renders the pages that changed. Returns all pages and the sitemap. */
export async function renderSite(
  { all, own, stale }: SitePlan,
  pages: PageStore,
  { prepared, options, cacheDirectory, pageProblems, timed }: Work,
  isBesideSearch: boolean,
): Promise<SiteFile[]> {
  const { sites, catalogue } = prepared;
  const { onProgress } = options;
  const directory = join(cacheDirectory, RENDERED_DIRECTORY);
  const rendered = await timed('pages', () =>
    renderPages(directory, {
      ...{ ...prepared, stale, problems: pageProblems, isBesideSearch, ownContent: options.own, components: options.components },
      onProgress: (done, total) => onProgress?.('Pages', done, total),
    }),
  );
  const files = new Map(Array.from(rendered, ([path, page]) => [path, { file: join(directory, path), ...page }]));
  for (const { path } of stale) if (!files.has(path)) throw new Error(`The page ${path} was not rendered`);
  const { site, shard } = options;
  const paths = all.filter(({ route }) => !MOVED_ROUTES.has(route)).map(({ path }) => path);
  const names = site !== undefined && isFirst(shard) ? await writeSitemap(directory, { site, paths, catalogue, sites }) : [];
  const sitemaps = names.map((name): SiteFile => ({ path: name, file: join(directory, name) }));
  return [...pages.keep(own, files, pageProblems.isIncomplete), ...sitemaps];
}
