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
  const { site } = settings;
  announceSettings(settings);
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) if (/^sitemap.*\.xml$/.test(name)) rmSync(join(out, name));
  const files = new Set<string>();
  const collect: AstroIntegration = {
    name: 'microfiche-pages',
    hooks: {
      'astro:build:done': ({ assets, dir }) => {
        for (const urls of assets.values()) {
          for (const url of urls) files.add(decodeURI(url.href.slice(dir.href.length)));
        }
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
      ...(site === undefined ? { integrations: [collect] } : hosted(site, collect, files)),
    });
  } finally {
    process.chdir(before);
  }
  return [...files, ...readdirSync(out).filter((name) => /^sitemap.*\.xml$/.test(name))];
}

/** With an address there is a sitemap. Astro's base is for it alone: links between pages are relative. */
function hosted(site: string, collect: AstroIntegration, files: ReadonlySet<string>) {
  return { site, base: new URL(site).pathname, integrations: [collect, sitemap({ serialize: asFile(site, files) })] };
}

/** Makes the sitemap name files, as the links between the pages do, and each once. */
function asFile(site: string, files: ReadonlySet<string>): (item: SitemapItem) => SitemapItem | undefined {
  const named = new Set<string>();
  return (item) => {
    const path = new URL(item.url).pathname.slice(new URL(site).pathname.length).replace(/\/$/, '');
    const file = [`${path}.html`, path === '' ? 'index.html' : `${path}/index.html`].find((name) => files.has(name));
    if (file === undefined || named.has(file)) return undefined;
    named.add(file);
    return { ...item, url: new URL(file, site).href };
  };
}
