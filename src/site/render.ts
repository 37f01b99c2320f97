/** Runs Astro over the snapshot: pages into a folder of their own, from which the build publishes. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sitemap from '@astrojs/sitemap';
import { type AstroIntegration, build } from 'astro';
import { announce, type BuildContext } from './context.ts';

export interface RenderOptions {
  /** The mirror's own address with a slash at its end, where it will be hosted: adds the sitemap. */
  site: string | undefined;
  /** Where the pages go: kept from build to build, since pages that would not change are not rendered again. */
  out: string;
  /** Astro's own cache. */
  cache: string;
}

const ROOT = join(import.meta.dirname, '../..');

/** Renders the pages that the ledger of `context` wants. Returns the paths below `out` of all pages of this build, rendered now or before. */
export async function renderPages({ out, cache, site }: RenderOptions, context: BuildContext): Promise<string[]> {
  announce(context);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (/^sitemap.*\.xml$/.test(name)) rmSync(join(out, name));
  const files = new Set<string>();
  const addresses: string[] = [];
  const collect: AstroIntegration = {
    name: 'microfiche-pages',
    hooks: {
      'astro:build:done': ({ assets, dir }) => {
        for (const urls of assets.values()) for (const url of urls) files.add(decodeURI(url.href.slice(dir.href.length)));
        for (const path of context.ledger.pages().keys()) files.add(path);
        if (site !== undefined)
          for (const path of [...files].sort()) if (path !== '404.html') addresses.push(new URL(path, site).href);
      },
    },
  };
  // Astro keeps its bundle inside the working directory, from where it must find node_modules.
  const before = process.cwd();
  const folders = { outDir: resolve(out), cacheDir: pathToFileURL(`${resolve(cache)}/`).href };
  process.chdir(ROOT);
  try {
    await build({
      root: ROOT,
      ...folders,
      logLevel: 'error',
      ...(site === undefined ? { integrations: [collect] } : hosted(site, collect, addresses)),
    });
  } finally {
    process.chdir(before);
  }
  return [...files, ...readdirSync(out).filter((name) => /^sitemap.*\.xml$/.test(name))];
}

/** With an address there is a sitemap of `addresses`, which are known when the pages are. Astro's base is for it alone: links between pages are relative. */
function hosted(site: string, collect: AstroIntegration, addresses: string[]) {
  // Astro itself names only the pages of this run, and without their extension: those are left out.
  const integrations = [collect, sitemap({ customPages: addresses, filter: (page) => page.endsWith('.html') })];
  return { site, base: new URL(site).pathname, integrations };
}
