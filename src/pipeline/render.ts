/** Runs Astro over the snapshot: pages into a folder of their own, from which the build publishes. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sitemap from '@astrojs/sitemap';
import { type AstroAdapter, type AstroIntegration, build } from 'astro';
import { messageOf } from '../catalogue/page-problems.ts';
import { objectPath } from '../catalogue/urls.ts';
import { withoutIllegible } from '../model/legible.ts';
import { withoutWayOut } from '../publish/kiosk.ts';
import { announce, type BuildContext } from '../site/context.ts';
import { createEditions, type Edition } from '../site/language/edition.ts';
import { createPageWriter } from './page-writer.ts';

export interface RenderOptions {
  /** The mirror's own address with a slash at its end, where it will be hosted: adds the sitemap. */
  site: string | undefined;
  /** Where the pages go: kept from build to build, since pages that would not change are not rendered again. */
  out: string;
  /** Astro's own cache. */
  cache: string;
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

/** Renders the pages that the ledger of `context` wants. Returns the paths below `out` of all files of this build, rendered now or before. */
export async function renderPages({ out, cache, site }: RenderOptions, context: BuildContext): Promise<string[]> {
  announce(context);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (SITEMAP.test(name)) rmSync(join(out, name));
  const editions = createEditions(context.languages);
  const files = new Set<string>();
  const addresses: string[] = [];
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
            const { html, status } = await rendered(() => astro.render(request, options), path, context);
            await writer.write(path, context.kiosk ? sealed(path, html, editions) : html);
            files.add(path);
            return new Response(null, { status });
          },
        }));
      },
      'astro:build:done': () => {
        for (const path of context.ledger.keys().keys()) files.add(path);
        if (site !== undefined)
          for (const path of [...files].sort()) if (!/(?:^|\/)404\.html$/.test(path)) addresses.push(new URL(path, site).href);
      },
    },
  };
  const writer = createPageWriter(out);
  const bundle = bundleFolder();
  try {
    await build({
      root: ROOT,
      outDir: resolve(out),
      cacheDir: resolve(cache),
      build: { server: `${bundle}/` },
      logLevel: 'silent', // what goes wrong is thrown, and told once
      ...(site === undefined ? { integrations: [write] } : hosted(site, write, addresses, lastmods(context, site))),
    });
  } finally {
    rmSync(bundle, { recursive: true, force: true });
    await writer.end();
  }
  return [...files, ...readdirSync(out).filter((name) => SITEMAP.test(name))];
}

/** A page; where it cannot be made, the one that says so. Throws only where that cannot be made either: then it is no record's fault. */
async function rendered(
  render: () => Promise<Response | { response: Response }>,
  path: string,
  { problems, ledger }: BuildContext,
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
    ledger.forget(path);
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

/** A page of a kiosk, in the words of its edition. */
function sealed(path: string, html: string, editions: Edition[]): string {
  const edition = editions.find(({ prefix }) => prefix !== '' && path.startsWith(prefix)) ?? editions[0];
  if (!edition) throw new Error('A site has at least one language');
  return withoutWayOut(html, edition.t.kiosk);
}

/** The page's file below dist: Astro asks for `/authors/` and `/about.html`, below the base that the mirror's address has. */
function pathOf(request: Request, site: string | undefined): string {
  const base = site === undefined ? '/' : new URL(site).pathname;
  const path = new URL(request.url).pathname.slice(base.length);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/** When the record behind a page changed last, by the page's address. */
function lastmods({ catalogue, languages }: BuildContext, site: string): Map<string, string> {
  const prefixes = createEditions(languages).map(({ prefix }) => prefix);
  return new Map(
    catalogue.objects.flatMap(({ id, lastmod }) =>
      lastmod === undefined
        ? []
        : prefixes.map((prefix) => [new URL(`${prefix}${objectPath(id)}`, site).href, `${lastmod}Z`] as const),
    ),
  );
}

/** With an address there is a sitemap of `addresses`, which are known when the pages are. Astro's base is for it alone: links between pages are relative. */
function hosted(site: string, collect: AstroIntegration, addresses: string[], changed: Map<string, string>) {
  // Astro itself names only the pages of this run, and without their extension: those are left out.
  const integrations = [
    collect,
    sitemap({
      customPages: addresses,
      filter: (page) => page.endsWith('.html'),
      serialize(item) {
        const lastmod = changed.get(item.url);
        return lastmod === undefined ? item : { ...item, lastmod };
      },
    }),
  ];
  return { site, base: new URL(site).pathname, integrations };
}
