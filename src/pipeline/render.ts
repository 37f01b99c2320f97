/** Runs Astro over the snapshot: pages into a folder of their own, from which the build publishes. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sitemap from '@astrojs/sitemap';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import { messageOf, type PageProblems } from '../catalogue/page-problems.ts';
import { objectPath } from '../catalogue/urls.ts';
import { withoutIllegible } from '../model/legible.ts';
import { withoutWayOut } from '../publish/kiosk.ts';
import { type HandOver, handOver } from '../site/hand-over.ts';
import type { PlannedPage } from '../site/plan.ts';
import type { Site } from '../site/site.ts';
import { createPageWriter } from './page-writer.ts';
import { sharedModule } from './shared-module.ts';

export interface RenderOptions {
  /** The mirror's own address with a slash at its end, where it will be hosted: adds the sitemap. */
  site: string | undefined;
  /** The directory of the pages, kept from build to build. */
  out: string;
  /** Astro's own cache. */
  cache: string;
}

export interface Rendering extends Pick<HandOver, 'sites' | 'catalogue' | 'content'> {
  /** Every page of the site. */
  plan: ReadonlyArray<Omit<PlannedPage, 'key'>>;
  /** The pages to render; the others stay as they are. */
  stale: ReadonlyArray<Omit<PlannedPage, 'key'>>;
  /** Pages that are known to fail, and those that turn out to. */
  problems: PageProblems;
}

/**
 * Makes Astro bundle the pages into `build.server`, from where node_modules is found. Without it the bundle goes below the working directory.
 * Nothing else of an adapter is used: the site is static.
 */
const BUNDLE_IN_CACHE: AstroAdapter = {
  name: 'microfiche-bundle',
  adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
  supportedAstroFeatures: { staticOutput: 'stable', sharpImageService: 'stable' },
  entrypointResolution: 'explicit',
};

const ROOT = join(import.meta.dirname, '../..');
/** For the time of one build each. */
const BUNDLES = join(ROOT, 'node_modules/.cache/microfiche-bundles');
const DAY = 86_400_000;
const SITEMAP = /^sitemap.*\.xml$/;

/** Renders the stale pages. Returns the paths below `out` of all files of the plan and the sitemap. @throws if a page cannot even say that it could not be made. */
export async function renderPages({ out, cache, site }: RenderOptions, rendering: Rendering): Promise<string[]> {
  const { sites, catalogue, content, plan, problems } = rendering;
  const paths = plan.map(({ path }) => path);
  const pages = Map.groupBy(rendering.stale, ({ route }) => route);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (SITEMAP.test(name)) rmSync(join(out, name));
  const listed = paths.filter((path) => !/(?:^|\/)404\.html$/.test(path)).sort();
  const write: AstroIntegration = {
    name: 'microfiche-pages',
    hooks: {
      'astro:config:done': ({ setAdapter }) => setAdapter(BUNDLE_IN_CACHE),
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche',
          async render(request, options) {
            const path = pathOf(request, site);
            const { html, status } = await rendered(() => astro.render(request, options), path, problems);
            await writer.write(path, sealed(path, html, sites));
            return new Response(null, { status });
          },
        }));
      },
    },
  };
  const writer = createPageWriter(out);
  const takeBack = handOver({ sites, catalogue, content, pages, hasFailed: (path) => problems.hasFailed(path) });
  const bundle = bundleFolder();
  try {
    await build({
      root: ROOT,
      outDir: resolve(out),
      cacheDir: resolve(cache),
      build: { server: `${bundle}/` },
      logLevel: 'silent', // what goes wrong is thrown, and told once
      vite: { plugins: [sharedModule()] },
      ...(site === undefined ? { integrations: [write] } : hosted(site, write, listed, lastmods(rendering, site))),
    });
  } finally {
    takeBack();
    rmSync(bundle, { recursive: true, force: true });
    await writer.end();
  }
  return [...paths, ...readdirSync(out).filter((name) => SITEMAP.test(name))];
}

/** A page; where it cannot be made, the one that says so. Throws only where that cannot be made either: then it is no record's fault. */
async function rendered(
  render: () => Promise<Response | { response: Response }>,
  path: string,
  problems: PageProblems,
): Promise<{ html: string; status: number }> {
  const once = async () => {
    const answer = await render();
    const response = answer instanceof Response ? answer : answer.response;
    return { html: withoutIllegible(await response.text()), status: response.status };
  };
  try {
    return await once();
  } catch (error) {
    problems.fail(path, error);
  }
  try {
    return await once();
  } catch (cause) {
    throw new Error(`The page ${path} could not be made: ${messageOf(cause)}`, { cause });
  }
}

/** A new folder for Astro's bundle, which finds its packages from where it lies; those that killed builds have left go after a day. */
function bundleFolder(): string {
  mkdirSync(BUNDLES, { recursive: true });
  for (const name of readdirSync(BUNDLES)) {
    const left = statSync(join(BUNDLES, name), { throwIfNoEntry: false });
    if (left && Date.now() - left.mtimeMs > DAY) rmSync(join(BUNDLES, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(BUNDLES, 'bundle-'));
}

/** In a kiosk, no link of a page leads out of the site. */
function sealed(path: string, html: string, sites: readonly Site[]): string {
  const own = sites.find(({ edition: { prefix } }) => prefix !== '' && path.startsWith(prefix)) ?? sites[0];
  return own?.kiosk ? withoutWayOut(html, own.edition.t.kiosk) : html;
}

/** The page's file below dist: Astro asks for `/authors/` and `/about.html`, below the base that the mirror's address has. */
function pathOf(request: Request, site: string | undefined): string {
  const base = site === undefined ? '/' : new URL(site).pathname;
  const path = new URL(request.url).pathname.slice(base.length);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/** When the record behind a page changed last, by the page's address. */
function lastmods({ catalogue, sites }: Pick<Rendering, 'catalogue' | 'sites'>, site: string): Map<string, string> {
  const prefixes = sites.map(({ edition }) => edition.prefix);
  return new Map(
    catalogue.objects.flatMap(({ id, lastmod }) =>
      lastmod === undefined
        ? []
        : prefixes.map((prefix) => [new URL(`${prefix}${objectPath(id)}`, site).href, `${lastmod}Z`] as const),
    ),
  );
}

/** With an address there is a sitemap of the pages in `listed`. Astro's base is for it alone: links between pages are relative. */
function hosted(site: string, write: AstroIntegration, listed: readonly string[], changed: Map<string, string>) {
  // Astro itself names only the pages of this run, and without their extension: those are left out.
  const integrations = [
    write,
    sitemap({
      customPages: listed.map((path) => new URL(path, site).href),
      filter: (page) => page.endsWith('.html'),
      serialize(item) {
        const lastmod = changed.get(item.url);
        return lastmod === undefined ? item : { ...item, lastmod };
      },
    }),
  ];
  return { site, base: new URL(site).pathname, integrations };
}
