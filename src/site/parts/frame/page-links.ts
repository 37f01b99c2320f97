/** The links of a page. All are relative, for any path of the site; those of the page for missing paths work everywhere. */
import { NOT_FOUND_PATH, relativeUrl, urlFromAnywhere } from '../../../catalogue/urls.ts';
import type { Site } from '../../site.ts';

/** The links of a page. */
export interface PageLinks {
  /** Returns the URL of a page in the same language, by its path: `to('search.html')`. */
  to(path: string): string;
  /** Returns the URL of a file that all languages share, by its path: `shared('assets/logo.svg')`. */
  shared(path: string): string;
}

/** Returns the links of the page at a path. */
export function linksFrom(path: string, { locale, kiosk, siteUrl }: Pick<Site, 'locale' | 'kiosk' | 'siteUrl'>): PageLinks {
  const { pathPrefix, rootPath } = locale;
  /** A host sends this page for any missing path, where relative links would be wrong. */
  const isNotFound = path === NOT_FOUND_PATH;
  const address = kiosk ? undefined : siteUrl;
  const to = (target: string) => (isNotFound ? urlFromAnywhere(target, address, pathPrefix) : relativeUrl(path, target));
  return { to, shared: (target) => to(`${rootPath}${target}`) };
}
