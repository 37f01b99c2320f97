/** Renders pages with Astro into a directory, from which the build publishes them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import sitemap from '@astrojs/sitemap';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PageProblems } from '../catalogue/page-problems.ts';
import { objectPath } from '../catalogue/urls.ts';
import { toW3cdtf } from '../model/timestamps.ts';
import { type HandOver, handOver } from '../site/hand-over.ts';
import type { PlannedPage } from '../site/plan.ts';
import { createPageOutput, type RenderOnce } from './render-page.ts';
import { renderInThreads, type StalePage } from './render-thread.ts';
import { sharedModule } from './shared-module.ts';
import type { SiteSource } from './site-source.ts';

/** Directories and URL of a site. */
export interface RenderOptions {
  /** The URL at which the site will be hosted, with a trailing slash; adds the sitemap. */
  site: string | undefined;
  /** Directory of the rendered pages. It is emptied first. */
  out: string;
  /** Directory of Astro's cache. */
  cache: string;
}

/** A page to render. Without a key, it shows data of the entire archive. */
export interface PageToRender extends StalePage {
  key: unknown;
}

/** What to render. */
export interface Rendering extends Pick<HandOver, 'sites' | 'content'> {
  catalogue: Catalogue;
  source: SiteSource;
  /** All pages of the site. */
  plan: ReadonlyArray<Pick<PlannedPage, 'path'>>;
  /** The pages to render; the others are not touched. */
  stale: readonly PageToRender[];
  /** Pages that have failed already; pages that fail now are added. */
  problems: PageProblems;
}

/**
 * An adapter that makes Astro bundle the pages into `build.server`, from which node_modules can be resolved. Without an adapter, the bundle
 * would be in the working directory.
 */
const BUNDLE_IN_CACHE: AstroAdapter = {
  name: 'microfiche-bundle',
  adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
  supportedAstroFeatures: { staticOutput: 'stable', sharpImageService: 'stable' },
  entrypointResolution: 'explicit',
};

const ROOT = join(import.meta.dirname, '../..');
/** Contains one directory per build in progress. */
const BUNDLE_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bundles');
const DAY_MS = 86_400_000;
const SITEMAP = /^sitemap.*\.xml$/;

/** What was rendered. */
export interface Rendered {
  /** SHA-256 of each rendered page, hexadecimal, by its path in the site. */
  pages: ReadonlyMap<string, string>;
  /** Names of the files of the sitemap. */
  sitemaps: string[];
}

/**
 * Renders the stale pages, and the sitemap of all planned pages. Pages that show data of the entire archive are rendered in this thread, the others
 * in several threads if they are many.
 * @throws {Error} if not even the notice for a failed page can be rendered
 */
export async function renderPages({ out, cache, site }: RenderOptions, rendering: Rendering): Promise<Rendered> {
  const { sites, catalogue, content, source, plan, stale, problems } = rendering;
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const sitemapPaths = plan.map(({ path }) => path).filter((path) => !/(?:^|\/)404\.html$/.test(path));
  const keyed = stale.filter(({ key }) => key !== undefined);
  const threads = countRenderThreads(keyed.length);
  const here = threads === 0 ? stale : stale.filter(({ key }) => key === undefined);
  const bundle = createBundleDirectory();
  const output = createPageOutput(out, sites, problems);
  const written = new Map<string, string>();
  const renderElsewhere = async () => {
    if (threads === 0) return;
    const rendered = await renderInThreads(threads, { source, bundle, out }, keyed, problems);
    for (const [path, sha256] of rendered) written.set(path, sha256);
  };
  const writePages = createIntegration(
    async (path, render) => {
      const { sha256, status } = await output.write(path, render);
      written.set(path, sha256);
      return status;
    },
    renderElsewhere,
    site,
  );
  const endHandOver = handOver({
    ...{ sites, catalogue, content },
    pages: Map.groupBy(here, ({ route }) => route),
    hasFailed: problems.hasFailed,
    addDefect: problems.addDefect,
  });
  try {
    await build({
      root: ROOT,
      outDir: resolve(out),
      cacheDir: resolve(cache),
      build: { server: `${bundle}/` },
      logLevel: 'silent', // errors are thrown, and reported by the caller // prose-ok: Astro's name
      vite: { plugins: [sharedModule()] },
      ...(site === undefined
        ? { integrations: [writePages] }
        : hostedSettings(site, writePages, sitemapPaths.sort(), lastModifiedByUrl(rendering, site))),
    });
  } finally {
    endHandOver();
    rmSync(bundle, { recursive: true, force: true });
  }
  const sitemaps = readdirSync(out).filter((name) => SITEMAP.test(name));
  for (const name of sitemaps) removeUnstatedTimes(join(out, name));
  return { pages: written, sitemaps };
}

/** Returns the integration that makes Astro render pages with `write`, after `prepare`, for which the bundle is ready. */
function createIntegration(
  write: (path: string, render: RenderOnce) => Promise<number>,
  prepare: () => Promise<void>,
  site: string | undefined,
): AstroIntegration {
  return {
    name: 'microfiche-pages',
    hooks: {
      'astro:config:done': ({ setAdapter }) => setAdapter(BUNDLE_IN_CACHE),
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche',
          async setup() {
            await Promise.all([prepare(), astro.setup?.()]);
          },
          async render(request, options) {
            const status = await write(pathOf(request, site), async () => {
              const rendered = await astro.render(request, options);
              return rendered instanceof Response ? rendered : rendered.response;
            });
            return new Response(null, { status });
          },
        }));
      },
    },
  };
}

/** Fewer pages than this are rendered in one thread: starting others takes longer. */
const MIN_PAGES_FOR_THREADS = 400;
/** Memory that a thread takes at most, in bytes. */
const THREAD_MEMORY = 400 * 1024 * 1024;

/**
 * Returns the number of threads for a number of pages, by cores and free memory, unless MICROFICHE_THREADS sets it. None: the pages are rendered
 * in the main thread.
 */
function countRenderThreads(pages: number): number {
  const chosen = Number(process.env['MICROFICHE_THREADS'] ?? Number.NaN);
  if (Number.isSafeInteger(chosen) && chosen > 0) return pages === 0 || chosen === 1 ? 0 : chosen;
  const possible = Math.min(availableParallelism(), Math.floor(process.availableMemory() / 2 / THREAD_MEMORY));
  return pages < MIN_PAGES_FOR_THREADS || possible < 2 ? 0 : possible;
}

/** The library adds midnight in UTC to a date without a time. Removes it from a sitemap: the times of such records have no zone. */
function removeUnstatedTimes(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('T00:00:00.000Z</lastmod>', '</lastmod>'));
}

/**
 * Creates a directory for Astro's bundle, from which npm packages can be resolved. Deletes those that interrupted builds left over a day
 * ago.
 */
function createBundleDirectory(): string {
  mkdirSync(BUNDLE_DIRECTORY, { recursive: true });
  for (const name of readdirSync(BUNDLE_DIRECTORY)) {
    const stats = statSync(join(BUNDLE_DIRECTORY, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > DAY_MS) rmSync(join(BUNDLE_DIRECTORY, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(BUNDLE_DIRECTORY, 'bundle-'));
}

/** Returns the path in the site of the page that Astro requests, such as `/authors/` or `/about.html`, below the path of the site's URL. */
function pathOf(request: Request, site: string | undefined): string {
  const base = site === undefined ? '/' : new URL(site).pathname;
  const path = new URL(request.url).pathname.slice(base.length);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/** Returns when the record of each page was last modified, by the page's URL: in W3CDTF. */
function lastModifiedByUrl({ catalogue, sites }: Pick<Rendering, 'catalogue' | 'sites'>, site: string): Map<string, string> {
  const prefixes = sites.map(({ locale }) => locale.pathPrefix);
  return new Map(
    catalogue.objects.flatMap(({ id, lastmod }) =>
      lastmod === undefined
        ? []
        : prefixes.map((prefix) => [new URL(`${prefix}${objectPath(id)}`, site).href, toW3cdtf(lastmod)] as const),
    ),
  );
}

/**
 * Returns the settings for a site whose URL is known: a sitemap of `paths`. Only the sitemap uses `base`, because links between pages are
 * relative.
 */
function hostedSettings(site: string, writePages: AstroIntegration, paths: readonly string[], lastModified: Map<string, string>) {
  // Astro adds the pages that it renders in this build, without their extension: the filter leaves those out.
  const integrations = [
    writePages,
    sitemap({
      customPages: paths.map((path) => new URL(path, site).href),
      filter: (page) => page.endsWith('.html'),
      serialize(item) {
        const lastmod = lastModified.get(item.url);
        return lastmod === undefined ? item : { ...item, lastmod };
      },
    }),
  ];
  return { site, base: new URL(site).pathname, integrations };
}
