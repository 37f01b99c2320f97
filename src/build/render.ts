/** Runs Astro over the snapshot: pages into a folder of their own, from which the build publishes. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sitemap from '@astrojs/sitemap';
import { type AstroIntegration, build } from 'astro';
import { announce, type BuildContext } from '../site/context.ts';
import { withoutWayOut } from '../site/kiosk.ts';
import { createEditions, type Edition } from '../site/language/edition.ts';
import { objectPath } from '../site/urls.ts';
import { createPageWriter } from './page-writer.ts';

export interface RenderOptions {
  /** The mirror's own address with a slash at its end, where it will be hosted: adds the sitemap. */
  site: string | undefined;
  /** Where the pages go: kept from build to build, since pages that would not change are not rendered again. */
  out: string;
  /** Astro's own cache. */
  cache: string;
}

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
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer((astro) => ({
          ...astro,
          name: 'microfiche',
          async render(request, options) {
            const rendered = await astro.render(request, options);
            const response = rendered instanceof Response ? rendered : rendered.response;
            const path = pathOf(request, site);
            const html = await response.text();
            await writer.write(path, context.kiosk ? sealed(path, html, editions) : html);
            files.add(path);
            return new Response(null, { status: response.status });
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
  // Astro keeps its bundle in its output folder, and that must lie inside the working directory, from where the bundle finds node_modules.
  const before = process.cwd();
  const bundle = bundleFolder();
  const places = { outDir: bundle, cacheDir: resolve(cache) };
  process.chdir(ROOT);
  try {
    await build({
      root: ROOT,
      ...places,
      logLevel: 'error',
      ...(site === undefined ? { integrations: [write] } : hosted(site, write, addresses, lastmods(context, site))),
    });
    for (const name of readdirSync(bundle).filter((one) => SITEMAP.test(one)))
      copyFileSync(join(bundle, name), join(resolve(before, out), name));
  } finally {
    process.chdir(before);
    rmSync(bundle, { recursive: true, force: true });
    await writer.end();
  }
  return [...files, ...readdirSync(out).filter((name) => SITEMAP.test(name))];
}

/** A new folder; those that killed builds have left go after a day. */
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
