/** The links of a page. All are relative, for any path of the site; those of the page for missing paths work everywhere. */
import { NOT_FOUND_PATH, relativeUrl, urlFromAnywhere } from '../../../catalogue/urls.ts';
import { NAME_KINDS } from '../../../formats/search/name-kinds.ts';
import type { Site } from '../../site.ts';

/** The links of a page. */
export type PageLinks = ReturnType<typeof linksFrom>;

/** Returns the links of the page at a path. */
export function linksFrom(path: string, { locale, kiosk, siteUrl }: Pick<Site, 'locale' | 'kiosk' | 'siteUrl'>) {
  const { pathPrefix, rootPath } = locale;
  /** A host sends this page for any missing path, where relative links would be wrong. */
  const isNotFound = path === NOT_FOUND_PATH;
  const address = kiosk ? undefined : siteUrl;
  const to = (target: string) => (isNotFound ? urlFromAnywhere(target, address, pathPrefix) : relativeUrl(path, target));
  return {
    /** Returns the URL of a page in the same language, by its path: `to('search.html')`. */
    to,
    /** Returns the URL of a file that all languages share, by its path: `shared('assets/logo.svg')`. */
    shared: (target: string) => to(`${rootPath}${target}`),
  };
}

/** Returns the attributes of a search form for the script that suggests names; none if the site does not suggest any. */
export function suggestionsOf(site: Pick<Site, 'search' | 'compact' | 'locale'>): Record<string, string> {
  if (!site.search) return {};
  const { suggestions, nameKinds } = site.locale.t.frame;
  const kinds = NAME_KINDS.map((kind) => nameKinds[kind]).join('|');
  return { 'data-suggest': suggestions, 'data-kinds': kinds, ...(site.compact ? { 'data-compact': '' } : {}) };
}
