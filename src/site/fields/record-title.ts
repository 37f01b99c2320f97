/** Titles of records as pages show them. An unavailable record that others name only by its ID has no title of its own. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import type { Dictionary } from '../language/locale.ts';

/** The part of an entry that decides the title. */
type TitledEntry = Pick<ListedEntry, 'id' | 'model' | 'title' | 'origin'>;

/** Whether only the ID of a record is known. */
export function isUntitled({ id, title, origin }: TitledEntry): boolean {
  return origin === 'breadcrumbs' && title === id;
}

/** Returns the title of a record; for a record of which only the ID is known, that it was not available. */
export function shownTitle(entry: TitledEntry, { object }: Dictionary): string {
  if (!isUntitled(entry)) return entry.title;
  return entry.model === 'collection' ? object.unavailableCollection : object.unavailableRecord;
}
