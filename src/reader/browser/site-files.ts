/** The addresses of a site's pages and thumbnails, which are in packs in a compact site. */
import { isPackedThumbnail, VIEWER_PAGE } from '../../formats/compact-names.ts';

/** From where files of a site are named. */
export interface SitePlace {
  /** URL of the top of the site, absolute or relative to the top of the language; with a trailing slash unless it is empty. */
  root: string;
  /** Path of the page's language below the top, such as `es/`. */
  prefix: string;
  compact: boolean;
}

/** Returns the address of a page by its path below the top of its language, relative to that top. */
export function pageHref(path: string, { root, prefix, compact }: SitePlace): string {
  return compact ? `${root}${VIEWER_PAGE}?${prefix}${path}` : path;
}

/** Gives an element the thumbnail with a path below the top of the site. Hides it if the path is empty. */
export function setThumbnail(image: HTMLImageElement, path: string, { root, compact }: SitePlace): void {
  image.hidden = path === '';
  if (compact && isPackedThumbnail(path)) image.dataset['thumb'] = path;
  else if (path !== '') image.src = `${root}${path}`;
}
