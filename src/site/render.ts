/** Runs Astro over the snapshot: pages into a folder of their own, from which the build publishes. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sitemap, { type SitemapItem } from '@astrojs/sitemap';
import { type AstroIntegration, build } from 'astro';
import { announceSettings, type BuildSettings } from './settings.ts';

export interface RenderOptions extends BuildSettings {
  /** Where the pages go: kept from build to build, so that Astro need not render again what has not changed. */
  out: string;
  /** Astro's own cache. */
  cache: string;
  /** Render everything, whatever the cache says. */
  force: boolean;
}

const ROOT = join(import.meta.dirname, '../..');

/** Renders every page. Returns the paths of all files below `out` that belong to this build, such as `objects/demo-a-1.html`. */
export async function renderPages({ out, cache, force, ...settings }: RenderOptions): Promise<string[]> {
  announceSettings(settings);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (/^sitemap.*\.xml$/.test(name)) rmSync(join(out, name));
  const files: string[] = [];
  const collect: AstroIntegration = {
    name: 'microfiche-pages',
    hooks: {
      'astro:build:done': ({ assets, dir }) => {
        for (const urls of assets.values()) files.push(...urls.map((url) => decodeURI(url.href.slice(dir.href.length))));
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
      force,
      ...(settings.site === undefined ? {} : { site: settings.site }),
      integrations: [collect, ...(settings.site === undefined ? [] : [sitemap({ serialize: asFile })])],
    });
  } finally {
    process.chdir(before);
  }
  return [...files, ...readdirSync(out).filter((name) => /^sitemap.*\.xml$/.test(name))];
}

/** The sitemap names files, as the links between the pages do, and neither the page for what is missing nor one page twice. */
function asFile(item: SitemapItem): SitemapItem | undefined {
  const url = new URL(item.url);
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  else if (!url.pathname.endsWith('.html')) url.pathname += '.html';
  return { ...item, url: url.href };
}
