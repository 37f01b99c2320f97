/** The image derivatives of a build, and which of them represents a record. */

import type { Lookup } from '../platform/lookup.ts';

/** One derivative: its path in the site and its size in pixels. */
export interface SiteImage {
  path: string;
  width: number;
  height: number;
}

/** The derivatives of one image: the thumbnail for lists, and the display image for the record's own page. */
export interface ImageDerivatives {
  thumb: SiteImage;
  page: SiteImage;
}

/** By the URL upstream. */
export type SiteImages = Readonly<Record<string, ImageDerivatives>>;

/** Returns the images with `root`, a relative path to the top of the site, prepended to their paths. */
export function withPathsFrom(root: string, images: Lookup<ImageDerivatives>): Lookup<ImageDerivatives> {
  if (root === '') return images;
  const withRoot = (image: SiteImage): SiteImage => ({ ...image, path: `${root}${image.path}` });
  return {
    get(url) {
      const found = images.get(url);
      return found && { thumb: withRoot(found.thumb), page: withRoot(found.page) };
    },
  };
}

/** Pixels. */
export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** Returns the derivatives of the first of a record's images that has any. `urls` are the URLs of these images upstream. */
export function firstImage(urls: string[], images: Lookup<ImageDerivatives>): ImageDerivatives | undefined {
  for (const url of urls) {
    const found = images.get(url);
    if (found) return found;
  }
  return undefined;
}

const PLACEHOLDER_BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['img', 'image'],
  ['doc', 'document'],
  ['vh', 'interview'],
  ['av', 'interview'],
]);
const PLACEHOLDER_BY_MODEL: ReadonlyMap<string, string> = new Map([
  ['segment', 'interview'],
  ['file', 'document'],
  ['entity', 'document'],
]);

/** Returns the placeholder for a record without an image: by its format, or else by its model. `root` is a relative path to the top of the site. */
export function placeholderFor(entry: { format: string | undefined; model: string }, root = ''): SiteImage {
  const kind = PLACEHOLDER_BY_FORMAT.get(entry.format ?? '') ?? PLACEHOLDER_BY_MODEL.get(entry.model) ?? 'collection';
  return { path: `${root}assets/no-picture-${kind}.svg`, ...PLACEHOLDER_SIZE };
}
