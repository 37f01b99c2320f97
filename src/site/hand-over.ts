/**
 * Hands the site of a build, or of the dev server, to the pages. Astro bundles the pages but runs them in the same process; this
 * module stays outside the bundle (src/build/astro/shared-module.ts), so that both sides have the same instance.
 */
import type { Entries } from '../catalogue/catalogue.ts';
import type { ContentReader } from './content.ts';
import type { PlannedPage } from './plan.ts';
import type { Site } from './site.ts';

/** What the route needs of a page. */
export type RoutedPage = Omit<PlannedPage, 'isWhole'>;

/** The build context: what pages get from the pipeline. Only the results of `hasFailed` and `showsOwnComponents` change. */
export interface BuildContext {
  /** One per language; the one at the top of the site is first. */
  readonly sites: readonly Site[];
  /** All entries, for pages that show data of the entire archive. */
  readonly entries: Entries;
  readonly content: ContentReader;
  /** The pages to render. */
  readonly pages: readonly RoutedPage[];
  /** Whether a page, by its path in the site, failed before, so that it must show a replacement. */
  readonly hasFailed: (path: string) => boolean;
  /** Reports that a page, by its path in the site, was rendered but lacks something. */
  readonly addDefect: (path: string, cause: string) => void;
  /** Whether the archive's own components are shown. Not on a page on which one of them has failed. */
  readonly showsOwnComponents?: () => boolean;
  /** Whether the dev server shows the pages, to which Vite adds inline styles and scripts. */
  readonly isDevServer?: boolean;
}

let current: BuildContext | undefined;

/**
 * Hands a site to the pages until the returned function is called.
 * @throws {Error} if another site is being rendered in this process.
 */
export function handOver(site: BuildContext): () => void {
  if (current) throw new Error('Two sites cannot be rendered at once in one process');
  current = site;
  return () => {
    current = undefined;
  };
}

/** Whether a site has been handed over. */
export const hasSite = (): boolean => current !== undefined;

/**
 * Returns the build context.
 * @throws {Error} if there is none, because neither a build nor the dev server runs the pages.
 */
export function buildContext(): BuildContext {
  if (!current) throw new Error('The pages have no site to show: run "microfiche build" or "npm run dev"');
  return current;
}

/** Returns the pages to render, for Astro's `getStaticPaths`. The route's parameter is the page's path without extension. */
export function staticPaths() {
  return buildContext().pages.map((page) => ({
    params: { page: page.path.replace(/(?:(?:^|\/)index)?\.html$/, '') || undefined },
    props: page,
  }));
}

/**
 * Returns the site in the language of a page.
 * @throws {Error} if the build does not have the language.
 */
export function siteOf({ pathPrefix }: Pick<RoutedPage, 'pathPrefix'>): Site {
  const found = buildContext().sites.find(({ locale }) => locale.pathPrefix === pathPrefix);
  if (!found) throw new Error(`This build does not have the language ${pathPrefix}`);
  return found;
}

/** Whether a page must show a replacement because rendering failed. `path` is relative to the top of the locale. */
export const hasFailed = ({ locale }: Site, path: string): boolean => buildContext().hasFailed(`${locale.pathPrefix}${path}`);

/** Reports what a page lacks, for the report of the build. `path` is relative to the top of the locale. */
export function reportDefects({ locale }: Site, path: string, causes: readonly string[]): void {
  for (const cause of causes) buildContext().addDefect(`${locale.pathPrefix}${path}`, cause);
}

/** Whether the archive's own components are shown on the page that is being rendered. */
export const showsOwnComponents = (): boolean => buildContext().showsOwnComponents?.() ?? true;

class ComponentError extends Error {
  override name = 'ComponentError';
}

/** Returns the error of an own component with its name, unless it already has that of a component within it. */
export function failedComponent(component: string, error: unknown): Error {
  if (error instanceof ComponentError) return error;
  return new ComponentError(`${component}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
