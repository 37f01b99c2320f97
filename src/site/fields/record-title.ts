/** Titles of records as pages show them. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { isNumberOf, withoutName } from '../../model/segment-title.ts';
import type { Locale } from '../language/locale.ts';

/** The part of an entry that decides the title. */
type TitledEntry = Pick<ListedEntry, 'id' | 'model' | 'title' | 'origin'>;

/** The part of a site that knows the records. */
interface WithRelations {
  relations: { object: (id: string) => Pick<ListedEntry, 'title'> | undefined };
}

/** Whether a record has no title but its ID. That of an organization is at least a short name. */
export function isUntitled({ id, model, title, origin }: TitledEntry): boolean {
  if (title !== id && title !== `[${id}]`) return false;
  return origin === 'breadcrumbs' || (model !== 'organization' && model !== 'repository');
}

/** Returns the title of a record; of one without a title, that it has none, or that it was not available. */
export function shownTitle(entry: TitledEntry, { object }: Locale['t']): string {
  if (!isUntitled(entry)) return entry.title;
  return object[
    `${entry.origin === 'breadcrumbs' ? 'unavailable' : 'untitled'}${entry.model === 'collection' ? 'Collection' : 'Record'}`
  ];
}

/** Returns what a segment is about, if its own title is only a number. */
export function subjectOf({ model, title, subject, parent }: ListedEntry, { relations }: WithRelations): string | undefined {
  if (model !== 'segment' || subject === undefined || parent === undefined) return undefined;
  return isNumberOf(title, relations.object(parent)?.title) ? subject : undefined;
}

/** Returns what a record is called beside the title of its interview. */
export function shortTitle(entry: ListedEntry, site: WithRelations & { locale: Pick<Locale, 't'> }): string {
  const title = shownTitle(entry, site.locale.t);
  if (entry.model !== 'segment' || entry.parent === undefined) return title;
  return subjectOf(entry, site) ?? withoutName(title, site.relations.object(entry.parent)?.title);
}
