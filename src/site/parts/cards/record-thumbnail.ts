/** Images that represent a record elsewhere than on its page: in lists, search results, saved items and previews. */
import type { ArticleEntry, ListedEntry } from '../../../catalogue/entries.ts';
import { firstImage, type ImageDerivatives, placeholder, placeholderFor, type SiteImage } from '../../images.ts';
import { furtherLabels, hasNotice, isCovered } from '../../notices/notices.ts';
import type { Site } from '../../site.ts';
import { narratorPortrait } from './narrator-portrait.ts';

/** The part of a site on which these images depend. */
export type ThumbnailContext = Pick<Site, 'images' | 'relations' | 'notices'>;

/** Returns the image of a record in its sizes; undefined if it has none, or if a content warning covers it. */
export function findPreview(
  entry: Pick<ListedEntry, 'id' | 'ancestors' | 'mediaUrls'>,
  site: Pick<Site, 'images' | 'notices'>,
): ImageDerivatives | undefined {
  const found = firstImage(site.notices.mediaUrls(entry), site.images);
  return found && !isCovered(entry, site) ? found : undefined;
}

/** A small image, and the record that it shows, whose cultural-protocol labels are before it. */
export interface Thumbnail {
  image: SiteImage;
  shows: ListedEntry;
}

/**
 * Returns the thumbnail of a record; of an interview without an image, the narrator's portrait; of a collection without one, that
 * of the first child that has one, if possible without labels of its own. None if a content warning covers it.
 */
export function findThumbnail(entry: ListedEntry, site: ThumbnailContext): Thumbnail | undefined {
  if (isCovered(entry, site)) return undefined;
  const own = findPreview(entry, site)?.thumb ?? narratorPortrait(entry, site);
  if (own) return { image: own, shows: entry };
  if (entry.model !== 'collection') return undefined;
  let labeled: Thumbnail | undefined;
  for (const child of site.relations.children(entry.id).withMedia()) {
    const image = findPreview(child, site)?.thumb;
    if (!image) continue;
    if (furtherLabels(child, entry, site).length === 0) return { image, shows: child };
    labeled ??= { image, shows: child };
  }
  return labeled;
}

/** Of how many records of a guide page or a facility images are looked for. */
export const MAX_IMAGE_RECORDS = 100;

/** Returns the records of a guide page among which images are looked for. */
export function imageRecordsOf(
  { objects }: Pick<ArticleEntry, 'objects'>,
  { relations }: Pick<ThumbnailContext, 'relations'>,
): ListedEntry[] {
  return objects.slice(0, MAX_IMAGE_RECORDS).flatMap((id) => relations.object(id) ?? []);
}

/** Returns the thumbnail of the first source of a guide page that has an image, and names no record with a notice. */
export function findSourceThumbnail({ images }: Pick<ArticleEntry, 'images'>, site: ThumbnailContext): SiteImage | undefined {
  const isNoticed = (id: string) => {
    const record = site.relations.object(id);
    return record !== undefined && hasNotice(record, site);
  };
  const shown = Iterator.from(images).filter(({ objects }) => !objects.some(isNoticed));
  return shown.map(({ url }) => site.images.get(url)?.thumb).find((found) => found !== undefined);
}

/** Returns a guide page's or facility's possible thumbnails: of its records, unlabeled ones and photographs first. */
export function* thumbnailsAmong(records: readonly ListedEntry[], site: ThumbnailContext): Generator<Thumbnail> {
  const labeled: Thumbnail[] = [];
  const { photographs = [], others = [] } = Object.groupBy(records, ({ genre }) =>
    genre === 'photograph' ? 'photographs' : 'others',
  );
  for (const record of [...photographs, ...others]) {
    const thumbnail = findThumbnail(record, site);
    if (!thumbnail) continue;
    if (site.notices.of(thumbnail.shows).labels.length === 0) yield thumbnail;
    else labeled.push(thumbnail);
  }
  yield* labeled;
}

/** Returns the image of a record in a list: its thumbnail, or a placeholder. `root` is a relative path to the top of the site. */
export function findListedImage(entry: ListedEntry, site: ThumbnailContext, root = ''): Thumbnail & { isPlaceholder: boolean } {
  const thumbnail = findThumbnail(entry, site);
  if (thumbnail) return { ...thumbnail, isPlaceholder: false };
  const image = isCovered(entry, site) ? placeholder('covered', root) : placeholderFor(entry, root);
  return { image, shows: entry, isPlaceholder: true };
}
