/** The image derivatives of a build, and which of them represents a record. */

/** One derivative: its path in the site and its size in pixels. */
export interface SiteImage {
  path: string;
  width: number;
  height: number;
}

/** By the URL upstream: the thumbnail for lists, and the display image for the record's own page. */
export type SiteImages = Readonly<Record<string, { thumb: SiteImage; page: SiteImage }>>;

/** Returns the images with `root`, a relative path to the top of the site, prepended to their paths. */
export function withPathsFrom(root: string, images: SiteImages): SiteImages {
  if (root === '') return images;
  const withRoot = (image: SiteImage): SiteImage => ({ ...image, path: `${root}${image.path}` });
  return Object.fromEntries(
    Object.entries(images).map(([url, { thumb, page }]) => [url, { thumb: withRoot(thumb), page: withRoot(page) }]),
  );
}

/** Pixels. */
export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** Returns the derivatives of the first of a record's images that has any. `urls` are the URLs of these images upstream. */
export function firstImage(urls: string[], images: SiteImages): SiteImages[string] | undefined {
  for (const url of urls) if (Object.hasOwn(images, url)) return images[url];
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
