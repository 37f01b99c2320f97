/** What the button that saves a record needs to know of it. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath, relativeUrl } from '../../../catalogue/urls.ts';
import { subjectOf } from '../../fields/record-title.ts';
import type { Site } from '../../site.ts';
import { kindLabel } from '../cards/image-text.ts';
import { findThumbnail } from '../cards/record-thumbnail.ts';

/** A record as the script src/reader/saved/save-buttons.ts reads it. */
export type SaveData = NonNullable<ReturnType<typeof createSaveData>>;

/** Returns what is saved of a record, from its page at `from`; undefined in a kiosk, which many people use. */
export function createSaveData(entry: ListedEntry, from: string, collection: string | undefined, site: Site) {
  if (site.kiosk) return undefined;
  const { rootPath, t, formatRecordDate } = site.locale;
  const thumbnail = findThumbnail(entry, site);
  const isLabeled = thumbnail && site.notices.of(thumbnail.shows).labels.length > 0;
  return {
    id: entry.id,
    /** If its heading is something else. */
    title: subjectOf(entry, site) && entry.title,
    /** Path of its page, below the top of a language. */
    path: objectPath(entry.id),
    kind: kindLabel(entry, t),
    date: entry.date && formatRecordDate(entry.date),
    /** Title of its collection. */
    collection,
    /** Path of its thumbnail in the site; none of a record with a cultural-protocol label. */
    image: isLabeled ? undefined : thumbnail?.image.path.slice(rootPath.length),
    /** Relative path from the page to the top of the site. */
    root: relativeUrl(from, rootPath),
  };
}
