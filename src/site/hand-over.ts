/**
 * The one place where a build, or the dev server, hands its site to the pages. Astro bundles the pages into modules of their own but runs
 * them in the same process; this module stays outside the bundle (src/pipeline/shared-module.ts), so both sides see the same instance.
 */
import type { Entries } from '../catalogue/catalogue.ts';
import type { ContentReader } from './content.ts';
import type { Params, PlannedPage, Route } from './plan.ts';
import type { Site } from './site.ts';

export interface HandOver {
  /** One a language, the one at the top first. */
  readonly sites: readonly Site[];
  readonly catalogue: Entries;
  readonly content: ContentReader;
  /** The pages to render, by route. */
  readonly pages: ReadonlyMap<Route, ReadonlyArray<Pick<PlannedPage, 'params'>>>;
  /** Whether a page (its path in the site) failed, so that it must say that it could not be made. */
  readonly hasFailed: (path: string) => boolean;
}

let current: HandOver | undefined;

/** Hands a site to the pages until the returned function is called. @throws if another site is being rendered in this process. */
export function handOver(site: HandOver): () => void {
  if (current) throw new Error('Two sites cannot be rendered at once in one process');
  current = site;
  return () => {
    current = undefined;
  };
}

/** Whether the pages have a site. */
export function hasSite(): boolean {
  return current !== undefined;
}

/** Returns what was handed over. @throws if nothing was: the pages were started in another way than by a build or the dev server. */
export function handedOver(): HandOver {
  if (!current) throw new Error('The pages have no site to show: run “microfiche build” or “npm run dev”');
  return current;
}

/** Returns the site in the language that a route's `lang` names; without one, in the language at the top. */
export function siteIn(lang: string | undefined): Site {
  const prefix = lang === undefined ? '' : `${lang}/`;
  const found = handedOver().sites.find(({ edition }) => edition.prefix === prefix);
  if (!found) throw new Error(`There is no edition at ${lang}`);
  return found;
}

/** Returns the pages of a route to render, in the form of Astro's `getStaticPaths`. */
export function staticPathsOf<Path extends Route>(route: Path): Array<{ params: Params<Path> }> {
  return (handedOver().pages.get(route) ?? []).map(({ params }) => ({ params: params as Params<Path> }));
}

/** Whether a page must say that it could not be made. `path` is relative to the top of the edition. */
export function hasFailed({ edition }: Site, path: string): boolean {
  return handedOver().hasFailed(`${edition.prefix}${path}`);
}
