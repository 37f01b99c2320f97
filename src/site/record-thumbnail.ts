/** The image that represents a record in lists, search results and among saved items. */
import type { ListedEntry } from '../catalogue/entries.ts';
import { firstImage, type SiteImage } from './images.ts';
import type { Site } from './site.ts';

/** Returns the thumbnail of a record; of a collection without an image, that of the first child that has one. */
export function findThumbnail(
  entry: ListedEntry,
  { images, relations }: Pick<Site, 'images' | 'relations'>,
): SiteImage | undefined {
  const own = firstImage(entry.imageUrls, images)?.thumb;
  if (own || entry.model !== 'collection') return own;
  for (const child of relations.children(entry.id).withMedia()) {
    const found = firstImage(child.imageUrls, images)?.thumb;
    if (found) return found;
  }
  return undefined;
}
