/** The image derivatives of a build, and which of them represents a record. */

/** One derivative: its path in the site and its size in pixels. */
export interface SiteImage {
  path: string;
  width: number;
  height: number;
}

/** By the URL upstream: the thumbnail for lists, and the display image for the record's own page. */
export type SiteImages = Readonly<Record<string, { thumb: SiteImage; page: SiteImage }>>;

/** Returns the images with `root`, a relative path to the top of the site, before their paths. */
export function withPathsFrom(root: string, pictures: SiteImages): SiteImages {
  if (root === '') return pictures;
  const moved = (picture: SiteImage): SiteImage => ({ ...picture, path: `${root}${picture.path}` });
  return Object.fromEntries(
    Object.entries(pictures).map(([url, { thumb, page }]) => [url, { thumb: moved(thumb), page: moved(page) }]),
  );
}

/** Pixels. */
export const PLACEHOLDER_SIZE = { width: 400, height: 300 };

/** Returns the derivatives of the first of a record's images that has any. `images` are URLs upstream. */
export function firstImage(images: string[], pictures: SiteImages): SiteImages[string] | undefined {
  for (const url of images) if (Object.hasOwn(pictures, url)) return pictures[url];
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
