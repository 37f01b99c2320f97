/** Renders pages with Astro into a directory, from which the build publishes them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sitemap from '@astrojs/sitemap';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import { errorMessage, type PageProblems } from '../catalogue/page-problems.ts';
import { objectPath } from '../catalogue/urls.ts';
import { stripIllegible } from '../model/legible.ts';
import { toW3cdtf } from '../model/timestamps.ts';
import { replaceExternalLinks } from '../publish/kiosk-pages.ts';
import { type HandOver, handOver } from '../site/hand-over.ts';
import type { PlannedPage } from '../site/plan.ts';
import type { Site } from '../site/site.ts';
import { createPageWriter } from './page-writer.ts';
import { sharedModule } from './shared-module.ts';

/** Directories and URL of a site. */
export interface RenderOptions {
  /** The URL at which the site will be hosted, with a trailing slash; adds the sitemap. */
  site: string | undefined;
  /** Directory of the rendered pages. It is emptied first. */
  out: string;
  /** Directory of Astro's cache. */
  cache: string;
}

/** What to render. */
export interface Rendering extends Pick<HandOver, 'sites' | 'catalogue' | 'content'> {
  /** All pages of the site. */
  plan: ReadonlyArray<Omit<PlannedPage, 'key'>>;
  /** The pages to render; the others are not touched. */
  stale: ReadonlyArray<Omit<PlannedPage, 'key'>>;
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
 * Renders the stale pages, and the sitemap of all planned pages.
 * @throws {Error} if not even the notice for a failed page can be rendered
 */
export async function renderPages({ out, cache, site }: RenderOptions, rendering: Rendering): Promise<Rendered> {
  const { sites, catalogue, content, plan, problems } = rendering;
  const paths = plan.map(({ path }) => path);
  const pages = Map.groupBy(rendering.stale, ({ route }) => route);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const sitemapPaths = paths.filter((path) => !/(?:^|\/)404\.html$/.test(path)).sort();
  const writePages: AstroIntegration = {
    name: 'microfiche-pages',
    hooks: {
      'astro:config:done': ({ setAdapter }) => setAdapter(BUNDLE_IN_CACHE),
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche',
          async render(request, options) {
            const path = pathOf(request, site);
            const { html, status } = await renderWithFallback(() => astro.render(request, options), path, problems);
            await writer.write(path, adaptToKiosk(path, html, sites));
            return new Response(null, { status });
          },
        }));
      },
    },
  };
  const writer = createPageWriter(out);
  const endHandOver = handOver({
    sites,
    catalogue,
    content,
    pages,
    hasFailed: problems.hasFailed,
    addDefect: problems.addDefect,
  });
  const bundle = createBundleDirectory();
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
        : hostedSettings(site, writePages, sitemapPaths, lastModifiedByUrl(rendering, site))),
    });
  } catch (error) {
    await writer.end();
    throw error;
  } finally {
    endHandOver();
    rmSync(bundle, { recursive: true, force: true });
  }
  const written = await writer.end();
  const sitemaps = readdirSync(out).filter((name) => SITEMAP.test(name));
  for (const name of sitemaps) removeUnstatedTimes(join(out, name));
  return { pages: written, sitemaps };
}

/** The library adds midnight in UTC to a date without a time. Removes it from a sitemap: the times of such records have no zone. */
function removeUnstatedTimes(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('T00:00:00.000Z</lastmod>', '</lastmod>'));
}

/**
 * Renders a page. If that fails, renders it again with a notice instead of its content. If that fails too, the cause is not the record, so this
 * throws.
 */
async function renderWithFallback(
  render: () => Promise<Response | { response: Response }>,
  path: string,
  problems: PageProblems,
): Promise<{ html: string; status: number }> {
  const renderOnce = async () => {
    const result = await render();
    const response = result instanceof Response ? result : result.response;
    return { html: stripIllegible(await response.text()), status: response.status };
  };
  try {
    return await renderOnce();
  } catch (error) {
    problems.addFailure(path, error);
  }
  try {
    return await renderOnce();
  } catch (cause) {
    throw new Error(`The page ${path} could not be rendered: ${errorMessage(cause)}`, { cause });
  }
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

/** Returns a page without links to other sites if it is for a kiosk, else unchanged. */
function adaptToKiosk(path: string, html: string, sites: readonly Site[]): string {
  const pageSite = sites.find(({ locale: { pathPrefix } }) => pathPrefix !== '' && path.startsWith(pathPrefix)) ?? sites[0];
  return pageSite?.kiosk ? replaceExternalLinks(html, pageSite.locale.t.kiosk) : html;
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
