/** Makes the pages of a build. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { objectPath } from '../../catalogue/urls.ts';
import { toW3cdtf } from '../../model/timestamps.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { MOVED_KIND, planPages } from '../../site/plan.ts';
import type { Site } from '../../site/site.ts';
import { RENDERED_DIRECTORY } from '../cache/build-caches.ts';
import { renderPages } from '../pages/render.ts';
import { isFirst, ownsPosition } from '../shards/shard.ts';
import type { BuildState } from './build-options.ts';
import { findLinkMistakes, reportOwnMistakes } from './check-own-content.ts';
import { findStale, type PageStore, withKeys } from './page-store.ts';

/** Plans the pages, and finds those that changed. */
export async function planSite(pages: PageStore, { prepared, options, pageProblems, timed }: BuildState) {
  const { sites, catalogue, entries, changedKeys } = prepared;
  const { shard, featured } = options;
  const all = await timed('plan', () => withKeys(planPages({ sites, entries }), catalogue, featured));
  const paths = options.own ? all.map(({ path }) => path) : [];
  reportOwnMistakes(findLinkMistakes(options.own, paths), options, pageProblems);
  const inShard = shard ? all.filter((_, position) => ownsPosition(shard, position)) : all;
  const stale = await timed('stale', () => findStale(inShard, pages, changedKeys));
  return {
    all,
    /** Those that this build makes, unless another shard does. */
    inShard,
    /** Those of them that have to be rendered. */
    stale,
  };
}

/** Renders the pages that changed. Returns all pages and the sitemap. */
export async function renderSite(
  { all, inShard, stale }: Awaited<ReturnType<typeof planSite>>,
  pages: PageStore,
  { prepared, options, cacheDirectory, pageProblems, timed }: BuildState,
  isBesideSearch: boolean,
): Promise<SiteFile[]> {
  const { onProgress } = options;
  const directory = join(cacheDirectory, RENDERED_DIRECTORY);
  const rendered = await timed('pages', () =>
    renderPages(directory, {
      ...prepared,
      stale,
      problems: pageProblems,
      isBesideSearch,
      ownContent: options.own,
      components: options.components,
      onProgress: (done, total) => onProgress?.('Pages', done, total),
    }),
  );
  const files = new Map(Array.from(rendered, ([path, page]) => [path, { file: join(directory, path), ...page }]));
  for (const { path } of stale) if (!files.has(path)) throw new Error(`The page ${path} was not rendered`);
  const { site, shard } = options;
  const paths = all.filter(({ kind }) => kind !== MOVED_KIND).map(({ path }) => path);
  const names = site !== undefined && isFirst(shard) ? await writeSitemap(directory, site, paths, prepared) : [];
  const sitemaps = names.map((name): SiteFile => ({ path: name, file: join(directory, name) }));
  return [...pages.keep(inShard, files, pageProblems.isIncomplete), ...sitemaps];
}

const SITEMAP = /^sitemap.*\.xml$/;
const NOT_LISTED = /(?:^|\/)404\.html$/;

/** Writes a sitemap of all pages at `paths`, except for errors, at the URL `site`, into `out`. Returns its file names. */
async function writeSitemap(
  out: string,
  site: string,
  paths: readonly string[],
  { catalogue, sites }: Pick<BuildState['prepared'], 'catalogue' | 'sites'>,
): Promise<string[]> {
  mkdirSync(out, { recursive: true });
  const lastModified = lastModifiedByUrl(catalogue, sites, site);
  const listed = paths.filter((path) => !NOT_LISTED.test(path)).sort();
  const { default: sitemap } = await import('@astrojs/sitemap');
  const integration = sitemap({
    customPages: listed.map((path) => new URL(path, site).href),
    serialize(item) {
      const lastmod = lastModified.get(item.url);
      return lastmod === undefined ? item : { ...item, lastmod };
    },
  });
  await runHooks(integration, out, site);
  const names = readdirSync(out).filter((name) => SITEMAP.test(name));
  // The library adds midnight UTC to a date without a time. The times of such records have no zone.
  for (const file of names.map((name) => join(out, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('T00:00:00.000Z</lastmod>', '</lastmod>'));
  return names;
}

type Hooks = Required<AstroIntegration['hooks']>;
type Hook<Name extends 'astro:routes:resolved' | 'astro:config:done' | 'astro:build:done'> = Parameters<Hooks[Name]>[0];

/** Runs the library's hooks as Astro's build does, with the parameters that they read: Astro's build does not make the pages. */
async function runHooks({ hooks }: AstroIntegration, out: string, site: string): Promise<void> {
  const fail = (message: string) => {
    throw new Error(`The sitemap could not be made: ${message}`);
  };
  const config = { site, base: new URL(site).pathname, trailingSlash: 'ignore', build: { format: 'preserve' } };
  const logger = { info: () => undefined, warn: fail, error: fail };
  await hooks['astro:routes:resolved']?.({ routes: [] } as unknown as Hook<'astro:routes:resolved'>);
  await hooks['astro:config:done']?.({ config } as unknown as Hook<'astro:config:done'>);
  await hooks['astro:build:done']?.({
    dir: pathToFileURL(`${out}/`),
    pages: [],
    logger,
  } as unknown as Hook<'astro:build:done'>);
}

/** Returns when the record of each page was last modified, by the page's URL: in W3CDTF. */
function lastModifiedByUrl({ objects }: Pick<Catalogue, 'objects'>, sites: readonly Site[], site: string): Map<string, string> {
  const prefixes = sites.map(({ locale }) => locale.pathPrefix);
  return new Map(
    Iterator.from(objects.lastModified()).flatMap(({ id, lastmod }) =>
      prefixes.map((prefix) => [new URL(`${prefix}${objectPath(id)}`, site).href, toW3cdtf(lastmod)] as const),
    ),
  );
}
