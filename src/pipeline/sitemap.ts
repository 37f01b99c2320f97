/** Writes the sitemap of a site whose URL is known. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { objectPath } from '../catalogue/urls.ts';
import { toW3cdtf } from '../model/timestamps.ts';
import type { Site } from '../site/site.ts';

const SITEMAP = /^sitemap.*\.xml$/;
const NOT_LISTED = /(?:^|\/)404\.html$/;

/** The content of a sitemap. */
export interface SitemapSource {
  /** The URL of the site, with a slash at its end. */
  site: string;
  /** Paths of all pages in the site that are not at a former address. */
  paths: readonly string[];
  catalogue: Pick<Catalogue, 'objects'>;
  sites: readonly Site[];
}

/** Writes a sitemap of all pages but those for errors into the directory `out`. Returns the names of its files. */
export async function writeSitemap(out: string, { site, paths, catalogue, sites }: SitemapSource): Promise<string[]> {
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
  for (const name of names) removeUnstatedTimes(join(out, name));
  return names;
}

type Hooks = Required<AstroIntegration['hooks']>;
type Hook<Name extends 'astro:routes:resolved' | 'astro:config:done' | 'astro:build:done'> = Parameters<Hooks[Name]>[0];

/** Runs the hooks of the library as Astro's build does, with what it reads of their parameters. The pages are not made by Astro's build. */
async function runHooks({ hooks }: AstroIntegration, out: string, site: string): Promise<void> {
  const fail = (message: string) => {
    throw new Error(`The sitemap could not be made: ${message}`);
  };
  const config = { site, base: new URL(site).pathname, trailingSlash: 'ignore', build: { format: 'preserve' } };
  const logger = { info: () => undefined, warn: fail, error: fail };
  await hooks['astro:routes:resolved']?.({ routes: [] } as unknown as Hook<'astro:routes:resolved'>);
  await hooks['astro:config:done']?.({ config } as unknown as Hook<'astro:config:done'>);
  await hooks['astro:build:done']?.({
    ...{ dir: pathToFileURL(`${out}/`), pages: [], logger },
  } as unknown as Hook<'astro:build:done'>);
}

/** The library adds midnight in UTC to a date without a time. Removes it from a sitemap: the times of such records have no zone. */
function removeUnstatedTimes(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('T00:00:00.000Z</lastmod>', '</lastmod>'));
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
